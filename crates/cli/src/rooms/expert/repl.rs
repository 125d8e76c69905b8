//! A prompt for goals: one solution after the other, with steps and proofs when wanted.

use std::io::{IsTerminal, StdinLock};

use anyhow::Result;
use wits_expert::Base;
use wits_expert::query::{self, FUEL, out_of_memory, out_of_steps};
use wits_logic::{Event, Machine, Outcome, Wanted};

use super::{person, proof_lines, reason_lines, short, step_line, text_of, verdict_line};
use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, input};

/// Steps shown of one solution.
const STEPS: usize = 1000;

const HELP: &str = "Type a goal with its full stop, such as  part(X, _, _, _).
After a solution, ; asks for the next one and anything else stops.
After false, why tells where every way to prove the goal ended.
trace and proof switch showing steps and proofs on and off; history lists what
was asked, !2 asks the second again, !! the last. When the program asks something,
type y, n, ?, the number of a choice, or a number. An empty line or quit ends.";

/// The prompt.
pub(super) struct Repl<'a> {
    machine: Machine,
    /// The base, if the program is one: it words questions.
    base: Option<Base>,
    out: &'a Out,
    keyboard: StdinLock<'static>,
    asked: Vec<String>,
    trace: bool,
    proof: bool,
    last: Last,
}

/// What became of the last goal.
enum Last {
    /// It was not asked to its end, or went wrong.
    Open,
    /// It has solutions, and all of them were shown.
    Shown,
    /// It failed: the machine as it was before, and the goal.
    Failed(Box<Machine>, String),
}

