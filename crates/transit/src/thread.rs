//! The thread: a search told step by step, for the page and for `wits watch`.

use wits_game::{Book, Lang};
use wits_search::{Kind, Step, Watch};

use crate::algo::Follow;
use crate::time::Time;
use crate::timetable::Timetable;

/// What the threads of this room say.
pub static WORDS: Book = Book::new("transit", &[(Lang::En, include_str!("../texts/en.txt"))]);

/// Tells the steps of a search to a watcher, with names and places.
///
/// The data of a step carry `node` (the stop), its kilometres `x` and `y` on the local map, `time`
/// in seconds and `cost`; a `relax` also has `from`. With the empty watcher nothing is built.
#[derive(Debug)]
pub struct Told<'a, W> {
    table: &'a Timetable,
    watch: W,
    /// Steps told so far, by kind: visits, relaxations, improvements.
    pub counts: [u64; 3],
}

impl<'a, W: Watch> Told<'a, W> {
    /// A teller for a timetable.
    pub fn new(table: &'a Timetable, watch: W) -> Told<'a, W> {
        Told {
            table,
            watch,
            counts: [0; 3],
        }
    }

    /// Tells what is asked: the first step of a thread.
    pub fn start(&mut self, from: u32, to: u32, at: Time) {
        let table = self.table;
        self.watch.step(|| {
            let says = WORDS
                .say("start")
                .with("from", table.stop_name(from))
                .with("to", table.stop_name(to))
                .with("time", at.to_string());
            place(Step::new(Kind::Note, says), table, from)
                .data("target", to)
                .data("time", at.0)
        });
    }
}

fn place(step: Step, table: &Timetable, stop: u32) -> Step {
    let s = &table.stops[stop as usize];
    step.data("node", stop)
        .data("x", f64::from(s.x))
        .data("y", f64::from(s.y))
}

impl<W: Watch> Follow for Told<'_, W> {
    const ON: bool = W::ON;

    #[inline]
    fn visit(&mut self, stop: u32, time: i32, cost: i64) {
        let table = self.table;
        self.counts[0] += 1;
        self.watch.step(|| {
            let says = WORDS
                .say("visit")
                .with("stop", table.stop_name(stop))
                .with("time", Time(time).to_string());
            place(Step::new(Kind::Visit, says), table, stop)
                .data("time", time)
                .data("cost", cost)
        });
    }

    #[inline]
    fn relax(&mut self, from: u32, to: u32, time: i32, cost: i64) {
        let table = self.table;
        self.counts[1] += 1;
        self.watch.step(|| {
            let says = WORDS
                .say("relax")
                .with("from", table.stop_name(from))
                .with("to", table.stop_name(to))
                .with("time", Time(time).to_string());
            place(Step::new(Kind::Relax, says), table, to)
                .data("from", from)
                .data("time", time)
                .data("cost", cost)
        });
    }

    #[inline]
    fn improve(&mut self, time: i32, cost: i64) {
        self.counts[2] += 1;
        self.watch.step(|| {
            let says = WORDS.say("improve").with("time", Time(time).to_string());
            Step::new(Kind::Improve, says)
                .data("time", time)
                .data("value", cost)
        });
    }

    #[inline]
    fn choose(&mut self, arrival: Option<i32>) {
        self.watch.step(|| match arrival {
            Some(time) => {
                let says = WORDS.say("choose").with("time", Time(time).to_string());
                Step::new(Kind::Choose, says)
                    .data("time", time)
                    .data("answer", Time(time).to_string())
            }
            None => Step::new(Kind::Choose, WORDS.say("choose-none")),
        });
    }
}
