//! Finding words: by their beginning, by a pattern, by the tiles in hand.
//!
//! All three walk any [`Automaton`] and leave a branch as soon as nothing on it can fit.

use super::automaton::{Automaton, Words};
use crate::tiles::{BadText, LONGEST, Letter, Tile, TileSet, Word};

/// What was found: how many there are, and the first of them in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found<T> {
    /// How many there are.
    pub count: usize,
    /// The first of them, as many as were asked for.
    pub first: Vec<T>,
}

impl<T> Found<T> {
    fn none() -> Found<T> {
        Found {
            count: 0,
            first: Vec::new(),
        }
    }

    fn add(&mut self, most: usize, item: impl FnOnce() -> Option<T>) {
        self.count += 1;
        if self.first.len() < most {
            self.first.extend(item());
        }
    }
}

/// The words that begin with these letters.
pub fn beginning<A: Automaton>(automaton: &A, stem: &[Letter], most: usize) -> Found<Word> {
    let mut found = Found::none();
    let node = match automaton.follow(stem) {
        Some(step) => {
            if step.accepts {
                found.add(most, || Word::new(stem).ok());
            }
            step.next
        }
        None if stem.is_empty() => automaton.root(),
        None => return found,
    };
    for word in Words::below(automaton, stem, node) {
        found.add(most, || Some(word));
    }
    found
}

/// One place of a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Letter(Letter),
    Any,
    Run,
}

/// A pattern: letters, `?` for any one letter, `*` for any number of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pattern(Vec<Place>);

impl Pattern {
    /// Reads a pattern such as `Q??Z` or `*ING`.
    pub fn read(tiles: &TileSet, text: &str) -> Result<Pattern, BadText> {
        let mut places = Vec::new();
        let mut rest = text;
        while let Some(at) = rest.find(['?', '*']) {
            places.extend(tiles.read_word(&rest[..at])?.into_iter().map(Place::Letter));
            let run = rest.as_bytes()[at] == b'*';
            // Two stars say no more than one.
            if !run {
                places.push(Place::Any);
            } else if places.last() != Some(&Place::Run) {
                places.push(Place::Run);
            }
            rest = &rest[at + 1..];
        }
        places.extend(tiles.read_word(rest)?.into_iter().map(Place::Letter));
        Ok(Pattern(places))
    }

    /// The words that fit.
    pub fn search<A: Automaton>(&self, automaton: &A, most: usize) -> Found<Word> {
        let mut found = Found::none();
        // More places than a word has letters fit nothing; stars between them are at most as many.
        let solid = self.0.iter().filter(|p| **p != Place::Run).count();
        if solid <= LONGEST {
            let start = self.open(1);
            let mut path = Vec::new();
            self.walk(
                automaton,
                automaton.root(),
                start,
                &mut path,
                most,
                &mut found,
            );
        }
        found
    }

    /// The set of places reached, as bits, with every star also passed over.
    fn open(&self, reached: u64) -> u64 {
        let mut reached = reached;
        for (at, place) in self.0.iter().enumerate() {
            if *place == Place::Run && reached >> at & 1 == 1 {
                reached |= 1 << (at + 1);
            }
        }
        reached
    }

    fn after(&self, reached: u64, letter: Letter) -> u64 {
        let mut next = 0;
        for (at, place) in self.0.iter().enumerate() {
            if reached >> at & 1 == 1 {
                next |= match place {
                    Place::Letter(wanted) if *wanted != letter => 0,
                    Place::Letter(_) | Place::Any => 1 << (at + 1),
                    Place::Run => 1 << at,
                };
            }
        }
        self.open(next)
    }

    fn walk<A: Automaton>(
        &self,
        automaton: &A,
        node: A::Node,
        reached: u64,
        path: &mut Vec<Letter>,
        most: usize,
        found: &mut Found<Word>,
    ) {
        for step in automaton.steps(node) {
            let reached = self.after(reached, step.letter);
            if reached == 0 || path.len() == LONGEST {
                continue;
            }
            path.push(step.letter);
            if step.accepts && reached >> self.0.len() & 1 == 1 {
                found.add(most, || Word::new(path).ok());
            }
            self.walk(automaton, step.next, reached, path, most, found);
            path.pop();
        }
    }
}

/// Which words the tiles in hand can make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// Every tile is used.
    All,
    /// Some of them.
    Some,
}

/// The words that tiles make, in order; a blank shows what it stands for.
pub fn anagrams<A: Automaton>(
    automaton: &A,
    rack: &[Tile],
    how: Use,
    most: usize,
) -> Found<Vec<Tile>> {
    let mut hand = Hand {
        counts: [0; 64],
        wanted: match how {
            Use::All => rack.len(),
            Use::Some => 0,
        },
        left: rack.len(),
        path: Vec::new(),
        most,
        found: Found::none(),
    };
    for tile in rack {
        hand.counts[tile.kind()] += 1;
    }
    hand.walk(automaton, automaton.root());
    hand.found
}

struct Hand {
    counts: [u8; 64],
    wanted: usize,
    left: usize,
    path: Vec<Tile>,
    most: usize,
    found: Found<Vec<Tile>>,
}

impl Hand {
    fn walk<A: Automaton>(&mut self, automaton: &A, node: A::Node) {
        if self.left == 0 {
            return;
        }
        for step in automaton.steps(node) {
            // The letter itself before a blank: a word is found once, with as few blanks as it needs.
            let kind = step.letter.index();
            let tile = if self.counts[kind] > 0 {
                Tile::natural(step.letter)
            } else if self.counts[0] > 0 {
                Tile::blank_as(step.letter)
            } else {
                continue;
            };
            self.counts[tile.kind()] -= 1;
            self.left -= 1;
            self.path.push(tile);
            if step.accepts && self.path.len() >= self.wanted {
                self.found.add(self.most, || Some(self.path.clone()));
            }
            self.walk(automaton, step.next);
            self.path.pop();
            self.left += 1;
            self.counts[tile.kind()] += 1;
        }
    }
}
