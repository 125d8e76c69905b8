//! The insertion game: a Builder picks gaps, a Painter symbols.

use std::borrow::Cow;

use wits_game::{Dice, End, Eyes, Game, Illegal, Message, Outcome, Scene, Seat, Turn};
use wits_play::{Args, Entry, Param, PlayerEntry, Refusal, SearchDefaults, Shelf};

use super::{Phase, Position, RoomToPaint, scene};
use crate::players::{Levels12, Nested, Perfect};
use crate::words::{Variant, Word, stretches};
use crate::{WORDS, fits};

/// The rules: what counts as a repetition, how many symbols there are, and when a round is long enough.
///
/// With two seats the first is the Builder and the second the Painter; alone, one person does both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Insertion {
    /// What must not appear.
    pub variant: Variant,
    /// How many symbols there are, 1 to 64.
    pub symbols: usize,
    /// The round ends after so many symbols were painted.
    pub max_moves: usize,
    /// Whether one person picks both gaps and symbols.
    pub alone: bool,
}

/// A gap or a symbol. Which of the two is written as a number, too, follows from the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// The Builder picks a gap, 0 before the first symbol.
    Gap(u32),
    /// The Painter picks a symbol.
    Symbol(u8),
}

impl Insertion {
    /// The game for two with the usual limit of moves.
    pub const fn new(variant: Variant, symbols: usize) -> Insertion {
        Insertion {
            variant,
            symbols,
            max_moves: 1000,
            alone: false,
        }
    }

    /// The symbols that fit into a gap.
    pub fn fits(&self, word: &[u8], gap: usize) -> u64 {
        fits::at(word, gap, self.symbols, self.variant)
    }

    /// The symbols that fit into each gap.
    pub fn all_fits(&self, word: &[u8]) -> Vec<u64> {
        fits::all(word, self.symbols, self.variant)
    }

    /// A position with this word before a gap is picked, or over if the word says so.
    pub fn at(&self, word: Word) -> Position {
        let phase = match stretches::first(&word, self.variant) {
            Some(found) => Phase::Repeated(found),
            None if word.len() > self.max_moves => Phase::Full,
            None => Phase::Build,
        };
        Position { word, phase }
    }

    fn pick(&self, position: &mut Position, gap: usize) {
        // Alone, one may paint the fatal symbol to see the square; between two, a dead gap ends it.
        let dead = !self.alone && self.fits(&position.word, gap) == 0;
        position.phase = if dead {
            Phase::Stuck(gap as u32)
        } else {
            Phase::Paint(gap as u32)
        };
    }

    fn paint(&self, position: &mut Position, gap: usize, symbol: u8) {
        let safe = self.fits(&position.word, gap) >> symbol & 1 == 1;
        position.word.insert(gap, symbol);
        position.phase = if !safe {
            let found = stretches::first(&position.word, self.variant);
            Phase::Repeated(found.expect("a symbol that does not fit makes a repetition"))
        } else if position.word.len() > self.max_moves {
            Phase::Full
        } else {
            Phase::Build
        };
    }

    fn outcome(&self, position: &Position, why: Message) -> Outcome {
        self.pay(position.points(), why)
    }

    /// The Painter gets its points, the Builder loses them; alone, the length of the word counts.
    fn pay(&self, points: usize, why: Message) -> Outcome {
        let points = points as i32;
        let payoffs = if self.alone {
            vec![points + 1]
        } else {
            vec![-points, points]
        };
        Outcome { payoffs, why }
    }
}

impl Game for Insertion {
    const HIDDEN: bool = false;
    /// A symbol that makes a repetition may be played, and ends the game; it is listed only where no other fits.
    const COMPLETE: bool = false;
    type State = Position;
    type View = Position;
    type Move = Move;

    fn seats(&self) -> u8 {
        if self.alone { 1 } else { 2 }
    }

    fn seat_name(&self, seat: Seat) -> Message {
        WORDS.say(match (self.alone, seat) {
            (true, _) => "player",
            (false, Seat::FIRST) => "builder",
            (false, _) => "painter",
        })
    }

    fn start(&self) -> Position {
        Position {
            word: Word::zero(),
            phase: Phase::Build,
        }
    }

