//! Symmetries of a game, found in its graph.
//!
//! A symmetry sends moves to moves so that every game stays a game with the same end. It is known once it is known where the moves go,
//! because every position is reached from the start. So moves are sent one after the other, each to one that leads to a position with
//! the same *shape* (the same tree of moves without their names), together with every move sent before; what is left at the end is
//! checked in every position.

use std::collections::HashMap;

use wits_game::Turn;

use super::{Image, Place};

/// More symmetries than this are not looked for: then some moves are held fast, and what keeps them is a group of its own.
const MOST: usize = 1024;
/// The positions of all images together: what a machine has room for.
const ROOM: usize = 1 << 23;
/// So many moves are tried before a search is given up.
const PATIENCE: usize = 2_000_000;

/// The symmetries of a game, the empty one first. `order` has every position after those that lead to it.
pub(super) fn images(places: &[Place], order: &[u32], moves: usize) -> Vec<Image> {
    let shapes = shapes(places, order);
    let (steps, ways) = steps(places, moves);
    let mut patience = PATIENCE;
    for held in 0..moves {
        let mut search = Search {
            places,
            shapes: &shapes,
            steps: &steps,
            ways: &ways,
            held,
            to: vec![None; moves],
            taken: vec![false; moves],
            found: Vec::new(),
            patience,
        };
        let whole = search.send(0);
        patience = search.patience;
        let room = search.found.len() * places.len() <= ROOM;
        if whole && room && !search.found.is_empty() {
            // The empty one first, and each once.
            search.found.sort_by_key(|image| image.moves.clone());
            return search.found;
        }
    }
    vec![Image {
        places: (0..places.len() as u32).collect(),
        moves: (0..moves as u16).collect(),
    }]
}

/// For each symmetry the one that undoes it.
pub(super) fn undone(images: &[Image]) -> Vec<usize> {
    let numbered = images.iter().enumerate();
    let by_moves: HashMap<&[u16], usize> = numbered.map(|(i, m)| (&*m.moves, i)).collect();
    let back = |image: &Image| {
        let mut moves = vec![0u16; image.moves.len()];
        for (from, to) in (0u16..).zip(&image.moves) {
            moves[usize::from(*to)] = from;
        }
        by_moves[&*moves]
    };
    images.iter().map(back).collect()
}

/// A number for each position: the same for two if the games from there are the same up to the names of moves.
fn shapes(places: &[Place], order: &[u32]) -> Vec<u32> {
    let mut shapes = vec![0; places.len()];
    let mut known: HashMap<(Vec<i32>, Vec<u32>), u32> = HashMap::new();
    for &at in order.iter().rev() {
        let place = &places[at as usize];
        let stands = match &place.turn {
            Turn::Of(seat) => vec![seat.index() as i32],
            Turn::Over(outcome) => [vec![-1], outcome.payoffs.clone()].concat(),
            Turn::Chance => vec![-2],
        };
        let mut after: Vec<u32> = place
            .options
            .iter()
            .map(|(_, to)| shapes[*to as usize])
            .collect();
        after.sort_unstable();
        let next = known.len() as u32;
        shapes[at as usize] = *known.entry((stands, after)).or_insert(next);
    }
    shapes
}

/// Where a move is met first, and in which order moves are met.
struct First {
    mv: u16,
    at: u32,
}

/// The moves in the order in which a walk from the start meets them, and for each position the position and the move before it.
fn steps(places: &[Place], moves: usize) -> (Vec<First>, Vec<(u32, u16)>) {
    let mut met = vec![false; moves];
    let mut ways = vec![(u32::MAX, 0); places.len()];
    let (mut steps, mut queue) = (Vec::new(), vec![0u32]);
    ways[0] = (0, 0);
    let mut next = 0;
    while next < queue.len() {
        let at = queue[next];
        next += 1;
        for &(mv, to) in &places[at as usize].options {
            if !std::mem::replace(&mut met[usize::from(mv)], true) {
                steps.push(First { mv, at });
            }
            if ways[to as usize].0 == u32::MAX {
                ways[to as usize] = (at, mv);
                queue.push(to);
            }
        }
    }
    (steps, ways)
}

