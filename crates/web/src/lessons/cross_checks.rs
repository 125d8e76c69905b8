//! Why cross-checks make Scrabble fast: the same search with them and without.

use std::sync::{Arc, OnceLock};

use maud::html;
use serde_json::{Map, Value, json};
use wits_game::{Dice, Game, Light, Scene, Seed};
use wits_play::Budget;
use wits_scrabble::generate::{Fit, Fitting, Found, Method};
use wits_scrabble::{
    Board, Direction, Engine, Field, Hand, Letter, Lexicon, SIDE, Scrabble, Settings, Table,
    TileSet, shown,
};

use super::asked::{Asked, MOVE, refused};
use super::boards::Story;
use super::guess::Guess;
use super::parts::{Live, decimal, line, percent, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// What laying seven tiles adds.
const BONUS: i32 = 50;

/// Lets every letter through: a search that looks across only afterwards.
struct Anything;

impl Fitting for Anything {
    fn fits(&self, _: &[u8], _: &[u8]) -> Fit {
        !1
    }
}

fn engine() -> Option<&'static Arc<Engine>> {
    static ENGINE: OnceLock<Option<Arc<Engine>>> = OnceLock::new();
    let new = || {
        let lexicon = Lexicon::embedded("english")?;
        Some(Arc::new(Engine::new(Lexicon::clone(&*lexicon))))
    };
    ENGINE.get_or_init(new).as_ref()
}

/// A board after some moves of a machine that takes the most points, and the tiles that come next.
fn played(engine: &Engine, moves: usize, seed: u64) -> (Field, Vec<u8>) {
    let mut bag: Vec<u8> = engine
        .tiles()
        .bag()
        .iter()
        .map(|t| t.kind() as u8)
        .collect();
    let mut dice = Dice::new(Seed::new(seed));
    for i in (1..bag.len()).rev() {
        bag.swap(i, dice.below(i + 1));
    }
    let mut field = engine.field(&Board::default());
    let mut hand: Vec<u8> = bag.split_off(bag.len() - 7);
    for _ in 0..moves {
        let plays = engine.plays(&field, &Hand::new(&hand), BONUS);
        let Some((play, _)) = plays
            .iter()
            .max_by_key(|(play, score)| (*score, std::cmp::Reverse(*play)))
        else {
            break;
        };
        for kind in play.taken() {
            if let Some(at) = hand.iter().position(|&k| k == kind) {
                hand.swap_remove(at);
            }
        }
        engine.lay(&mut field, play);
        let left = bag.len().saturating_sub(7 - hand.len());
        hand.extend(bag.split_off(left));
    }
    (field, hand)
}

fn rack(tiles: &TileSet, kinds: &[u8]) -> String {
    let mut all: Vec<String> = kinds
        .iter()
        .map(|&k| Letter::new(k).map_or_else(|| "?".to_owned(), |l| tiles.write_word(&[l])))
        .collect();
    all.sort();
    all.concat()
}

/// How many letters fit on a square into what stands above and below it; nothing where all do.
fn fit(field: &Field, tiles: &TileSet, square: usize) -> Option<u32> {
    let letters = tiles.letters().count() as u32;
    let fits = (field.fit(Direction::Across, square) & !1).count_ones();
    let free = field.board().tile(square) == 0 && field.anchor(square);
    (free && fits < letters).then_some(fits)
}

/// The squares of the word down the board that goes through a square.
fn down(board: &Board, square: usize) -> Vec<usize> {
    let laid = |s: &usize| board.tile(*s) != 0;
    let above = (1..)
        .map_while(|i| square.checked_sub(i * SIDE))
        .take_while(laid);
    let below = (1..)
        .map(|i| square + i * SIDE)
        .take_while(|&s| s < SIDE * SIDE)
        .take_while(laid);
    let mut all: Vec<usize> = above.chain([square]).chain(below).collect();
    all.sort_unstable();
    all
}

/// A square that the reader is asked about: a letter that fits there, and some that do not.
struct Spot {
    square: usize,
    letters: Vec<(Letter, bool)>,
}

