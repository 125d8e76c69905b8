//! The report of a conversation, to keep.

use crate::base::Base;
use crate::choice::agrees;
use crate::dialogue::{Session, Start, Turn};
use crate::explain::how;
use crate::paths::Advice;
use crate::words::WORDS;

impl Session {
    /// The session as a text to keep.
    pub fn report(&self, base: &Base) -> String {
        let mut out = vec![base.title.clone(), String::new()];
        for p in self.tried.iter().filter_map(|p| base.problem(p)) {
            let says = WORDS.say("report-tried-problem");
            out.push(says.with("problem", &p.label).to_string());
        }
        if self.start == Start::Symptoms {
            out.push(WORDS.say("report-symptoms").to_string());
        }
        // Whether it helped is told below; the advice is the one before that was said.
        let before = Session {
            helped: None,
            ..self.clone()
        };
        let turn = before.turn(base);
        let found = match &turn {
            Ok(Turn::Advice { problem, .. }) => Some(problem),
            _ => self.problem.as_ref(),
        };
        if let Some(p) = found.and_then(|p| base.problem(p)) {
            let says = WORDS.say("report-problem");
            out.push(says.with("problem", &p.label).to_string());
        }
        for (q, r) in &self.answers {
            let says = WORDS.say("report-answer").with("answer", base.told(q, r));
            out.push(says.with("question", base.question(q).text).to_string());
        }
        for name in &self.declined {
            let steps = found.and_then(|p| self.advice_named(base, p, name));
            let what = steps.map_or_else(|| name.clone(), |a| a.steps.join(" "));
            out.push(
                WORDS
                    .say("report-declined")
                    .with("advice", what)
                    .to_string(),
            );
        }
        match turn {
            Ok(Turn::Advice { advice, proof, .. }) => {
                out.push(String::new());
                let key = if self.helped.is_some() {
                    "report-helped"
                } else {
                    "report-advice"
                };
                out.push(WORDS.say(key).to_string());
                out.extend(advice.steps.iter().map(|s| format!("- {s}")));
                out.push(String::new());
                out.push(WORDS.say("report-because").to_string());
                let lines = how(base, &proof).into_iter();
                out.extend(lines.map(|(depth, says)| format!("{}{says}", "  ".repeat(depth + 1))));
            }
            Ok(Turn::Question { text, .. }) => {
                out.push(WORDS.say("report-open").with("question", text).to_string());
            }
            Ok(Turn::Nothing(_)) => out.push(WORDS.say("report-nothing").to_string()),
            _ => {}
        }
        out.push(String::new());
        let says = WORDS.say("report-base").with("base", &self.base);
        out.push(says.with("mark", &self.mark).to_string());
        out.push(String::new());
        out.join("\n")
    }

    /// An advice by name, as the answers so far would have it.
    fn advice_named(&self, base: &Base, problem: &str, name: &str) -> Option<Advice> {
        let known = self.known();
        let fits = (base.paths(problem).iter()).filter(|p| agrees(p, &known));
        let all = fits.flat_map(|p| p.advice.iter().chain(&p.others));
        all.into_iter().find(|a| a.name == name).cloned()
    }
}
