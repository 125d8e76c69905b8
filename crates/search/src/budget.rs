//! How long a search may go on. The only place that reads a clock.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::looks::{Looks, Tape};

/// What a search may spend, before it starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// At most this many nodes.
    pub nodes: Option<u64>,
    /// At most this deep.
    pub depth: Option<u32>,
    /// At most this long.
    pub time: Option<Duration>,
}

impl Limits {
    /// No limit but the stop flag.
    pub const NONE: Limits = Limits {
        nodes: None,
        depth: None,
        time: None,
    };

    /// A limit of nodes: the same on every machine.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits {
            nodes: Some(nodes),
            ..Limits::NONE
        }
    }

    /// A limit of depth: the same on every machine.
    pub const fn depth(depth: u32) -> Limits {
        Limits {
            depth: Some(depth),
            ..Limits::NONE
        }
    }

    /// A limit of time: not repeatable.
    pub const fn time(time: Duration) -> Limits {
        Limits {
            time: Some(time),
            ..Limits::NONE
        }
    }

    /// The tighter of two limits, part by part.
    pub fn and(self, other: Limits) -> Limits {
        fn least<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            }
        }
        Limits {
            nodes: least(self.nodes, other.nodes),
            depth: least(self.depth, other.depth),
            time: least(self.time, other.time),
        }
    }
}

#[derive(Clone, Debug)]
enum Clock {
    Real(Instant),
    /// Microseconds that a test moves by hand.
    Fake(Arc<AtomicU64>),
}

/// Somebody who may hold a search up for a while, so that others get their turn.
pub trait Gate: fmt::Debug + Send + Sync {
    /// Called now and then by a search that is under way. Returns at once, or after having waited;
    /// says how long.
    fn pass(&self) -> Duration;
}

/// A gate, and how long a search has waited at it.
#[derive(Clone, Debug)]
struct Pauses {
    gate: Arc<dyn Gate>,
    micros: Arc<AtomicU64>,
    /// When the wait that is going on began, in microseconds of the clock and one more; zero for none.
    since: Arc<AtomicU64>,
}

/// What is left to spend. It starts when its job leaves the queue, and anybody who holds the stop
/// flag can end it.
///
/// ```
/// use wits_search::{Budget, Limits};
/// let budget = Budget::start(Limits::nodes(1000));
/// assert!(!budget.spent(999));
/// assert!(budget.spent(1000));
/// ```
#[derive(Clone, Debug)]
pub struct Budget {
    limits: Limits,
    stop: Arc<AtomicBool>,
    clock: Clock,
    pauses: Option<Pauses>,
    tape: Option<Arc<Tape>>,
}

/// How many nodes go by between two looks at the clock.
const LOOK: u64 = 256;

impl Budget {
    /// Starts now.
    pub fn start(limits: Limits) -> Budget {
        Budget::with_stop(limits, Arc::new(AtomicBool::new(false)))
    }

    /// Starts now, and ends early when somebody raises the flag.
    pub fn with_stop(limits: Limits, stop: Arc<AtomicBool>) -> Budget {
        Budget {
            limits,
            stop,
            clock: Clock::Real(Instant::now()),
            pauses: None,
            tape: None,
        }
    }

    /// Starts at the present time of a clock in microseconds that the caller moves by hand.
    pub fn with_fake_clock(
        limits: Limits,
        stop: Arc<AtomicBool>,
        micros: Arc<AtomicU64>,
    ) -> Budget {
        Budget {
            limits,
            stop,
            clock: Clock::Fake(micros),
            pauses: None,
            tape: None,
        }
    }

    /// The same budget for a search that may be held up at a gate, whenever it looks at the clock.
    /// Time spent waiting there is not counted.
    pub fn at_gate(self, gate: Arc<dyn Gate>) -> Budget {
        let pauses = Pauses {
            gate,
            micros: Arc::default(),
            since: Arc::default(),
        };
        Budget {
            pauses: Some(pauses),
            ..self
        }
    }

    /// The same budget, noting what the clock says at each look: see [`looks`](Budget::looks).
    pub fn noting(self) -> Budget {
        let tape = Some(Arc::new(Tape::note()));
        Budget { tape, ..self }
    }

    /// The same budget with the answers of an earlier clock in the place of its own, for a search that is to run again as
    /// it ran.
    pub fn repeating(self, looks: Looks) -> Budget {
        let tape = Some(Arc::new(Tape::repeat(looks)));
        Budget { tape, ..self }
    }

