//! What every form of the queue must do, told in small stories.

use std::time::Duration;

use wits_queue::{Order, Parcel, Queue, Role, Sign, Waiting};

/// Long enough for anything that comes at all.
pub(crate) const LONG: Duration = Duration::from_secs(30);
/// For what must not come.
const SHORT: Duration = Duration::from_millis(200);
const LISTEN: Duration = Duration::from_millis(500);

pub(crate) fn parcel(run: &str, job: &str) -> Parcel {
    Parcel {
        run: run.to_owned(),
        job: job.to_owned(),
        body: format!("{run} {job}").into_bytes(),
    }
}

type Law = (&'static str, fn(&Queue));

const LAWS: &[Law] = &[
    ("a job is there once", once),
    ("what is dropped or given back comes again", again),
    ("results wait until they are settled", settled),
    ("runs do not mix", runs),
    ("who is there answers and hears", present),
    ("files are carried whole", files),
];

pub(crate) fn check(fresh: &dyn Fn() -> Queue) {
    for (name, law) in LAWS {
        eprintln!("law: {name}");
        law(&fresh());
    }
}

fn once(queue: &Queue) {
    let jobs: Vec<Parcel> = (0..300)
        .map(|n| parcel("cup", &format!("{n:03}")))
        .collect();
    assert_eq!(queue.send(&jobs).unwrap(), 300);
    assert_eq!(queue.send(&jobs[..5]).unwrap(), 0, "they wait already");
    let first = queue.take(LONG).unwrap().unwrap();
    assert!(jobs.contains(&first.parcel));
    assert_eq!(queue.send(&jobs[..5]).unwrap(), 0, "held is not lost");
    let mut seen = vec![first.parcel.job.clone()];
    queue.finish(first, &parcel("cup", &seen[0])).unwrap();
    while seen.len() < 300 {
        let held = queue.take(LONG).unwrap().unwrap();
        let result = parcel("cup", &held.parcel.job);
        seen.push(held.parcel.job.clone());
        queue.finish(held, &result).unwrap();
    }
    assert!(queue.take(SHORT).unwrap().is_none(), "nothing is left");
    let wanted: Vec<String> = jobs.iter().map(|j| j.job.clone()).collect();
    seen.sort();
    assert_eq!(seen, wanted, "each once");
    assert_eq!(
        queue.send(&jobs[..1]).unwrap(),
        1,
        "what was played may be sent again"
    );
}

fn again(queue: &Queue) {
    queue.send(&[parcel("cup", "a")]).unwrap();
    let held = queue.take(LONG).unwrap().unwrap();
    queue.give_back(held).unwrap();
    let held = queue.take(LONG).unwrap().unwrap();
    assert_eq!(held.parcel.job, "a");
    drop(held);
    let held = queue.take(LONG).unwrap().unwrap();
    assert_eq!(held.parcel.job, "a", "its holder is gone");
    queue.finish(held, &parcel("cup", "a")).unwrap();
    assert!(queue.take(SHORT).unwrap().is_none());
}

fn settled(queue: &Queue) {
    let all = ["a", "b", "c"].map(|job| parcel("cup", job));
    queue.send(&all).unwrap();
    for _ in 0..3 {
        let held = queue.take(LONG).unwrap().unwrap();
        let result = parcel("cup", &held.parcel.job);
        queue.finish(held, &result).unwrap();
    }
    let mut seen = take_results(queue, "cup", 3);
    let kept = seen.pop().unwrap();
    let lost = kept.parcel.job.clone();
    drop(kept);
    queue.settle(seen).unwrap();
    let mut more = take_results(queue, "cup", 1);
    let last = more.pop().unwrap();
    assert_eq!(last.parcel.job, lost, "what was not settled comes again");
    queue.settle(vec![last]).unwrap();
    assert!(queue.results("cup", SHORT, 10).unwrap().is_empty());
    let nothing = Waiting::default();
    let deadline = std::time::Instant::now() + LONG;
    while queue.waiting().unwrap() != nothing {
        assert!(
            std::time::Instant::now() < deadline,
            "{:?}",
            queue.waiting()
        );
        std::thread::sleep(Duration::from_millis(10));
    }
}

pub(crate) fn take_results(queue: &Queue, run: &str, count: usize) -> Vec<wits_queue::Held> {
    let deadline = std::time::Instant::now() + LONG;
    let mut seen = Vec::new();
    while seen.len() < count {
        assert!(std::time::Instant::now() < deadline, "{seen:?}");
        seen.extend(queue.results(run, LONG, 10).unwrap());
    }
    seen
}

fn runs(queue: &Queue) {
    queue
        .send(&[parcel("cup", "a"), parcel("bowl", "b"), parcel("cup", "c")])
        .unwrap();
    queue.withdraw("cup", false).unwrap();
    let held = queue.take(LONG).unwrap().unwrap();
    assert_eq!(held.parcel, parcel("bowl", "b"));
    queue.finish(held, &parcel("bowl", "b")).unwrap();
    assert!(queue.results("cup", SHORT, 10).unwrap().is_empty());
    queue.withdraw("cup", true).unwrap();
    assert_eq!(take_results(queue, "bowl", 1)[0].parcel.job, "b");
}

fn present(queue: &Queue) {
    assert_eq!(queue.roll_call(LISTEN).unwrap(), []);
    let ann = queue
        .present(Sign::new("ann", Role::Worker, "1", 2))
        .unwrap();
    let bob = queue
        .present(Sign::new("bob", Role::Worker, "1", 1))
        .unwrap();
    let cup = queue
        .present(Sign::new("cup", Role::Coordinator, "1", 0))
        .unwrap();
    ann.update(|sign| sign.playing.push("x".to_owned()));
    let names = |signs: Vec<Sign>| signs.into_iter().map(|s| s.name).collect::<Vec<_>>();
    let signs = queue.roll_call(LISTEN).unwrap();
    assert_eq!(signs[1].playing, ["x"]);
    assert_eq!(names(signs), ["cup", "ann", "bob"]);
    let mut told = names(queue.order(None, Order::Drain, LISTEN).unwrap());
    told.sort();
    assert_eq!(told, ["ann", "bob"]);
    assert_eq!(
        names(queue.order(Some("cup"), Order::Stop, LONG).unwrap()),
        ["cup"]
    );
    assert_eq!(
        (ann.orders(), bob.orders(), cup.orders()),
        (vec![Order::Drain], vec![Order::Drain], vec![Order::Stop])
    );
    assert_eq!(ann.orders(), [], "an order is heard once");
    drop(ann);
    assert_eq!(names(queue.roll_call(LISTEN).unwrap()), ["cup", "bob"]);
    assert_eq!(
        queue.order(Some("ann"), Order::Drain, LISTEN).unwrap(),
        [],
        "nobody hears it"
    );
}

fn files(queue: &Queue) {
    assert_eq!(queue.collect("a1").unwrap(), None);
    // More than a server takes at once, and nothing at all.
    let large: Vec<u8> = (0..3_000_000u32).map(|n| (n % 251) as u8).collect();
    for (hash, bytes) in [("a1", large.as_slice()), ("b2", b"small"), ("c3", b"")] {
        queue.deposit(hash, bytes).unwrap();
        queue.deposit(hash, bytes).unwrap();
        assert!(
            queue.collect(hash).unwrap().as_deref() == Some(bytes),
            "{hash}"
        );
    }
    assert_eq!(queue.collect("b3").unwrap(), None);
    let huge = vec![0; wits_queue::LARGEST_FILE + 1];
    let error = queue.deposit("d4", &huge).unwrap_err();
    assert!(
        !error.is_temporary() && error.to_string().contains("67108865"),
        "{error}"
    );
}
