//! A whole game as numbers: what training and exact analysis walk on, without any rules.

use wits_game::Seat;

use crate::boxed::{Boxed, Scheme};
use crate::cabinet::Cabinet;
use crate::survey::{Stand, Survey, TooLarge};

/// Says that a node has no box.
pub const NO_BOX: u32 = u32::MAX;

/// One position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    /// Who is to move, or what the first seat got.
    pub stand: Stand,
    /// What the first seat gets when both play best.
    pub value: i8,
    /// Plies to the end when the better side hurries and the other holds out.
    pub distance: u16,
    /// The box of the seat to move, or [`NO_BOX`].
    pub at: u32,
    /// Where the beads of that box begin in the machine's list of beads.
    pub first: u32,
    moves: (u32, u32),
    draws: (u32, u32),
}

/// A whole game as numbers. Node 0 is the opening; moves lead to greater numbers only.
#[derive(Clone, Debug)]
pub struct Chart {
    nodes: Vec<Node>,
    moves: Vec<u32>,
    draws: Vec<u32>,
}

impl Chart {
    /// Numbers the positions of a game and finds the boxes of the seats that have some. Where all
    /// boxes are of the `full` scheme, images of a position are one node.
    pub fn build<G: Boxed>(
        game: &G,
        cabinets: [Option<&Cabinet>; 2],
        limit: usize,
    ) -> Result<Chart, TooLarge> {
        let merged = cabinets
            .iter()
            .flatten()
            .all(|c| c.scheme() == Scheme::Full);
        let survey = Survey::take(game, merged, limit)?;
        let mut chart = Chart {
            nodes: Vec::with_capacity(survey.len()),
            moves: Vec::new(),
            draws: Vec::new(),
        };
        for node in 0..survey.len() {
            let (state, options) = (&survey.states[node], &survey.options[node]);
            let from = chart.moves.len() as u32;
            chart.moves.extend(options.iter().map(|(_, next)| *next));
            let mut built = Node {
                stand: survey.stands[node],
                value: survey.values[node],
                distance: survey.distances[node],
                at: NO_BOX,
                first: 0,
                moves: (from, chart.moves.len() as u32),
                draws: (0, 0),
            };
            if let Stand::Of(seat) = built.stand
                && let Some(cabinet) = cabinets[seat.index()]
                && let Some((at, how)) = cabinet.find(game, state)
            {
                let from = chart.draws.len() as u32;
                let label = &cabinet.labels()[at];
                for bead in 0..label.moves.len() {
                    let mv = cabinet.meant(game, at, bead, how);
                    let next = options.iter().find(|(m, _)| Some(*m) == mv);
                    chart.draws.push(next.expect("a bead means a legal move").1);
                }
                built.at = at as u32;
                built.first = label.first as u32;
                built.draws = (from, chart.draws.len() as u32);
            }
            chart.nodes.push(built);
        }
        Ok(chart)
    }

    /// All positions, parents before children.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// One position.
    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Where the legal moves of a position lead.
    #[inline]
    pub fn moves(&self, node: u32) -> &[u32] {
        let (from, to) = self.nodes[node as usize].moves;
        &self.moves[from as usize..to as usize]
    }

    /// Where the beads of the position's box lead.
    #[inline]
    pub fn draws(&self, node: u32) -> &[u32] {
        let (from, to) = self.nodes[node as usize].draws;
        &self.draws[from as usize..to as usize]
    }

    /// What a seat gets from a position when both play best.
    #[inline]
    pub fn value(&self, node: u32, seat: Seat) -> i8 {
        let value = self.nodes[node as usize].value;
        if seat == Seat::FIRST { value } else { -value }
    }

    /// Whether a machine's beads can no longer give anything away: in no position that it can reach
    /// and has not lost does a bead lead to a lost one, and none of their boxes is empty.
    ///
    /// The scratch list is reused between calls; it holds one mark per position.
    pub fn perfect(&self, seat: Seat, beads: &[u32], reached: &mut Vec<bool>) -> bool {
        reached.clear();
        reached.resize(self.nodes.len(), false);
        reached[0] = true;
        for node in 0..self.nodes.len() as u32 {
            if !reached[node as usize] {
                continue;
            }
            let here = self.node(node);
            if here.stand != Stand::Of(seat) || here.at == NO_BOX {
                self.moves(node)
                    .iter()
                    .for_each(|&next| reached[next as usize] = true);
                continue;
            }
            let lost = self.value(node, seat) < 0;
            let mut empty = true;
            for (&next, &count) in self.draws(node).iter().zip(&beads[here.first as usize..]) {
                if count == 0 {
                    continue;
                }
                empty = false;
                reached[next as usize] = true;
                if !lost && self.value(next, seat) < 0 {
                    return false;
                }
            }
            if empty && !lost {
                return false;
            }
        }
        true
    }
}
