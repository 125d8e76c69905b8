//! One machine's life: game after game, taught after each. The fast path of training.
//!
//! Everything is a number in a list that was made before the first game; a move allocates nothing.

use wits_game::{Dice, Seat, Seed};

use crate::chart::{Chart, NO_BOX};
use crate::learner::{Learning, Method, Pupil};
use crate::machine::Machine;
use crate::opponent::{Advice, Opponent, Punisher};
use crate::survey::Stand;
use crate::teaching::{Teaching, Verdict};

/// No game of this room has more moves of one side than this.
const LONGEST: usize = 64;

/// The beads of one side, with what was drawn in the present game.
#[derive(Clone, Debug)]
struct Side {
    beads: Vec<u32>,
    totals: Vec<u32>,
    drawn: [(u32, u32); LONGEST],
    count: usize,
}

impl Side {
    fn new(machine: &Machine) -> Side {
        let totals = (0..machine.cabinet().len())
            .map(|at| machine.beads(at).iter().sum())
            .collect();
        Side {
            beads: machine.all_beads().to_vec(),
            totals,
            drawn: [(0, 0); LONGEST],
            count: 0,
        }
    }

    /// The same beads as another side, in the same lists.
    fn copy(&mut self, other: &Side) {
        self.beads.copy_from_slice(&other.beads);
        self.totals.copy_from_slice(&other.totals);
        self.count = 0;
    }

    /// Draws a bead and tells where it leads; nothing from an empty box.
    #[inline]
    fn draw(&mut self, chart: &Chart, node: u32, dice: &mut Dice) -> Option<u32> {
        let here = chart.node(node);
        let total = self.totals[here.at as usize];
        if total == 0 {
            return None;
        }
        let draws = chart.draws(node);
        let first = here.first as usize;
        let beads = &self.beads[first..first + draws.len()];
        let mut ticket = dice.below(total as usize) as u32;
        let mut bead = 0;
        while ticket >= beads[bead] {
            ticket -= beads[bead];
            bead += 1;
        }
        self.drawn[self.count] = (here.at, (first + bead) as u32);
        self.count += 1;
        Some(draws[bead])
    }

    /// Teaches; says whether any beads changed, and whether a colour vanished.
    #[inline]
    fn teach(&mut self, teaching: &Teaching, verdict: Verdict) -> (bool, bool) {
        let (mut changed, mut vanished) = (false, false);
        for i in 0..self.count {
            let change = teaching.change(verdict, i + 1 == self.count);
            if change == 0 {
                continue;
            }
            let (at, slot) = self.drawn[i];
            let before = self.beads[slot as usize];
            let after = teaching.changed(before, change);
            self.beads[slot as usize] = after;
            self.totals[at as usize] = self.totals[at as usize] - before + after;
            changed |= before != after;
            vanished |= after == 0;
        }
        self.count = 0;
        (changed, vanished)
    }
}

/// What a life needs and does not change: shared by all machines of a course.
#[derive(Debug)]
pub(crate) struct School<'a> {
    pub(crate) chart: &'a Chart,
    pub(crate) machine: &'a Machine,
    pub(crate) opponent: &'a Opponent,
    perfect: Advice,
    mine: Side,
    theirs: Option<Side>,
    learning: Learning,
}

impl<'a> School<'a> {
    pub(crate) fn new(
        chart: &'a Chart,
        machine: &'a Machine,
        opponent: &'a Opponent,
        learning: Learning,
    ) -> School<'a> {
        let theirs = match opponent {
            Opponent::Machine { machine, .. } => Some(Side::new(machine)),
            _ => None,
        };
        let perfect = Advice::perfect(chart);
        School {
            chart,
            machine,
            opponent,
            perfect,
            mine: Side::new(machine),
            theirs,
            learning,
        }
    }
}

/// How one game went.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Played {
    pub(crate) verdict: Verdict,
    /// The machine stood before an empty box.
    pub(crate) resigned: bool,
}

/// One machine, alive.
#[derive(Debug)]
pub(crate) struct Life<'a> {
    school: &'a School<'a>,
    seat: Seat,
    mine: Side,
    /// Numbers in the place of beads; then `mine` holds one bead for each move that the numbers call best.
    pupil: Option<Pupil>,
    theirs: Option<Side>,
    dice: Dice,
    punisher: Punisher,
    reached: Vec<bool>,
    perfect: bool,
}