    fn turn(&self, position: &Position) -> Turn {
        let why = match position.phase {
            Phase::Build => return Turn::Of(Seat::FIRST),
            Phase::Paint(_) => {
                return Turn::Of(if self.alone {
                    Seat::FIRST
                } else {
                    Seat::SECOND
                });
            }
            Phase::Stuck(gap) => WORDS.say("over-stuck").with("gap", gap),
            Phase::Repeated(found) => WORDS
                .say("over-repeated")
                .with("start", found.start)
                .with("period", found.period),
            Phase::Full => WORDS.say("over-full").with("moves", self.max_moves),
        };
        Turn::Over(
            self.outcome(
                position,
                why.with("points", position.points())
                    .with("length", position.thesis_moves()),
            ),
        )
    }

    fn options(&self, position: &Position) -> Vec<Move> {
        match position.phase {
            Phase::Build => {
                let gaps = 0..=position.word.len() as u32;
                let live = |fits: Vec<u64>| -> Vec<Move> {
                    let live = fits.iter().enumerate().filter(|(_, fit)| **fit != 0);
                    live.map(|(gap, _)| Move::Gap(gap as u32)).collect()
                };
                let live = if self.alone {
                    live(self.all_fits(&position.word))
                } else {
                    Vec::new()
                };
                if live.is_empty() {
                    gaps.map(Move::Gap).collect()
                } else {
                    live
                }
            }
            Phase::Paint(gap) => {
                let fit = self.fits(&position.word, gap as usize);
                let listed = if fit == 0 {
                    fits::full(self.symbols)
                } else {
                    fit
                };
                fits::symbols(listed).map(Move::Symbol).collect()
            }
            _ => Vec::new(),
        }
    }

    fn legal(&self, position: &Position, mv: &Move) -> Result<(), Illegal> {
        match (position.phase, *mv) {
            (Phase::Build, Move::Gap(gap)) if gap as usize <= position.word.len() => Ok(()),
            (Phase::Paint(_), Move::Symbol(symbol)) if usize::from(symbol) < self.symbols => Ok(()),
            (Phase::Build, Move::Gap(gap)) => Err(Self::no_gap(position, gap)),
            (Phase::Paint(_), Move::Symbol(symbol)) => Err(self.no_symbol(symbol)),
            (Phase::Build, Move::Symbol(_)) => Err(Illegal::say(&WORDS, "gap-first")),
            (Phase::Paint(_), Move::Gap(_)) => Err(Illegal::say(&WORDS, "symbol-now")),
            _ => Err(Illegal::say(&wits_game::WORDS, "over")),
        }
    }

    fn play(&self, position: &mut Position, mv: &Move) {
        match (position.phase, *mv) {
            (Phase::Build, Move::Gap(gap)) if gap as usize <= position.word.len() => {
                self.pick(position, gap as usize);
            }
            (Phase::Paint(gap), Move::Symbol(symbol)) if usize::from(symbol) < self.symbols => {
                self.paint(position, gap as usize, symbol);
            }
            _ => {}
        }
    }

    fn read(&self, position: &Position, text: &str) -> Result<Move, Illegal> {
        let text = text.trim();
        // Signs are refused, so that a move is written in one way only.
        let number = text
            .parse::<u32>()
            .ok()
            .filter(|_| text.bytes().all(|b| b.is_ascii_digit()));
        match position.phase {
            Phase::Paint(_) => match number.map(u8::try_from) {
                Some(Ok(symbol)) => Ok(Move::Symbol(symbol)),
                _ => Err(self.no_symbol(shown(text))),
            },
            _ => number
                .map(Move::Gap)
                .ok_or_else(|| Self::no_gap(position, shown(text))),
        }
    }

    fn write(&self, _position: &Position, mv: &Move, _to: Eyes) -> String {
        match mv {
            Move::Gap(gap) => gap.to_string(),
            Move::Symbol(symbol) => symbol.to_string(),
        }
    }

