//! `transit whynot`: why the best journey does not use a line.

use wits_desk::{Answer, Cost, Param, Served, Verb};

use super::whatif::{lines, question, side};
use super::{ask, at_param, ends, lasting, refusal, whole, with_feed};
use crate::thread::WORDS;

pub(super) fn verb() -> Verb {
    let [from, to] = ends();
    let line = Param::text("line", &WORDS, "param-line")
        .required()
        .shown_as("LINE");
    Verb {
        id: "whynot",
        about: WORDS.say("verb-whynot"),
        params: with_feed([from, to, line, at_param()]),
        examples: &["wits transit whynot Rynek Zoo --line 4 --feed city.zip --at 8:00"],
        served: Served::Everywhere,
        cost: Cost::READING,
        run: |args, shelf, work| {
            ask(args, shelf, work, |planner| {
                let (asked, line) = (question(planner, args)?, args.text("line"));
                lines(planner, line)?;
                let told = planner.why_not(&asked, line);
                let told = told.map_err(|error| refusal("cannot-ask", &error))?;
                let why = match (told.reason, told.loss_minutes) {
                    ("used", _) => WORDS.say("line-used"),
                    ("slower", Some(lost)) if lost < 60 => {
                        WORDS.say("line-slower").with("n", whole(lost))
                    }
                    ("slower", Some(lost)) => {
                        WORDS.say("line-slower-long").with("lasts", lasting(lost))
                    }
                    ("not-running", _) => WORDS.say("line-not-running"),
                    _ => WORDS.say("line-unreachable"),
                };
                let mut answer = Answer::of(&told).say(why.with("line", &told.line));
                let sides = [
                    ("best", WORDS.say("best-journey"), &told.best),
                    ("with", WORDS.say("with-line"), &told.with),
                ];
                for (name, title, found) in sides {
                    if found.is_some() {
                        answer.blocks.extend(side(name, title, found.as_ref()));
                    }
                }
                Ok(answer)
            })
        },
    }
}
