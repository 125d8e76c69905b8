//! Random programs and graphs, against methods that know nothing of tables.

use std::collections::BTreeSet;

use proptest::prelude::*;
use wits_logic::Machine;

use super::{judged, machine, proved, values};

/// A rule over three predicates: the head, and one or two goals whose variables are numbered.
#[derive(Clone, Debug)]
struct Rule {
    head: (usize, usize, usize),
    body: Vec<(usize, usize, usize)>,
}

const NAMES: [&str; 4] = ["p", "q", "r", "edge"];

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    let atom = (0usize..4, 0usize..3, 0usize..3);
    let rule = (
        0usize..3,
        prop::collection::vec(atom, 1..3),
        any::<[u8; 2]>(),
    );
    prop::collection::vec(rule, 2..6).prop_map(|rules| {
        let safe = |(name, body, pick): (usize, Vec<(usize, usize, usize)>, [u8; 2])| {
            // Variables of the head occur in the body.
            let seen: Vec<usize> = body.iter().flat_map(|a| [a.1, a.2]).collect();
            let one = |p: u8| seen[p as usize % seen.len()];
            let head = (name, one(pick[0]), one(pick[1]));
            Rule { head, body }
        };
        rules.into_iter().map(safe).collect()
    })
}

fn text_of(rules: &[Rule], edges: &BTreeSet<(usize, usize)>) -> String {
    use std::fmt::Write as _;
    let mut out = ":- table p/2, q/2, r/2.\n".to_owned();
    let atom = |a: &(usize, usize, usize)| format!("{}(V{},V{})", NAMES[a.0], a.1, a.2);
    for r in rules {
        let body: Vec<String> = r.body.iter().map(atom).collect();
        writeln!(out, "{} :- {}.", atom(&r.head), body.join(", ")).unwrap();
    }
    for (a, b) in edges {
        writeln!(out, "edge(n{a}, n{b}).").unwrap();
    }
    out
}

