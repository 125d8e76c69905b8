//! Luck: the tiles that were drawn against those that could have been.

use wits_game::Dice;

use super::{Looked, Luck};
use crate::files::gcg::Act;
use crate::generate::Hand;
use crate::players::{best_swap, kept_for};
use crate::settings::RACK;

/// How many other draws the one that came is compared with.
const DRAWS: u64 = 32;

impl Looked<'_> {
    /// What the tiles drawn before a turn were worth. Nothing where it is not known what was drawn, or nothing was.
    pub(super) fn luck(&self, turn: usize) -> Option<Luck> {
        let entry = &self.sheet.turns[turn];
        let kept = self.kept_before(turn)?;
        let mut drawn = entry.rack.clone();
        for tile in &kept {
            let at = drawn.iter().position(|t| t == tile)?;
            drawn.swap_remove(at);
        }
        if drawn.is_empty() || entry.rack.len() > RACK {
            return None;
        }
        let engine = &self.standing.engine;
        let mut pool = self.sheet.unseen(turn, &entry.rack, engine.tiles());
        let unseen = pool.len();
        pool.extend(&drawn);
        let came = self.worth(&entry.rack, unseen);
        let mut sum = Luck {
            points: 0.0,
            win: 0.0,
        };
        let mut dice = Dice::new(self.depth.seed.nth(1_000 + turn as u64));
        for _ in 0..DRAWS {
            dice.shuffle(&mut pool);
            let mut rack = kept.clone();
            rack.extend(&pool[..drawn.len()]);
            let other = self.worth(&rack, unseen);
            sum.points += came.points - other.points;
            sum.win += came.win - other.win;
        }
        Some(Luck {
            points: sum.points / DRAWS as f64,
            win: sum.win / DRAWS as f64,
        })
    }

    /// What the player had kept when the tiles of a turn were drawn.
    fn kept_before(&self, turn: usize) -> Option<Vec<u8>> {
        let player = self.sheet.turns[turn].player;
        let acts = self.sheet.turns[..turn].iter().enumerate().rev();
        let own = acts
            .filter(|(_, entry)| entry.player == player)
            .find(|(_, e)| matches!(e.act, Act::Play(_) | Act::Exchange(..) | Act::Pass));
        let Some((at, entry)) = own else {
            return Some(Vec::new());
        };
        let gone: Vec<u8> = match &entry.act {
            Act::Play(play) if !self.sheet.withdrawn(at) => play.taken().collect(),
            Act::Exchange(given, _) if !given.is_empty() => given.clone(),
            // Nothing was drawn, or nobody knows what.
            _ => return None,
        };
        if entry.rack.len() < RACK {
            return None;
        }
        let hand = Hand::new(&entry.rack);
        let left = hand.without(gone)?;
        Some(hand.kept(left).collect())
    }

    /// What a rack is worth here at first sight, and how often that wins.
    fn worth(&self, rack: &[u8], unseen: usize) -> Luck {
        let engine = &self.standing.engine;
        let field = engine.field(&self.standing.position.board);
        let hand = Hand::new(rack);
        let seats = self.sheet.players.len();
        let bag = unseen.saturating_sub(RACK * (seats - 1));
        let kept = kept_for(self.by.leaves, &hand, bag, engine.values(), 0);
        let laid = engine.best_placed(&field, &hand, self.settings.bingo, &kept);
        let mut worth = laid.map_or(0, |best| best.worth);
        if bag >= usize::from(self.settings.exchange)
            && let Some((_, swap)) = best_swap(&hand, &kept)
        {
            worth = worth.max(swap);
        }
        let points = f64::from(worth) / 100.0;
        let scores = &self.standing.position.scores;
        let others = scores[1..].iter().max().copied().unwrap_or(0);
        let lead = f64::from(scores[0] - others);
        Luck {
            points,
            win: 1.0 - self.by.wins.chance(-(lead + points), unseen),
        }
    }
}