/// The square beside the longest word that few letters fit, with letters that are laid often.
fn spot(field: &Field, tiles: &TileSet) -> Option<Spot> {
    let fits = |square: usize, l: Letter| field.fit(Direction::Across, square) >> l.code() & 1 == 1;
    let asked = |&s: &usize| (1..=6).contains(&fit(field, tiles, s).unwrap_or(0));
    let long = |&s: &usize| (down(field.board(), s).len(), std::cmp::Reverse(s));
    let square = (0..SIDE * SIDE).filter(asked).max_by_key(long)?;
    let mut all: Vec<Letter> = tiles.letters().collect();
    let often = |l: &Letter| {
        tiles
            .bag()
            .iter()
            .filter(|t| t.kind() == usize::from(l.code()))
            .count()
    };
    all.sort_by_key(|l| std::cmp::Reverse(often(l)));
    let right = all.iter().filter(|l| fits(square, **l)).take(1);
    let wrong = all.iter().filter(|l| !fits(square, **l)).take(4);
    let mut letters: Vec<(Letter, bool)> =
        right.chain(wrong).map(|&l| (l, fits(square, l))).collect();
    letters.sort_by_key(|l| l.0.code());
    Some(Spot { square, letters })
}

/// The board as the room draws it.
fn scene(engine: &Arc<Engine>, board: &Board, rack: &[u8]) -> Scene {
    let game = Scrabble::new(Arc::clone(engine), Settings::default());
    let mut table = Table::new(1);
    table.board = *board;
    table.racks = vec![rack.to_vec()];
    let mut scene = game.scene(&table);
    for tray in &mut scene.trays {
        tray.title = say("lesson-rack");
    }
    // The colour of a tile is its value at a table; here only letters count.
    let laid = scene
        .cells
        .iter_mut()
        .filter_map(|cell| cell.token.as_mut());
    for tile in laid.chain(scene.trays.iter_mut().flat_map(|tray| &mut tray.tokens)) {
        tile.colour = 1;
    }
    Scene {
        targets: Vec::new(),
        caption: String::new(),
        ..scene
    }
}

/// The question about a square, and the letter that the reader lays there.
fn asking(
    engine: &Arc<Engine>,
    field: &Field,
    hand: &[u8],
    given: Option<&str>,
) -> (Guess, String) {
    let tiles = engine.tiles();
    let before = scene(engine, field.board(), hand);
    let Some(spot) = spot(field, tiles) else {
        return (Guess::about(super::boards::still(&before)), String::new());
    };
    let write = |l: Letter| tiles.write_word(&[l]);
    let lit = |mut scene: Scene, squares: &[usize], light: Light| {
        for &square in squares {
            scene.cells[square].light = Some(light);
        }
        scene
    };
    let options = spot.letters.iter().map(|(l, _)| (write(*l), write(*l)));
    let said = given.and_then(|g| spot.letters.iter().find(|(l, _)| write(*l) == g));
    let open = lit(before.clone(), &[spot.square], Light::Look);
    let Some(&(letter, right)) = said else {
        let guess = Guess::about(super::boards::still(&open)).options(options);
        return (guess, String::new());
    };
    let mut board = *field.board();
    board.put(spot.square, letter.code());
    let squares = down(&board, spot.square);
    let word = squares
        .iter()
        .filter_map(|&s| Letter::new(shown(board.tile(s))));
    let word = tiles.write_word(&word.collect::<Vec<_>>());
    let light = if right { Light::Win } else { Light::Wrong };
    let laid = lit(scene(engine, &board, hand), &squares, light);
    let key = if right {
        "lesson-a-word"
    } else {
        "lesson-no-word"
    };
    let remarks: Map<String, Value> = (0..SIDE * SIDE)
        .filter_map(|s| {
            let text = fit(field, tiles, s)?.to_string();
            Some((
                before.cells[s].name.clone(),
                json!({ "text": text, "label": text, "kind": "exact" }),
            ))
        })
        .collect();
    let mut story = Story::replied(1);
    story.add(open, say("lesson-before-it"));
    story.add(laid, WORDS.say(key).with("word", &word));
    let mut bare = before;
    for cell in &mut bare.cells {
        cell.note.clear();
    }
    story.note(bare, &say("lesson-fits"), remarks.into());
    (
        Guess::about(story.on_page())
            .options(options)
            .right(Some(right)),
        word,
    )
}

