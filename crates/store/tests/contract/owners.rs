//! What visitors keep is theirs, within limits.

use crate::ground::Ground;
use crate::laws::{Law, id};
use serde_json::json;
use wits_store::{
    Blob, Error, Expired, Keeping, Limit, NewItem, OpenLimits, Over, Owner, Quota, Store, Then,
};

pub(crate) const LAWS: &[Law] = &[
    ("an item has one owner", one_owner),
    ("titles are one's own", titles),
    ("room is made among one's own things", room),
    ("an address has its share", address),
    ("the whole has a limit", house),
    ("parts of a thing go together", parts),
    ("open sessions have a limit", open_sessions),
    ("who never comes back leaves nothing", expiry),
    ("everything of a visitor goes at once", forgotten),
    ("a visitor becomes another", merged),
    ("a link holds once and not for long", links),
];

const WIDE: Quota = Quota {
    bytes: 1 << 40,
    items: 1 << 20,
    address_bytes: 1 << 40,
    address_items: 1 << 20,
    house_bytes: 1 << 40,
};

fn visitor<'a>(token: &'a str, address: &'a str) -> Owner<'a> {
    Owner {
        token,
        address,
        back: true,
    }
}

fn stranger<'a>(token: &'a str, address: &'a str) -> Owner<'a> {
    Owner {
        back: false,
        ..visitor(token, address)
    }
}

fn blob(name: &str, size: usize, at: i64) -> Blob {
    // PostgreSQL packs what it can, so the bytes are such that it cannot.
    let mut seed = at as u64 + 1;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 56) as u8
    };
    Blob {
        kind: "base".into(),
        name: name.into(),
        bytes: (0..size).map(|_| next()).collect(),
        hash: format!("{size}@{at}"),
        at,
    }
}

fn keep(store: &Store, owner: Owner<'_>, blob: &Blob, quota: &Quota) -> Keeping {
    let new = NewItem {
        blob,
        title: &blob.name,
        over: Over::Anything,
        pinned: false,
    };
    store.keep(new, owner, quota).unwrap()
}

fn gone(keeping: &Keeping) -> Vec<&str> {
    match keeping {
        Keeping::Kept(gone) => gone.iter().map(|item| item.name.as_str()).collect(),
        other => panic!("{other:?}"),
    }
}

fn names(store: &Store, owner: &str) -> Vec<String> {
    let all = store.items(owner).unwrap();
    all.into_iter().map(|item| item.name).collect()
}

fn one_owner(ground: &Ground) {
    let store = ground.open();
    let (anna, bob) = (visitor("anna", "::1"), visitor("bob", "::1"));
    let first = blob("x", 10, 1);
    assert_eq!(keep(&store, anna, &first, &WIDE), Keeping::Kept(vec![]));
    assert_eq!(keep(&store, bob, &blob("x", 3, 2), &WIDE), Keeping::Foreign);
    assert_eq!(store.blob("base", "x").unwrap(), Some(first));
    assert!(!store.discard("x", "bob").unwrap());
    assert!(!store.share_item("base", "x", "bob", true).unwrap());
    assert!(store.share_item("base", "x", "anna", true).unwrap());
    // What nobody owns is nobody's to replace.
    store.put_blob(&blob("house", 5, 1)).unwrap();
    assert_eq!(
        keep(&store, bob, &blob("house", 1, 2), &WIDE),
        Keeping::Foreign
    );
    assert_eq!(store.item("base", "house").unwrap(), None);
    let house: Vec<_> = store.house_blobs("base").unwrap();
    let house: Vec<_> = house.into_iter().map(|b| b.name).collect();
    assert_eq!(house, ["house"]);
    // A change of the bytes keeps owner and title, and the size is right.
    assert!(store.swap_blob(&blob("x", 12, 3), Some("10@1")).unwrap());
    let item = store.item("base", "x").unwrap().unwrap();
    assert_eq!((item.owner.as_str(), item.size, item.made), ("anna", 12, 1));
    assert!(item.shared);
    assert!(store.discard("x", "anna").unwrap());
    assert_eq!(store.blob("base", "x").unwrap(), None);
    assert_eq!(store.items("anna").unwrap(), []);
}

