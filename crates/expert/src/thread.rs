//! The steps of the engine as a thread.

use wits_game::Lang;
use wits_logic::{Event, Port, follow};
use wits_search::{Recorder, Thread, ThreadHeader};

use crate::WORDS;

/// The most steps that a thread keeps.
pub const STEPS: usize = 20_000;

/// The thread of a goal that was asked of a base: what was tried, and what came of it.
pub fn thread(base: &str, goal: &str, events: &[Event], result: &str) -> Thread {
    let mut recorder = Recorder::new(STEPS);
    follow(events, &mut recorder);
    let mut header = ThreadHeader::new("expert", "proof");
    goal.clone_into(&mut header.subject);
    base.clone_into(&mut header.by);
    goal.clone_into(&mut header.title);
    let count = |port: Port, said: &str| {
        let so = |e: &&Event| e.bindings.first().is_some_and(|(_, word)| word == said);
        let answers = events.iter().filter(|e| e.port == Port::Said).filter(so);
        (events.iter().filter(|e| e.port == port).count() + answers.count()) as u64
    };
    header.summary = WORDS
        .say("thread-summary")
        .with("calls", count(Port::Call, ""))
        .with("exits", count(Port::Exit, "yes"))
        .with("fails", count(Port::Fail, "no"))
        .with("result", result)
        .to_string();
    recorder.finish(&header, result, Lang::spoken())
}
