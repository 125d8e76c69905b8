//! Machines think on threads of their own, and share a few places fairly.
//!
//! A job holds a place while it runs. There is one place for each thinker, and one more that only
//! jobs take which have hardly cost anything yet: a cheap reply never waits behind long searches.
//! Places go to whoever has used least lately, by address and then by visitor, moves before
//! analyses. A search that has run for a while and sees others waiting gives its place up at the
//! next look at its clock (see [`Gate`]) and goes on when its turn comes again: no visitor can hold
//! a place, however much they ask for.

mod usage;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use wits_game::Lang;
use wits_search::{Budget, Gate, Limits};

use crate::without;

pub(crate) use usage::Usage;

/// Which jobs come first among equals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Urgency {
    /// Somebody waits for a move.
    Move,
    /// Somebody is curious.
    Analysis,
}

/// Whose work it is: cookies are free, so the address counts too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Account {
    /// Where it was asked from.
    pub address: IpAddr,
    /// The session. A visitor has one job under way at a time.
    pub visitor: u128,
}

impl Account {
    /// An account by the session alone, for work that nobody's address is known of.
    pub const fn of(visitor: u128) -> Account {
        Account {
            address: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            visitor,
        }
    }
}

/// Something to think about.
pub struct Job {
    /// Whose job it is.
    pub account: Account,
    /// Whether it is a move.
    pub urgency: Urgency,
    /// Raised when nobody wants the answer any more; a job that waits with it raised is dropped.
    pub stop: Arc<AtomicBool>,
    /// The work. A long analysis does a slice and returns the rest as a new job.
    pub work: Box<dyn FnOnce() -> Option<Job> + Send>,
}

/// The thinkers. Copies share the same places; no new work begins when the last copy is dropped.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
    _closing: Arc<Closing>,
}

struct Shared {
    state: Mutex<State>,
    /// Whether anybody waits: looked at by every search that runs, so it is no lock.
    contended: AtomicBool,
}

/// How long a job may hold a place while others wait. One that has run for longer is no cheap job
/// any more.
const QUANTUM: Duration = Duration::from_millis(200);
/// The most jobs under way, those that gave up their place included: each has a thread and what its
/// search remembers.
const UNDER_WAY: usize = 48;
/// The most of one address.
const OF_ADDRESS: usize = 24;
/// Enough for the deepest search that the spine allows.
const STACK: usize = 64 * 1024 * 1024;

/// A job in line: not begun yet, or one that gave up its place.
struct Waiting {
    account: Account,
    urgency: Urgency,
    /// What it has run so far.
    spent: Duration,
    /// How many jobs of the same visitor were in line before it: visitors take turns.
    turn: usize,
    order: u64,
    what: What,
}

enum What {
    Begin(Job, Lang),
    GoOn(Arc<Seat>),
}

impl Waiting {
    fn cheap(&self) -> bool {
        self.spent < QUANTUM
    }

    fn unwanted(&self) -> bool {
        let stop = match &self.what {
            What::Begin(job, _) => &job.stop,
            What::GoOn(seat) => &seat.stop,
        };
        stop.load(Ordering::Relaxed)
    }
}

/// Which place a running job holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// One of the thinkers'.
    Usual,
    /// The one for cheap jobs.
    Quick,
}

#[derive(Default)]
struct State {
    waiting: Vec<Waiting>,
    /// Places taken now.
    usual: usize,
    quick: usize,
    thinkers: usize,
    /// How many jobs each account has under way: running, or waiting to go on.
    under_way: BTreeMap<Account, usize>,
    usage: Usage,
    order: u64,
    closed: bool,
    ran: u64,
}

impl State {
    fn of_address(&self, address: IpAddr) -> usize {
        let own = |(account, _): &(&Account, &usize)| account.address == address;
        self.under_way
            .iter()
            .filter(own)
            .map(|(_, count)| count)
            .sum()
    }