fn titles(ground: &Ground) {
    let store = ground.open();
    let put = |owner, name, hash: Option<&str>| {
        let blob = blob(name, 1, 1);
        let over = hash.map_or(Over::Nothing, Over::Hash);
        let new = NewItem {
            blob: &blob,
            title: "mine",
            over,
            pinned: false,
        };
        store.keep(new, owner, &WIDE).unwrap()
    };
    let (anna, bob) = (visitor("anna", ""), visitor("bob", ""));
    assert_eq!(put(anna, "1", None), Keeping::Kept(vec![]));
    assert_eq!(put(anna, "2", None), Keeping::Taken, "one `mine` each");
    assert_eq!(put(bob, "3", None), Keeping::Kept(vec![]));
    assert_eq!(put(anna, "1", Some("other")), Keeping::Taken, "changed");
    assert_eq!(put(anna, "1", Some("1@1")), Keeping::Kept(vec![]));
    let found = |who| store.find_item(who, "base", "mine").unwrap().unwrap().name;
    assert_eq!((found("anna"), found("bob")), ("1".into(), "3".into()));
    assert_eq!(store.find_item("anna", "table", "mine").unwrap(), None);
}

fn room(ground: &Ground) {
    let store = ground.open();
    let quota = Quota {
        bytes: 100,
        items: 3,
        ..WIDE
    };
    let (anna, bob) = (visitor("anna", "a"), visitor("bob", "a"));
    keep(&store, bob, &blob("bobs", 90, 0), &quota);
    for n in 1..=3 {
        keep(&store, anna, &blob(&format!("{n}"), 20, n), &quota);
    }
    store.use_item("base", "1", 9).unwrap();
    store.use_item("base", "1", 4).unwrap();
    let kept = keep(&store, anna, &blob("4", 20, 10), &quota);
    assert_eq!(gone(&kept), ["2"], "used longest ago, hers, and no more");
    let kept = keep(&store, anna, &blob("5", 70, 11), &quota);
    assert_eq!(gone(&kept), ["3", "1"]);
    // Growing in place makes room, too, but not of itself.
    let kept = keep(&store, anna, &blob("5", 100, 12), &quota);
    assert_eq!(gone(&kept), ["4"]);
    let full = keep(&store, anna, &blob("6", 101, 13), &quota);
    assert_eq!(full, Keeping::Full(Limit::Visitor));
    assert_eq!(names(&store, "anna"), ["5"], "who is refused loses nothing");
    assert_eq!(names(&store, "bob"), ["bobs"]);
}

fn address(ground: &Ground) {
    let store = ground.open();
    let quota = Quota {
        address_bytes: 100,
        address_items: 4,
        ..WIDE
    };
    for n in 0..40 {
        // Forty sessions that never come back have no more than their address.
        let token = format!("s{n}");
        let kept = keep(&store, stranger(&token, "a"), &blob(&token, 30, n), &quota);
        assert_eq!(gone(&kept), Vec::<&str>::new(), "what went was not theirs");
    }
    assert_eq!(store.usage().unwrap().item_bytes, 90);
    store.see("s39", 50).unwrap();
    let anna = visitor("anna", "a");
    keep(&store, anna, &blob("1", 60, 51), &quota);
    assert_eq!(names(&store, "s38"), Vec::<String>::new());
    assert_eq!(names(&store, "s39"), ["s39"], "she came back: hers stays");
    let kept = keep(&store, anna, &blob("2", 50, 52), &quota);
    assert_eq!(gone(&kept), ["1"]);
    let full = keep(&store, visitor("bob", "a"), &blob("3", 50, 53), &quota);
    assert_eq!(full, Keeping::Full(Limit::Address));
    assert_eq!(names(&store, "anna"), ["2"]);
    // Elsewhere there is room, and where nothing is known of an address, it has no share.
    for at in ["b", ""] {
        let kept = keep(&store, visitor("bob", at), &blob(at, 90, 54), &quota);
        assert_eq!(gone(&kept), Vec::<&str>::new());
    }
}

