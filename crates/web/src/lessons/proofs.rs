//! Proofs that can be checked: a table of answers that wins, one line of it changed, and a checker that
//! knows nothing but the rules.

use maud::html;
use wits_game::{Dice, Game, Light, Scene, Seat, Seed};
use wits_matchbox::hexapawn::{Answer, Board, Hexapawn, Solver, Step, solve};
use wits_play::Budget;

use super::asked::{Asked, MOVE, late};
use super::boards::{Story, search, still, table};
use super::guess::Guess;
use super::parts::{Live, slider};
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// Entries of the solver's table, as a power of two: boards of a lesson are small.
const TABLE: u32 = 16;
/// Positions up to which all games are counted.
const COUNTED: u64 = 2_000_000;
/// Who shows what a wrong line leads to.
const BEST: &str = "alphabeta:depth=20";

/// One line of a certificate: what the winner answers in a position.
#[derive(Clone, Copy)]
struct Entry {
    at: Board,
    answer: Step,
}

/// A winner and an answer for every position that the loser can bring about.
struct Certificate {
    winner: Seat,
    lines: Vec<Entry>,
}

/// Whether a side wins after a step of its own.
fn wins(game: Hexapawn, at: &Board, step: Step, solver: &mut Solver, budget: &Budget) -> bool {
    let after = game.after(at, step);
    game.winner(&after) == Some(at.to_move()) || {
        game.winner(&after).is_none() && solver.ask(&after, budget) == Answer::Loses
    }
}

/// Finds a certificate: the hard part, with a solver.
fn find(game: Hexapawn, budget: &Budget) -> Option<Certificate> {
    let mut solver = Solver::new(game, TABLE);
    let opening = game.opening();
    let winner = match solver.ask(&opening, budget) {
        Answer::Wins => Seat::FIRST,
        Answer::Loses => Seat::SECOND,
        Answer::Unknown => return None,
    };
    let mut lines: Vec<Entry> = Vec::new();
    let mut open = vec![opening];
    while let Some(at) = open.pop() {
        if budget.stopped() || budget.late() {
            return None;
        }
        if game.winner(&at).is_some() {
            continue;
        }
        if at.to_move() != winner {
            let mut next: Vec<Board> = (game.options(&at).into_iter())
                .map(|step| game.after(&at, step))
                .collect();
            next.reverse();
            open.extend(next);
        } else if !lines.iter().any(|known| known.at == at) {
            let steps = game.options(&at);
            let answer = (steps.into_iter()).find(|&s| wins(game, &at, s, &mut solver, budget))?;
            lines.push(Entry { at, answer });
            open.push(game.after(&at, answer));
        }
    }
    Some(Certificate { winner, lines })
}

/// Checks a certificate by the rules alone: every game that the loser can choose against it. How many
/// there are, or the first that does not end as claimed.
fn check(game: Hexapawn, claim: &Certificate, budget: &Budget) -> Result<u64, Vec<Step>> {
    let mut games = 0;
    let mut open = vec![(game.opening(), Vec::new())];
    while let Some((at, path)) = open.pop() {
        match game.winner(&at) {
            Some(winner) if winner == claim.winner => games += 1,
            Some(_) => return Err(path),
            None if budget.stopped() || budget.late() => return Err(path),
            None => {
                let known = claim.lines.iter().find(|line| line.at == at);
                let steps = match (at.to_move() == claim.winner, known) {
                    (true, Some(line)) => vec![line.answer],
                    (true, None) => return Err(path),
                    (false, _) => game.options(&at),
                };
                for step in steps.into_iter().rev() {
                    let next = [&path[..], &[step]].concat();
                    open.push((game.after(&at, step), next));
                }
            }
        }
    }
    Ok(games)
}

/// Changes one line so that its answer loses; which one.
fn changed(game: Hexapawn, claim: &mut Certificate, seed: u64, budget: &Budget) -> Option<usize> {
    let mut solver = Solver::new(game, TABLE);
    let mut wrong: Vec<(usize, Step)> = Vec::new();
    for (i, line) in claim.lines.iter().enumerate() {
        let steps = game.options(&line.at).into_iter();
        let bad = |s: &Step| !wins(game, &line.at, *s, &mut solver, budget);
        wrong.extend(steps.filter(bad).map(|s| (i, s)));
    }
    let mut dice = Dice::new(Seed::new(seed));
    let (line, answer) = *wrong.get(dice.below(wrong.len().max(1)))?;
    claim.lines[line].answer = answer;
    Some(line)
}

/// A line as a picture: the position, and where its answer goes.
fn drawn(game: Hexapawn, line: &Entry) -> Scene {
    let text = game.write_step(line.answer);
    let mut scene = game.scene(&line.at);
    let target = scene.targets.iter().find(|t| t.text == text).cloned();
    for cell in target.into_iter().flat_map(|t| t.path) {
        scene.cells[cell].light = Some(Light::Look);
    }
    scene
}

