//! Changing boxes by hand, with undo; and telling two machines apart.

use serde::{Deserialize, Serialize};

use crate::cabinet::Cabinet;
use crate::machine::Machine;
use crate::teaching::Teaching;

/// Something a hand does to a machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Edit {
    /// Puts so many beads of a colour into a box.
    Set {
        /// The number of the box.
        #[serde(rename = "box")]
        at: usize,
        /// Which of its moves.
        bead: usize,
        /// How many beads there are afterwards.
        count: u32,
    },
    /// Gives a box these beads.
    Fill {
        /// The number of the box.
        #[serde(rename = "box")]
        at: usize,
        /// The beads, by move.
        beads: Vec<u32>,
    },
    /// Gives all boxes the beads they began with.
    Reset,
    /// Gives all boxes these beads, box by box.
    All {
        /// The beads of all boxes.
        beads: Vec<u32>,
    },
    /// Changes how the machine is taught from now on.
    Teach {
        /// The new rules.
        teaching: Teaching,
    },
}

/// An edit that does not fit the machine.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadEdit {
    /// There is no such box.
    #[error("there is no box {0}; boxes are numbered from 0 to {1}")]
    NoBox(usize, usize),
    /// There is no such bead.
    #[error("box {at} has no bead {bead}; it has {colours} colours")]
    NoBead {
        /// The number of the box.
        at: usize,
        /// The bead that was named.
        bead: usize,
        /// How many colours the box has.
        colours: usize,
    },
    /// The list of beads has the wrong length.
    #[error("{found} counts were given for {wanted} colours of beads")]
    Count {
        /// How many were given.
        found: usize,
        /// How many there are.
        wanted: usize,
    },
}

impl Machine {
    /// Makes an edit and returns the one that undoes it. A refused edit changes nothing.
    pub fn edit(&mut self, edit: &Edit) -> Result<Edit, BadEdit> {
        let label = |at: usize| {
            let labels = self.cabinet.labels();
            labels
                .get(at)
                .ok_or(BadEdit::NoBox(at, labels.len().saturating_sub(1)))
        };
        match edit {
            Edit::Set { at, bead, count } => {
                let label = label(*at)?;
                let colours = label.moves.len();
                if *bead >= colours {
                    return Err(BadEdit::NoBead {
                        at: *at,
                        bead: *bead,
                        colours,
                    });
                }
                let slot = label.first + bead;
                let before = std::mem::replace(&mut self.beads[slot], *count);
                Ok(Edit::Set {
                    at: *at,
                    bead: *bead,
                    count: before,
                })
            }
            Edit::Fill { at, beads } => {
                let label = label(*at)?;
                let wanted = label.moves.len();
                if beads.len() != wanted {
                    return Err(BadEdit::Count {
                        found: beads.len(),
                        wanted,
                    });
                }
                let range = label.first..label.first + wanted;
                let before = self.beads[range.clone()].to_vec();
                self.beads[range].copy_from_slice(beads);
                Ok(Edit::Fill {
                    at: *at,
                    beads: before,
                })
            }
            Edit::Reset => {
                let fresh = Machine::fresh("", self.cabinet.clone(), self.teaching.clone());
                Ok(Edit::All {
                    beads: std::mem::replace(&mut self.beads, fresh.beads),
                })
            }
            Edit::All { beads } => {
                if beads.len() != self.beads.len() {
                    return Err(BadEdit::Count {
                        found: beads.len(),
                        wanted: self.beads.len(),
                    });
                }
                Ok(Edit::All {
                    beads: std::mem::replace(&mut self.beads, beads.clone()),
                })
            }
            Edit::Teach { teaching } => {
                let before = std::mem::replace(&mut self.teaching, teaching.clone());
                Ok(Edit::Teach { teaching: before })
            }
        }
    }
}

/// A machine on a bench: every change of the hand can be taken back and made again.
#[derive(Clone, Debug)]
pub struct Bench {
    machine: Machine,
    back: Vec<Edit>,
    forth: Vec<Edit>,
}

impl Bench {
    /// Puts a machine on the bench.
    pub fn new(machine: Machine) -> Bench {
        Bench {
            machine,
            back: Vec::new(),
            forth: Vec::new(),
        }
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Takes the machine off the bench.
    pub fn take(self) -> Machine {
        self.machine
    }

    /// Makes an edit.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), BadEdit> {
        let undo = self.machine.edit(edit)?;
        self.back.push(undo);
        self.forth.clear();
        Ok(())
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self) -> bool {
        Bench::step(&mut self.machine, &mut self.back, &mut self.forth)
    }

    /// Makes an edit again that was taken back; false if there is none.
    pub fn redo(&mut self) -> bool {
        Bench::step(&mut self.machine, &mut self.forth, &mut self.back)
    }

    fn step(machine: &mut Machine, from: &mut Vec<Edit>, to: &mut Vec<Edit>) -> bool {
        let Some(edit) = from.pop() else { return false };
        let undone = machine
            .edit(&edit)
            .expect("an edit that was made can be taken back");
        to.push(undone);
        true
    }
}

/// A colour of beads of which two machines have different numbers.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Difference {
    /// The number of the box.
    #[serde(rename = "box")]
    pub at: usize,
    /// The position on its label.
    pub position: String,
    /// The move.
    pub bead: String,
    /// Beads in the first machine.
    pub left: u32,
    /// Beads in the second machine.
    pub right: u32,
}

/// Two machines that cannot be laid side by side.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the machines have different boxes: {left} and {right}; compare machines of one kind")]
pub struct OtherBoxes {
    left: String,
    right: String,
}

/// Where two machines of one kind differ.
pub fn differences(left: &Machine, right: &Machine) -> Result<Vec<Difference>, OtherBoxes> {
    let kind = |c: &Cabinet| format!("{} seat {} scheme {}", c.game(), c.seat(), c.scheme());
    if left.cabinet != right.cabinet {
        return Err(OtherBoxes {
            left: kind(&left.cabinet),
            right: kind(&right.cabinet),
        });
    }
    let mut out = Vec::new();
    for (at, label) in left.cabinet.labels().iter().enumerate() {
        for (bead, mv) in label.moves.iter().enumerate() {
            let (l, r) = (left.beads(at)[bead], right.beads(at)[bead]);
            if l != r {
                let position = label.position.clone();
                out.push(Difference {
                    at,
                    position,
                    bead: mv.clone(),
                    left: l,
                    right: r,
                });
            }
        }
    }
    Ok(out)
}