    /// Whether a job may begin: each visitor has one under way, and there is room.
    fn may_begin(&self, account: Account) -> bool {
        let all: usize = self.under_way.values().sum();
        let visitor = |(a, _): (&Account, &usize)| a.visitor == account.visitor;
        all < UNDER_WAY
            && self.of_address(account.address) < OF_ADDRESS
            && !self.under_way.iter().any(visitor)
    }

    /// The job that should have a place of this kind next.
    fn next(&self, place: Place, now: Instant) -> Option<usize> {
        let may = |(_, one): &(usize, &Waiting)| {
            (place == Place::Usual || one.cheap())
                && match one.what {
                    What::Begin(..) => self.may_begin(one.account),
                    What::GoOn(_) => true,
                }
        };
        let rank = |(_, one): &(usize, &Waiting)| {
            let used = self.usage.rank(one.account, now);
            (
                used.0,
                !one.cheap(),
                one.urgency,
                used.1,
                one.turn,
                one.order,
            )
        };
        let all = self.waiting.iter().enumerate();
        all.filter(may).min_by_key(rank).map(|(at, _)| at)
    }

    fn leave(&mut self, account: Account) {
        self.ran += 1;
        if let Some(count) = self.under_way.get_mut(&account) {
            *count -= 1;
            if *count == 0 {
                self.under_way.remove(&account);
            }
        }
    }

    fn release(&mut self, place: Place) {
        match place {
            Place::Usual => self.usual -= 1,
            Place::Quick => self.quick -= 1,
        }
    }

    fn take(&mut self, place: Place) {
        match place {
            Place::Usual => self.usual += 1,
            Place::Quick => self.quick += 1,
        }
    }

    /// A place that is free for a job which has cost so much.
    fn free(&self, cheap: bool) -> Option<Place> {
        if self.usual < self.thinkers {
            Some(Place::Usual)
        } else {
            (cheap && self.quick == 0).then_some(Place::Quick)
        }
    }
}

/// Where a running job sits: the gate that its searches pass.
struct Seat {
    this: Weak<Seat>,
    shared: Arc<Shared>,
    account: Account,
    urgency: Urgency,
    stop: Arc<AtomicBool>,
    at: Mutex<Sitting>,
    /// Rung when the job may go on.
    bell: Condvar,
}

struct Sitting {
    /// The place; nothing while it waits to go on.
    place: Option<Place>,
    since: Instant,
    spent: Duration,
    /// Whether the job is over. A thread that it left behind finds no place any more.
    over: bool,
}

impl std::fmt::Debug for Seat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let account = &self.account;
        f.debug_struct("Seat")
            .field("account", account)
            .finish_non_exhaustive()
    }
}

thread_local! {
    /// The seat of the job that runs on this thread.
    static HERE: RefCell<Option<Arc<Seat>>> = const { RefCell::new(None) };
}

/// Where work on this thread waits while others have their turn; nothing on other threads than a
/// thinker's.
pub(crate) fn gate() -> Option<Arc<dyn Gate>> {
    let seat = HERE.with(|here| here.borrow().clone())?;
    Some(seat)
}

/// A budget for work on a thinker's thread: it lets others through.
pub(crate) fn budget(limits: Limits, stop: Arc<AtomicBool>) -> Budget {
    let budget = Budget::with_stop(limits, stop);
    match gate() {
        Some(gate) => budget.at_gate(gate),
        None => budget,
    }
}

/// Lets others through, for work on a thinker's thread that keeps its own time.
pub(crate) fn breathe() {
    if let Some(gate) = gate() {
        gate.pass();
    }
}

impl Seat {
    fn lock(&self) -> MutexGuard<'_, Sitting> {
        self.at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives up the place for good: which it was, how long it was held, how long the job has run
    /// in all.
    fn leave(&self) -> (Option<Place>, Duration, Duration) {
        let mut at = self.lock();
        at.over = true;
        self.bell.notify_all();
        let place = at.place.take();
        let ran = place.map_or(Duration::ZERO, |_| at.since.elapsed());
        (place, ran, at.spent + ran)
    }
}