    /// What the clock said so far, where that [is noted](Budget::noting) and can be repeated.
    pub fn looks(&self) -> Option<Looks> {
        self.tape.as_deref().and_then(Tape::noted)
    }

    /// A budget without limits for threads that help a search: they wait at its gate, and have a stop
    /// flag of their own, because they end with it.
    pub fn for_helpers(&self) -> Budget {
        let helpers = Budget::endless();
        match &self.pauses {
            Some(pauses) => helpers.at_gate(Arc::clone(&pauses.gate)),
            None => helpers,
        }
    }

    /// A budget that only the stop flag ends.
    pub fn endless() -> Budget {
        Budget::start(Limits::NONE)
    }

    /// Whether a search that has looked at `nodes` nodes must end. The clock is read now and then.
    #[inline]
    pub fn spent(&self, nodes: u64) -> bool {
        self.limits.nodes.is_some_and(|most| nodes >= most)
            || self.stop.load(Ordering::Relaxed)
            || (nodes.is_multiple_of(LOOK) && self.late())
    }

    /// Whether the deadline has passed. Reads the clock at every call, and waits at the gate if
    /// there is one.
    pub fn late(&self) -> bool {
        if let Some(pauses) = &self.pauses {
            let now = self.clock().as_micros() as u64;
            pauses.since.store(now + 1, Ordering::Relaxed);
            let waited = pauses.gate.pass();
            let micros = waited.as_micros() as u64;
            pauses.micros.fetch_add(micros, Ordering::Relaxed);
            pauses.since.store(0, Ordering::Relaxed);
        }
        self.limits.time.is_some_and(|most| self.passed(most))
    }

    /// Whether more than half of the time has passed; never where there is no limit of time.
    pub fn half_gone(&self) -> bool {
        self.limits.time.is_some_and(|most| self.passed(most / 2))
    }

    /// Whether so much time has passed. Every look at the clock that decides something goes through here.
    fn passed(&self, most: Duration) -> bool {
        let now = self.elapsed();
        match &self.tape {
            None => now >= most,
            Some(tape) => tape.look(most, now),
        }
    }

