//! What the machines tell of a decision: places in the order of their bounds, plays with their numbers, what decided.

use wits_game::{Game, Message};
use wits_play::Worth;
use wits_search::{Backup, Candidates, Kind, Proof, Step, Watch};

use super::sight::Sight;
use crate::WORDS;
use crate::board::Place;
use crate::generate::{Found, Hand, Hunt};
use crate::play::Play;
use crate::table::{Move, Scrabble, Table};

/// Nobody reads a longer list: more moves than this are counted, except the best of every place.
pub(super) const LISTED: usize = 200;

/// A play with its worth in hundredths and its points, as it was found.
pub(super) type Sighted = (i32, i32, Play);

/// The plays that were found at one place.
struct Spot {
    /// The place and the most that a play there can be worth; nothing where all plays were found at once.
    at: Option<(Place, i32)>,
    plays: Vec<Sighted>,
}

/// A search for the best play, as it went.
#[derive(Default)]
pub(super) struct Places {
    spots: Vec<Spot>,
    /// How many places were left, and what the best of them could bring at most.
    rest: Option<(usize, i32)>,
}

impl Hunt for &mut Places {
    fn place(&mut self, at: Place, bound: i32) {
        self.spots.push(Spot {
            at: Some((at, bound)),
            plays: Vec::new(),
        });
    }

    fn found(&mut self, found: &Found<'_>, worth: i32) {
        if self.spots.is_empty() {
            self.spots.push(Spot {
                at: None,
                plays: Vec::new(),
            });
        }
        if let Some(spot) = self.spots.last_mut() {
            spot.plays.push((worth, found.score, found.play()));
        }
    }

    fn rest(&mut self, places: usize, bound: i32) {
        self.rest = Some((places, bound));
    }
}

/// Hundredths as points.
pub(super) fn points(hundredths: i32) -> f64 {
    f64::from(hundredths) / 100.0
}

/// Points as people write them: `31`, `31.5`.
pub(super) fn written(hundredths: i32) -> String {
    let text = format!("{:.2}", points(hundredths));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A worth as people write it: points as they are, what is proved or a bound as such.
fn plain(worth: Worth) -> String {
    if worth.proof == Proof::Estimate {
        written((worth.number() * 100.0).round() as i32)
    } else {
        worth.to_string()
    }
}

/// Tiles as they are written.
pub(super) fn rack(game: &Scrabble, tiles: impl IntoIterator<Item = u8>) -> String {
    let held: Vec<_> = tiles.into_iter().map(crate::play::tile).collect();
    game.engine().tiles().write_rack(&held)
}

/// An account of one decision.
pub(super) struct Account<'a, 's, W> {
    pub(super) told: Candidates<'a, W>,
    game: &'s Scrabble,
    view: &'s Table,
    /// How many legal moves have not been told as yet.
    untold: usize,
    listed: usize,
    /// The best two moves told.
    top: Vec<(String, Worth)>,
}

impl<'a, 's, W: Watch> Account<'a, 's, W> {
    pub(super) fn open(
        watch: &'a mut W,
        (game, view): (&'s Scrabble, &'s Table),
        backup: Backup,
    ) -> Self {
        let who = game.seat_name(view.seat());
        Account {
            told: Candidates::open(watch, who, backup),
            game,
            view,
            untold: game.options(view).len(),
            listed: 0,
            top: Vec::new(),
        }
    }

    /// How a move is written.
    pub(super) fn label(&self, mv: &Move) -> String {
        self.game.text(self.view, mv)
    }

    /// Whether there is room for one more move in the list.
    pub(super) fn room(&self) -> bool {
        self.listed < LISTED
    }

    /// One legal move with its worth in hundredths, or with a reason only.
    pub(super) fn candidate(
        &mut self,
        mv: &Move,
        worth: Option<i32>,
        numbers: &[(&str, f64)],
        why: Message,
    ) {
        let worth = worth.map(|worth| Worth::heuristic(points(worth)));
        self.told_of(mv, worth, numbers, why);
    }

    /// One legal move with a worth that may be proved or a bound.
    pub(super) fn known(&mut self, mv: &Move, worth: Worth, why: Message) {
        self.told_of(mv, Some(worth), &[], why);
    }

    fn told_of(&mut self, mv: &Move, worth: Option<Worth>, numbers: &[(&str, f64)], why: Message) {
        let label = self.label(mv);
        let why = why.with("move", &label);
        self.told.candidate(&label, worth, numbers, why);
        self.untold = self.untold.saturating_sub(1);
        self.listed += 1;
        if let Some(worth) = worth {
            let at = self.top.partition_point(|(_, other)| *other >= worth);
            self.top.insert(at, (label, worth));
            self.top.truncate(2);
        }
    }

    /// A play with its points and what the tiles that stay are worth.
    fn play(&mut self, hand: &Hand, (worth, score, play): Sighted) {
        let leave = worth - 100 * score;
        let kept = hand.without(play.taken()).unwrap_or(0);
        let numbers = [("score", f64::from(score)), ("leave", points(leave))];
        let says = if leave == 0 {
            WORDS.say("told-score")
        } else {
            let held = rack(self.game, hand.kept(kept));
            let says = WORDS.say("told-score-leave").with("kept", held);
            says.with("leave", written(leave))
        };
        let says = says.with("score", score).with("worth", written(worth));
        self.candidate(&Move::Play(play), Some(worth), &numbers, says);
    }

    /// The rest of the legal moves is counted, the move chosen, and the decision summed up.
    pub(super) fn choose(
        self,
        mv: &Move,
        worth: Option<i32>,
        rest: Message,
        says: impl IntoIterator<Item = Message>,
    ) {
        let worth = worth.map(|worth| Worth::heuristic(points(worth)));
        self.choose_known(mv, worth, rest, says);
    }

    /// The same with a worth that may be proved.
    pub(super) fn choose_known(
        mut self,
        mv: &Move,
        worth: Option<Worth>,
        rest: Message,
        says: impl IntoIterator<Item = Message>,
    ) {
        let label = self.label(mv);
        let untold = self.untold;
        self.told.skip(untold, rest.with("rest", untold));
        let mut says: Vec<Message> = says.into_iter().collect();
        let next = self.top.iter().find(|(other, _)| *other != label);
        says.push(match next {
            // Where rules or luck decide, the next one may be worth more.
            Some((other, next)) => WORDS
                .say(if worth.is_some_and(|worth| *next > worth) {
                    "sum-more"
                } else {
                    "sum-next"
                })
                .with("move", other)
                .with("worth", plain(*next)),
            None => WORDS.say("sum-no-other"),
        });
        self.told.choose(&label, worth, says);
    }
}

/// The last word is answered before anything else is looked at.
pub(super) fn tell_reflex<W: Watch>(watch: &mut W, game: &Scrabble, view: &Table, mv: &Move) {
    let mut account = Account::open(watch, (game, view), Backup::None);
    let key = match mv {
        Move::Challenge => "told-challenge",
        _ => "told-accept",
    };
    account.candidate(mv, None, &[], WORDS.say(key));
    let label = account.label(mv);
    let says = WORDS.say("sum-reflex").with("move", label);
    account.choose(mv, None, WORDS.say("told-reflex-rest"), [says]);
}

/// How the best move by points and leaves was found.
pub(super) struct Search<'a> {
    pub(super) sight: &'a Sight<'a>,
    pub(super) places: Places,
    /// The best exchange with its worth, where exchanges were weighed.
    pub(super) swap: Option<(Move, i32)>,
    /// The move and its worth.
    pub(super) chosen: (Move, i32),
}

