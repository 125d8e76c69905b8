//! The anti-van der Waerden numbers against the known table and slow twins.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use wits_rainbow::circle;
use wits_rainbow::numbers::{
    Colouring, Method, Table, aw, aw_of_three, check, count, witness_of_three,
};
use wits_search::{Budget, Limits};

/// A witness has the colours it claims and no rainbow.
fn holds(witness: &[u32], k: u32, colours: u64) {
    let colouring = Colouring::new(witness.iter().map(|&c| c as u16).collect());
    let checked = check(&colouring, k, 3).unwrap();
    assert!(
        checked.free && checked.uncoloured == 0,
        "{:?}",
        checked.rainbows
    );
    assert_eq!(u64::from(checked.colours), colours);
}

#[test]
fn the_table_of_numbers() {
    let mut cells = 0;
    for line in include_str!("../aw.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let numbers: Vec<u64> = line
            .split_whitespace()
            .map(|word| word.parse().unwrap())
            .collect();
        let (k, first, values) = (numbers[0], numbers[1], &numbers[2..]);
        let to = first + values.len() as u64 - 1;
        let mut told = 0;
        let table = Table::make(k, to, &Budget::endless(), |_| told += 1).unwrap();
        assert_eq!(
            table.rows.iter().map(|row| row.aw).collect::<Vec<_>>(),
            values,
            "k={k}"
        );
        assert!(table.complete && told == values.len() && table.csv().lines().count() == told + 1);
        for row in &table.rows {
            assert_eq!(row.witness.len() as u64, row.n);
            holds(&row.witness, k as u32, row.aw - 1);
            // Closed forms agree with the search wherever there is one.
            let known = aw(row.n, k, false, &Budget::endless()).unwrap();
            if known.method == Method::Formula {
                assert_eq!(known.aw, Some(row.aw), "n={} k={k}", row.n);
                holds(&known.witness.unwrap(), k as u32, row.aw - 1);
            }
            cells += 1;
        }
    }
    assert_eq!(cells, 168);
}

#[test]
fn the_closed_form_of_three() {
    let at = |n| aw_of_three(n).unwrap();
    let known = [
        (3, 3),
        (7, 4),
        (8, 5),
        (9, 4),
        (21, 5),
        (22, 6),
        (27, 5),
        (28, 6),
        (63, 6),
        (64, 7),
        (80, 7),
        (81, 6),
        (82, 7),
        (189, 7),
        (190, 8),
    ];
    for (n, aw) in known {
        assert_eq!(at(n), aw, "{n}");
    }
    for n in (3..=250).chain([243, 729, 1000, 2187, 4001]) {
        holds(
            &witness_of_three(n).unwrap(),
            3,
            u64::from(at(n.into())) - 1,
        );
    }
    assert_eq!(witness_of_three(1_000_000).unwrap().len(), 1_000_000);
    let far = aw(1_000_000_000_000_000_000, 3, false, &Budget::endless()).unwrap();
    assert_eq!(
        (far.aw, far.method, far.witness),
        (Some(40), Method::Formula, None)
    );
    assert_eq!(aw_of_three(u64::MAX), Some(43));
}

#[test]
fn two_and_short_strips_have_closed_forms_that_the_search_confirms() {
    for (n, k) in [(2, 2), (9, 2), (5, 5), (8, 5), (14, 8), (18, 10)] {
        let closed = aw(n, k, false, &Budget::endless()).unwrap();
        let searched = aw(n, k, true, &Budget::endless()).unwrap();
        assert_eq!(
            (closed.method, searched.method),
            (Method::Formula, Method::Search)
        );
        assert_eq!(closed.aw, searched.aw, "{n} {k}");
        holds(&closed.witness.unwrap(), k as u32, closed.aw.unwrap() - 1);
    }
}

#[test]
fn a_budget_leaves_bounds() {
    let bounds = aw(40, 4, false, &Budget::start(Limits::nodes(5_000))).unwrap();
    assert_eq!((bounds.aw, bounds.method), (None, Method::Bound));
    assert!(
        bounds.at_least <= 12 && bounds.at_most >= 12 && bounds.at_most < 40,
        "{bounds:?}"
    );
    let table = Table::make(4, 30, &Budget::start(Limits::nodes(5_000)), |_| {}).unwrap();
    assert!(!table.complete && table.rows.len() > 5 && table.nodes <= 5_100);
}

/// Every colouring up to renaming, one after the other, and every progression of each.
fn slow_count(n: usize, k: usize, r: usize) -> u128 {
    fn rainbow(cells: &[usize], k: usize) -> bool {
        let n = cells.len();
        (0..n).any(|start| {
            (1..n).any(|step| {
                let mut seen: Vec<usize> = (0..k)
                    .filter_map(|i| cells.get(start + i * step).copied())
                    .collect();
                seen.sort_unstable();
                seen.dedup();
                seen.len() == k
            })
        })
    }
    fn go(cells: &mut Vec<usize>, n: usize, k: usize, r: usize, used: usize) -> u128 {
        if cells.len() == n {
            return u128::from(used == r && !rainbow(cells, k));
        }
        (0..=used.min(r - 1))
            .map(|colour| {
                cells.push(colour);
                let sum = go(cells, n, k, r, used.max(colour + 1));
                cells.pop();
                sum
            })
            .sum()
    }
    go(&mut Vec::new(), n, k, r, 0)
}

