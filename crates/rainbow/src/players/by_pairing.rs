//! Breaker by a pairing: the partner of what Maker coloured, in the same colour.

use wits_play::{Choice, Desk, Player, Worth};
use wits_search::{Backup, Budget, Candidates, Limits, Proof, Watch};

use super::strong::{Pick, Strong};
use crate::WORDS;
use crate::board::{Board, Paint};
use crate::game::Rainbow;
use crate::pairing::{Answer, Found, Pairing, find, known};
use crate::terms::{Side, Terms};

/// Answers on the partner where a pairing wins, and plays as [`Strong`] where it does not.
#[derive(Clone, Debug)]
pub struct ByPairing {
    nodes: u64,
    /// What the search for a pairing found for these terms: it never changes.
    kept: Option<(Terms, Option<Pairing>)>,
}

impl ByPairing {
    /// Positions that the search for a pairing looks at unless told otherwise.
    pub const NODES: u64 = 200_000;

    /// A player that looks at this many positions for a pairing.
    pub fn new(nodes: u64) -> ByPairing {
        ByPairing { nodes, kept: None }
    }

    fn pairing(&mut self, terms: &Terms, budget: &Budget) -> Option<&Pairing> {
        if self.kept.as_ref().is_none_or(|(kept, _)| kept != terms) {
            let (n, k) = (terms.n(), terms.k());
            let pairing = match known(n, k) {
                Some(pairing) => Some(pairing),
                None => match find(n, k, &budget.within(Limits::nodes(self.nodes))) {
                    Found::Pairing { pairing, .. } => Some(pairing),
                    Found::None { .. } => None,
                    // Another budget may find it.
                    Found::Unknown { .. } => return None,
                },
            };
            self.kept = Some((*terms, pairing));
        }
        self.kept.as_ref()?.1.as_ref()
    }
}

/// The sentence of an answer.
fn why(answer: &Answer) -> wits_game::Message {
    if answer.to.is_some() {
        said("pairing-partner", answer)
    } else {
        said("pairing-spare", answer)
    }
}

fn said(key: &'static str, answer: &Answer) -> wits_game::Message {
    let Paint { number, colour } = answer.paint;
    WORDS
        .say(key)
        .with("number", number)
        .with("colour", colour)
        .with("to", answer.to.unwrap_or(number))
}

/// Tells the decision: the pairs that are still whole, the answer, and why no other number was looked at.
fn tell<W: Watch>(watch: &mut W, board: &Board, pairing: &Pairing, answer: &Answer) {
    let open = |x: u32| board.colour(x).is_none();
    let label = format!("{}={}", answer.paint.number, answer.paint.colour);
    let mut told = Candidates::open(watch, Side::Breaker.name(), Backup::Table);
    for &(a, b) in pairing.pairs.iter().filter(|&&(a, b)| open(a) && open(b)) {
        told.note(WORDS.say("pairing-partners").with("a", a).with("b", b));
    }
    // The argument is a rule: no line of play below the move shows what it is worth.
    let worth = Worth::exact(1).known(Proof::AtLeast);
    told.candidate(&label, Some(worth), &[], why(answer));
    let rest = board.open() as usize * usize::from(board.terms().c()) - 1;
    told.skip(rest, WORDS.say("pairing-cut").with("rest", rest));
    let summary = [
        WORDS.say("sum-pairing"),
        if answer.to.is_some() {
            said("sum-pairing-partner", answer)
        } else {
            said("sum-pairing-spare", answer)
        },
        WORDS.say("sum-pairing-holds").with("rest", rest),
    ];
    told.choose(&label, Some(worth), summary);
}

impl Player<Rainbow> for ByPairing {
    fn choose(&mut self, _: &Rainbow, board: &Board, desk: &mut Desk<'_, Paint>) -> Choice<Paint> {
        let budget = desk.budget.clone();
        if let Some(pairing) = self.pairing(board.terms(), &budget)
            && let Some(answer) = pairing.answer(board)
        {
            if let Some(watch) = desk.record.take() {
                tell(watch, board, pairing, &answer);
            }
            return Pick {
                paint: answer.paint,
                worth: Worth::exact(1),
                nodes: 1,
                depth: board.open(),
                sure: true,
                why: why(&answer),
            }
            .play(desk);
        }
        Strong::new(Strong::NODES).instead(board, desk, "pairing-none")
    }

    fn lens(&self) -> &'static str {
        "candidates"
    }
}