impl<'a> Repl<'a> {
    pub(super) fn begin(file: &str, out: &'a Out) -> Result<Repl<'a>> {
        let mut machine = Machine::new();
        machine.refuel(FUEL);
        let text = text_of(file)?;
        let loaded = machine.load(file, &text);
        if let Some(error) = loaded.errors.first() {
            let hint = "mend the program and load it again";
            return Err(Problem::new("program", error.report(), hint).into());
        }
        Ok(Repl {
            machine,
            base: Base::read(file, &text).ok(),
            out,
            keyboard: std::io::stdin().lock(),
            asked: Vec::new(),
            trace: false,
            proof: false,
            last: Last::Open,
        })
    }

    /// A line that was typed; what comes through a pipe is shown, too.
    fn line(&mut self, prompt: &str) -> Result<Option<String>> {
        self.out.prompt(prompt)?;
        let line = input::line(&mut self.keyboard)?;
        if let Some(line) = &line
            && !std::io::stdin().is_terminal()
        {
            self.out.say(line)?;
        }
        Ok(line.map(|l| l.trim().to_owned()))
    }

    pub(super) fn go(mut self) -> Result<Answer> {
        self.out.say(HELP)?;
        while let Some(line) = self.line("?- ")?.filter(|l| !l.is_empty()) {
            match line.trim_end_matches('.') {
                "quit" | "halt" => break,
                "help" => self.out.say(HELP)?,
                "trace" => self.trace = self.switch("trace", !self.trace)?,
                "proof" => self.proof = self.switch("proof", !self.proof)?,
                "why" => self.why()?,
                "history" => {
                    for (n, goal) in self.asked.iter().enumerate() {
                        self.out.say(format!("{:>3}. {goal}", n + 1))?;
                    }
                }
                _ => match self.recalled(&line) {
                    Some(goal) => {
                        self.asked.push(goal.clone());
                        self.ask(&goal)?;
                    }
                    None => self.out.say("there is no such goal; type history")?,
                },
            }
        }
        Ok(Answer::Yes)
    }

    /// Why the last goal failed.
    fn why(&self) -> Result<()> {
        match &self.last {
            Last::Failed(before, goal) => {
                let machine = Machine::clone(before);
                let reasons = query::why(machine, goal, self.machine.answers());
                self.out.say(reason_lines(&reasons).trim_end())
            }
            Last::Shown => self
                .out
                .say("the last goal did not fail: it has the solutions above, and no more"),
            Last::Open => self
                .out
                .say("no goal has failed just now; ask one, and after false type why"),
        }
    }

    fn switch(&self, what: &str, on: bool) -> Result<bool> {
        self.out
            .say(format!("{what} is {}", if on { "on" } else { "off" }))?;
        Ok(on)
    }

    /// The goal itself, or the earlier one that `!N` or `!!` means.
    fn recalled(&self, line: &str) -> Option<String> {
        match line.strip_prefix('!') {
            Some("!") => self.asked.last().cloned(),
            Some(n) if n.bytes().all(|b| b.is_ascii_digit()) && !n.is_empty() => {
                let n: usize = n.parse().ok()?;
                self.asked.get(n.checked_sub(1)?).cloned()
            }
            _ => Some(line.to_owned()),
        }
    }

    fn ask(&mut self, goal: &str) -> Result<()> {
        self.machine.record_proofs(self.proof);
        self.machine.refuel(FUEL);
        self.machine.forget_answers();
        if self.trace {
            self.machine.watch(STEPS);
        }
        self.last = Last::Open;
        // The goal may change facts; what it failed by is looked for in the program as it was.
        let before = Box::new(self.machine.clone());
        if let Err(trouble) = self.machine.query(goal) {
            return self.out.say(trouble.report());
        }
        let mut found = false;
        loop {
            let outcome = self.machine.solve();
            let output = self.machine.take_output();
            if !output.is_empty() {
                self.out.say(output.trim_end_matches('\n'))?;
            }
            if self.trace {
                let (events, dropped) = self.machine.events();
                self.steps(&events, dropped)?;
            }
            match outcome {
                Outcome::Solution(solution) => {
                    found = true;
                    let pairs = solution.bindings.iter();
                    let pairs: Vec<String> = pairs
                        .map(|b| format!("{} = {}", b.name, short(&b.value)))
                        .collect();
                    self.out.say(if pairs.is_empty() {
                        "true".to_owned()
                    } else {
                        pairs.join(", ")
                    })?;
                    if let Some(proof) = self.proof.then(|| self.machine.proof()).flatten() {
                        self.out.say(proof_lines(&proof).trim_end())?;
                        let verdict = wits_logic::verdict(&self.machine, &proof);
                        self.out.say(verdict_line(&verdict).trim_end())?;
                    }
                    if self.line("")?.as_deref() != Some(";") {
                        return Ok(());
                    }
                }
                Outcome::Halted(_) => return self.out.say("false"),
                Outcome::Done => {
                    self.out.say("false")?;
                    self.last = if found {
                        Last::Shown
                    } else {
                        Last::Failed(before, goal.to_owned())
                    };
                    return if self.proof && !found {
                        self.why()
                    } else {
                        Ok(())
                    };
                }
                Outcome::Error(trouble) => return self.out.say(trouble.report()),
                Outcome::Asked(question) => {
                    let base = self.base.as_ref();
                    let reads = matches!(question.wanted, Wanted::Line | Wanted::Term);
                    if !reads {
                        self.out.say(person::wording(base, &question))?;
                    }
                    let prompt = if reads { &question.term } else { "> " };
                    let Some(line) = self.line(prompt)? else {
                        return Ok(());
                    };
                    let answer = person::read(self.base.as_ref(), &question, &line);
                    let wrong = match answer.map(|a| self.machine.answer(a)) {
                        Ok(Ok(())) => continue,
                        Ok(Err(wrong)) => wrong.to_string(),
                        Err(wrong) => wrong,
                    };
                    self.out.say(wrong)?;
                }
                Outcome::OutOfSteps => {
                    return self
                        .out
                        .say(out_of_steps(&self.machine, FUEL.steps).report());
                }
                Outcome::OutOfMemory => {
                    return self.out.say(out_of_memory(&self.machine).report());
                }
            }
        }
    }

    fn steps(&self, events: &[Event], dropped: u64) -> Result<()> {
        for event in events {
            self.out.say(step_line(event))?;
        }
        if dropped > 0 {
            self.out.say(format!("… {dropped} more steps"))?;
        }
        Ok(())
    }
}
