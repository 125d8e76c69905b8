//! What people ask about positions and games: the best moves, the loss of each move, the end of a game.

use serde::Serialize;

use crate::TileSet;
use crate::board::{Board, Direction, SQUARES};
use crate::files::gcg::{Act, Sheet};
use crate::generate::{Engine, Field, Hand};
use crate::play::tile;
use crate::players::{Leaves, Rated, Step, candidates, kept_for};
use crate::settings::{RACK, Settings};

/// A move in a list.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Listed {
    /// The move as players write it.
    #[serde(rename = "move")]
    pub text: String,
    /// Its points.
    pub score: i32,
    /// The tiles that it takes from the rack.
    pub tiles: String,
    /// The tiles that stay.
    pub leave: String,
    /// Points and what the leave is worth.
    pub equity: f64,
}

/// A step as players write it.
pub fn text(step: &Step, board: &Board, tiles: &TileSet) -> String {
    match step {
        Step::Lay(play, _) => play.text(board, tiles),
        Step::Swap(given) => format!("exchange {}", rack_text(given.tiles(), tiles)),
        Step::Pass => "pass".to_owned(),
    }
}

/// Tiles of a rack as text.
pub fn rack_text(bytes: &[u8], tiles: &TileSet) -> String {
    let held: Vec<_> = bytes.iter().map(|&b| tile(b)).collect();
    tiles.write_rack(&held)
}

/// A rated move in a list.
pub fn listed(rated: &Rated, hand: &Hand, board: &Board, tiles: &TileSet) -> Listed {
    let taken: Vec<u8> = match &rated.step {
        Step::Lay(play, _) => play.taken().collect(),
        Step::Swap(given) => given.tiles().to_vec(),
        Step::Pass => Vec::new(),
    };
    let left = hand.without(taken.iter().copied()).unwrap_or(hand.left);
    let kept: Vec<u8> = hand.kept(left).collect();
    Listed {
        text: text(&rated.step, board, tiles),
        score: rated.score,
        tiles: rack_text(&taken, tiles),
        leave: rack_text(&kept, tiles),
        equity: f64::from(rated.worth) / 100.0,
    }
}

/// A turn of a game beside the best that could be done.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Judgement {
    /// The line of the sheet.
    pub line: usize,
    /// Which turn of the sheet, from zero.
    pub turn: usize,
    /// Whose turn, from zero.
    pub player: usize,
    /// The rack.
    pub rack: String,
    /// What was done.
    pub played: Listed,
    /// The best at first sight.
    pub best: Listed,
    /// How much worse what was done is, in points.
    pub loss: f64,
    /// A play of all seven tiles that was there and not laid.
    pub missed_bingo: Option<String>,
    /// The words that it made and that are not in the lexicon.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phonies: Vec<String>,
    /// Whether it was taken back: then it was worth no more than a pass.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub withdrawn: bool,
}

/// The words of a play that are not in the lexicon.
fn phonies(engine: &Engine, board: &Board, play: &crate::Play) -> Vec<String> {
    let words = play.words(board);
    let unknown = words
        .iter()
        .filter(|made| !engine.lexicon().contains(&made.letters));
    unknown
        .map(|made| engine.tiles().write_word(&made.letters))
        .collect()
}