/// Everything that follows, bottom up: all rules on all facts until nothing is new.
fn bottom_up(rules: &[Rule], edges: &BTreeSet<(usize, usize)>) -> BTreeSet<(usize, usize, usize)> {
    let mut facts: BTreeSet<(usize, usize, usize)> =
        edges.iter().map(|&(a, b)| (3, a, b)).collect();
    loop {
        let mut new = Vec::new();
        for r in rules {
            let mut ways: Vec<[Option<usize>; 3]> = vec![[None; 3]];
            for &(name, x, y) in &r.body {
                let mut next = Vec::new();
                for way in &ways {
                    for &(_, a, b) in facts.iter().filter(|f| f.0 == name) {
                        let mut w = *way;
                        let fits = |w: &mut [Option<usize>; 3], v: usize, value: usize| {
                            let old = w[v].replace(value);
                            old.is_none_or(|o| o == value)
                        };
                        if fits(&mut w, x, a) && fits(&mut w, y, b) {
                            next.push(w);
                        }
                    }
                }
                ways = next;
            }
            let (name, x, y) = r.head;
            new.extend(ways.iter().map(|w| (name, w[x].unwrap(), w[y].unwrap())));
        }
        let before = facts.len();
        facts.extend(new);
        if facts.len() == before {
            return facts;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// Recursion of every kind, to the left and through each other: the same answers as bottom up,
    /// and each of them with a proof.
    #[test]
    fn tables_agree_with_bottom_up(
        rules in rules(),
        edges in prop::collection::btree_set((0usize..4, 0usize..4), 1..8),
    ) {
        let facts = bottom_up(&rules, &edges);
        let mut m = machine(&text_of(&rules, &edges));
        for (k, name) in NAMES.iter().enumerate() {
            let expected: BTreeSet<(String, String)> = facts
                .iter()
                .filter(|f| f.0 == k)
                .map(|f| (format!("n{}", f.1), format!("n{}", f.2)))
                .collect();
            prop_assert_eq!(proved(&mut m, &format!("{name}(X, Y).")), expected.clone());
            let first = expected.iter().filter(|e| e.0 == "n0").count();
            prop_assert_eq!(proved(&mut m, &format!("{name}(n0, Y).")).len(), first);
        }
    }
}

/// Steps and reasons speak of the program's own goals and clauses, not of the table behind them.
/// Won, lost and drawn positions by working backwards, which knows nothing of logic.
fn backwards(moves: &BTreeSet<(usize, usize)>, n: usize) -> Vec<Option<bool>> {
    let mut out = vec![None; n];
    loop {
        let before = out.clone();
        for (p, known) in out.iter_mut().enumerate() {
            let mut after = moves.iter().filter(|m| m.0 == p).map(|m| before[m.1]);
            if after.clone().any(|w| w == Some(false)) {
                *known = Some(true);
            } else if after.all(|w| w == Some(true)) {
                *known = Some(false);
            }
        }
        if out == before {
            return out;
        }
    }
}

/// Everything that follows with negation, stratum by stratum: goals of the later stratum may deny
/// those of the earlier.
fn strata(
    rules: &[Rule],
    over: &[Rule],
    edges: &BTreeSet<(usize, usize)>,
) -> BTreeSet<(usize, usize)> {
    let below = bottom_up(rules, edges);
    let mut facts: BTreeSet<(usize, usize)> = BTreeSet::new();
    loop {
        let before = facts.len();
        for r in over {
            for code in 0..64usize {
                let v = [code % 4, code / 4 % 4, code / 16];
                let (name, x, y) = r.body[0];
                let positive = match name {
                    0 => facts.contains(&(v[x], v[y])),
                    name => below.contains(&(name, v[x], v[y])),
                };
                let denied = r
                    .body
                    .get(1)
                    .is_some_and(|&(name, x, y)| below.contains(&(name.max(1), v[x], v[y])));
                if positive && !denied {
                    facts.insert((v[r.head.1], v[r.head.2]));
                }
            }
        }
        if facts.len() == before {
            return facts;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Costs of shortest ways, also around circles, against Floyd's table.
    #[test]
    fn minimal_costs_agree_with_floyd(
        edges in prop::collection::btree_map((0usize..6, 0usize..6), 1usize..9, 1..16),
        left in any::<bool>(),
    ) {
        use std::fmt::Write as _;
        const FAR: usize = 1 << 20;
        let mut cost = [[FAR; 6]; 6];
        let rule = if left { "far(X,Z,A), e(Z,Y,B)" } else { "e(X,Z,A), far(Z,Y,B)" };
        let mut text = format!(":- table far(_,_,min). far(X,Y,C) :- e(X,Y,C). far(X,Y,C) :- {rule}, C is A+B.\n");
        for (&(a, b), &c) in &edges {
            cost[a][b] = c;
            writeln!(text, "e({a},{b},{c}).").unwrap();
        }
        for k in 0..6 {
            for a in 0..6 {
                for b in 0..6 {
                    cost[a][b] = cost[a][b].min(cost[a][k] + cost[k][b]);
                }
            }
        }
        let mut expected = BTreeSet::new();
        for (a, row) in cost.iter().enumerate() {
            for (b, &c) in row.iter().enumerate().filter(|(_, c)| **c < FAR) {
                expected.insert(format!("{a}-{b}-{c}"));
            }
        }
        let mut m = Machine::new();
        m.consult("t.pl", &text).unwrap();
        prop_assert_eq!(values(&mut m, "far(A,B,C), X = A-B-C.").0, expected.clone());
        let from: BTreeSet<String> = expected.into_iter().filter(|e| e.starts_with('2')).collect();
        prop_assert_eq!(values(&mut m, "far(2,B,C), X = 2-B-C.").0, from);
    }

    /// Games on random graphs: won, lost and undefined exactly as backwards induction has them.
    #[test]
    fn games_agree_with_backwards_induction(
        moves in prop::collection::btree_set((0usize..7, 0usize..7), 1..14),
    ) {
        use std::fmt::Write as _;
        let known = backwards(&moves, 7);
        let mut text = ":- table win/1. win(X) :- move(X, Y), tnot(win(Y)). move(none, none).\n".to_owned();
        for (a, b) in &moves {
            writeln!(text, "move({a},{b}).").unwrap();
        }
        let mut m = Machine::new();
        m.consult("t.pl", &text).unwrap();
        for (p, won) in known.iter().enumerate() {
            let (found, error) = values(&mut m, &format!("win({p}), X = yes."));
            let told = match (found.len(), error) {
                (1, _) => Some(true),
                (_, Some(_)) => None,
                _ => Some(false),
            };
            prop_assert_eq!(told, *won, "{} in {:?}", p, &moves);
        }
    }

    /// Negation over finished strata, with `tnot` and with `\\+`.
    #[test]
    fn stratified_negation_agrees_with_strata(
        lower in rules(),
        over in rules(),
        edges in prop::collection::btree_set((0usize..4, 0usize..4), 1..8),
    ) {
        use std::fmt::Write as _;
        // The lower stratum is q, r and edge; the upper one p, which may deny those below.
        let lower: Vec<Rule> = lower
            .into_iter()
            .map(|mut r| {
                r.head.0 = r.head.0.max(1);
                r.body.iter_mut().for_each(|a| a.0 = a.0.max(1));
                r
            })
            .collect();
        let over: Vec<Rule> = over
            .into_iter()
            .map(|mut r| {
                let (_, x, y) = r.body[0];
                r.head = (0, if r.head.1 == y { y } else { x }, if r.head.2 == x { x } else { y });
                r
            })
            .collect();
        let expected: BTreeSet<(String, String)> = strata(&lower, &over, &edges)
            .into_iter()
            .map(|(a, b)| (format!("n{a}"), format!("n{b}")))
            .collect();
        for not in ["tnot", "\\+"] {
            let mut text = text_of(&lower, &edges);
            text.push_str("node(n0). node(n1). node(n2). node(n3).\n");
            for r in &over {
                let (name, x, y) = r.body[0];
                write!(text, "p(V{},V{}) :- {}(V{x},V{y})", r.head.1, r.head.2, NAMES[name]).unwrap();
                if let Some(&(name, x, y)) = r.body.get(1) {
                    let inner = format!("{}(V{x},V{y})", NAMES[name.max(1)]);
                    let not = if name.max(1) == 3 { "\\+" } else { not };
                    write!(text, ", node(V{x}), node(V{y}), {not}({inner})").unwrap();
                }
                text.push_str(".\n");
            }
            let mut m = machine(&text);
            prop_assert_eq!(judged(&mut m, "p(X, Y)."), expected.clone(), "{}", text);
        }
    }
}