impl Gate for Seat {
    fn pass(&self) -> Duration {
        let contended = self.shared.contended.load(Ordering::Relaxed) && without::yields();
        if !contended || self.stop.load(Ordering::Relaxed) {
            return Duration::ZERO;
        }
        let begun = Instant::now();
        let (holds, held) = {
            let at = self.lock();
            (at.place.is_some(), begun.duration_since(at.since))
        };
        if holds {
            if held < QUANTUM {
                return Duration::ZERO;
            }
            self.shared.stand_up(self);
        }
        // A search may have threads of its own: none of them goes on without its place.
        let mut at = self.lock();
        while at.place.is_none() && !at.over && !self.stop.load(Ordering::Relaxed) {
            let waited = self.bell.wait_timeout(at, Duration::from_millis(100));
            at = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        begun.elapsed()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // A job cannot panic while it holds the state, so what is inside is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a job in line that has cost so much already, in slices before this one.
    fn put(self: &Arc<Self>, job: Job, lang: Lang, spent: Duration) {
        let mut state = self.lock();
        if state.closed {
            return;
        }
        let visitor = job.account.visitor;
        let own = |one: &&Waiting| one.account.visitor == visitor && one.urgency == job.urgency;
        let turn = state.waiting.iter().filter(own).count();
        state.order += 1;
        let waiting = Waiting {
            account: job.account,
            urgency: job.urgency,
            spent,
            turn,
            order: state.order,
            what: What::Begin(job, lang),
        };
        state.waiting.push(waiting);
        self.hand_out(state);
    }

    /// Gives free places to those who should have them.
    fn hand_out(self: &Arc<Self>, mut state: MutexGuard<'_, State>) {
        let now = Instant::now();
        // What nobody wants any more does not begin; what has begun ends by itself.
        state
            .waiting
            .retain(|one| !(one.unwanted() && matches!(one.what, What::Begin(..))));
        let mut begin = Vec::new();
        for place in [Place::Usual, Place::Quick] {
            loop {
                let free = match place {
                    Place::Usual => state.usual < state.thinkers,
                    Place::Quick => state.quick == 0,
                };
                let Some(at) = free.then(|| state.next(place, now)).flatten() else {
                    break;
                };
                let one = state.waiting.remove(at);
                state.take(place);
                match one.what {
                    What::GoOn(seat) => {
                        let mut at = seat.lock();
                        at.place = Some(place);
                        at.since = now;
                        drop(at);
                        seat.bell.notify_all();
                    }
                    What::Begin(job, lang) => {
                        *state.under_way.entry(job.account).or_insert(0) += 1;
                        begin.push((job, lang, place, one.spent));
                    }
                }
            }
        }
        let contended = !state.waiting.is_empty();
        self.contended.store(contended, Ordering::Relaxed);
        drop(state);
        for (job, lang, place, before) in begin {
            self.begin(job, lang, place, before);
        }
    }

    fn begin(self: &Arc<Self>, job: Job, lang: Lang, place: Place, before: Duration) {
        let account = job.account;
        let shared = Arc::clone(self);
        let thread = std::thread::Builder::new()
            .name("thinker".to_owned())
            .stack_size(STACK);
        let run = move || shared.run(job, lang, place, before);
        if thread.spawn(run).is_err() {
            // No thread to be had: the job is dropped, and whoever waits for it is told so.
            let mut state = self.lock();
            state.release(place);
            state.leave(account);
            self.hand_out(state);
        }
    }

    fn run(self: &Arc<Self>, job: Job, lang: Lang, place: Place, before: Duration) {
        let sitting = Sitting {
            place: Some(place),
            since: Instant::now(),
            spent: Duration::ZERO,
            over: false,
        };
        let seat = Arc::new_cyclic(|this| Seat {
            this: Weak::clone(this),
            shared: Arc::clone(self),
            account: job.account,
            urgency: job.urgency,
            stop: Arc::clone(&job.stop),
            at: Mutex::new(sitting),
            bell: Condvar::new(),
        });
        HERE.with(|here| *here.borrow_mut() = Some(Arc::clone(&seat)));
        // A machine that breaks down ends its own job and nothing else.
        let rest = catch_unwind(AssertUnwindSafe(|| lang.speak(job.work))).unwrap_or(None);
        HERE.with(|here| *here.borrow_mut() = None);
        let spent = self.end(&seat);
        if let Some(rest) = rest {
            self.put(rest, lang, before + spent);
        }
    }

    /// A job is over: its place is free, and it stands in line no more. Both happen at once, since
    /// it may be given a place while it ends. Says how long it ran in all.
    fn end(self: &Arc<Self>, seat: &Arc<Seat>) -> Duration {
        let mut state = self.lock();
        state
            .waiting
            .retain(|one| !matches!(&one.what, What::GoOn(other) if Arc::ptr_eq(other, seat)));
        let (place, ran, spent) = seat.leave();
        if let Some(place) = place {
            state.release(place);
            state.usage.charge(seat.account, ran, Instant::now());
        }
        state.leave(seat.account);
        self.hand_out(state);
        spent
    }

    /// A job gives its place to others and waits in line to go on; not if it may keep it.
    fn stand_up(self: &Arc<Self>, seat: &Seat) {
        // A search may use threads of its own: whichever looks at the clock stands up for all.
        let Some(this) = seat.this.upgrade() else {
            return;
        };
        let mut state = self.lock();
        let now = Instant::now();
        let mut at = seat.lock();
        let Some(place) = at.place.take() else {
            return;
        };
        let ran = now.duration_since(at.since);
        at.spent += ran;
        at.since = now;
        state.usage.charge(seat.account, ran, now);
        state.release(place);
        // A place that nobody else can use is its own again.
        let wanted = state.next(place, now).is_some();
        if let (false, Some(place)) = (wanted, state.free(false)) {
            state.take(place);
            at.place = Some(place);
            return;
        }
        state.order += 1;
        let waiting = Waiting {
            account: seat.account,
            urgency: seat.urgency,
            spent: at.spent,
            turn: 0,
            order: state.order,
            what: What::GoOn(this),
        };
        drop(at);
        state.waiting.push(waiting);
        self.hand_out(state);
    }
}

struct Closing(Arc<Shared>);

impl Drop for Closing {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        for one in state.waiting.drain(..) {
            if let What::GoOn(seat) = one.what {
                seat.stop.store(true, Ordering::Relaxed);
                seat.bell.notify_all();
            }
        }
    }
}

impl Engine {
    /// An engine with so many places, and one for cheap jobs.
    pub fn start(thinkers: usize) -> Engine {
        let state = State {
            thinkers: thinkers.max(1),
            ..State::default()
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            contended: AtomicBool::new(false),
        });
        let closing = Arc::new(Closing(Arc::clone(&shared)));
        Engine {
            shared,
            _closing: closing,
        }
    }