    /// Whether somebody raised the stop flag.
    pub fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Raises the stop flag: every search that shares it ends soon.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// The stop flag, for somebody else to raise.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.stop)
    }

    /// The limits this budget started with.
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// The same stop flag and clock under tighter limits.
    pub fn within(&self, limits: Limits) -> Budget {
        Budget {
            limits: self.limits.and(limits),
            ..self.clone()
        }
    }

    /// The same flag, clock and gate for a search that counts nodes its own way.
    pub fn recount(&self, nodes: u64) -> Budget {
        let nodes = Some(nodes);
        let limits = Limits {
            nodes,
            ..self.limits
        };
        Budget {
            limits,
            ..self.clone()
        }
    }

    fn clock(&self) -> Duration {
        match &self.clock {
            Clock::Real(start) => start.elapsed(),
            Clock::Fake(micros) => Duration::from_micros(micros.load(Ordering::Relaxed)),
        }
    }

    /// How long this budget has run, without the time its search waited, or waits now, at a gate.
    pub fn elapsed(&self) -> Duration {
        let Some(pauses) = &self.pauses else {
            return self.clock();
        };
        let micros = |count: &AtomicU64| Duration::from_micros(count.load(Ordering::Relaxed));
        let now = match micros(&pauses.since) {
            Duration::ZERO => self.clock(),
            since => since,
        };
        now.saturating_sub(micros(&pauses.micros))
    }

    /// Whether a run inside this budget is the same every time: no clock decides.
    pub const fn repeatable(&self) -> bool {
        self.limits.time.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_ends_it_by_the_clock() {
        let clock = Arc::new(AtomicU64::new(0));
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits::time(Duration::from_millis(5));
        let budget = Budget::with_fake_clock(limits, stop, Arc::clone(&clock));
        assert!(!budget.spent(0));
        clock.store(5_000, Ordering::Relaxed);
        assert!(budget.spent(LOOK) && !budget.repeatable());
        assert!(!budget.spent(1), "the clock is read only now and then");
    }

    #[test]
    fn waiting_at_a_gate_is_not_counted() {
        #[derive(Debug)]
        struct Slow(Arc<AtomicU64>);
        impl Gate for Slow {
            fn pass(&self) -> Duration {
                self.0.fetch_add(3_000, Ordering::Relaxed);
                Duration::from_millis(3)
            }
        }
        let clock = Arc::new(AtomicU64::new(0));
        let limits = Limits::time(Duration::from_millis(5));
        let budget = Budget::with_fake_clock(limits, Arc::default(), Arc::clone(&clock));
        let budget = budget.at_gate(Arc::new(Slow(Arc::clone(&clock))));
        for _ in 0..10 {
            assert!(!budget.late());
        }
        assert_eq!(budget.elapsed(), Duration::ZERO);
        clock.fetch_add(5_000, Ordering::Relaxed);
        assert!(budget.late());
    }

    #[test]
    fn a_wait_that_goes_on_is_not_counted_and_helpers_wait_too() {
        /// Tells how much somebody who looks on from another thread would see.
        #[derive(Debug, Default)]
        struct Closed {
            seen: std::sync::OnceLock<(Budget, Arc<AtomicU64>)>,
            passed: AtomicU64,
        }
        impl Gate for Closed {
            fn pass(&self) -> Duration {
                let first = self.passed.fetch_add(1, Ordering::Relaxed) == 0;
                if let (true, Some((budget, clock))) = (first, self.seen.get()) {
                    clock.fetch_add(9_000, Ordering::Relaxed);
                    assert!(budget.elapsed() < Duration::from_millis(2));
                }
                Duration::from_millis(9)
            }
        }
        let (gate, clock) = (Arc::new(Closed::default()), Arc::new(AtomicU64::new(1_000)));
        let budget = Budget::with_fake_clock(Limits::NONE, Arc::default(), Arc::clone(&clock));
        let budget = budget.at_gate(Arc::clone(&gate) as Arc<dyn Gate>);
        gate.seen.set((budget.clone(), Arc::clone(&clock))).ok();
        assert!(!budget.late());
        assert_eq!(budget.elapsed(), Duration::from_millis(1));
        let helpers = budget.for_helpers();
        budget.stop();
        assert!(!helpers.spent(0), "they have a flag of their own");
        assert_eq!(gate.passed.load(Ordering::Relaxed), 2);
    }

    #[test]
    fn a_search_that_the_clock_ended_runs_again_as_it_ran() {
        let search = |budget: &Budget, tick: &dyn Fn()| {
            // A share of the time for looking ahead, and the whole for the rest, as engines have it.
            let limits = Limits::time(Duration::from_millis(2));
            let (ahead, mut nodes) = (budget.within(limits), 0_u64);
            while !ahead.spent(nodes) {
                nodes += 1;
                tick();
            }
            let first = nodes;
            let half = budget.half_gone();
            while !budget.spent(nodes) {
                nodes += 1;
                tick();
            }
            (first, half, nodes)
        };
        let clock = Arc::new(AtomicU64::new(0));
        let limits = Limits::time(Duration::from_millis(5));
        let budget = Budget::with_fake_clock(limits, Arc::default(), Arc::clone(&clock)).noting();
        let ran = search(&budget, &|| {
            clock.fetch_add(1, Ordering::Relaxed);
        });
        let looks = budget.looks().unwrap();
        assert!(looks.decided(), "{looks:?}");
        // A clock that stands still, and one that is far too fast.
        for micros in [0, 1_000_000] {
            let clock = Arc::new(AtomicU64::new(0));
            let again = Budget::with_fake_clock(limits, Arc::default(), Arc::clone(&clock));
            let again = again.repeating(looks.clone());
            let tick = || {
                clock.fetch_add(micros, Ordering::Relaxed);
            };
            assert_eq!(search(&again, &tick), ran);
            assert!(again.looks().is_none());
            // Whoever looks more often has the time that the budget says, and no more.
            assert!(!again.late());
            clock.fetch_add(6_000, Ordering::Relaxed);
            assert!(again.late());
        }
    }

    #[test]
    fn the_flag_ends_all_that_share_it() {
        let budget = Budget::endless();
        let inner = budget.within(Limits::nodes(10));
        budget.stop();
        assert!(inner.spent(0) && inner.stopped());
        assert_eq!(inner.limits().nodes, Some(10));
    }

    #[test]
    fn the_tighter_limit_counts() {
        let both = Limits::nodes(5).and(Limits::depth(3)).and(Limits::nodes(7));
        assert_eq!(
            both,
            Limits {
                nodes: Some(5),
                depth: Some(3),
                time: None
            }
        );
    }
}
