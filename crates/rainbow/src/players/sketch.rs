//! A board to think on: every series written out, moves taken back in a moment.

use crate::board::{Board, Paint};
use crate::series::{all_series, series_count};
use crate::terms::Side;

/// How much nearer a series counts for each number it no longer misses.
const GROWTH: f64 = 3.0;

/// A move with how much it raises (or lowers) the sum of what all live series weigh.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Idea {
    pub(super) paint: Paint,
    pub(super) gain: f64,
}

/// A position with its series written out. For boards where that is not too many numbers.
pub(super) struct Sketch {
    k: usize,
    colours_in_all: u16,
    colours: Vec<u16>,
    used: Vec<u32>,
    /// Series after series, `k` numbers each, counted from zero.
    numbers: Vec<u32>,
    through: Vec<Vec<u32>>,
    missing: Vec<u32>,
    dead: Vec<bool>,
    /// What a live series weighs, by missing count.
    weigh: Vec<f64>,
    alive: usize,
    /// Live series that miss one number.
    threats: usize,
    rainbow: bool,
    turn: Side,
    done: Vec<(u32, Vec<u32>)>,
    pub(super) weight: f64,
}

impl Sketch {
    /// More numbers than this in all series together are too many to write out.
    const MOST: u64 = 400_000;

    /// The position of a board, if its series are few enough.
    pub(super) fn new(board: &Board) -> Option<Sketch> {
        let (n, k) = (board.terms().n(), board.terms().k());
        if series_count(n, k) * u64::from(k) > Self::MOST {
            return None;
        }
        let mut sketch = Sketch {
            k: k as usize,
            colours_in_all: board.terms().c(),
            colours: board.colours().to_vec(),
            used: board.palette().map(|colour| board.used(colour)).collect(),
            numbers: Vec::new(),
            through: vec![Vec::new(); n as usize],
            missing: Vec::new(),
            dead: Vec::new(),
            weigh: Vec::new(),
            alive: 0,
            threats: 0,
            rainbow: board.rainbow().is_some(),
            turn: board.to_move(),
            done: Vec::new(),
            weight: 0.0,
        };
        // Scaled so that an untouched series weighs one.
        sketch.weigh = (0..=k)
            .map(|missing| (missing..k).fold(1.0, |w, _| w * GROWTH))
            .collect();
        for series in all_series(n, k) {
            let Some(missing) = board.missing(series) else {
                continue;
            };
            let id = sketch.missing.len() as u32;
            for x in series.numbers(k) {
                sketch.numbers.push(x - 1);
                sketch.through[x as usize - 1].push(id);
            }
            sketch.missing.push(missing);
            sketch.dead.push(false);
            sketch.alive += 1;
            sketch.threats += usize::from(missing == 1);
            sketch.weight += sketch.weigh[missing as usize];
        }
        Some(sketch)
    }

    fn members(&self, series: u32) -> &[u32] {
        &self.numbers[series as usize * self.k..][..self.k]
    }

    fn has(&self, series: u32, colour: u16) -> bool {
        self.members(series)
            .iter()
            .any(|&x| self.colours[x as usize] == colour)
    }

    /// Who has won, if the rules or a look at the threats say so.
    pub(super) fn winner(&self) -> Option<Side> {
        if self.rainbow || (self.threats > 0 && self.turn == Side::Maker) {
            return Some(Side::Maker);
        }
        (self.alive == 0).then_some(Side::Breaker)
    }

    pub(super) fn turn(&self) -> Side {
        self.turn
    }

    pub(super) fn threatened(&self) -> bool {
        self.threats > 0
    }

    pub(super) fn paint(&mut self, paint: Paint) {
        let x = paint.number as usize - 1;
        let mut killed = Vec::new();
        for i in 0..self.through[x].len() {
            let series = self.through[x][i];
            let s = series as usize;
            if self.dead[s] {
                continue;
            }
            let missing = self.missing[s] as usize;
            self.weight -= self.weigh[missing];
            self.threats -= usize::from(missing == 1);
            if self.has(series, paint.colour) {
                self.dead[s] = true;
                self.alive -= 1;
                killed.push(series);
            } else {
                self.missing[s] -= 1;
                self.weight += self.weigh[missing - 1];
                self.threats += usize::from(missing == 2);
                self.rainbow |= missing == 1;
            }
        }
        self.colours[x] = paint.colour;
        self.used[usize::from(paint.colour) - 1] += 1;
        self.turn = self.turn.other();
        self.done.push((paint.number - 1, killed));
    }

