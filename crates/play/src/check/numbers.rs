//! Numbers beside a value: what a move scores by the rules, what it adds up to, and the order in which places were looked at.

use serde_json::Value;
use wits_game::{Illegal, Message, Seat};
use wits_search::Line;

use super::claim::{Claim, Known, number};
use super::node::Node;
use crate::{AnyMatch, WORDS};

/// Sums of hundredths are compared up to this.
const NEAR: f64 = 1e-6;

/// Makes a move; gives what it gained its seat, where the game counts before its end.
pub(super) fn played(
    table: &mut dyn AnyMatch,
    seat: Seat,
    mv: &str,
) -> Result<Option<i32>, Illegal> {
    let points = |table: &dyn AnyMatch| Some(*table.points()?.get(seat.index())?);
    let before = points(table);
    table.play(seat, mv, None)?;
    // The end of a game counts more than the last move: tiles that were left, for instance.
    if table.turn().outcome().is_some() {
        return Ok(None);
    }
    Ok(points(table)
        .zip(before)
        .map(|(after, before)| after - before))
}

impl Node {
    /// A place or a candidate begins: places come in the order of what they can bring at most, and a score that is
    /// told at once is what the rules give.
    pub(super) fn opened(&self, line: &Line, above: Option<&Node>) -> Result<(), Message> {
        let before = above.and_then(|above| above.last_most);
        if let (Some(most), Some(before)) = (self.most, before)
            && most > before
        {
            let why = WORDS.say("check-order").with("place", line.text.as_str());
            return Err(why.with("most", before));
        }
        let claim = Claim::read(&line.data);
        self.scored(&line.data, &claim).map(drop)
    }

    /// What a close says in numbers, beside its value.
    pub(super) fn numbers(
        &self,
        line: &Line,
        claim: &Claim,
        above: Option<&Node>,
    ) -> Result<Known, Message> {
        let most = above.and_then(|above| above.most).or(self.most);
        if let (Some(most), Some(value)) = (most, claim.value)
            && value > most + NEAR
        {
            return Err(self.says("check-most", claim).with("most", most));
        }
        match line.data.get("numbers").and_then(Value::as_object) {
            Some(numbers) => self.scored(numbers, claim),
            None => Ok(Known::Trusted),
        }
    }

    /// A score is what the move gains by the rules, and a value beside it is the score and what the rest is worth.
    fn scored(
        &self,
        numbers: &serde_json::Map<String, Value>,
        claim: &Claim,
    ) -> Result<Known, Message> {
        let (Some(score), Some(gained)) = (number(numbers.get("score")), self.gained) else {
            return Ok(Known::Trusted);
        };
        if (score - f64::from(gained)).abs() > NEAR {
            let why = self.says("check-score", claim).with("score", score);
            return Err(why.with("gained", gained));
        }
        let leave = number(numbers.get("leave")).unwrap_or(0.0);
        if claim
            .value
            .is_some_and(|value| (value - score - leave).abs() > NEAR)
        {
            let why = self.says("check-sum", claim).with("score", score);
            return Err(why.with("leave", leave));
        }
        // What stays on the rack is judged by the machine.
        Ok(if leave.abs() < NEAR {
            Known::Checked
        } else {
            Known::Trusted
        })
    }
}
