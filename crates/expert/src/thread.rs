//! The steps of the engine as a thread.

use wits_game::{Lang, Message};
use wits_logic::{Event, Port, follow};
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use crate::WORDS;
use crate::base::Base;
use crate::dialogue::{Session, Start, Steps, Turn};
use crate::query::Answers;

/// The most steps that a thread keeps.
pub const STEPS: usize = 20_000;

/// The thread of a goal that was asked of a base: what was tried, and what came of it. Where the run had more steps than
/// were kept, it says so.
pub fn thread(base: &str, goal: &str, answers: &Answers) -> Thread {
    let (steps, dropped) = (&answers.steps, answers.dropped);
    let mut recorder = Recorder::new(STEPS);
    follow(steps, &mut recorder);
    if dropped > 0 {
        recorder.step(|| {
            let says = WORDS.say("thread-left-out").with("count", dropped);
            Step::new(Kind::Note, says).data("left_out", dropped)
        });
    }
    finished(recorder, (base, goal), (steps, dropped), &answers.status)
}

/// The thread of a conversation: what was chosen from the menus, what the rules tried with the answers that
/// were given, and what the person is told or asked now. `name` is what the base is called.
pub fn conversation(
    (base, name): (&Base, &str),
    session: &Session,
    turn: &Turn,
    steps: &Steps,
) -> Thread {
    let mut recorder = Recorder::new(STEPS);
    choices(base, session, &steps.problem, &mut recorder);
    follow(&steps.events, &mut recorder);
    let (key, result) = match turn {
        Turn::Advice { advice, .. } => ("thread-advice", advice.name.clone()),
        Turn::Question { text, .. } => ("thread-question", text.clone()),
        Turn::Category(_) | Turn::Problem(_) | Turn::Solved(_) | Turn::Nothing(_) => {
            ("thread-nothing", String::new())
        }
    };
    recorder.step(|| {
        let says = WORDS.say(key).with("result", &result);
        let step = Step::new(Kind::Choose, says)
            .data("answer", result.clone())
            .data("goal", steps.goal.clone());
        if matches!(turn, Turn::Advice { .. }) {
            step.data("bindings", serde_json::json!({"Advice": result}))
        } else {
            step
        }
    });
    finished(recorder, (name, &steps.goal), (&steps.events, 0), &result)
}

/// How the problem was found: by two menus, or from signs.
fn choices(base: &Base, session: &Session, problem: &str, watch: &mut impl Watch) {
    let label = base.problem(problem).map_or(problem, |p| p.label.as_str());
    let Start::Menu(category) = &session.start else {
        watch.step(|| Step::new(Kind::Note, WORDS.say("thread-signs").with("choice", label)));
        return;
    };
    let categories = base.categories.iter().map(|(id, label)| (id, label));
    menu(watch, WORDS.say("thread-category"), categories, category);
    let within = base.problems.iter().filter(|p| p.category == *category);
    let problems = within.map(|p| (&p.id, &p.label));
    menu(watch, WORDS.say("thread-problem"), problems, problem);
}

/// A menu that was shown, and what was chosen from it.
fn menu<'a>(
    watch: &mut impl Watch,
    asks: Message,
    entries: impl Iterator<Item = (&'a String, &'a String)>,
    chosen: &str,
) {
    let entries: Vec<_> = entries.collect();
    // A list of sentences needs no full stops.
    let plain = |label: &str| label.trim_end_matches('.').to_owned();
    let labels: Vec<String> = entries.iter().map(|(_, label)| plain(label)).collect();
    let label = entries.iter().find(|(id, _)| *id == chosen);
    let label = plain(label.map_or(chosen, |(_, label)| label.as_str()));
    watch.step(|| {
        let says = asks.with("options", labels.join("; "));
        Step::new(Kind::Ask, says).data("options", labels)
    });
    watch.step(|| {
        let says = WORDS.say("thread-chosen").with("choice", &label);
        Step::new(Kind::Answer, says).data("answer", label)
    });
}

/// The recorded steps, and how many more there were, with what stands above and below them.
fn finished(
    recorder: Recorder,
    (base, goal): (&str, &str),
    (events, dropped): (&[Event], u64),
    result: &str,
) -> Thread {
    let mut header = ThreadHeader::new("expert", "proof");
    goal.clone_into(&mut header.subject);
    base.clone_into(&mut header.by);
    goal.clone_into(&mut header.title);
    let count = |port: Port, said: &str| {
        let so = |e: &&Event| e.bindings.first().is_some_and(|(_, word)| word == said);
        let answers = events.iter().filter(|e| e.port == Port::Said).filter(so);
        (events.iter().filter(|e| e.port == port).count() + answers.count()) as u64
    };
    let says = match dropped {
        0 => WORDS.say("thread-summary"),
        _ => WORDS
            .say("thread-summary-part")
            .with("steps", events.len() as u64),
    };
    header.summary = says
        .with("calls", count(Port::Call, ""))
        .with("exits", count(Port::Exit, "yes"))
        .with("fails", count(Port::Fail, "no"))
        .with("result", result)
        .to_string();
    recorder.finish(&header, result, Lang::spoken())
}