fn house(ground: &Ground) {
    let store = ground.open();
    let size = store.usage().unwrap().bytes;
    let quota = Quota {
        house_bytes: size + 2_500_000,
        ..WIDE
    };
    let (anna, bob) = (visitor("anna", "a"), visitor("bob", "b"));
    keep(&store, anna, &blob("1", 2_000_000, 1), &quota);
    let full = keep(&store, bob, &blob("2", 2_000_000, 2), &quota);
    assert_eq!(full, Keeping::Full(Limit::House));
    let kept = keep(&store, anna, &blob("3", 1_500_000, 3), &quota);
    assert_eq!(gone(&kept), ["1"], "her own may go for hers");
    assert_eq!(names(&store, "anna"), ["3"]);
}

fn parts(ground: &Ground) {
    let store = ground.open();
    let quota = Quota {
        bytes: 100,
        items: 2,
        ..WIDE
    };
    let anna = visitor("anna", "a");
    let part = |size, at| Blob {
        kind: "bench".into(),
        ..blob("1", size, at)
    };
    keep(&store, anna, &blob("1", 10, 1), &quota);
    keep(&store, anna, &part(10, 2), &quota);
    let kept = keep(&store, anna, &blob("2", 70, 3), &quota);
    assert_eq!(gone(&kept), Vec::<&str>::new(), "two things, three items");
    let kept = keep(&store, anna, &blob("3", 10, 4), &quota);
    assert_eq!(gone(&kept), ["1"]);
    assert_eq!(store.blob("bench", "1").unwrap(), None);
    // What is pinned stays.
    let pinned = NewItem {
        blob: &blob("4", 10, 5),
        title: "",
        over: Over::Nothing,
        pinned: true,
    };
    assert_eq!(gone(&store.keep(pinned, anna, &quota).unwrap()), ["2"]);
    assert_eq!(gone(&keep(&store, anna, &blob("5", 10, 6), &quota)), ["3"]);
    assert_eq!(gone(&keep(&store, anna, &blob("6", 90, 7), &quota)), ["5"]);
    let full = keep(&store, anna, &blob("7", 95, 8), &quota);
    assert_eq!(full, Keeping::Full(Limit::Visitor));
}

fn open_sessions(ground: &Ground) {
    let store = ground.open();
    let limits = OpenLimits {
        visitor: 2,
        address: 4,
        house_bytes: 1 << 40,
    };
    let begin = |n: u8, owner: Owner<'_>| {
        store
            .create_for(id(n), "game", &json!({}), owner, &limits, i64::from(n))
            .unwrap()
    };
    let anna = visitor("anna", "a");
    assert_eq!((begin(1, anna), begin(2, anna)), (None, None));
    assert_eq!(begin(3, anna), Some(Limit::Visitor));
    assert!(matches!(store.session(id(3)), Err(Error::Missing { .. })));
    store
        .append_all(id(1), 0, &[json!(1)], Then::Finished, 3)
        .unwrap();
    assert_eq!(
        begin(4, anna),
        None,
        "finished ones are kept and not counted"
    );
    for n in 5..20 {
        let token = n.to_string();
        assert_eq!(begin(n, stranger(&token, "a")), None);
    }
    let open = wits_store::Which {
        kind: None,
        finished: Some(false),
    };
    assert_eq!(store.count(open).unwrap(), 4);
    assert_eq!(store.session(id(19)).unwrap().events, 0, "the oldest went");
    for n in [18, 19] {
        store.see(&n.to_string(), 30).unwrap();
    }
    assert_eq!(begin(20, visitor("bob", "a")), Some(Limit::Address));
    assert_eq!(begin(20, visitor("bob", "b")), None);
    let full = OpenLimits {
        house_bytes: 1,
        ..limits
    };
    let refused = store
        .create_for(id(21), "game", &json!({}), visitor("eve", "c"), &full, 1)
        .unwrap();
    assert_eq!(refused, Some(Limit::House));
    store.claim(id(20), 0, "anna").unwrap();
    let mine = store.sessions_of("anna", 9).unwrap();
    let mine: Vec<_> = mine.into_iter().map(|s| s.id).collect();
    assert_eq!(mine, [id(20), id(4), id(1), id(2)]);
}