    fn view<'a>(&self, position: &'a Position, _eyes: Eyes) -> Cow<'a, Position> {
        Cow::Borrowed(position)
    }

    fn scene(&self, position: &Position) -> Scene {
        scene::scene(self, position)
    }

    fn position(&self, text: &str) -> Result<Position, Illegal> {
        let (word, gap) = match text.split_once('@') {
            Some((word, gap)) => (word, Some(gap.trim())),
            None => (text, None),
        };
        let bad = |why: crate::WordError| -> Illegal {
            WORDS
                .say("not-a-word")
                .with("text", shown(text))
                .with("why", why.to_string())
                .into()
        };
        let word: Word = word.parse().map_err(bad)?;
        word.within(self.symbols).map_err(bad)?;
        let mut position = self.at(word);
        if let Some(gap) = gap {
            if position.over() {
                return Err(Illegal::say(&wits_game::WORDS, "over"));
            }
            let mv = self.read(&position, gap)?;
            self.legal(&position, &mv)?;
            self.play(&mut position, &mv);
        }
        Ok(position)
    }

    fn notation(&self, position: &Position) -> Option<String> {
        Some(match position.gap() {
            Some(gap) => format!("{}@{gap}", position.word),
            None => position.word.to_string(),
        })
    }

    fn imagine(&self, position: &Position, _dice: &mut Dice) -> Position {
        position.clone()
    }

    /// A Painter who gives up keeps its points; a Builder who gives up pays as if the round had
    /// gone to its limit.
    fn forfeit(&self, position: &Position, seat: Seat, how: End) -> Outcome {
        let why = how.tell(self.seat_name(seat));
        if how != End::Limit && !self.alone && seat == Seat::FIRST {
            self.pay(self.max_moves.max(position.points()), why)
        } else {
            self.outcome(position, why)
        }
    }
}

impl Insertion {
    fn no_gap(position: &Position, text: impl Into<wits_game::Arg>) -> Illegal {
        WORDS
            .say("no-gap")
            .with("text", text)
            .with("most", position.word.len())
            .into()
    }

    fn no_symbol(&self, text: impl Into<wits_game::Arg>) -> Illegal {
        WORDS
            .say("no-symbol")
            .with("text", text)
            .with("most", self.symbols - 1)
            .into()
    }
}

/// At most a line of what somebody typed, for a message.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}

fn rules(args: &Args, alone: bool) -> Insertion {
    Insertion {
        variant: args
            .text("variant")
            .parse()
            .expect("checked when the spec was read"),
        symbols: args.int("symbols") as usize,
        max_moves: args.int("max_moves") as usize,
        alone,
    }
}

fn with_params(entry: Entry<Insertion>, symbols: i64, moves: i64) -> Entry<Insertion> {
    entry
        .param(Param::int(
            "symbols",
            1,
            64,
            symbols,
            &WORDS,
            "param-symbols",
        ))
        .param(Param::choice(
            "variant",
            &Variant::ALL,
            "square",
            &WORDS,
            "param-variant",
        ))
        .param(Param::int(
            "max_moves",
            1,
            1_000_000,
            moves,
            &WORDS,
            "param-max-moves",
        ))
}

fn nested() -> [PlayerEntry<Insertion>; 2] {
    let level = Param::int("level", 0, 16, 1, &WORDS, "param-level");
    [
        PlayerEntry::new(
            "greedy",
            &WORDS,
            "about-greedy",
            |_: &_, _: &_, _: &Shelf| Ok(Nested { level: 0 }),
        ),
        PlayerEntry::new(
            "nested",
            &WORDS,
            "about-nested",
            |_: &_, args: &Args, _: &Shelf| {
                Ok::<_, Refusal>(Nested {
                    level: args.int("level") as u32,
                })
            },
        )
        .param(level),
    ]
}

/// The game for two, as the catalog lists it.
pub fn entry() -> Entry<Insertion> {
    let words = ["thue-title", "thue-about", "thue-rules"];
    let [greedy, deeper] = nested();
    with_params(
        Entry::new("thue", &WORDS, words, |args, _| Ok(rules(args, false))),
        5,
        1000,
    )
    .paired()
    .player(greedy)
    .player(deeper)
    .player(
        PlayerEntry::new("levels12", &WORDS, "about-levels12", |_, _, _| Ok(Levels12))
            .only(&[Seat::SECOND]),
    )
    .player(PlayerEntry::new(
        "perfect",
        &WORDS,
        "about-perfect",
        |_, _, _| Ok(Perfect::default()),
    ))
    .with_search(
        SearchDefaults::depth(2)
            .positions(40_000)
            .judge("room", RoomToPaint),
    )
}

/// The game for one, as the catalog lists it.
pub fn solitaire_entry() -> Entry<Insertion> {
    let words = ["solitaire-title", "solitaire-about", "solitaire-rules"];
    let [greedy, deeper] = nested();
    with_params(
        Entry::new("thue-solitaire", &WORDS, words, |args, _| {
            Ok(rules(args, true))
        }),
        3,
        200,
    )
    .seats(1, 1)
    .player(greedy)
    .player(deeper)
}