/// The game in which the changed certificate fails, played on until it is lost.
fn refuted(app: &App, game: Hexapawn, path: &[Step], budget: &Budget) -> Result<Story, Fault> {
    let spec = format!("hexapawn:rows={},cols={}", game.rows(), game.cols());
    let (hexapawn, mut table) = table(app, &spec, "")?;
    let mut story = Story::default();
    story.add(
        table.scene(wits_game::Eyes::All),
        say("lesson-checker-begins"),
    );
    let mut path = path.iter();
    let mut silent = false;
    while let Some(seat) = table.turn().seat() {
        let (key, step) = if let Some(step) = path.next() {
            ("lesson-plays", game.write_step(*step))
        } else {
            let found = search(app, &*hexapawn, &*table, BEST, budget, None)?;
            let key = if silent {
                "lesson-plays"
            } else {
                "lesson-checker-on"
            };
            silent = true;
            (key, found.choice)
        };
        let says = WORDS.say(key).with("who", hexapawn.seat_name(seat));
        story.play(&mut *table, &step, says.with("move", &step))?;
    }
    story.ends(&*table);
    Ok(story)
}

/// The question about a changed certificate, and how certificates grow.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let seed: u64 = asked.number("seed", 3, 1, 50)?;
    let (rows, cols): (u8, u8) = (
        asked.number("rows", 4, 3, 4)?,
        asked.number("cols", 4, 2, 4)?,
    );
    let game = Hexapawn::new(3, 3).map_err(|_| Fault::missing())?;
    let mut claim = find(game, budget).ok_or_else(late)?;
    let walked = check(game, &claim, budget).map_err(|_| late())?;
    let all = solve(3, 3, budget, COUNTED, &mut |_| {}).map_err(|_| late())?;
    let truth = changed(game, &mut claim, seed, budget).ok_or_else(late)?;
    let failing = check(game, &claim, budget).err().ok_or_else(late)?;
    let given = asked.text(MOVE);
    let said = given.and_then(|g| g.parse::<usize>().ok());
    let said = said.filter(|n| (1..=claim.lines.len()).contains(n));
    let options = (1..=claim.lines.len()).map(|n| (n.to_string(), n.to_string()));
    let guess = match said {
        None => Guess::about(html! {
            div.lesson-row.small {
                @for (i, line) in claim.lines.iter().enumerate() {
                    figure { (still(&drawn(game, line))) figcaption { b { (i + 1) } " " (game.write_step(line.answer)) } }
                }
            }
        }),
        Some(n) => {
            let story = refuted(app, game, &failing, budget)?;
            Guess::about(story.on_page()).right(Some(n - 1 == truth))
        }
    };
    let large = Hexapawn::new(rows, cols).map_err(|_| Fault::missing())?;
    let found = find(large, budget).ok_or_else(late)?;
    let games = check(large, &found, budget).map_err(|_| late())?;
    let whole = solve(rows, cols, budget, COUNTED, &mut |_| {}).map_err(|_| late())?;
    let count = |games: Option<String>| games.unwrap_or_else(|| say("lesson-uncounted"));
    let winner = if found.winner == Seat::FIRST {
        "lesson-first"
    } else {
        "lesson-second"
    };
    Ok(Live::default()
        .ask(guess.options(options))
        .say("guess", given.unwrap_or_default())
        .say("truth", truth + 1)
        .say("lines", claim.lines.len())
        .say("walked", walked)
        .say("games", count(all.games))
        .say("rows", rows)
        .say("cols", cols)
        .say("winner", say(winner))
        .say("largelines", found.lines.len())
        .say("largewalked", games)
        .say("largegames", count(whole.games))
        .part(
            "form",
            html! {
                (slider("seed", "lesson-change", seed, [1, 50, 1]))
                (slider("rows", "lesson-rows", rows, [3, 4, 1]))
                (slider("cols", "lesson-cols", cols, [2, 4, 1]))
            },
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The checker passes what is found and refuses every change, whichever line it hits.
    #[test]
    fn changes_are_found_out() {
        let budget = Budget::endless();
        let mut hit = std::collections::BTreeSet::new();
        for (rows, cols) in [(3, 3), (3, 4), (4, 3)] {
            let game = Hexapawn::new(rows, cols).unwrap();
            let whole = find(game, &budget).unwrap();
            assert!(check(game, &whole, &budget).unwrap() > 1, "{rows}x{cols}");
            for seed in 1..30 {
                let mut claim = find(game, &budget).unwrap();
                let line = changed(game, &mut claim, seed, &budget).unwrap();
                let path = check(game, &claim, &budget).unwrap_err();
                let goes_through = (0..path.len()).any(|n| {
                    let at = path[..n]
                        .iter()
                        .fold(game.opening(), |b, s| game.after(&b, *s));
                    at == claim.lines[line].at
                });
                assert!(goes_through, "{rows}x{cols}, seed {seed}");
                hit.insert((rows, cols, line));
            }
        }
        assert!(hit.len() > 8, "{hit:?}");
    }
}