fn expiry(ground: &Ground) {
    let store = ground.open();
    let limits = OpenLimits {
        visitor: 9,
        address: 9,
        house_bytes: 1 << 40,
    };
    let (anna, eve) = (visitor("anna", "a"), stranger("eve", "a"));
    for (n, owner) in [(1, anna), (2, eve)] {
        keep(&store, owner, &blob(owner.token, 1, 10), &WIDE);
        store
            .create_for(id(n), "game", &json!({}), owner, &limits, 10)
            .unwrap();
    }
    for kind in ["names", "thread"] {
        let name = format!("{}{}", id(2), if kind == "names" { "" } else { "/3" });
        let part = Blob {
            kind: kind.into(),
            ..blob(&name, 1, 1)
        };
        store.put_blob(&part).unwrap();
    }
    assert_eq!(store.expire(5, 5).unwrap(), Expired::default());
    let gone = store.expire(5, 11).unwrap();
    assert_eq!((gone.items, gone.sessions), (1, 1));
    assert_eq!(names(&store, "anna"), ["anna"]);
    for kind in ["names", "thread"] {
        assert_eq!(store.blobs(kind).unwrap(), [], "{kind}");
    }
    store.see("anna", 20).unwrap();
    assert_eq!(store.expire(15, 15).unwrap(), Expired::default());
    // Somebody else still plays in it, or it was finished: it stays.
    store.append(id(1), 0, &json!(1), 30).unwrap();
    let gone = store.expire(25, 25).unwrap();
    assert_eq!((gone.items, gone.sessions), (1, 0));
    assert!(store.session(id(1)).is_ok());
}

fn forgotten(ground: &Ground) {
    let store = ground.open();
    let anna = visitor("anna", "a");
    keep(&store, anna, &blob("1", 1, 1), &WIDE);
    keep(&store, visitor("bob", "a"), &blob("2", 1, 1), &WIDE);
    for n in [1, 2, 3] {
        store.create(id(n), "game", &json!({}), 1).unwrap();
    }
    for (n, seat, token) in [(1, 0, "anna"), (2, 0, "anna"), (2, 1, "bob"), (3, 0, "bob")] {
        assert!(store.claim(id(n), seat, token).unwrap());
    }
    let gone = store.forget_visitor("anna").unwrap();
    assert_eq!((gone.items, gone.sessions), (1, 1));
    assert!(store.session(id(1)).is_err());
    assert_eq!(store.held(id(2)).unwrap(), [1], "his game goes on");
    assert_eq!(names(&store, "bob"), ["2"]);
    assert_eq!(store.forget_visitor("anna").unwrap(), Expired::default());
}

fn merged(ground: &Ground) {
    let store = ground.open();
    let (anna, tablet) = (visitor("anna", "a"), visitor("tablet", "b"));
    let put = |owner, name, title| {
        let new = NewItem {
            blob: &blob(name, 1, 1),
            title,
            over: Over::Nothing,
            pinned: false,
        };
        store.keep(new, owner, &WIDE).unwrap()
    };
    put(anna, "1", "mine");
    put(tablet, "2", "mine");
    put(tablet, "3", "other");
    store.create(id(1), "game", &json!({}), 1).unwrap();
    store.claim(id(1), 1, "tablet").unwrap();
    store.merge_visitors("tablet", anna, 5).unwrap();
    store.merge_visitors("anna", anna, 5).unwrap();
    let found = |title| {
        store
            .find_item("anna", "base", title)
            .unwrap()
            .map(|i| i.name)
    };
    assert_eq!(found("mine").as_deref(), Some("1"));
    assert_eq!(found("mine-2").as_deref(), Some("2"));
    assert_eq!(found("other").as_deref(), Some("3"));
    assert_eq!(store.items("tablet").unwrap(), []);
    assert_eq!(store.seats(id(1), "anna").unwrap(), [1]);
}

fn links(ground: &Ground) {
    let store = ground.open();
    let anna = visitor("anna", "a");
    store.put_link(anna, "l1", 100, 1).unwrap();
    store.put_link(anna, "l2", 100, 1).unwrap();
    assert_eq!(
        store.take_link("l1", 50).unwrap(),
        None,
        "the newer one holds"
    );
    assert_eq!(store.take_link("l2", 50).unwrap().as_deref(), Some("anna"));
    assert_eq!(store.take_link("l2", 50).unwrap(), None, "once");
    store.put_link(anna, "l3", 100, 60).unwrap();
    assert_eq!(store.take_link("l3", 100).unwrap(), None, "too late");
    assert_eq!(store.take_link("", 50).unwrap(), None, "nobody's");
}