impl Search<'_> {
    /// Tells the places in the order of their bounds, the plays there, and when the rest could no longer win.
    pub(super) fn tell<W: Watch>(self, watch: &mut W) {
        let Search {
            sight,
            mut places,
            swap,
            chosen: (mv, worth),
        } = self;
        let mut account = Account::open(watch, (sight.game, sight.view), Backup::Max);
        let found: usize = places.spots.iter().map(|spot| spot.plays.len()).sum();
        for spot in &mut places.spots {
            account.spot(&sight.hand, spot);
        }
        if let Some((left, bound)) = places.rest {
            let says = WORDS.say("told-places-rest").with("places", left);
            let says = says.with("bound", written(bound));
            account.told.step(|| {
                Step::new(Kind::Note, says)
                    .data("id", 0)
                    .data("rest_bound", points(bound))
            });
        }
        if let Some((swap, worth)) = &swap {
            let says = WORDS.say("told-exchange").with("worth", written(*worth));
            account.candidate(swap, Some(*worth), &[("leave", points(*worth))], says);
        }
        let told = swap.as_ref().is_some_and(|(swap, _)| *swap == mv);
        if !matches!(mv, Move::Play(_)) && !told {
            account.candidate(&mv, Some(worth), &[], WORDS.say("told-nothing-to-lay"));
        }
        let did = match places.rest {
            Some((left, _)) => WORDS
                .say("sum-places")
                .with("places", places.spots.len())
                .with("all", places.spots.len() + left),
            None => WORDS.say("sum-everywhere"),
        };
        let decided = match mv {
            Move::Play(_) => WORDS.say("sum-best-play"),
            _ if found == 0 => WORDS.say("sum-nothing-to-lay"),
            _ => WORDS.say("sum-best-exchange"),
        };
        let label = account.label(&mv);
        let decided = decided.with("move", label).with("worth", written(worth));
        let rest = WORDS.say("told-rest").with("worth", written(worth));
        account.choose(&mv, Some(worth), rest, [did.with("found", found), decided]);
    }
}

impl<W: Watch> Account<'_, '_, W> {
    /// One place with the plays found there, the best first.
    fn spot(&mut self, hand: &Hand, spot: &mut Spot) {
        spot.plays
            .sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.2.cmp(&b.2)));
        let name = match spot.at {
            Some((at, _)) => WORDS.say("told-place").with("place", at.to_string()),
            None => WORDS.say("told-all-places"),
        };
        match spot.at {
            Some((_, bound)) => {
                let says = WORDS.say("told-bound").with("place", name.clone());
                let says = says.with("bound", written(bound));
                self.told.open_group(says, &[("bound", points(bound))]);
            }
            None => self.told.open_group(name.clone(), &[]),
        }
        for (at, &play) in spot.plays.iter().enumerate() {
            if at == 0 || self.room() {
                self.play(hand, play);
            }
        }
        let says = match spot.plays.first() {
            Some((worth, _, _)) => WORDS.say("told-found").with("worth", written(*worth)),
            None => WORDS.say("told-none-fits"),
        };
        let count = spot.plays.len();
        self.told
            .close_group(says.with("place", name).with("count", count));
    }
}
