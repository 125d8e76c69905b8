//! Which looks of a tree are shown: everything near the root, a fair sample of one ply, and the lines that decided.

use std::collections::HashSet;

use wits_search::sampled;

use super::nodes::Nodes;

/// A choice of looks.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    /// All moves above this ply are shown, of those at it one in so many, deeper ones only on lines.
    pub(super) ply: usize,
    /// One in two to this power of the moves of that ply; nothing for none.
    thinned: Option<u32>,
    /// The first looks at moves that are shown in any case.
    lines: HashSet<u32>,
}

/// A ply that would be thinned more often is left out.
const THINNEST: u32 = 12;

/// More than this many looks are never shown: telling them would cost more than finding them.
const MOST: usize = 4_000;

impl Sample {
    /// About so many looks of a tree.
    pub(super) fn of(nodes: &Nodes, room: usize) -> Sample {
        let mut left = room.min(MOST) as u64;
        let mut plies: Vec<u64> = Vec::new();
        for entry in nodes.entries() {
            let ply = usize::from(entry.ply);
            if plies.len() <= ply {
                plies.resize(ply + 1, 0);
            }
            plies[ply] += 1;
        }
        let mut sample = Sample {
            ply: plies.len(),
            thinned: Some(0),
            lines: HashSet::new(),
        };
        for (ply, &count) in plies.iter().enumerate() {
            if count > left {
                let one_in = count.div_ceil(left.max(1)).next_power_of_two();
                sample.ply = ply;
                sample.thinned = Some(one_in.ilog2()).filter(|&thinned| thinned <= THINNEST);
                break;
            }
            left -= count;
        }
        sample.mark(nodes);
        sample
    }

    /// Marks the expected line, and the reply to every move of the root.
    fn mark(&mut self, nodes: &Nodes) {
        for looks in nodes.moves(None) {
            self.lines.insert(looks[0]);
            let reply = looks.last().and_then(|&last| nodes.best(Some(last)));
            self.lines.extend(reply.map(|looks| looks[0]));
        }
        let mut here = nodes.best(None);
        while let Some(looks) = here {
            self.lines.insert(looks[0]);
            here = looks.last().and_then(|&last| nodes.best(Some(last)));
        }
    }

    /// One in so many moves of the sampled ply is shown; 0 for none.
    pub(super) fn one_in(&self) -> u64 {
        self.thinned.map_or(0, |thinned| 1 << thinned)
    }

    /// Whether a move is shown, by the number of its first look and its ply.
    pub(super) fn shows(&self, first: u32, ply: usize) -> bool {
        self.brings(first, ply) || self.lines.contains(&first)
    }

    /// Whether the sample brings a move; the others that are shown are on a line.
    pub(super) fn brings(&self, first: u32, ply: usize) -> bool {
        let thinned = |thinned: u32| sampled(u64::from(first), thinned);
        ply < self.ply || (ply == self.ply && self.thinned.is_some_and(thinned))
    }
}

#[cfg(test)]
mod tests {
    use wits_search::{Budget, Limits};

    use super::*;
    use crate::engine::log::End;
    use crate::engine::story::Story;
    use crate::engine::{Engine, Judgement};
    use crate::{Position, Square};

    /// Searches a position after some moves and keeps its story.
    fn search(moves: &str, exact: u32, nodes: u64) -> Story {
        let names = moves.as_bytes().chunks(2);
        let position = names.fold(Position::START, |p, name| {
            let square: Square = String::from_utf8_lossy(name).parse().unwrap();
            p.played(square)
        });
        let mut engine = Engine::with(Judgement::Counts, 12);
        let mut story = Story::default();
        let budget = Budget::start(Limits::nodes(nodes));
        let goal = (60, crate::engine::plan::Ends::exact(exact));
        engine.follow(&position, goal, 1, &budget, &mut |_| (), &mut story);
        story
    }

    #[test]
    fn a_sample_is_fair() {
        let mut plies = 0;
        for (moves, exact) in [
            ("f5f6e6d6c5", 0),
            ("f5d6c3d3c4f4c5b3c2", 0),
            ("d3c5d6e3f4", 0),
        ] {
            let nodes = search(moves, exact, 40_000).tree;
            for room in [100, 400, 1_600] {
                let sample = Sample::of(&nodes, room);
                let mut shown = vec![[0_u64; End::ALL.len()]; nodes.tally().len()];
                let mut stack: Vec<Option<u32>> = vec![None];
                while let Some(of) = stack.pop() {
                    for looks in nodes.moves(of) {
                        let ply = usize::from(nodes.entries()[looks[0] as usize].ply);
                        if !sample.shows(looks[0], ply) {
                            continue;
                        }
                        for &at in &looks {
                            stack.push(Some(at));
                            let entry = &nodes.entries()[at as usize];
                            if entry.value().is_some() && sample.brings(looks[0], ply) {
                                shown[ply][entry.end as usize] += 1;
                            }
                        }
                    }
                }
                let above = sample.ply.min(shown.len());
                assert_eq!(shown[..above], nodes.tally()[..above], "{moves} {room}");
                let (Some(shown), 1..) = (shown.get(sample.ply), sample.one_in()) else {
                    continue;
                };
                plies += 1;
                // Each kind of end is as frequent in the sample as in the tree, up to four standard errors.
                for (end, (&shown, &all)) in End::ALL
                    .iter()
                    .zip(shown.iter().zip(&nodes.tally()[sample.ply]))
                {
                    let (scaled, all) = ((shown * sample.one_in()) as f64, all as f64);
                    let error = (all * sample.one_in() as f64).sqrt();
                    assert!(
                        (scaled - all).abs() <= 4.0 * error.max(sample.one_in() as f64),
                        "{moves} {room} {end:?}: {scaled} for {all}"
                    );
                }
            }
        }
        assert!(plies >= 6, "only {plies} plies were thinned");
    }

    #[test]
    fn a_log_that_is_too_long_forgets_the_deepest_ply_and_counts_on() {
        let whole = search("f5f6e6d6c5", 0, 8_000).tree;
        let mut short = Nodes::new(whole.entries().len() / 3);
        // Walks the whole log again.
        let mut open: Vec<(u32, u32)> = Vec::new();
        for (at, entry) in (0..).zip(whole.entries()) {
            while open.last().is_some_and(|&(_, next)| next <= at) {
                close(&whole, &mut short, &mut open);
            }
            let window = (i32::from(entry.window.0), i32::from(entry.window.1));
            short.open(entry.square, window, 0);
            open.push((at, entry.next));
        }
        while !open.is_empty() {
            close(&whole, &mut short, &mut open);
        }
        assert_eq!(whole.tally(), short.tally());
        let deepest = short.entries().iter().map(|e| e.ply).max();
        let keep = |ply: u8| Some(ply) <= deepest;
        let kept: Vec<(u8, u8, Option<i32>)> = whole
            .entries()
            .iter()
            .filter(|e| keep(e.ply))
            .map(|e| (e.square, e.ply, e.value()))
            .collect();
        let short: Vec<(u8, u8, Option<i32>)> = short
            .entries()
            .iter()
            .map(|e| (e.square, e.ply, e.value()))
            .collect();
        assert_eq!(short, kept);
        assert!(kept.len() < whole.entries().len());
    }

    fn close(whole: &Nodes, short: &mut Nodes, open: &mut Vec<(u32, u32)>) {
        if let Some((at, _)) = open.pop() {
            let entry = &whole.entries()[at as usize];
            short.end(entry.end);
            short.close(entry.value(), entry.nodes);
        }
    }
}
