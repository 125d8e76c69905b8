//! The account of a player that scores gaps or symbols: every candidate with its number, what it was made of, and what decided.

use wits_game::{Eyes, Game, Message, Seat};
use wits_search::{Backup, Candidates, Kind, Step, Watch, Worth};

use super::scores::best;
use crate::game::{Insertion, Move, Position};
use crate::words::stretches;
use crate::{WORDS, fits};

/// One decision of a nested player.
pub(super) struct Account<'a> {
    pub(super) game: &'a Insertion,
    pub(super) position: &'a Position,
    /// How many levels deep; 0 is greedy.
    pub(super) level: u32,
    /// What it chose.
    pub(super) mv: Move,
    /// The scores of all it could do; none where it was greedy.
    pub(super) scores: &'a [(Move, u128)],
    /// Why another player plays as this one here.
    pub(super) instead: Option<Message>,
}

/// A move with its number for the seat, where it has one, and a sentence.
struct Candidate {
    mv: Move,
    worth: Option<Worth>,
    /// How many symbols fit into the gap.
    fits: Option<u32>,
    why: Message,
}

/// More candidates than this are counted, not told one by one.
const LISTED: usize = 600;

/// More parts of scores than this are not told.
const PARTS: usize = 400;

impl Account<'_> {
    fn write(&self, mv: Move) -> String {
        self.game.write(self.position, &mv, Eyes::All)
    }

    /// Tells the decision.
    pub(super) fn tell<W: Watch>(&self, watch: &mut W) {
        let seat = self.game.turn(self.position).seat();
        let all = self.candidates();
        let backup = if all.iter().any(|one| one.worth.is_some()) {
            Backup::Max
        } else {
            Backup::None
        };
        let who = self.game.seat_name(seat.unwrap_or(Seat::FIRST));
        let mut told = Candidates::open(watch, who, backup);
        let drawn = self.level > 0 && !self.scores.is_empty();
        if !drawn && !self.game.alone {
            told = told.last_of_equals();
        }
        if let Some(instead) = &self.instead {
            told.note(instead.clone());
        }
        told.note(self.rule());
        let mut order: Vec<usize> = (0..all.len()).collect();
        if all.len() > LISTED {
            order.sort_by_key(|&i| (all[i].mv != self.mv, std::cmp::Reverse(all[i].worth)));
            order.truncate(LISTED);
        }
        let parts = self.parts();
        for (id, &i) in (1u64..).zip(&order) {
            let one = &all[i];
            let mut numbers = Vec::new();
            numbers.extend(one.worth.map(|worth| ("score", worth.number().abs())));
            numbers.extend(one.fits.map(|fits| ("fits", f64::from(fits))));
            told.candidate(&self.write(one.mv), one.worth, &numbers, one.why.clone());
            let own = parts.iter().filter(|(mv, ..)| *mv == one.mv);
            for (_, says, step) in own {
                let mut step = step.clone();
                step.insert("parent".to_owned(), id.into());
                let says = says.clone();
                told.step(|| {
                    let count = Step::new(Kind::Count, says);
                    step.into_iter()
                        .fold(count, |count, (key, value)| count.data(&key, value))
                });
            }
        }
        let rest = all.len() - order.len();
        told.skip(rest, WORDS.say("told-worse").with("rest", rest));
        let equal = self.equal(&all);
        if drawn {
            let equal: Vec<String> = equal.iter().map(|&mv| self.write(mv)).collect();
            told.luck(&equal, &self.write(self.mv));
        } else if equal.len() > 1 {
            told.note(self.first_or_last(equal.len()));
        }
        let own = all.iter().find(|one| one.mv == self.mv);
        let worth = own.and_then(|one| one.worth);
        told.choose(
            &self.write(self.mv),
            worth,
            self.summary(&all, worth, equal.len()),
        );
    }

    /// What is compared, in a sentence.
    fn rule(&self) -> Message {
        let key = match (self.position.gap(), self.scores.is_empty()) {
            (Some(_), false) => "told-rule-symbol",
            (Some(_), true) if self.level > 0 => "told-rule-budget",
            (Some(_), true) => "told-rule-smallest",
            (None, _) if self.game.alone => "told-rule-room",
            (None, false) => "told-rule-gap",
            (None, true) if self.level > 0 => "told-rule-budget",
            (None, true) => "told-rule-fewest",
        };
        WORDS
            .say(key)
            .with("level", self.level)
            .with("word", self.position.word.to_string())
    }

    fn candidates(&self) -> Vec<Candidate> {
        if let Some(gap) = self.position.gap() {
            let symbols = 0..self.game.symbols as u8;
            return symbols.map(|symbol| self.symbol(gap, symbol)).collect();
        }
        let fits = self.game.all_fits(&self.position.word);
        let each = fits.iter().enumerate();
        each.map(|(gap, fit)| self.gap(gap, fit.count_ones()))
            .collect()
    }

    fn score(&self, mv: Move) -> Option<u128> {
        let scored = self.scores.iter().find(|(other, _)| *other == mv);
        scored.map(|&(_, score)| score)
    }

    fn symbol(&self, gap: usize, symbol: u8) -> Candidate {
        let mv = Move::Symbol(symbol);
        let score = self.score(mv);
        let fits = self.game.fits(&self.position.word, gap) >> symbol & 1 == 1;
        let key = match (fits, score) {
            (true, Some(_)) => "told-symbol",
            (true, None) if mv == self.mv => "told-smallest",
            (true, None) => "told-fits",
            (false, _) => "told-repeats",
        };
        let mut why = WORDS
            .say(key)
            .with("move", symbol)
            .with("score", score.unwrap_or(0).to_string())
            .with("level", self.level);
        if !fits {
            let longer = self.position.word.with(gap, symbol);
            if let Some(found) = stretches::first(&longer, self.game.variant) {
                why = why.with("start", found.start).with("period", found.period);
            }
        }
        Candidate {
            mv,
            worth: score
                .filter(|_| fits)
                .map(|score| Worth::heuristic(score as f64)),
            fits: None,
            why,
        }
    }

    fn gap(&self, gap: usize, fits: u32) -> Candidate {
        let mv = Move::Gap(gap as u32);
        let score = self.score(mv);
        let alone = self.game.alone;
        let key = match score {
            _ if fits == 0 && !alone => "told-gap-dead",
            Some(_) if alone && self.level > 0 => "told-gap-room",
            Some(_) if self.level > 0 => "told-gap",
            _ => "told-gap-fits",
        };
        // Greedy, the count itself is compared. A Builder wants little room, somebody alone much.
        let number = score.unwrap_or(u128::from(fits));
        let worth = Worth::heuristic(number as f64);
        let why = WORDS
            .say(key)
            .with("move", gap)
            .with("count", fits)
            .with("score", u64::try_from(number).unwrap_or(u64::MAX))
            .with("level", self.level);
        Candidate {
            mv,
            worth: Some(if alone { worth } else { -worth }),
            fits: Some(fits),
            why,
        }
    }

    /// What the scores of one level were made of: the move, a sentence, data.
    fn parts(&self) -> Vec<(Move, Message, serde_json::Map<String, serde_json::Value>)> {
        let word = &self.position.word;
        let data = |gap: usize, fit: u64| {
            let fitting: Vec<u8> = fits::symbols(fit).collect();
            let mut data = serde_json::Map::new();
            data.insert("gap".to_owned(), gap.into());
            data.insert("fits".to_owned(), fitting.into());
            data
        };
        let mut parts = Vec::new();
        if self.level == 0 || self.scores.is_empty() || self.scores.len() * word.len() > PARTS {
            return parts;
        }
        if let Some(gap) = self.position.gap() {
            // The tree of the thesis's figure 2.3: what fits into each gap after each candidate.
            for &(mv, _) in self.scores {
                let Move::Symbol(symbol) = mv else { continue };
                let longer = word.with(gap, symbol);
                for (at, fit) in self.game.all_fits(&longer).into_iter().enumerate() {
                    let says = WORDS.say("thread-gap").with("gap", at);
                    parts.push((mv, says.with("count", fit.count_ones()), data(at, fit)));
                }
            }
        } else if self.level == 1 {
            let known = fits::children(word, self.game.symbols, self.game.variant);
            for (gap, &fit) in known.fits.iter().enumerate() {
                for symbol in fits::symbols(fit) {
                    let says = WORDS
                        .say("thread-room")
                        .with("symbol", symbol)
                        .with("gap", gap)
                        .with("count", known.total(gap, symbol));
                    let mut data = data(gap, 1 << symbol);
                    data.insert("room".to_owned(), known.total(gap, symbol).into());
                    parts.push((Move::Gap(gap as u32), says, data));
                }
            }
        }
        parts
    }

    /// The moves that are as good as any.
    fn equal(&self, all: &[Candidate]) -> Vec<Move> {
        if !self.scores.is_empty() {
            let most = self.position.gap().is_some() || self.game.alone;
            return best(self.scores.iter().copied(), most);
        }
        let most = all.iter().filter_map(|one| one.worth).max();
        let equal = all.iter().filter(|one| most.is_some() && one.worth == most);
        equal.map(|one| one.mv).collect()
    }

    fn first_or_last(&self, count: usize) -> Message {
        let key = if self.game.alone {
            "told-first"
        } else {
            "told-last"
        };
        WORDS.say(key).with("count", count)
    }

    fn summary(&self, all: &[Candidate], worth: Option<Worth>, equal: usize) -> [Message; 3] {
        let painting = self.position.gap().is_some();
        let fitting = all.iter().filter(|one| one.worth.is_some()).count();
        let done = match (painting, worth) {
            _ if self.instead.is_some() => WORDS.say("sum-instead"),
            (true, Some(_)) => WORDS.say("sum-symbols").with("count", fitting),
            (true, None) => WORDS.say("sum-smallest").with("count", all.len()),
            (false, _) if self.level > 0 && !self.scores.is_empty() => {
                WORDS.say("sum-gaps").with("count", all.len())
            }
            (false, _) => WORDS.say("sum-gaps-counted").with("count", all.len()),
        };
        let number = |worth: Worth| worth.number().abs().to_string();
        let decided = match worth {
            Some(_) if painting => "sum-most-symbol",
            Some(_) if self.game.alone => "sum-most-gap",
            Some(_) if self.scores.is_empty() => "sum-fewest",
            Some(_) => "sum-least",
            None => "sum-first-fit",
        };
        let decided = WORDS
            .say(decided)
            .with("move", self.write(self.mv))
            .with("score", worth.map_or_else(String::new, number));
        let others = all.iter().filter(|one| one.mv != self.mv);
        let next = others
            .filter(|one| one.worth < worth)
            .max_by_key(|one| one.worth);
        let last = match (worth, next.and_then(|one| Some((one.mv, one.worth?)))) {
            (None, _) => WORDS.say("sum-unscored"),
            (_, Some((mv, next))) => WORDS
                .say("sum-next")
                .with("move", self.write(mv))
                .with("score", number(next)),
            (_, None) if equal > 1 => WORDS.say("sum-equal"),
            (_, None) => WORDS.say("sum-alone"),
        };
        let done = done.with("level", self.level);
        let done = match &self.instead {
            Some(why) => done.with("why", why.clone()),
            None => done,
        };
        [done, decided, last.with("count", equal)]
    }
}
