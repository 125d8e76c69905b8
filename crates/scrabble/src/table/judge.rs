//! Whether a word may be laid: two kinds of refusal, not by the rules and not in the lexicon.

use serde::Serialize;
use wits_game::{Illegal, Message};

use super::game::Scrabble;
use super::state::{HIDDEN, Table};
use crate::WORDS;
use crate::board::{Board, CENTRE, Direction, SQUARES, in_hand, square_name};
use crate::generate::Hand;
use crate::play::{Made, Play, tile};
use crate::settings::{Challenge, RACK};

/// The rule that a play breaks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// No tile is laid.
    Nothing,
    /// A tile is laid where one lies, or off the board.
    Taken(usize),
    /// The tiles are not in one row or column.
    Crooked,
    /// The tiles do not make one unbroken word.
    Gap,
    /// The first word does not cover the centre.
    Centre,
    /// The first word has only one letter.
    Short,
    /// The word touches nothing.
    Detached,
    /// A tile that the rack does not hold.
    NotHeld(u8),
}

/// Why a play is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// Not by the rules: this one.
    Rule(Rule),
    /// Not in the lexicon: these words.
    Words(Vec<Made>),
}

/// A play that the rules allow, with what it makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Judged {
    /// The play.
    pub play: Play,
    /// Its points.
    pub score: i32,
    /// The words it makes, its own first.
    pub words: Vec<Made>,
}

/// What a page shows while tiles are being placed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Preview {
    /// The move as players write it, once the tiles lie by the rules.
    #[serde(rename = "move")]
    pub text: Option<String>,
    /// What it would score.
    pub score: Option<i32>,
    /// Each word with where it lies and whether the lexicon has it.
    pub words: Vec<PreviewWord>,
    /// `rule` or `words` where the play would be refused.
    pub refused: Option<&'static str>,
    /// Why, in a sentence.
    pub why: Option<Message>,
}

/// A word in a [`Preview`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PreviewWord {
    /// The word.
    pub text: String,
    /// Whether the lexicon has it.
    pub good: bool,
    /// Its squares, row by row from zero.
    pub squares: Vec<usize>,
}

impl Scrabble {
    /// The play that lays these tiles (squares with bytes of tiles), or the rule that it breaks. Whether the tiles
    /// are held and the words are good is for [`Scrabble::judge`].
    pub fn place(board: &Board, laid: &[(usize, u8)]) -> Result<Play, Refusal> {
        let rule = |rule| Err(Refusal::Rule(rule));
        let Some(&(first, _)) = laid.first() else {
            return rule(Rule::Nothing);
        };
        if let Some(&(square, _)) = laid
            .iter()
            .find(|&&(s, _)| s >= SQUARES || board.tile(s) != 0)
        {
            return rule(Rule::Taken(square));
        }
        let straight = Direction::BOTH
            .iter()
            .any(|d| laid.iter().all(|&(s, _)| d.lane(s).0 == d.lane(first).0));
        if !straight {
            return rule(Rule::Crooked);
        }
        Play::of(board, laid).ok_or(Refusal::Rule(Rule::Gap))
    }

    /// Whether the seat to move may lay this, by the rules and, where words are looked up before they count, by the
    /// lexicon. A hidden tile in the rack stands for any.
    pub fn judge(&self, table: &Table, play: &Play) -> Result<Judged, Refusal> {
        let rule = |rule| Err(Refusal::Rule(rule));
        let laid: Vec<(usize, u8)> = play.laid().collect();
        let play = Scrabble::place(&table.board, &laid)?;
        let known = table.rack().iter().all(|&t| t != HIDDEN);
        if known && Hand::new(table.rack()).without(play.taken()).is_none() {
            let lacking = play.taken().find(|&kind| {
                let same = |t: u8| usize::from(t == kind);
                let held: usize = table.rack().iter().map(|&t| same(t)).sum();
                play.taken().map(same).sum::<usize>() > held
            });
            return rule(Rule::NotHeld(lacking.unwrap_or(0)));
        }
        if table.board.is_empty() {
            if !laid.iter().any(|&(s, _)| s == CENTRE) {
                return rule(Rule::Centre);
            }
            if laid.len() < 2 {
                return rule(Rule::Short);
            }
        } else if !laid.iter().any(|&(s, _)| table.board.touched(s)) {
            return rule(Rule::Detached);
        }
        let words = play.words(&table.board);
        if self.settings().challenge == Challenge::Void {
            let bad = self.bad_words(&words);
            if !bad.is_empty() {
                return Err(Refusal::Words(bad));
            }
        }
        let score = play.score(
            &table.board,
            self.engine().values(),
            RACK,
            self.settings().bingo,
        );
        Ok(Judged { play, score, words })
    }

