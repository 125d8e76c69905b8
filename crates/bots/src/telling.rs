//! What a program said about a decision, as a thread that everybody can follow and check.

use wits_game::{Message, Seat};
use wits_play::{AnyMatch, Backup, Candidates, Recorder, Worth};

use crate::WORDS;
use crate::protocol::{Does, Reply, Thoughts};

/// Legal moves without a word about them that are listed one by one.
const LISTED: usize = 64;

/// A decision of a program.
pub(crate) struct Decision<'a> {
    pub(crate) name: String,
    pub(crate) who: Message,
    pub(crate) seat: Seat,
    pub(crate) table: &'a dyn AnyMatch,
    pub(crate) reply: &'a Reply,
}

impl Decision<'_> {
    /// Tells every legal move: with the value the program gave, or as one it said nothing about.
    pub(crate) fn tell(&self, recorder: &mut Recorder) {
        let legal = self.table.options();
        let chosen = match &self.reply.does {
            Does::Move(mv) => Some(self.canonical(mv, &legal)),
            Does::Resign | Does::Undo => None,
        };
        let mut spoken: Vec<(String, &Thoughts)> = Vec::new();
        let mut unknown = Vec::new();
        for line in &self.reply.lines {
            let first = self.canonical(&line.moves[0], &legal);
            if self.table.copy().play(self.seat, &first, None).is_err() {
                unknown.push(first);
            } else if !spoken.iter().any(|(mv, _)| *mv == first) {
                spoken.push((first, line));
            }
        }
        // What was played comes first: a thread marks the first of equals as its best.
        let is_chosen = |mv: &String| chosen.as_ref() == Some(mv);
        spoken.sort_by_key(|(mv, _)| !is_chosen(mv));
        let word = |mv: &String| spoken.iter().find(|(known, _)| known == mv);
        // Where the program gives what it plays no value, the other values compare with nothing.
        let valued = |line: &Thoughts| line.value.is_some();
        let compared = chosen
            .as_ref()
            .is_none_or(|mv| word(mv).is_some_and(|(_, line)| valued(line)));
        let mut told = Candidates::open(recorder, self.who.clone(), Backup::None);
        if let Some(said) = &self.reply.say {
            let says = WORDS.say("told-say").with("name", &self.name);
            told.note(says.with("says", said));
        }
        for mv in unknown.iter().take(LISTED) {
            let says = WORDS.say("told-no-move").with("name", &self.name);
            told.note(says.with("move", mv));
        }
        for (mv, line) in &spoken {
            let worth = line.value.map(Worth::heuristic).filter(|_| compared);
            told.candidate(mv, worth, &[], self.sentence(mv, line));
        }
        // The chosen move is shown, whatever the program said about it, and where there are many moves too.
        let silent: Vec<&String> = legal.iter().filter(|mv| word(mv).is_none()).collect();
        let (mut listed, mut skipped) = (0, 0);
        let unlisted = chosen
            .iter()
            .filter(|mv| !legal.contains(*mv) && word(mv).is_none());
        for mv in unlisted.chain(silent.iter().copied()) {
            if is_chosen(mv) || listed < LISTED {
                let says = WORDS.say("told-silent").with("name", &self.name);
                told.candidate(mv, None, &[], says.with("move", mv));
                listed += 1;
            } else {
                skipped += 1;
            }
        }
        told.skip(skipped, WORDS.say("told-more-silent").with("rest", skipped));
        let Some(chosen) = &chosen else {
            let why = WORDS.say("told-resigns").with("name", &self.name);
            let sum = self.summary(None, spoken.len(), legal.len());
            return told.resign(why, sum);
        };
        let worth = word(chosen).and_then(|(_, line)| line.value);
        told.choose(
            chosen,
            worth.map(Worth::heuristic),
            self.summary(Some(chosen), spoken.len(), legal.len()),
        );
    }

    /// A move as the list of legal moves writes it.
    fn canonical(&self, text: &str, legal: &[String]) -> String {
        if legal.iter().any(|mv| mv == text) {
            return text.to_owned();
        }
        let mut copy = self.table.copy();
        match copy.play(self.seat, text, None) {
            Ok(wits_play::Event::Move { text, .. }) => text,
            _ => text.to_owned(),
        }
    }

    fn sentence(&self, mv: &str, line: &Thoughts) -> Message {
        let key = match (line.value, line.moves.len()) {
            (Some(_), 1) => "told-value",
            (Some(_), _) => "told-line",
            (None, _) => "told-looked",
        };
        let says = WORDS.say(key).with("name", &self.name).with("move", mv);
        says.with("line", line.moves.join(" "))
            .with("value", line.value.unwrap_or(0.0).to_string())
    }

    /// The value that the program gave a move.
    fn value_of(&self, mv: &str) -> Option<f64> {
        let line = self.reply.lines.iter().find(|line| line.moves[0] == mv);
        line.and_then(|line| line.value)
    }

    /// The best move of another value than the chosen one's.
    fn next_best(&self, chosen: Option<f64>) -> Option<(&str, f64)> {
        let valued = |line: &Thoughts| line.value.filter(|value| Some(*value) != chosen);
        let others = self.reply.lines.iter();
        others
            .filter_map(|line| Some((line.moves[0].as_str(), valued(line)?)))
            .max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// What was done, and what the program said decided.
    fn summary(&self, chosen: Option<&str>, spoken: usize, legal: usize) -> Vec<Message> {
        let done = if spoken == 0 {
            "sum-silent"
        } else {
            "sum-spoken"
        };
        let name = clause(&self.name);
        let done = WORDS.say(done).with("name", &name);
        let mut sum = vec![done.with("spoken", spoken).with("legal", legal)];
        match chosen {
            Some(mv) => {
                let says = WORDS.say("sum-chose").with("name", &name);
                sum.push(says.with("move", mv));
            }
            None => sum.push(WORDS.say("sum-resigned").with("name", &name)),
        }
        let chosen = chosen.and_then(|mv| self.value_of(mv));
        match (&self.reply.say, self.next_best(chosen)) {
            (Some(said), _) => sum.push(WORDS.say("sum-said").with("says", clause(said))),
            (None, Some((mv, value))) => {
                let says = WORDS.say("sum-next").with("move", mv);
                sum.push(says.with("value", value.to_string()));
            }
            (None, None) => {}
        }
        sum
    }
}

/// What a program said as a part of one sentence, however many it is.
fn clause(text: &str) -> String {
    text.replace(". ", "; ")
        .trim_end_matches(['.', ' '])
        .to_owned()
}
