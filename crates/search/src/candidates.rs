//! The thread of a machine that searches no tree: candidates with numbers and reasons, and what decided.

use serde_json::{Map, Value};
use wits_game::Message;

use crate::{Backup, Kind, Step, Summary, WORDS, Watch, Worth};

/// Tells how one move was chosen among several, for machines that follow rules, weigh candidates,
/// draw beads or leave it to luck.
///
/// Every legal move is told by [`candidate`](Candidates::candidate), with a worth or at least a reason, or counted by
/// [`skip`](Candidates::skip); then [`luck`](Candidates::luck) where equals were drawn from, and last
/// [`choose`](Candidates::choose), with the sentences of the summary. The steps are those of a tree of one level, so that
/// every lens and the checker read them.
///
/// ```
/// use wits_search::{Backup, Candidates, Recorder, ThreadHeader, Worth};
/// # use wits_game::{Book, Lang};
/// # static WORDS: Book = Book::new("demo", &[(Lang::En,
/// #     "who = Black\ndiscs = {move} turns {n} discs\nslow = squares beside a corner are left alone\ndone = Compared {n} moves.\nmost = {move} turns most discs.")]);
/// let mut recorder = Recorder::new(100);
/// let mut told = Candidates::open(&mut recorder, WORDS.say("who"), Backup::Max);
/// for (label, turned) in [("d3", 1), ("c4", 3), ("f5", 3)] {
///     let why = WORDS.say("discs").with("move", label).with("n", turned);
///     let worth = Worth::heuristic(f64::from(turned));
///     told.candidate(label, Some(worth), &[("turned", f64::from(turned))], why);
/// }
/// told.skip(2, WORDS.say("slow"));
/// told.luck(&["c4", "f5"], "f5");
/// told.choose("f5", Some(Worth::heuristic(3.0)), [
///     WORDS.say("done").with("n", 3),
///     WORDS.say("most").with("move", "f5"),
/// ]);
/// let thread = recorder.finish(&ThreadHeader::new("demo", "candidates"), "f5", Lang::En);
/// assert_eq!(thread.header.summary, "Compared 3 moves. f5 turns most discs.");
/// assert_eq!(thread.steps.last().unwrap().text, "choose f5, worth +3");
/// ```
pub struct Candidates<'a, W> {
    watch: &'a mut W,
    backup: Backup,
    next: u64,
    best: Option<Worth>,
    group: Option<Group>,
    /// Whether the rule takes the last of equals, and not the first.
    last: bool,
}

/// Candidates that belong together, such as the plays at one place of a board.
struct Group {
    id: u64,
    best: Option<Worth>,
    /// Whether one of them is better than all before.
    improved: bool,
}