impl<'a> Life<'a> {
    pub(crate) fn new(school: &'a School<'a>) -> Life<'a> {
        Life {
            school,
            seat: school.machine.cabinet().seat(),
            mine: school.mine.clone(),
            pupil: (school.learning.method != Method::Beads)
                .then(|| Pupil::new(school.learning, school.machine.cabinet().slots())),
            theirs: school.theirs.clone(),
            dice: Dice::new(Seed::new(0)),
            punisher: Punisher::default(),
            reached: Vec::new(),
            perfect: false,
        }
    }

    /// Begins another life in the same lists.
    pub(crate) fn begin(&mut self, seed: Seed) {
        self.mine.copy(&self.school.mine);
        if let Some(pupil) = &mut self.pupil {
            pupil.begin();
            self.mine.beads.fill(1);
        }
        if let (Some(theirs), Some(fresh)) = (&mut self.theirs, &self.school.theirs) {
            theirs.copy(fresh);
        }
        self.dice = Dice::new(seed);
        self.perfect = self
            .school
            .chart
            .perfect(self.seat, &self.mine.beads, &mut self.reached);
        self.study();
    }

    /// Whether it can no longer give anything away.
    pub(crate) fn is_perfect(&self) -> bool {
        self.perfect
    }

    /// Its beads now, box by box.
    pub(crate) fn beads(&self) -> &[u32] {
        &self.mine.beads
    }

    fn study(&mut self) {
        if matches!(self.school.opponent, Opponent::Punishing) {
            self.punisher
                .study(self.school.chart, self.seat, &self.mine.beads);
        }
    }

    /// Plays one game and teaches.
    pub(crate) fn game(&mut self) -> Played {
        let played = self.play();
        let (changed, vanished) = self.learn(played.verdict);
        if let (
            Some(theirs),
            Opponent::Machine {
                machine,
                learn: true,
            },
        ) = (&mut self.theirs, self.school.opponent)
        {
            let other = match played.verdict {
                Verdict::Win => Verdict::Loss,
                Verdict::Draw => Verdict::Draw,
                Verdict::Loss => Verdict::Win,
            };
            theirs.teach(machine.teaching(), other);
        } else if let Some(theirs) = &mut self.theirs {
            theirs.count = 0;
        }
        if changed {
            self.study();
        }
        if vanished && !self.perfect {
            self.perfect =
                self.school
                    .chart
                    .perfect(self.seat, &self.mine.beads, &mut self.reached);
        }
        played
    }

    /// Learns from the end of a game; says whether any beads changed, and whether a colour vanished.
    fn learn(&mut self, verdict: Verdict) -> (bool, bool) {
        let Some(pupil) = &mut self.pupil else {
            let teaching = self.school.machine.teaching();
            return self.mine.teach(teaching, verdict);
        };
        pupil.finish(verdict);
        let labels = self.school.machine.cabinet().labels().iter();
        let changed = pupil.greedy(labels.map(|label| label.moves.len()), &mut self.mine.beads);
        (changed, changed)
    }

    fn play(&mut self) -> Played {
        let chart = self.school.chart;
        let mut node = 0;
        loop {
            let here = chart.node(node);
            node = match here.stand {
                Stand::Over(payoff) => {
                    let own = if self.seat == Seat::FIRST {
                        payoff
                    } else {
                        -payoff
                    };
                    return Played {
                        verdict: Verdict::of_payoff(i32::from(own)),
                        resigned: false,
                    };
                }
                Stand::Of(whose) if whose == self.seat => {
                    if here.at == NO_BOX {
                        chart.moves(node)[0]
                    } else if let Some(pupil) = &mut self.pupil {
                        pupil.choose(chart, node, &mut self.dice)
                    } else if let Some(next) = self.mine.draw(chart, node, &mut self.dice) {
                        next
                    } else {
                        return Played {
                            verdict: Verdict::Loss,
                            resigned: true,
                        };
                    }
                }
                Stand::Of(_) => match self.answer(node) {
                    Some(next) => next,
                    None => {
                        return Played {
                            verdict: Verdict::Win,
                            resigned: false,
                        };
                    }
                },
            };
        }
    }

    /// The opponent's move; nothing if it is a machine before an empty box.
    #[inline]
    fn answer(&mut self, node: u32) -> Option<u32> {
        let moves = self.school.chart.moves(node);
        let dice = &mut self.dice;
        match self.school.opponent {
            Opponent::Random => Some(moves[dice.below(moves.len())]),
            Opponent::Perfect => Some(self.school.perfect.pick(node, dice)),
            Opponent::Skilled(skill) => Some(if dice.unit() < *skill {
                self.school.perfect.pick(node, dice)
            } else {
                moves[dice.below(moves.len())]
            }),
            Opponent::Punishing => Some(self.punisher.advice.pick(node, dice)),
            Opponent::Machine { .. } => {
                if self.school.chart.node(node).at == NO_BOX {
                    return Some(moves[0]);
                }
                self.theirs.as_mut()?.draw(self.school.chart, node, dice)
            }
        }
    }
}