/// Looks at every turn of a game: at first sight, by points and leaves. Turns whose rack is not known whole are passed over.
pub fn analyse(
    engine: &Engine,
    leaves: &Leaves,
    settings: &Settings,
    sheet: &Sheet,
) -> Vec<Judgement> {
    let tiles = engine.tiles();
    let whole = tiles.bag().len();
    let mut found = Vec::new();
    for (number, turn) in sheet.turns.iter().enumerate() {
        let step = match &turn.act {
            Act::Play(play) => Step::Lay(*play, 0),
            Act::Exchange(given, _) => Step::Swap(crate::players::Rack::new(given)),
            Act::Pass => Step::Pass,
            _ => continue,
        };
        let board = sheet.board(number);
        let laid = board.squares().iter().filter(|&&b| b != 0).count();
        // What is neither on the board nor in full racks is in the bag.
        let bag = whole.saturating_sub(laid + RACK * sheet.players.len().max(1));
        let expected = RACK.min(whole - laid);
        if turn.rack.is_empty() || (bag > 0 && turn.rack.len() < expected) {
            continue;
        }
        let hand = Hand::new(&turn.rack);
        let field = engine.field(&board);
        let pool = sheet.unseen(number, &turn.rack, tiles);
        let others = pool.iter().map(|&t| engine.values().of(t)).sum();
        let kept = kept_for(leaves, &hand, bag, engine.values(), others);
        let swaps = bag >= usize::from(settings.exchange);
        let all = candidates(
            engine,
            &field,
            &hand,
            settings.bingo,
            &kept,
            swaps,
            usize::MAX,
        );
        let Some(best) = all.first() else { continue };
        let taken: Vec<u8> = match &step {
            Step::Lay(play, _) => play.taken().collect(),
            Step::Swap(given) => given.tiles().to_vec(),
            Step::Pass => Vec::new(),
        };
        let Some(left) = hand.without(taken) else {
            continue;
        };
        let withdrawn = sheet.withdrawn(number);
        let bad = match &step {
            Step::Lay(play, _) => phonies(engine, &board, play),
            _ => Vec::new(),
        };
        let score = match &step {
            Step::Lay(play, _) => play.score(&board, engine.values(), RACK, settings.bingo),
            _ => 0,
        };
        let step = match step {
            Step::Lay(play, _) => Step::Lay(play, score),
            other => other,
        };
        let played = Rated {
            step,
            score,
            worth: score * 100 + kept[usize::from(left)],
        };
        // Who takes a word back has done nothing, with all tiles kept.
        let counted = if withdrawn {
            kept[usize::from(hand.left)]
        } else {
            played.worth
        };
        let bingo = |r: &&Rated| matches!(&r.step, Step::Lay(p, _) if p.count() == RACK);
        let laid_all = bingo(&&played) && !withdrawn;
        let missed = all.iter().find(bingo).filter(|_| !laid_all);
        found.push(Judgement {
            line: turn.line,
            turn: number,
            player: turn.player,
            rack: rack_text(&turn.rack, tiles),
            loss: (f64::from(best.worth - counted) / 100.0).max(0.0),
            played: listed(&played, &hand, &board, tiles),
            best: listed(best, &hand, &board, tiles),
            missed_bingo: missed.map(|r| text(&r.step, &board, tiles)),
            phonies: bad,
            withdrawn,
        });
    }
    found
}

/// What an overlay shows of one square: whether a word must pass here, and what fits across and down.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct SquareCheck {
    /// The square, row by row from zero.
    pub square: usize,
    /// Whether it is an anchor.
    pub anchor: bool,
    /// The letters that fit in a word across; nothing where all do.
    pub across: Option<Vec<String>>,
    /// The letters that fit in a word down; nothing where all do.
    pub down: Option<Vec<String>>,
}

/// The anchors and cross-checks of a board, square by square: all that the generator knows before it starts. Squares that are
/// no anchor and restrict nothing are left out.
pub fn checks(field: &Field, tiles: &TileSet) -> Vec<SquareCheck> {
    let letters = |direction: Direction, square: usize| {
        let fit = field.fit(direction, square);
        let all = tiles.letters().all(|l| fit & l.bit() != 0);
        (!all).then(|| {
            tiles
                .letters()
                .filter(|l| fit & l.bit() != 0)
                .map(|l| tiles.face(l).upper.clone())
                .collect::<Vec<String>>()
        })
    };
    (0..SQUARES)
        .filter(|&square| field.board().tile(square) == 0)
        .map(|square| SquareCheck {
            square,
            anchor: field.anchor(square),
            across: letters(Direction::Across, square),
            down: letters(Direction::Down, square),
        })
        .filter(|check| check.anchor || check.across.is_some() || check.down.is_some())
        .collect()
}
