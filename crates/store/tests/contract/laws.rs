//! What every store must do, told in small stories.

use crate::ground::Ground;
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use wits_store::{Blob, Error, Id, JobResult, Score, Store, Then, Which};

pub(crate) type Law = (&'static str, fn(&Ground));

const LAWS: &[Law] = &[
    ("a session is created once", created_once),
    ("events stand in order", in_order),
    ("several events are all or nothing", all_or_nothing),
    ("sessions are listed page by page", listed),
    ("a deleted session leaves nothing", deleted),
    ("a seat has one holder", seats),
    ("results are written once", results),
    ("settings can be changed", settings),
    ("the best scores come first", scores),
    ("items have names", blobs),
    ("awkward values come back as they were", awkward),
    ("of many writers one wins each place", races),
    ("what is written is there for others and later", lasting),
];

pub(crate) fn check(fresh: impl Fn() -> Ground) {
    for (name, law) in LAWS.iter().chain(crate::owners::LAWS) {
        println!("law: {name}");
        law(&fresh());
    }
}

pub(crate) fn id(n: u8) -> Id {
    Id::from_bits(n.into())
}

fn game(store: &Store, n: u8) -> Id {
    store.create(id(n), "game", &json!({"n": n}), 100).unwrap();
    id(n)
}

fn bodies(store: &Store, id: Id) -> Vec<Value> {
    store
        .events(id, 0)
        .unwrap()
        .into_iter()
        .map(|e| e.body)
        .collect()
}

fn created_once(ground: &Ground) {
    let store = ground.open();
    assert!(matches!(store.session(id(1)), Err(Error::Missing { id: i }) if i == id(1)));
    store.create(id(1), "game", &json!({"a": 1}), 7).unwrap();
    let again = store.create(id(1), "dialogue", &json!({}), 9);
    assert!(matches!(again, Err(Error::Exists { id: i }) if i == id(1)));
    let s = store.session(id(1)).unwrap();
    assert_eq!(
        (s.id, s.kind.as_str(), s.header),
        (id(1), "game", json!({"a": 1}))
    );
    assert_eq!(
        (s.created, s.updated, s.finished, s.events),
        (7, 7, false, 0)
    );
}

fn in_order(ground: &Ground) {
    let store = ground.open();
    assert!(matches!(
        store.append(id(1), 0, &json!(0), 1),
        Err(Error::Missing { .. })
    ));
    assert!(matches!(store.events(id(1), 0), Err(Error::Missing { .. })));
    let id = game(&store, 1);
    assert!(matches!(
        store.append(id, 1, &json!(0), 101),
        Err(Error::Gap { seq: 1, next: 0 })
    ));
    let far = store.append(id, u64::MAX, &json!(0), 101);
    assert!(matches!(
        far,
        Err(Error::Gap {
            seq: u64::MAX,
            next: 0
        })
    ));
    store.append(id, 0, &json!({"m": "d3"}), 110).unwrap();
    store.append(id, 1, &json!({"m": "c5"}), 120).unwrap();
    for mine in [json!({"m": "d3"}), json!({"m": "c4"})] {
        match store.append(id, 0, &mine, 999).unwrap_err() {
            Error::Taken { seq: 0, body } => assert_eq!(body, json!({"m": "d3"})),
            other => panic!("{other}"),
        }
    }
    let (s, events) = store.load(id, 0).unwrap();
    assert_eq!(
        (s.created, s.updated, s.events),
        (100, 120, 2),
        "what is refused changes nothing"
    );
    let seen: Vec<_> = events.iter().map(|e| (e.seq, e.at)).collect();
    assert_eq!(seen, [(0, 110), (1, 120)]);
    assert_eq!(store.events(id, 1).unwrap(), events[1..]);
    assert_eq!(store.events(id, u64::MAX).unwrap(), []);
    store.append(id, 2, &json!(2), 5).unwrap();
    assert_eq!(
        store.session(id).unwrap().updated,
        120,
        "time does not run backwards"
    );
}

fn all_or_nothing(ground: &Ground) {
    let store = ground.open();
    let id = game(&store, 1);
    store
        .append_all(id, 0, &[json!("a"), json!("b")], Then::AsBefore, 101)
        .unwrap();
    let late = store.append_all(id, 1, &[json!("b"), json!("c")], Then::Finished, 102);
    assert!(matches!(late, Err(Error::Taken { seq: 1, body }) if body == "b"));
    let early = store.append_all(id, 3, &[json!("d")], Then::Finished, 102);
    assert!(matches!(early, Err(Error::Gap { seq: 3, next: 2 })));
    let deep = (0..200).fold(json!(0), |inner, _| json!([inner]));
    let unfit = store.append_all(id, 2, &[json!("c"), deep], Then::Finished, 102);
    assert!(matches!(unfit, Err(Error::Unfit { .. })));
    assert_eq!(bodies(&store, id), [json!("a"), json!("b")]);
    assert!(!store.session(id).unwrap().finished);
    store
        .append_all(id, 2, &[json!("c")], Then::Finished, 103)
        .unwrap();
    assert!(store.session(id).unwrap().finished);
    store.append_all(id, 3, &[], Then::AsBefore, 104).unwrap();
    assert!(store.session(id).unwrap().finished);
    store.append_all(id, 3, &[], Then::Open, 105).unwrap();
    let s = store.session(id).unwrap();
    assert_eq!((s.finished, s.updated, s.events), (false, 105, 3));
}

fn listed(ground: &Ground) {
    let store = ground.open();
    for n in 0..10 {
        let kind = if n % 2 == 0 { "game" } else { "dialogue" };
        // Two of each moment, so that paging must tell equals apart.
        store
            .create(id(n), kind, &json!({}), i64::from(n / 2))
            .unwrap();
    }
    store.append(id(0), 0, &json!(0), 50).unwrap();
    store.append_all(id(4), 0, &[], Then::Finished, 2).unwrap();
    let all = Which::default();
    let games = Which {
        kind: Some("game"),
        ..all
    };
    let over = Which {
        finished: Some(true),
        ..all
    };
    let live = Which {
        kind: Some("game"),
        finished: Some(false),
    };
    let ids = |which, limit| -> Vec<Id> {
        let mut seen = Vec::new();
        let mut after = None;
        loop {
            let page = store.recent(which, after, limit).unwrap();
            assert!(page.len() <= limit as usize);
            seen.extend(page.iter().map(|s| s.id));
            match page.last() {
                Some(last) => after = Some(last.place()),
                None => return seen,
            }
        }
    };
    let expect = |order: &[u8]| -> Vec<Id> { order.iter().map(|n| id(*n)).collect() };
    for limit in [1, 3, 100] {
        assert_eq!(ids(all, limit), expect(&[0, 9, 8, 7, 6, 5, 4, 3, 2, 1]));
        assert_eq!(ids(games, limit), expect(&[0, 8, 6, 4, 2]));
        assert_eq!(ids(over, limit), expect(&[4]));
        assert_eq!(ids(live, limit), expect(&[0, 8, 6, 2]));
    }
    let counts = [all, games, over, live].map(|which| store.count(which).unwrap());
    assert_eq!(counts, [10, 5, 1, 4]);
    assert_eq!(store.recent(all, None, 0).unwrap(), []);
    assert_eq!(store.recent(all, None, 1).unwrap()[0].events, 1);
}

fn deleted(ground: &Ground) {
    let store = ground.open();
    assert!(matches!(store.delete(id(1)), Err(Error::Missing { .. })));
    let (one, two) = (game(&store, 1), game(&store, 2));
    for id in [one, two] {
        store.append(id, 0, &json!("e"), 101).unwrap();
        assert!(store.claim(id, 0, "t").unwrap());
    }
    store.delete(one).unwrap();
    assert!(matches!(
        store.append(one, 1, &json!("f"), 102),
        Err(Error::Missing { .. })
    ));
    assert!(matches!(
        store.claim(one, 0, "t"),
        Err(Error::Missing { .. })
    ));
    game(&store, 1);
    assert_eq!(bodies(&store, one), [] as [Value; 0]);
    assert_eq!(store.held(one).unwrap(), [] as [u8; 0]);
    assert_eq!(bodies(&store, two), [json!("e")]);
    assert_eq!(store.held(two).unwrap(), [0]);
}

fn seats(ground: &Ground) {
    let store = ground.open();
    let id = game(&store, 1);
    assert!(store.claim(id, 1, "ann").unwrap());
    assert!(store.claim(id, 1, "ann").unwrap(), "mine stays mine");
    assert!(!store.claim(id, 1, "bob").unwrap());
    assert!(
        store.claim(id, 0, "ann").unwrap(),
        "one person may hold two seats"
    );
    assert_eq!(store.seats(id, "ann").unwrap(), [0, 1]);
    assert_eq!(store.seats(id, "bob").unwrap(), [] as [u8; 0]);
    assert!(store.release(id, 1).unwrap());
    assert!(!store.release(id, 1).unwrap());
    assert!(store.claim(id, 1, "bob").unwrap());
    assert_eq!(
        (store.seats(id, "bob").unwrap(), store.held(id).unwrap()),
        (vec![1], vec![0, 1])
    );
    assert_eq!(
        store.session(id).unwrap().updated,
        100,
        "sitting down is no event"
    );
}

fn results(ground: &Ground) {
    let store = ground.open();
    let result = |job: &str, n: i32| JobResult {
        job: job.into(),
        body: json!(n),
    };
    let batch = [result("a", 2), result("B", 1), result("a", 9)];
    assert_eq!(
        store.add_results("cup", &batch, 1).unwrap(),
        2,
        "the second `a` is not new"
    );
    assert_eq!(
        store
            .add_results("cup", &[result("a", 7), result("c", 3)], 2)
            .unwrap(),
        1
    );
    assert_eq!(
        store
            .add_results("other", &[result("d", 4), result("c", 8)], 3)
            .unwrap(),
        1
    );
    assert_eq!(store.result("a").unwrap(), Some(json!(2)));
    assert_eq!(store.result("nope").unwrap(), None);
    // By bytes, so capitals first, whatever the language of the server.
    let all = [result("B", 1), result("a", 2), result("c", 3)];
    assert_eq!(store.results("cup", "", 10).unwrap(), all);
    assert_eq!(store.results("cup", "B", 1).unwrap(), all[1..2]);
    assert_eq!(store.count_results("cup").unwrap(), 3);
    assert_eq!(store.forget_results("cup").unwrap(), 3);
    assert_eq!(store.results("cup", "", 10).unwrap(), []);
    assert_eq!(store.count_results("other").unwrap(), 1);
}

fn settings(ground: &Ground) {
    let store = ground.open();
    assert_eq!(store.setting("theme").unwrap(), None);
    for value in [json!("dark"), json!(null), json!({"a": [1, 2.5, true]})] {
        store.set("theme", &value).unwrap();
        assert_eq!(store.setting("theme").unwrap(), Some(value));
    }
    assert_eq!(store.setting("Theme").unwrap(), None);
    assert!(store.unset("theme").unwrap());
    assert!(!store.unset("theme").unwrap());
    assert_eq!(store.setting("theme").unwrap(), None);
}

fn scores(ground: &Ground) {
    let store = ground.open();
    let score = |id: &str, board: &str, points, at| Score {
        id: id.into(),
        room: "rainbow".into(),
        board: board.into(),
        name: format!("Żółw {id}"),
        points,
        at,
        detail: json!({"turns": at}),
    };
    let (low, high) = (score("a", "6", -3, 1), score("b", "6", 90, 5));
    let (tie, late) = (score("z", "6", 50, 2), score("c", "6", 50, 3));
    for s in [&low, &high, &late, &tie, &score("e", "8", 1_000, 1)] {
        assert!(store.add_score(s).unwrap());
    }
    assert!(
        !store.add_score(&score("a", "6", 999, 9)).unwrap(),
        "counted once"
    );
    assert_eq!(
        store.top("rainbow", "6", 10).unwrap(),
        [high.clone(), tie, late, low]
    );
    assert_eq!(store.top("rainbow", "6", 1).unwrap(), [high]);
    assert!(store.delete_score("b").unwrap());
    assert!(!store.delete_score("b").unwrap());
    assert_eq!(store.top("rainbow", "6", 1).unwrap()[0].id, "z");
    assert_eq!(store.top("othello", "6", 1).unwrap(), []);
}

pub(crate) fn blob(name: &str, bytes: &[u8], hash: &str) -> Blob {
    Blob {
        kind: "beads".into(),
        name: name.into(),
        bytes: bytes.into(),
        hash: hash.into(),
        at: 5,
    }
}

fn blobs(ground: &Ground) {
    let store = ground.open();
    let (one, two) = (blob("box", &[0, 255, 1], "h1"), blob("box", b"", "h2"));
    assert_eq!(store.blob("beads", "box").unwrap(), None);
    assert!(
        !store.swap_blob(&one, Some("h0")).unwrap(),
        "nothing to swap with"
    );
    assert!(store.swap_blob(&one, None).unwrap());
    assert!(!store.swap_blob(&two, None).unwrap(), "no longer free");
    assert!(
        !store.swap_blob(&two, Some("h0")).unwrap(),
        "somebody else was quicker"
    );
    assert_eq!(store.blob("beads", "box").unwrap(), Some(one.clone()));
    assert!(store.swap_blob(&two, Some("h1")).unwrap());
    assert_eq!(store.blob("beads", "box").unwrap(), Some(two));
    store.put_blob(&one).unwrap();
    store.put_blob(&blob("Zone", b"ab", "h3")).unwrap();
    let names = store.blobs("beads").unwrap();
    let seen: Vec<_> = names
        .iter()
        .map(|b| (b.name.as_str(), b.size, b.hash.as_str()))
        .collect();
    assert_eq!(seen, [("Zone", 2, "h3"), ("box", 3, "h1")]);
    assert_eq!(store.blobs("weights").unwrap(), []);
    assert!(store.delete_blob("beads", "box").unwrap());
    assert!(!store.delete_blob("beads", "box").unwrap());
}

fn awkward(ground: &Ground) {
    let store = ground.open();
    let id = game(&store, 1);
    let values = [
        json!(null),
        json!("\u{0}\u{7f}\"\\ żółć 𝄞 \u{feff}"),
        json!([
            u64::MAX,
            i64::MIN,
            -0.0,
            0.1 + 0.2,
            1.797_693_134_862_315_7e308,
            5e-324
        ]),
        json!([
            7.038_531e-26,
            2.225_073_858_507_201e-308,
            9_007_199_254_740_993_u64
        ]),
        json!({"b": 1, "a": {"": []}, "$1": "?1 ' \" ; -- %"}),
        json!("x".repeat(1_000_000)),
        (0..90).fold(json!(0), |inner, _| json!({ "in": inner })),
    ];
    store
        .append_all(id, 0, &values, Then::AsBefore, i64::MAX)
        .unwrap();
    assert_eq!(bodies(&store, id), values);
    for (seq, value) in (0..).zip(&values) {
        let again = store.append(id, seq, value, 0);
        assert!(matches!(again, Err(Error::Taken { body, .. }) if body == *value));
    }
    assert_eq!(store.session(id).unwrap().updated, i64::MAX);
    assert!(matches!(
        store.set("a\0b", &json!(1)),
        Err(Error::Unfit { .. })
    ));
    assert!(matches!(store.setting("a\0b"), Err(Error::Unfit { .. })));
    store.set("", &json!("")).unwrap();
    store
        .set("'; DROP TABLE settings; --", &json!("$1 ?1"))
        .unwrap();
    assert_eq!(
        store.setting("'; DROP TABLE settings; --").unwrap(),
        Some(json!("$1 ?1"))
    );
    store
        .create(Id::from_bits(u128::MAX), "", &json!(null), i64::MIN)
        .unwrap();
    assert_eq!(
        store.session(Id::from_bits(u128::MAX)).unwrap().created,
        i64::MIN
    );
    let bytes: Vec<u8> = (0..=255).cycle().take(3_000_000).collect();
    store.put_blob(&blob("big", &bytes, "h")).unwrap();
    assert_eq!(store.blob("beads", "big").unwrap().unwrap().bytes, bytes);
}

fn races(ground: &Ground) {
    const THREADS: u8 = 8;
    const EACH: u64 = 12;
    let store = ground.open();
    let id = game(&store, 1);
    store.put_blob(&blob("count", b"", "0")).unwrap();
    // Every thread tries for every place, reads what won, and goes on; and each counts to EACH by
    // swapping, where a lost update would show in the sum.
    let done = AtomicBool::new(false);
    let won: Vec<Vec<u64>> = thread::scope(|s| {
        let run = |me: u8| {
            let store = &store;
            move || {
                let seated = store.claim(id, me / 2, &me.to_string()).unwrap();
                let mine = store.seats(id, &me.to_string()).unwrap();
                assert_eq!(mine, if seated { vec![me / 2] } else { vec![] });
                let mut won = Vec::new();
                for seq in 0..EACH {
                    match store.append(id, seq, &json!(me), 101) {
                        Ok(()) => won.push(seq),
                        Err(Error::Taken { seq: there, body }) => {
                            assert_eq!(there, seq);
                            assert_ne!(body, json!(me));
                        }
                        Err(other) => panic!("{other}"),
                    }
                    let job = JobResult {
                        job: seq.to_string(),
                        body: json!(me),
                    };
                    store.add_results("cup", &[job], 1).unwrap();
                    loop {
                        let was = store.blob("beads", "count").unwrap().unwrap().hash;
                        let next = was.parse::<u64>().unwrap() + 1;
                        let new = blob("count", b"", &next.to_string());
                        if store.swap_blob(&new, Some(&was)).unwrap() {
                            break;
                        }
                    }
                }
                won
            }
        };
        // Meanwhile a reader always sees a session and just its events.
        let reader = s.spawn(|| {
            while !done.load(Relaxed) {
                let (session, events) = store.load(id, 0).unwrap();
                assert_eq!(session.events, events.len() as u64);
            }
        });
        let threads: Vec<_> = (0..THREADS).map(|me| s.spawn(run(me))).collect();
        let won = threads.into_iter().map(|t| t.join().unwrap()).collect();
        done.store(true, Relaxed);
        reader.join().unwrap();
        won
    });
    let mut places: Vec<u64> = won.iter().flatten().copied().collect();
    places.sort_unstable();
    assert_eq!(
        places,
        (0..EACH).collect::<Vec<_>>(),
        "exactly one winner for each"
    );
    for event in store.events(id, 0).unwrap() {
        let winner = event.body.as_u64().unwrap() as usize;
        assert!(
            won[winner].contains(&event.seq),
            "and it is the one that was told so"
        );
    }
    assert_eq!(store.count_results("cup").unwrap(), EACH);
    assert_eq!(store.held(id).unwrap(), [0, 1, 2, 3]);
    let sum = u64::from(THREADS) * EACH;
    assert_eq!(
        store.blob("beads", "count").unwrap().unwrap().hash,
        sum.to_string()
    );
}

fn lasting(ground: &Ground) {
    if ground.place.is_none() {
        return;
    }
    // Many open the same new place at once, and all can write.
    thread::scope(|s| {
        for n in 0..6 {
            let place = ground.place.clone().unwrap();
            s.spawn(move || {
                let store = Store::open(&place, wits_store::Options::default()).unwrap();
                game(&store, n);
                store.append(id(n), 0, &json!(n), 101).unwrap();
            });
        }
    });
    let (one, two) = (ground.open(), ground.open());
    assert_eq!(one.count(Which::default()).unwrap(), 6);
    one.append(id(3), 1, &json!("from one"), 102).unwrap();
    assert_eq!(bodies(&two, id(3)), [json!(3), json!("from one")]);
    assert!(matches!(
        two.append(id(3), 1, &json!("x"), 103),
        Err(Error::Taken { .. })
    ));
    drop((one, two));
    assert_eq!(bodies(&ground.open(), id(3)), [json!(3), json!("from one")]);
}