    pub(super) fn take_back(&mut self) {
        let Some((x, killed)) = self.done.pop() else {
            return;
        };
        let x = x as usize;
        self.used[usize::from(self.colours[x]) - 1] -= 1;
        self.colours[x] = 0;
        self.turn = self.turn.other();
        self.rainbow = false;
        for i in 0..self.through[x].len() {
            let s = self.through[x][i] as usize;
            if self.dead[s] {
                continue;
            }
            let missing = self.missing[s] as usize;
            self.weight += self.weigh[missing + 1] - self.weigh[missing];
            self.threats += usize::from(missing == 0);
            self.threats -= usize::from(missing == 1);
            self.missing[s] += 1;
        }
        for series in killed {
            let s = series as usize;
            self.dead[s] = false;
            self.alive += 1;
            self.threats += usize::from(self.missing[s] == 1);
            self.weight += self.weigh[self.missing[s] as usize];
        }
    }

    /// The moves that spoil every threat at once: one number, the colours that all of them have.
    pub(super) fn defences(&self) -> Vec<Paint> {
        let mut field = None;
        let mut common: Option<Vec<u16>> = None;
        for s in (0..self.missing.len()).filter(|&s| !self.dead[s] && self.missing[s] == 1) {
            let members = self.members(s as u32);
            let open = members
                .iter()
                .find(|&&x| self.colours[x as usize] == 0)
                .copied();
            if field.is_some() && field != open {
                return Vec::new();
            }
            field = open;
            let had = members
                .iter()
                .map(|&x| self.colours[x as usize])
                .filter(|&c| c != 0);
            common = Some(match common {
                None => had.collect(),
                Some(common) => {
                    let had: Vec<u16> = had.collect();
                    common
                        .into_iter()
                        .filter(|colour| had.contains(colour))
                        .collect()
                }
            });
        }
        let (Some(field), Some(mut common)) = (field, common) else {
            return Vec::new();
        };
        common.sort_unstable();
        common
            .into_iter()
            .map(|colour| Paint {
                number: field + 1,
                colour,
            })
            .collect()
    }

    /// A number that completes a rainbow, in a colour that does.
    pub(super) fn finish(&self) -> Option<Paint> {
        let s = (0..self.missing.len()).find(|&s| !self.dead[s] && self.missing[s] == 1)? as u32;
        let field = self
            .members(s)
            .iter()
            .find(|&&x| self.colours[x as usize] == 0)?;
        let colour = (1..=self.colours_in_all).find(|&colour| !self.has(s, colour))?;
        Some(Paint {
            number: field + 1,
            colour,
        })
    }

    /// The moves of the side to move that change the weight most in its favour, best first.
    pub(super) fn ideas(&self, most: usize) -> Vec<Idea> {
        let mut ideas = Vec::new();
        let palette = usize::from(self.colours_in_all);
        let mut killed = vec![0.0; palette + 1];
        let fresh = self
            .used
            .iter()
            .position(|&used| used == 0)
            .map(|at| at as u16 + 1);
        let mut idle = None;
        for x in (0..self.colours.len()).filter(|&x| self.colours[x] == 0) {
            let mut grown = 0.0;
            let mut touched: Vec<u16> = Vec::new();
            for &series in self.through[x].iter().filter(|&&s| !self.dead[s as usize]) {
                let weight = self.weigh[self.missing[series as usize] as usize];
                grown += weight * (GROWTH - 1.0);
                for &y in self.members(series) {
                    let colour = self.colours[y as usize];
                    if colour != 0 {
                        if killed[usize::from(colour)] == 0.0 {
                            touched.push(colour);
                        }
                        killed[usize::from(colour)] += weight * GROWTH;
                    }
                }
            }
            let number = x as u32 + 1;
            let idea = |colour: u16, killed: &[f64]| Idea {
                paint: Paint { number, colour },
                gain: grown - killed[usize::from(colour)],
            };
            if grown == 0.0 {
                idle.get_or_insert(idea(1, &killed));
            } else if self.turn == Side::Maker {
                // A fresh colour spoils nothing now; without one, the colour that spoils least.
                let least = || {
                    let rank = |c: &u16| (killed[usize::from(*c)], self.used[usize::from(*c) - 1]);
                    (1..=self.colours_in_all).min_by(|a, b| {
                        rank(a)
                            .partial_cmp(&rank(b))
                            .unwrap_or(std::cmp::Ordering::Equal)
                    })
                };
                ideas.extend(fresh.or_else(least).map(|colour| idea(colour, &killed)));
            } else if touched.is_empty() {
                ideas.push(idea(self.most_used(), &killed));
            } else {
                ideas.extend(touched.iter().map(|&colour| idea(colour, &killed)));
            }
            for colour in touched {
                killed[usize::from(colour)] = 0.0;
            }
        }
        ideas.extend(idle);
        let sign = if self.turn == Side::Maker { -1.0 } else { 1.0 };
        ideas.sort_by(|a, b| (a.gain * sign).total_cmp(&(b.gain * sign)));
        ideas.truncate(most);
        ideas
    }

    /// The colour that most numbers have; colour 1 on an empty board.
    fn most_used(&self) -> u16 {
        let most = (1u16..)
            .zip(&self.used)
            .max_by_key(|&(colour, used)| (used, std::cmp::Reverse(colour)));
        most.map_or(1, |(colour, _)| colour)
    }
}
