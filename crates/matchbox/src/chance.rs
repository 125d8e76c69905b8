//! How likely a machine wins with the beads it has now, as exact fractions.
//!
//! From the ends of the game back: a box draws each bead with the chance that its number gives, the opponent follows its rule. Nothing is
//! simulated and nothing rounded.

use serde::Serialize;
use wits_game::Seat;

use crate::chart::{Chart, NO_BOX};
use crate::exact::Rival;
use crate::machine::Machine;
use crate::ratio::Ratio;
use crate::survey::Stand;

/// The chances of one game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Chances {
    /// The opponent.
    pub opponent: Rival,
    /// The machine wins.
    pub win: Ratio,
    /// Nobody does.
    pub draw: Ratio,
    /// The machine loses, or stands before an empty box.
    pub loss: Ratio,
}

/// Won, drawn and lost.
type Three = [Ratio; 3];

fn sure(index: usize) -> Three {
    std::array::from_fn(|i| Ratio::whole(u128::from(i == index)))
}

/// The mean of several, each with a weight.
fn mean(parts: &[(u128, &Three)]) -> Three {
    let weight = parts.iter().map(|(weight, _)| weight).sum();
    std::array::from_fn(|i| {
        let parts: Vec<(u128, &Ratio)> = parts.iter().map(|(w, three)| (*w, &three[i])).collect();
        Ratio::blend(0, &parts, weight)
    })
}

/// The chances of the next game of a machine against an opponent.
///
/// The punishing opponent knows the beads: it maximises its chance of winning, and among equals any move is as likely.
///
/// ```
/// use wits_matchbox::{Preset, Rival, Subject, chances};
/// let machine = Preset::named("her").unwrap().machine().unwrap();
/// let subject = Subject::named(machine.cabinet().game()).unwrap();
/// let chart = subject.chart([None, Some(&**machine.cabinet())]).unwrap();
/// assert_eq!(chances(&chart, &machine, Rival::Punishing).loss.to_string(), "7/8");
/// ```
pub fn chances(chart: &Chart, machine: &Machine, rival: Rival) -> Chances {
    let seat = machine.cabinet().seat();
    let count = chart.nodes().len();
    let mut known: Vec<Three> = vec![sure(1); count];
    for node in (0..count as u32).rev() {
        let here = chart.node(node);
        let at = |next: &u32| &known[*next as usize];
        known[node as usize] = match here.stand {
            Stand::Over(payoff) => {
                let own = if seat == Seat::FIRST { payoff } else { -payoff };
                sure(match own {
                    1.. => 0,
                    0 => 1,
                    _ => 2,
                })
            }
            Stand::Of(whose) if whose == seat && here.at == NO_BOX => {
                at(&chart.moves(node)[0]).clone()
            }
            Stand::Of(whose) if whose == seat => {
                let beads = &machine.all_beads()[here.first as usize..];
                let parts: Vec<(u128, &Three)> = chart
                    .draws(node)
                    .iter()
                    .zip(beads)
                    .filter(|(_, beads)| **beads > 0)
                    .map(|(next, &beads)| (u128::from(beads), at(next)))
                    .collect();
                // An empty box resigns.
                if parts.is_empty() {
                    sure(2)
                } else {
                    mean(&parts)
                }
            }
            Stand::Of(_) => {
                let moves = chart.moves(node);
                let best = || {
                    let losses = moves.iter().map(|next| &at(next)[2]);
                    losses.max().cloned().unwrap_or_else(|| Ratio::whole(0))
                };
                let best = (rival == Rival::Punishing).then(best);
                let plays = |next: &&u32| match rival {
                    Rival::Random => true,
                    Rival::Perfect => chart.node(**next).value == here.value,
                    Rival::Punishing => Some(&at(next)[2]) == best.as_ref(),
                };
                let parts: Vec<(u128, &Three)> = moves
                    .iter()
                    .filter(plays)
                    .map(|next| (1, at(next)))
                    .collect();
                mean(&parts)
            }
        };
    }
    let [win, draw, loss] = known.swap_remove(0);
    Chances {
        opponent: rival,
        win,
        draw,
        loss,
    }
}
