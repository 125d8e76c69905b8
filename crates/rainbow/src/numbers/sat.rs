//! Colourings with many colours and no rainbow, by a SAT solver.
//!
//! The variables say which two numbers have the same colour, so that the names of colours, and with them all their symmetries, do
//! not appear. A progression without a rainbow is one clause: two of its numbers are equal. A number is a *leader* if no smaller one has
//! its colour; there are as many colours as leaders, and a unary counter says how many stand in each prefix.
//!
//! The bounds of [`super::Search`] sharpen the counter: leaders differ in colour, so a prefix has at most as many as
//! a strip of its length has colours, and at least what the rest of the strip cannot supply.

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};
use wits_search::Budget;

/// One conflict costs about as much as so many cells of the plain search: budgets are counted in cells.
pub(crate) const CELLS: u64 = 200;

/// What a search for a colouring found.
pub(crate) struct Colours {
    /// A colouring with so many colours or more, named from 1 in order of appearance; nothing where there is none.
    pub(crate) found: Option<Vec<u32>>,
    /// Conflicts of the solver.
    pub(crate) conflicts: u64,
}

/// Ends the solver with the budget. It is asked after restarts and propagations; learnt clauses are counted here, because
/// asking the solver itself is not possible then.
struct Stop<'a> {
    budget: &'a Budget,
    before: u64,
    conflicts: Cell<u64>,
}

impl Callbacks for Stop<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        if matches!(kind, ClauseKind::Learnt) {
            self.conflicts.set(self.conflicts.get() + 1);
        }
    }

    fn stop(&self) -> bool {
        let spent = self.before + CELLS * self.conflicts.get();
        self.budget.spent(spent) || self.budget.late()
    }
}

struct Formula<'a> {
    solver: Solver<Stop<'a>>,
    clause: Vec<Lit>,
}

impl Formula<'_> {
    fn variable(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    fn add(&mut self, clause: &[Lit]) {
        self.clause.clear();
        self.clause.extend_from_slice(clause);
        self.solver.add_clause_reuse(&mut self.clause);
    }
}

/// Looks for a colouring of `1..=n` with at least so many colours and no rainbow among these progressions.
///
/// `most[m]` is the most colours of a strip of `m` numbers, for lengths below `n`; empty where that is not known or strips are
/// not alike, as on a circle. `before` is what the budget has paid already. Nothing when the budget ends.
pub(crate) fn colours(
    n: usize,
    progressions: &[Vec<u32>],
    colours: usize,
    most: &[u32],
    before: u64,
    budget: &Budget,
) -> Option<Colours> {
    let stop = Stop {
        budget,
        before,
        conflicts: Cell::new(0),
    };
    let mut formula = Formula {
        solver: Solver::new(SolverOpts::default(), stop),
        clause: Vec::new(),
    };
    let same = Same::new(&mut formula, n);
    for progression in progressions {
        let pairs = progression.iter().enumerate().flat_map(|(i, &x)| {
            let later = &progression[i + 1..];
            later.iter().map(move |&y| (x as usize - 1, y as usize - 1))
        });
        let clause: Vec<Lit> = pairs.map(|(x, y)| same.of(x, y)).collect();
        formula.add(&clause);
    }
    let leaders: Vec<Lit> = (0..n)
        .map(|x| {
            let leader = formula.variable();
            let mut some = vec![leader];
            for y in 0..x {
                formula.add(&[!leader, !same.of(y, x)]);
                some.push(same.of(y, x));
            }
            formula.add(&some);
            leader
        })
        .collect();
    let counts = count(&mut formula, &leaders, colours + 1);
    formula.add(&[counts[n][colours]]);
    for (m, row) in counts.iter().enumerate().take(n).skip(1) {
        let (Some(&here), Some(&rest)) = (most.get(m), most.get(n - m)) else {
            continue;
        };
        if let Some(&more) = row.get(here as usize + 1) {
            formula.add(&[!more]);
        }
        if let Some(needed) = colours.checked_sub(rest as usize) {
            formula.add(&[row[needed]]);
        }
    }
    let answer = formula.solver.solve_limited(&[]);
    let conflicts = formula.solver.num_conflicts();
    if answer == lbool::UNDEF {
        return None;
    }
    let found = (answer == lbool::TRUE).then(|| {
        let mut names: Vec<u32> = Vec::with_capacity(n);
        let mut met = 0;
        for x in 0..n {
            let equal = |y: &usize| formula.solver.value_lit(same.of(*y, x)) == lbool::TRUE;
            let name = (0..x).find(equal).map(|y| names[y]);
            names.push(name.unwrap_or_else(|| {
                met += 1;
                met
            }));
        }
        names
    });
    Some(Colours { found, conflicts })
}