    /// The words that are not in the lexicon.
    pub fn bad_words(&self, words: &[Made]) -> Vec<Made> {
        let known = |word: &&Made| !self.engine().lexicon().contains(&word.letters);
        words.iter().filter(known).cloned().collect()
    }

    /// What the seat to move would get for these tiles, and why it would be refused: for a page that shows it while
    /// tiles are being placed.
    pub fn preview(&self, table: &Table, laid: &[(usize, u8)]) -> Preview {
        let placed = Scrabble::place(&table.board, laid);
        let judged = placed.clone().and_then(|play| self.judge(table, &play));
        let words = placed
            .as_ref()
            .map(|p| p.words(&table.board))
            .unwrap_or_default();
        let tiles = self.engine().tiles();
        let shown = |word: &Made| PreviewWord {
            text: tiles.write_word(&word.letters),
            good: self.engine().lexicon().contains(&word.letters),
            squares: word.squares().collect(),
        };
        let refused = judged.as_ref().err();
        Preview {
            text: placed.as_ref().ok().map(|p| p.text(&table.board, tiles)),
            score: placed.as_ref().ok().map(|p| {
                p.score(
                    &table.board,
                    self.engine().values(),
                    RACK,
                    self.settings().bingo,
                )
            }),
            words: words.iter().map(shown).collect(),
            refused: refused.map(|r| match r {
                Refusal::Rule(_) => "rule",
                Refusal::Words(_) => "words",
            }),
            why: refused.map(|r| self.explain(r).why().clone()),
        }
    }

    /// The sentence of a refusal.
    pub fn explain(&self, refusal: &Refusal) -> Illegal {
        let tiles = self.engine().tiles();
        let message = match refusal {
            Refusal::Rule(Rule::Nothing) => WORDS.say("rule-nothing"),
            Refusal::Rule(Rule::Taken(square)) if *square < SQUARES => {
                WORDS.say("rule-taken").with("square", square_name(*square))
            }
            Refusal::Rule(Rule::Taken(_)) => WORDS.say("rule-off-board"),
            Refusal::Rule(Rule::Crooked) => WORDS.say("rule-crooked"),
            Refusal::Rule(Rule::Gap) => WORDS.say("rule-gap"),
            Refusal::Rule(Rule::Centre) => WORDS.say("rule-centre"),
            Refusal::Rule(Rule::Short) => WORDS.say("rule-short"),
            Refusal::Rule(Rule::Detached) => WORDS.say("rule-detached"),
            Refusal::Rule(Rule::NotHeld(kind)) => WORDS
                .say("rule-not-held")
                .with("tile", tiles.write_tile(tile(in_hand(*kind)))),
            Refusal::Words(words) => {
                let list: Vec<String> = words
                    .iter()
                    .map(|w| format!("{} ({})", tiles.write_word(&w.letters), w.place))
                    .collect();
                let key = if list.len() == 1 {
                    "words-one"
                } else {
                    "words-many"
                };
                WORDS
                    .say(key)
                    .with("words", list.join(", "))
                    .with("lexicon", self.engine().lexicon().name())
            }
        };
        Illegal::new(message)
    }
}