impl<'a, W: Watch> Candidates<'a, W> {
    /// Begins the account of a decision of a seat. With [`Backup::Max`] the choice must be a candidate of
    /// the greatest worth; with [`Backup::None`] something else decides.
    pub fn open(watch: &'a mut W, who: Message, backup: Backup) -> Self {
        watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-root").with("who", who))
                .data("id", 0)
                .data("parent", Value::Null)
                .data("move", Value::Null)
        });
        Candidates {
            watch,
            backup,
            next: 1,
            best: None,
            group: None,
            last: false,
        }
    }

    /// The rule takes the last of equals: a candidate that is as good as the best so far is marked as the best in its place.
    #[must_use]
    pub fn last_of_equals(mut self) -> Self {
        self.last = true;
        self
    }

    /// A remark: which rule fired, what it compared.
    pub fn note(&mut self, says: Message) {
        self.watch
            .step(|| Step::new(Kind::Note, says).data("id", 0));
    }

    /// One legal move with what it is worth (nothing where it was refused unweighed), the numbers
    /// behind it by name, and a sentence that says why.
    pub fn candidate(
        &mut self,
        label: &str,
        worth: Option<Worth>,
        numbers: &[(&str, f64)],
        why: Message,
    ) {
        let id = self.next;
        self.next += 1;
        let parent = self.group.as_ref().map_or(0, |group| group.id);
        self.watch.step(|| {
            Step::new(Kind::Open, WORDS.say("tree-try").with("move", label))
                .data("id", id)
                .data("parent", parent)
                .data("move", label)
        });
        let last = self.last;
        let better = |best: &mut Option<Worth>| {
            let beats = |worth: Worth, best: Worth| worth > best || (last && worth == best);
            let better = worth.is_some_and(|worth| best.is_none_or(|best| beats(worth, best)));
            if better {
                *best = worth;
            }
            better
        };
        let overall = better(&mut self.best);
        // In a group it is compared with the others there.
        let best = match &mut self.group {
            Some(group) => {
                group.improved |= overall;
                better(&mut group.best)
            }
            None => overall,
        };
        self.watch.step(|| {
            let step = valued(Step::new(Kind::Close, why).data("id", id), worth);
            let numbers: Map<String, Value> = numbers
                .iter()
                .map(|&(name, number)| (name.to_owned(), number.into()))
                .collect();
            let step = if numbers.is_empty() {
                step
            } else {
                step.data("numbers", numbers)
            };
            // What a bound rests on is not shown below it.
            let bound = worth.is_some_and(Worth::bound);
            let step = if bound { step.data("by", "rule") } else { step };
            step.data("best", best)
        });
    }

    /// The candidates that follow belong together, until the group is [closed](Candidates::close_group).
    pub fn open_group(&mut self, says: Message, numbers: &[(&str, f64)]) {
        let id = self.next;
        self.next += 1;
        self.watch.step(|| {
            let step = Step::new(Kind::Open, says)
                .data("id", id)
                .data("parent", 0)
                .data("move", Value::Null);
            numbers
                .iter()
                .fold(step, |step, &(name, number)| step.data(name, number))
        });
        self.group = Some(Group {
            id,
            best: None,
            improved: false,
        });
    }

    /// The group ends, with the worth of its best candidate.
    pub fn close_group(&mut self, says: Message) {
        if let Some(group) = self.group.take() {
            self.watch.step(|| {
                valued(
                    Step::new(Kind::Close, says).data("id", group.id),
                    group.best,
                )
                .data("best", group.improved)
            });
        }
    }

    /// So many more legal moves were not weighed one by one, and why.
    pub fn skip(&mut self, rest: usize, why: Message) {
        if rest > 0 {
            self.watch.step(|| {
                Step::new(Kind::Cut, why)
                    .data("id", 0)
                    .data("rest", rest)
                    .data("by", "rule")
            });
        }
    }

    /// Any further step of the machine's own, such as the beads of a box.
    pub fn step(&mut self, what: impl FnOnce() -> Step) {
        self.watch.step(what);
    }

    /// The dice decided among equals. Nothing is told where there was only one.
    pub fn luck<S: AsRef<str>>(&mut self, equals: &[S], drawn: &str) {
        if equals.len() > 1 {
            let among: Vec<&str> = equals.iter().map(AsRef::as_ref).collect();
            self.watch.step(|| {
                let says = WORDS.say("told-luck").with("count", among.len());
                Step::new(Kind::Draw, says.with("move", drawn))
                    .data("id", 0)
                    .data("among", among)
                    .data("drawn", drawn)
            });
        }
    }

    /// The decision, and the summary: what was done, what decided, what the runner-up lacked.
    pub fn choose(
        self,
        label: &str,
        worth: Option<Worth>,
        summary: impl IntoIterator<Item = Message>,
    ) {
        let Candidates { watch, backup, .. } = self;
        watch.step(|| {
            let says = WORDS.say("told-closed").with("move", label);
            valued(Step::new(Kind::Close, says).data("id", 0), worth)
        });
        watch.sum_up(|| {
            let says = summary.into_iter().take(Summary::MOST).collect();
            Summary { backup, says }
        });
        watch.step(|| {
            let says = match worth {
                Some(worth) => WORDS.say("tree-choose").with("value", worth.to_string()),
                None => WORDS.say("told-choose"),
            };
            let step = Step::new(Kind::Choose, says.with("move", label)).data("answer", label);
            valued(step, worth)
                .data("by", "rule")
                .data("line", vec![label])
        });
    }

    /// Nothing is chosen: the machine gives up, and the summary says why.
    pub fn resign(self, why: Message, summary: impl IntoIterator<Item = Message>) {
        let Candidates { watch, backup, .. } = self;
        watch.step(|| {
            Step::new(Kind::Close, why)
                .data("id", 0)
                .data("value", Value::Null)
        });
        watch.sum_up(|| {
            let says = summary.into_iter().take(Summary::MOST).collect();
            Summary { backup, says }
        });
    }
}

/// A step with a value and what it is.
fn valued(step: Step, worth: Option<Worth>) -> Step {
    match worth {
        Some(worth) => step
            .data("value", worth.json())
            .data("is", worth.proof.word())
            .data("proved", worth.proved()),
        None => step.data("value", Value::Null),
    }
}
