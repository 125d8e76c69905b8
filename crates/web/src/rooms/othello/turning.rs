//! Where a game that was played here turned, and which corner that gave away.

use wits_othello::survey::{Remark, Review};
use wits_othello::{Position, Square};

use super::board::played;
use crate::Fault;
use crate::pages::turning::{Look, Slipped, Turning};
use crate::table::Table;

/// The squares that can never be turned.
const CORNERS: [&str; 4] = ["a1", "h1", "a8", "h8"];

/// Looks through a game with the engine, as the analysis of the room does.
pub(crate) fn turning(table: &Table) -> Result<Look, Fault> {
    let replay = played(table)?.replay;
    // Discs that are put on the centre are moves at the table and none of the replay.
    let first = (table.lock().table.ply() as usize).saturating_sub(replay.moves.len());
    let positions = replay.positions.clone();
    let mut review = Review::new(replay);
    Ok(Box::new(move |budget| {
        let Some(remark) = review.step(budget) else {
            return Some(Turning::Unknown);
        };
        let found = remark.decisive().then(|| slipped(&remark, &positions))?;
        let mut found = found?;
        found.ply += first;
        Some(Turning::At(found))
    }))
}

fn slipped(remark: &Remark, positions: &[Position]) -> Option<Slipped> {
    let before = positions.get(remark.ply)?;
    let (played, best) = (*remark.played.line.first()?, *remark.best.line.first()?);
    Some(Slipped {
        ply: remark.ply,
        seat: before.turn,
        played: played.to_string(),
        best: best.to_string(),
        corner: given(before, played, best).map(|corner| corner.to_string()),
    })
}

/// A corner that the other side may take after a move, and not after the better one.
fn given(before: &Position, played: Square, best: Square) -> Option<Square> {
    let open = |square: Square| {
        let next = before.played(square);
        if next.turn == before.turn {
            0
        } else {
            next.moves()
        }
    };
    let given = open(played) & !open(best);
    let corners = CORNERS
        .iter()
        .filter_map(|name| name.parse::<Square>().ok());
    corners.into_iter().find(|corner| given & corner.bit() != 0)
}

#[cfg(test)]
mod tests {
    use wits_othello::notation::read_board;

    use super::*;

    #[test]
    fn a_corner_is_given_away_where_only_the_worse_move_opens_it() {
        // On b2 Black flanks c3 and lets White flank back into a1; on f6 Black flanks e5.
        let rows = ["--------", "--------", "--O-----", "---X----", "----O---"];
        let text = format!("{}{} X", rows.concat(), "-".repeat(24));
        let before = read_board(8, &text).expect("a board").position;
        let [b2, f6] = ["b2", "f6"].map(|name| name.parse::<Square>().expect("a square"));
        assert_eq!(given(&before, b2, f6), "a1".parse().ok());
        assert_eq!(given(&before, f6, b2), None);
    }
}