struct Search<'a> {
    places: &'a [Place],
    shapes: &'a [u32],
    steps: &'a [First],
    ways: &'a [(u32, u16)],
    /// So many of the first moves stay where they are.
    held: usize,
    to: Vec<Option<u16>>,
    taken: Vec<bool>,
    found: Vec<Image>,
    patience: usize,
}

impl Search<'_> {
    fn place(&self, at: u32) -> &Place {
        &self.places[at as usize]
    }

    fn shape(&self, at: Option<u32>) -> Option<u32> {
        at.map(|at| self.shapes[at as usize])
    }

    /// Sends the moves from the `nth` on; says whether nothing had to be left out.
    fn send(&mut self, nth: usize) -> bool {
        let Some(&First { mv, at }) = self.steps.get(nth) else {
            if let Some(image) = self.image() {
                self.found.push(image);
            }
            return self.found.len() <= MOST;
        };
        let Some(there) = self.sent(at) else {
            return true;
        };
        let all: Vec<u16> = if nth < self.held {
            vec![mv]
        } else {
            self.place(there).options.iter().map(|(m, _)| *m).collect()
        };
        for target in all {
            if self.patience == 0 {
                return false;
            }
            self.patience -= 1;
            if self.taken[usize::from(target)] || !self.fits(at, there, mv, target) {
                continue;
            }
            self.to[usize::from(mv)] = Some(target);
            self.taken[usize::from(target)] = true;
            let whole = self.send(nth + 1);
            self.to[usize::from(mv)] = None;
            self.taken[usize::from(target)] = false;
            if !whole {
                return false;
            }
        }
        true
    }

    /// Where a position goes whose way from the start is sent already.
    fn sent(&self, at: u32) -> Option<u32> {
        let (mut way, mut here) = (Vec::new(), at);
        while here != 0 {
            let (before, mv) = self.ways[here as usize];
            way.push(mv);
            here = before;
        }
        let mut there = 0;
        for mv in way.into_iter().rev() {
            there = self.place(there).after(self.to[usize::from(mv)]?)?;
        }
        Some(there)
    }

    /// Whether a move can go to another: both lead to the same shape, alone and after every move that was sent before.
    fn fits(&self, at: u32, there: u32, mv: u16, target: u16) -> bool {
        let (here, there) = (self.place(at), self.place(there));
        if self.shape(here.after(mv)) != self.shape(there.after(target)) {
            return false;
        }
        here.options.iter().all(|&(other, to)| {
            let Some(sent) = self.to[usize::from(other)] else {
                return true;
            };
            let Some(image) = there.after(sent) else {
                return false;
            };
            let pair = |from: u32, mv: u16| self.shape(self.place(from).after(mv));
            pair(to, mv) == pair(image, target)
        })
    }

    /// The symmetry that the sent moves make, if it is one in every position.
    fn image(&self) -> Option<Image> {
        let moves: Option<Vec<u16>> = self.to.iter().copied().collect();
        let moves = moves?;
        let mut places = vec![u32::MAX; self.places.len()];
        places[0] = 0;
        let mut queue = vec![0u32];
        let mut next = 0;
        while next < queue.len() {
            let at = queue[next];
            next += 1;
            let (here, there) = (self.place(at), self.place(places[at as usize]));
            if self.shapes[at as usize] != self.shapes[places[at as usize] as usize]
                || here.options.len() != there.options.len()
            {
                return None;
            }
            for &(mv, to) in &here.options {
                let image = there.after(moves[usize::from(mv)])?;
                let known = &mut places[to as usize];
                if *known == u32::MAX {
                    *known = image;
                    queue.push(to);
                } else if *known != image {
                    return None;
                }
            }
        }
        Some(Image { places, moves })
    }
}