/// A variable for each two numbers, and the clauses that make "the same colour" transitive.
struct Same {
    n: usize,
    variables: Vec<Lit>,
}

impl Same {
    fn new(formula: &mut Formula<'_>, n: usize) -> Same {
        let variables = (0..n * n).map(|_| formula.variable()).collect();
        let same = Same { n, variables };
        for x in 0..n {
            for y in x + 1..n {
                for z in y + 1..n {
                    let (a, b, c) = (same.of(x, y), same.of(y, z), same.of(x, z));
                    formula.add(&[!a, !b, c]);
                    formula.add(&[!a, !c, b]);
                    formula.add(&[!b, !c, a]);
                }
            }
        }
        same
    }

    fn of(&self, x: usize, y: usize) -> Lit {
        self.variables[x.min(y) * self.n + x.max(y)]
    }
}

/// `rows[m][c]`: at least `c` of the first `m` literals hold, for `c` up to `most`.
fn count(formula: &mut Formula<'_>, literals: &[Lit], most: usize) -> Vec<Vec<Lit>> {
    let yes = formula.variable();
    formula.add(&[yes]);
    let mut rows = vec![vec![!yes; most + 1]];
    rows[0][0] = yes;
    for (m, &literal) in literals.iter().enumerate() {
        let mut row = vec![yes];
        for c in 1..=most {
            if c > m + 1 {
                row.push(!yes);
                continue;
            }
            let (own, before, less) = (formula.variable(), rows[m][c], rows[m][c - 1]);
            formula.add(&[!own, before, literal]);
            formula.add(&[!own, before, less]);
            formula.add(&[own, !before]);
            formula.add(&[own, !literal, !less]);
            row.push(own);
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use wits_search::Limits;

    use super::*;
    use crate::numbers::{Colouring, Search, check};
    use crate::series::all_series;

    #[test]
    fn the_plain_search_agrees() {
        for k in 3..=6 {
            let mut plain = Search::new(k);
            let mut most = Vec::new();
            for n in 0..=16 {
                let known = plain.most(n, &Budget::endless()).unwrap().colours;
                let all: Vec<Vec<u32>> = all_series(n.max(1), k)
                    .map(|series| series.numbers(k).collect())
                    .collect();
                let ask = |colours: u32, most: &[u32]| {
                    let n = n as usize;
                    super::colours(n, &all, colours as usize, most, 0, &Budget::endless()).unwrap()
                };
                // With the bounds and without them.
                for most in [&most[..], &[]] {
                    if n >= k {
                        let witness = ask(known, most).found.unwrap();
                        let cells = witness.iter().map(|&c| c as u16).collect();
                        let checked = check(&Colouring::new(cells), k, 1).unwrap();
                        assert!(checked.free && checked.colours >= known, "n={n} k={k}");
                        assert!(ask(known + 1, most).found.is_none(), "n={n} k={k}");
                    }
                }
                most.push(known);
            }
        }
    }

    #[test]
    fn the_budget_ends_it() {
        let all: Vec<Vec<u32>> = all_series(50, 4).map(|s| s.numbers(4).collect()).collect();
        let budget = Budget::start(Limits::nodes(50 * CELLS));
        assert!(colours(50, &all, 16, &[], 0, &budget).is_none());
    }
}
