//! A pairing strategy beats any Maker: of all answers only those on a partner hold, and finding one takes
//! no looking ahead.

use std::sync::OnceLock;

use maud::{Markup, html};
use wits_game::{Cell, Eyes, Light, Scene};
use wits_play::Budget;
use wits_rainbow::exact::Solver;
use wits_rainbow::pairing::{Found, Pairing, find};
use wits_rainbow::{Board, Paint, Side, Terms};

use super::asked::{Asked, MOVE, late};
use super::boards::{Story, live, moves, picker, table};
use super::guess::Guess;
use super::parts::Live;
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// The board: so many numbers and colours, rainbows so long.
const N: u32 = 10;
const K: u32 = 4;
const SPEC: &str = "rainbow:n=10,k=4,c=4";
/// Maker's first move, and who plays out what the reader answers.
const FIRST: Paint = Paint {
    number: 4,
    colour: 1,
};
const BEST: &str = "perfect";
/// Boards for which a pairing is looked for.
const LENGTHS: std::ops::RangeInclusive<u32> = 4..=14;

fn terms() -> Result<Terms, Fault> {
    Terms::new(u64::from(N), u64::from(K), u64::from(K), Side::Maker).map_err(|_| Fault::missing())
}

fn written(paint: Paint) -> String {
    format!("{}={}", paint.number, paint.colour)
}

/// How many answers there are to Maker's first move, and how many of them hold: by the solver, once.
fn holding(terms: &Terms, budget: &Budget) -> Result<(usize, usize), Fault> {
    static KNOWN: OnceLock<(usize, usize)> = OnceLock::new();
    if let Some(known) = KNOWN.get() {
        return Ok(*known);
    }
    let mut solver = Solver::new(terms).ok_or_else(Fault::missing)?;
    let mut board = Board::new(*terms);
    board.paint(FIRST);
    let (mut all, mut hold) = (0, 0);
    for number in board.uncoloured() {
        for colour in board.palette() {
            let mut next = board.clone();
            next.paint(Paint { number, colour });
            let solved = solver.solve(&next, budget, &mut ()).ok_or_else(late)?;
            all += 1;
            hold += usize::from(solved.winner == Side::Breaker);
        }
    }
    Ok(*KNOWN.get_or_init(|| (all, hold)))
}

/// Five numbers in a row, so that a thumb finds each.
fn five(board: &Markup) -> Markup {
    html! { div.lesson-five { (board) } }
}

/// The numbers without the hints that a table gives.
fn bare(scene: Scene) -> Scene {
    let cells = scene.cells.into_iter().map(|cell| Cell {
        light: cell.light.filter(|l| *l != Light::Look),
        ..cell
    });
    Scene {
        cells: cells.collect(),
        caption: String::new(),
        ..scene
    }
}

/// The pairs as people write them.
fn pairs(pairing: &Pairing) -> String {
    let each = pairing.pairs.iter().map(|(a, b)| format!("{a}–{b}"));
    each.collect::<Vec<_>>().join(", ")
}

/// The question, a game in which the reader is Maker, and the boards that can be paired.
pub(super) fn run(app: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let terms = terms()?;
    let found = find(N, K, budget);
    let pairing = found.pairing().ok_or_else(late)?;
    let progressions = pairing.check().map_err(|_| Fault::missing())?;
    let (answers, hold) = holding(&terms, budget)?;
    let given = asked.text(MOVE);
    let guess = match given {
        None => {
            let (_, table) = table(app, SPEC, &written(FIRST))?;
            Guess::about(five(&live(&bare(table.scene(Eyes::All)))))
        }
        Some(text) => {
            let (game, mut table) = table(app, SPEC, "")?;
            let mut story = Story::default();
            let plays = WORDS.say("lesson-plays").with("who", Side::Maker.name());
            story.play(
                &mut *table,
                &written(FIRST),
                plays.with("move", written(FIRST)),
            )?;
            let pays = story.answered(app, &*game, &mut *table, text, BEST, budget)?;
            Guess::about(five(&story.drawn(bare).on_page())).right(Some(pays > 0))
        }
    };
    // The reader's own game: after each move of Maker the pairing answers, and nothing else is asked.
    let (_, mut own) = table(app, SPEC, "")?;
    let mut board = Board::new(terms);
    let told = moves(asked, "");
    for text in told.split_whitespace() {
        let Some(seat) = own.turn().seat() else { break };
        own.play(seat, text, None)?;
        let (number, colour) = text.split_once('=').unwrap_or_default();
        if let (Ok(number), Ok(colour)) = (number.parse(), colour.parse()) {
            board.paint(Paint { number, colour });
        }
        if let (Some(seat), Some(answer)) = (own.turn().seat(), pairing.answer(&board)) {
            own.play(seat, &written(answer.paint), None)?;
            board.paint(answer.paint);
        }
    }
    let lengths: Vec<(u32, Found)> = LENGTHS.map(|n| (n, find(n, K, budget))).collect();
    let most = (lengths.iter())
        .filter_map(|(n, found)| found.pairing().map(|_| *n))
        .max();
    let over = own
        .turn()
        .outcome()
        .map(|o| crate::pages::sentence(&o.why.to_string()));
    Ok(Live::default()
        .ask(guess)
        .say("guess", given.unwrap_or_default())
        .say("first", FIRST.number)
        .say("n", N)
        .say("k", K)
        .say("answers", answers)
        .say("hold", hold)
        .say("partner", pairing.partner(FIRST.number).unwrap_or(0))
        .say("pairs", pairs(pairing))
        .say("progressions", progressions)
        .say("longest", most.unwrap_or(0))
        .say("over", over.unwrap_or_default())
        .part("form", five(&picker("lesson-you-are-maker", &bare(own.scene(Eyes::All)), told)))
        .part("lengths", html! {
            div.doc-wide tabindex="0" role="region" aria-label=(say("lesson-pairings")) {
                table.data #pairings {
                    caption { (say("lesson-pairings")) }
                    thead { tr { th scope="col" { (say("lesson-numbers")) } th scope="col" { (say("lesson-pairs-of")) } } }
                    tbody {
                        @for (n, found) in &lengths {
                            tr.mark[*n == N] {
                                th scope="row" { (n) }
                                td.left { @match found.pairing() { Some(p) => (pairs(p)), None => (say("lesson-no-pairing")) } }
                            }
                        }
                    }
                }
            }
        }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The board is one on which hardly anything but a partner holds, and the partner does.
    #[test]
    fn few_answers_hold_and_the_partner_is_one_of_them() {
        let budget = Budget::endless();
        let terms = terms().unwrap();
        let (all, hold) = holding(&terms, &budget).unwrap();
        assert!((1..=2).contains(&hold) && all == 36, "{hold} of {all}");
        let found = find(N, K, &budget);
        let pairing = found.pairing().unwrap();
        let mut board = Board::new(terms);
        board.paint(FIRST);
        let answer = pairing.answer(&board).unwrap();
        assert_eq!(Some(answer.paint.number), pairing.partner(FIRST.number));
        board.paint(answer.paint);
        let mut solver = Solver::new(&terms).unwrap();
        let solved = solver.solve(&board, &budget, &mut ()).unwrap();
        assert_eq!(solved.winner, Side::Breaker);
    }
}