/// The same search twice.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let engine = engine().ok_or_else(Fault::missing)?;
    let tiles = engine.tiles();
    let moves: usize = asked.number("moves", 8, 1, 12)?;
    let seed: u64 = asked.number("seed", 3, 1, 100)?;
    let (field, drawn) = played(engine, moves, seed);
    let typed = asked.text("rack").filter(|t| *t != "-");
    let hand = match typed {
        None => drawn,
        Some(text) => {
            let read = tiles
                .read_rack(text)
                .ok()
                .filter(|r| (1..=7).contains(&r.len()));
            let read = read.ok_or_else(|| {
                refused(
                    "bad-rack",
                    WORDS.say("lesson-bad-rack"),
                    WORDS.say("lesson-bad-rack-hint"),
                )
            })?;
            read.iter().map(|t| t.kind() as u8).collect()
        }
    };
    let hand_of = Hand::new(&hand);
    let lexicon = engine.lexicon();
    // With cross-checks: what comes out is legal.
    let began = budget.elapsed();
    let mut with = Vec::new();
    engine.every_by(
        Method::Dawg,
        &field,
        &hand_of,
        BONUS,
        &mut |found: &Found<'_>| with.push((found.play(), found.score)),
    );
    let with_time = budget.elapsed().saturating_sub(began);
    // Without: every word that fits its own line, and then all words across are looked up.
    let bare = Field::of(field.board(), &Anything, engine.values());
    let began = budget.elapsed();
    let (mut candidates, mut lookups, mut legal) = (0_u64, 0_u64, Vec::new());
    engine.every_by(
        Method::Dawg,
        &bare,
        &hand_of,
        BONUS,
        &mut |found: &Found<'_>| {
            candidates += 1;
            let play = found.play();
            let good = play.words(field.board()).iter().all(|word| {
                lookups += 1;
                lexicon.contains(&word.letters)
            });
            if good {
                legal.push(play);
            }
        },
    );
    let without_time = budget.elapsed().saturating_sub(began);
    legal.sort_unstable();
    legal.dedup();
    let best = with.iter().max_by_key(|(_, score)| *score);
    let mut plays: Vec<_> = with.iter().map(|p| p.0).collect();
    plays.sort_unstable();
    let anchors: Vec<u32> = (0..SIDE * SIDE)
        .filter(|&s| field.board().tile(s) == 0 && field.anchor(s))
        .map(|s| {
            (field.fit(Direction::Across, s) & !1)
                .count_ones()
                .min(tiles.letters().count() as u32)
        })
        .collect();
    let dead = anchors.iter().filter(|&&n| n == 0).count();
    let ms = |t: std::time::Duration| decimal(t.as_secs_f64() * 1000.0, 1);
    let given = asked.text(MOVE);
    let (guess, word) = asking(engine, &field, &hand, given);
    let text = typed.map_or_else(|| rack(tiles, &hand), str::to_owned);
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("word", word)
        .say("moves", moves)
        .say("rack", &text)
        .say("anchors", anchors.len())
        .say("dead", dead)
        .say("candidates", candidates)
        .say("lookups", lookups)
        .say("legal", with.len())
        .say(
            "share",
            percent(with.len() as f64 / candidates.max(1) as f64),
        )
        .say("with", ms(with_time))
        .say("without", ms(without_time))
        .say(
            "best",
            best.map_or_else(
                || "–".to_owned(),
                |(play, score)| format!("{} ({score})", play.text(field.board(), tiles)),
            ),
        )
        .say(
            "same",
            say(if plays == legal {
                "lesson-same-plays"
            } else {
                "lesson-other-plays"
            }),
        )
        .part(
            "form",
            html! {
                (slider("moves", "lesson-before", moves, [1, 12, 1]))
                (slider("seed", "lesson-seed", seed, [1, 100, 1]))
                (line("rack", "lesson-rack", "lesson-rack-about", typed.unwrap_or("-"), 7))
            },
        ))
}