#[test]
fn counting_equals_counting_one_by_one() {
    for n in 2..=8u32 {
        for k in 2..=n {
            for r in 1..=n {
                let counted = count(n, k, r, &Budget::endless()).unwrap();
                assert_eq!(
                    counted.count,
                    slow_count(n as usize, k as usize, r as usize),
                    "{n} {k} {r}"
                );
                let known = aw(n.into(), k.into(), true, &Budget::endless())
                    .unwrap()
                    .aw
                    .unwrap();
                assert_eq!(counted.count == 0, u64::from(r) >= known);
            }
        }
    }
    // Two heaps of 64 things, neither empty.
    assert_eq!(
        count(64, 3, 2, &Budget::endless()).unwrap().count,
        (1 << 63) - 1
    );
    assert!(
        !count(40, 4, 4, &Budget::start(Limits::nodes(1_000)))
            .unwrap()
            .complete
    );
}

#[test]
fn checking_finds_every_rainbow_and_the_longest() {
    let parse = |text: &str| text.parse::<Colouring>().unwrap();
    let checked = check(&parse("1 2 3 1 - 3"), 3, 10).unwrap();
    let found: Vec<(u32, u32)> = checked.rainbows.iter().map(|s| (s.start, s.step)).collect();
    assert_eq!(found, [(1, 1), (2, 1), (2, 2)]);
    assert_eq!(
        (
            checked.longest.length,
            checked.longest.step,
            checked.longest.start
        ),
        (3, 1, 1)
    );
    let stripes = check(&parse("abababab"), 2, 1).unwrap();
    assert_eq!(
        (stripes.count, stripes.rainbows.len(), stripes.free),
        (16, 1, false)
    );
    assert_eq!(check(&parse("aaaa"), 2, 9).unwrap().longest.length, 1);
    assert_eq!(check(&parse("--"), 2, 9).unwrap().longest.length, 0);
    // A slow twin of the longest rainbow.
    let mut dice = wits_game::Dice::new(wits_game::Seed::new(1));
    for _ in 0..60 {
        let cells: Vec<u16> = (0..5 + dice.below(30))
            .map(|_| dice.below(9) as u16)
            .collect();
        let n = cells.len();
        let mut slow = 0;
        for start in 0..n {
            for step in 1..n {
                let mut seen = Vec::new();
                for x in (start..n).step_by(step) {
                    if cells[x] == 0 || seen.contains(&cells[x]) {
                        break;
                    }
                    seen.push(cells[x]);
                }
                slow = slow.max(seen.len());
            }
        }
        let longest = check(&Colouring::new(cells.clone()), 2, 0).unwrap().longest;
        assert_eq!(longest.length as usize, slow, "{cells:?}");
    }
}

#[test]
fn bad_input_is_named() {
    for (text, says) in [
        ("", "`COLOURING` is empty"),
        ("1 2 x3", "`x3` at place 3"),
        ("1 2 x", "`x` at place 3"),
        ("12a", "`a` at place 3"),
        ("ab!", "`!` at place 3"),
        ("1 70000", "`70000` at place 2"),
    ] {
        let error = text.parse::<Colouring>().unwrap_err().to_string();
        assert!(error.contains(says), "{text}: {error}");
    }
    let short: Colouring = "abc".parse().unwrap();
    assert_eq!(
        check(&short, 4, 1).unwrap_err().to_string(),
        "`k` is 4, but it goes from 2 to 3 here"
    );
    assert!(
        aw(5, 6, false, &Budget::endless())
            .unwrap_err()
            .to_string()
            .contains("`k` is 6")
    );
    assert!(
        count(5, 3, 0, &Budget::endless())
            .unwrap_err()
            .to_string()
            .contains("`r` is 0")
    );
    assert!(
        Table::make(4, 3, &Budget::endless(), |_| {})
            .unwrap_err()
            .to_string()
            .contains("`to` is 3")
    );
}

/// Every published value that a short search reaches is the same here; the longer ones are compared by `rainbow table`.
#[test]
fn published_values_are_the_same() {
    use wits_rainbow::numbers::{Board, values_published};
    let mut seen = [0, 0];
    for value in values_published() {
        let own = match value.board {
            Board::Strip if value.n <= 20 => {
                aw(value.n, value.k, value.k == 3, &Budget::endless())
                    .unwrap()
                    .aw
            }
            Board::Circle if value.n <= 12 => {
                let found = circle::circle(value.n, value.k, &Budget::endless()).unwrap();
                found.aw.map(u64::from)
            }
            _ => continue,
        };
        assert_eq!(own, Some(value.aw), "{value:?}");
        seen[usize::from(value.board == Board::Circle)] += 1;
    }
    assert_eq!(seen, [114, 45], "so many were compared");
}