    /// Puts a job in line; it will be done in the language that is spoken here.
    pub fn put(&self, job: Job) {
        self.shared.put(job, Lang::spoken(), Duration::ZERO);
    }

    /// How many jobs run now, wait, and have been done.
    pub fn load(&self) -> (usize, usize, u64) {
        let state = self.shared.lock();
        (state.usual + state.quick, state.waiting.len(), state.ran)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::sync::mpsc::{Receiver, Sender, channel};

    use super::*;

    const A: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 2));
    const B: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 3));

    fn job(
        address: IpAddr,
        visitor: u128,
        urgency: Urgency,
        work: impl FnOnce() + Send + 'static,
    ) -> Job {
        Job {
            account: Account { address, visitor },
            urgency,
            stop: Arc::default(),
            work: Box::new(move || {
                work();
                None
            }),
        }
    }

    fn says(to: &Sender<&'static str>, name: &'static str) -> impl FnOnce() + Send + 'static {
        let to = to.clone();
        move || {
            let _ = to.send(name);
        }
    }

    /// A job that holds its place until the sender is dropped.
    fn hold(engine: &Engine, visitor: u128) -> Sender<()> {
        let (open, closed) = channel::<()>();
        let (entered, inside) = channel();
        let address = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 9));
        engine.put(job(address, visitor, Urgency::Move, move || {
            let _ = entered.send(());
            let _ = closed.recv();
        }));
        inside.recv().unwrap();
        open
    }

    /// Both places are held while jobs are put in; then one is freed, so their order is certain.
    fn order(jobs: impl FnOnce(&Engine, &Sender<&'static str>)) -> Vec<&'static str> {
        let engine = Engine::start(1);
        let (tell, told) = channel();
        let usual = hold(&engine, 98);
        let _quick = hold(&engine, 99);
        jobs(&engine, &tell);
        drop((tell, usual));
        told.iter().collect()
    }

    #[test]
    fn moves_come_before_analyses_and_visitors_take_turns() {
        let seen = order(|engine, tell| {
            for (visitor, urgency, name) in [
                (1, Urgency::Analysis, "1 analyses"),
                (1, Urgency::Move, "1 first"),
                (1, Urgency::Move, "1 second"),
                (1, Urgency::Move, "1 third"),
                (2, Urgency::Move, "2 first"),
                (3, Urgency::Move, "3 first"),
                (2, Urgency::Move, "2 second"),
            ] {
                engine.put(job(A, visitor, urgency, says(tell, name)));
            }
        });
        assert_eq!(
            seen,
            [
                "1 first",
                "2 first",
                "3 first",
                "1 second",
                "2 second",
                "1 third",
                "1 analyses"
            ]
        );
    }

    #[test]
    fn what_nobody_wants_is_dropped_and_a_breakdown_harms_nobody() {
        let seen = order(|engine, tell| {
            let unwanted = job(A, 1, Urgency::Move, says(tell, "unwanted"));
            unwanted.stop.store(true, Ordering::Relaxed);
            engine.put(unwanted);
            engine.put(job(A, 2, Urgency::Move, || panic!("on purpose")));
            engine.put(job(A, 3, Urgency::Move, says(tell, "after")));
        });
        assert_eq!(seen, ["after"]);
    }

    #[test]
    fn an_analysis_in_slices_lets_moves_through() {
        let seen = order(|engine, tell| {
            let (first, second) = (says(tell, "slice 1"), says(tell, "slice 2"));
            let mut slices = job(A, 1, Urgency::Analysis, || ());
            slices.work = Box::new(move || {
                first();
                Some(job(A, 1, Urgency::Analysis, second))
            });
            engine.put(slices);
            engine.put(job(A, 2, Urgency::Analysis, says(tell, "other")));
        });
        assert_eq!(seen, ["slice 1", "other", "slice 2"]);
    }

    /// A search without end that looks at its clock, as all searches do.
    fn endless(engine: &Engine, address: IpAddr, visitor: u128) -> (Arc<AtomicBool>, Receiver<()>) {
        let stop = Arc::<AtomicBool>::default();
        let (entered, inside) = channel();
        let flag = Arc::clone(&stop);
        let mut search = job(address, visitor, Urgency::Move, || ());
        search.stop = Arc::clone(&stop);
        search.work = Box::new(move || {
            let budget = budget(Limits::NONE, flag);
            let _ = entered.send(());
            let mut nodes = 0;
            while !budget.spent(nodes) {
                nodes += 1;
            }
            None
        });
        engine.put(search);
        (stop, inside)
    }

    #[test]
    fn searches_without_end_hold_nobody_up() {
        let engine = Engine::start(1);
        let searches: Vec<_> = (0..10).map(|v| endless(&engine, A, v)).collect();
        // All of them get to think, though there is one thinker: each gives its place up.
        for (_, inside) in &searches {
            inside.recv_timeout(Duration::from_mins(1)).unwrap();
        }
        // Somebody else's short jobs are done meanwhile, from the same address as well.
        for (n, address) in [A, B].into_iter().cycle().take(6).enumerate() {
            let (done, finished) = channel();
            engine.put(job(address, 100 + n as u128, Urgency::Move, move || {
                let _ = done.send(());
            }));
            finished.recv_timeout(Duration::from_mins(1)).unwrap();
        }
        let (running, _, _) = engine.load();
        assert!(running <= 2, "{running} run at once");
        for (stop, _) in &searches {
            stop.store(true, Ordering::Relaxed);
        }
        let until = Instant::now() + Duration::from_mins(1);
        while engine.load().2 < 16 && Instant::now() < until {
            std::thread::yield_now();
        }
        assert_eq!(engine.load().2, 16, "all ended");
        assert_eq!(engine.load().0, 0, "no place is lost");
    }

    #[test]
    fn a_search_with_threads_of_its_own_gives_its_place_up() {
        let engine = Engine::start(1);
        let stop = Arc::<AtomicBool>::default();
        let flag = Arc::clone(&stop);
        let mut search = job(A, 1, Urgency::Move, || ());
        search.stop = Arc::clone(&stop);
        search.work = Box::new(move || {
            let budget = budget(Limits::NONE, flag);
            let inner = std::thread::spawn(move || while !budget.spent(0) {});
            let _ = inner.join();
            None
        });
        engine.put(search);
        let _quick = hold(&engine, 99);
        let (done, finished) = channel();
        engine.put(job(B, 2, Urgency::Move, move || {
            let _ = done.send(());
        }));
        finished.recv_timeout(Duration::from_mins(1)).unwrap();
        stop.store(true, Ordering::Relaxed);
    }

    #[test]
    fn no_thread_of_a_search_goes_on_without_its_place() {
        let engine = Engine::start(1);
        let stop = Arc::<AtomicBool>::default();
        let (flag, looks) = (Arc::clone(&stop), Arc::<AtomicUsize>::default());
        let (counter, mut search) = (Arc::clone(&looks), job(A, 1, Urgency::Move, || ()));
        search.stop = Arc::clone(&stop);
        search.work = Box::new(move || {
            let budget = budget(Limits::NONE, flag);
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| {
                        while !budget.spent(0) {
                            counter.fetch_add(1, Ordering::Relaxed);
                        }
                    });
                }
            });
            None
        });
        engine.put(search);
        let _quick = hold(&engine, 99);
        // Somebody else has the place now, and keeps it.
        let _usual = hold(&engine, 98);
        let mut before = looks.load(Ordering::Relaxed);
        let until = Instant::now() + Duration::from_mins(1);
        // Each thread may be between two looks when the place is given up.
        loop {
            std::thread::sleep(Duration::from_millis(20));
            let now = looks.load(Ordering::Relaxed);
            if now == before {
                break;
            }
            assert!(Instant::now() < until, "they go on");
            before = now;
        }
        stop.store(true, Ordering::Relaxed);
    }

    #[test]
    fn who_has_used_much_comes_after_who_has_not() {
        let seen = order(|engine, tell| {
            // The address pays for its search, whatever its next cookie is.
            let spent = Duration::from_secs(5);
            let mut state = engine.shared.lock();
            let (address, visitor) = (A, 1);
            let account = Account { address, visitor };
            state.usage.charge(account, spent, Instant::now());
            drop(state);
            engine.put(job(A, 2, Urgency::Move, says(tell, "same address")));
            engine.put(job(B, 3, Urgency::Analysis, says(tell, "other address")));
        });
        assert_eq!(seen, ["other address", "same address"]);
    }
}
