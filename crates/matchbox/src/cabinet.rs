//! The boxes of a machine: which there are, what is written on them, how to find one.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use wits_game::{Eyes, Game, Scene, Seat, Turn};

use crate::boxed::{Boxed, Scheme, Twins};
use crate::subject::Subject;
use crate::survey::{Survey, TooLarge};

/// What is written on a box.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Label {
    /// The position, as players write it.
    pub position: String,
    /// In which move of the game it comes up, counted from one, both sides together.
    #[serde(rename = "move")]
    pub number: u32,
    /// The moves there are beads for.
    pub moves: Vec<String>,
    /// Where its beads begin in the list of all beads.
    #[serde(skip)]
    pub first: usize,
    /// What the machine's seat gets from here when both play best.
    pub value: i8,
    /// For each move what the machine's seat gets after it when both play best.
    pub worth: Vec<i8>,
}

impl Label {
    /// Whether a bead gives the position away: not lost before it, lost after it.
    pub fn gives_away(&self, bead: usize) -> bool {
        self.value >= 0 && self.worth[bead] < 0
    }

    /// Whether a bead keeps the value of the position where another does not: where all are alike there is nothing to know.
    pub fn is_best(&self, bead: usize) -> bool {
        self.worth[bead] == self.value && self.worth.iter().any(|&worth| worth != self.value)
    }
}

type Picture = dyn Fn(&str) -> Option<Scene> + Send + Sync;

/// All boxes of a machine for one seat of one game, without any beads.
#[derive(Clone)]
pub struct Cabinet {
    subject: Subject,
    game: String,
    seat: Seat,
    scheme: Scheme,
    twins: Twins,
    labels: Vec<Label>,
    by_position: HashMap<String, usize>,
    slots: usize,
    picture: Arc<Picture>,
}

impl fmt::Debug for Cabinet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "Cabinet({}, seat {}, {} boxes)",
            self.game,
            self.seat,
            self.labels.len()
        )
    }
}

impl PartialEq for Cabinet {
    fn eq(&self, other: &Cabinet) -> bool {
        self.game == other.game && self.seat == other.seat && self.labels == other.labels
    }
}

impl Eq for Cabinet {}

impl Cabinet {
    /// Labels the boxes. Refuses games with more than `limit` positions.
    pub fn build<G: Boxed + Clone>(
        game: &G,
        seat: Seat,
        scheme: Scheme,
        twins: Twins,
        limit: usize,
    ) -> Result<Cabinet, TooLarge> {
        let survey = Survey::take(game, true, limit)?;
        let mut cabinet = Cabinet {
            subject: game.subject(),
            game: game.spec(),
            seat,
            scheme,
            twins,
            labels: Vec::new(),
            by_position: HashMap::new(),
            slots: 0,
            picture: picture(game),
        };
        let image = |state: G::State| match scheme {
            Scheme::Full => game.canonical(&state).0,
            Scheme::None | Scheme::Gardner => state,
        };
        let mut layer = vec![image(game.start())];
        let mut seen: HashSet<G::State> = layer.iter().copied().collect();
        for number in 1.. {
            let mut next = Vec::new();
            for state in layer {
                let Turn::Of(whose) = game.turn(&state) else {
                    continue;
                };
                let options = game.options(&game.view(&state, Eyes::All));
                if whose == seat && (G::FORCED || options.len() > 1) {
                    cabinet.add(game, &survey, &state, &options, number);
                }
                let followed = match scheme {
                    Scheme::Gardner => game.without_twins(&state, &options),
                    Scheme::None | Scheme::Full => options,
                };
                for mv in followed {
                    let after = image(after(game, &state, &mv));
                    if seen.insert(after) {
                        next.push(after);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        Ok(cabinet)
    }

    fn add<G: Boxed>(
        &mut self,
        game: &G,
        survey: &Survey<G>,
        state: &G::State,
        options: &[G::Move],
        number: u32,
    ) {
        let moves = match self.twins {
            Twins::Merge => game.without_twins(state, options),
            Twins::Keep => options.to_vec(),
        };
        let worth_of = |state: &G::State| {
            let outlook = survey.outlook(game, state, self.seat);
            outlook.expect("the survey holds every position").0
        };
        let position = written(game, state);
        self.by_position.insert(position.clone(), self.labels.len());
        self.labels.push(Label {
            position,
            number,
            first: self.slots,
            value: worth_of(state),
            worth: moves
                .iter()
                .map(|mv| worth_of(&after(game, state, mv)))
                .collect(),
            moves: moves
                .iter()
                .map(|mv| game.write(state, mv, Eyes::All))
                .collect(),
        });
        self.slots += moves.len();
    }

    /// What the machine learns.
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The spec of the game.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The seat it plays for.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// How images share boxes.
    pub const fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Whether moves that are the same by symmetry share a bead colour.
    pub const fn twins(&self) -> Twins {
        self.twins
    }

    /// What is written on the boxes, by move number.
    pub fn labels(&self) -> &[Label] {
        &self.labels
    }

    /// How many boxes.
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    /// Whether there is no box at all.
    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many kinds of beads in all boxes together.
    pub const fn slots(&self) -> usize {
        self.slots
    }

    /// The box with exactly this position on its label.
    pub fn labelled(&self, position: &str) -> Option<usize> {
        self.by_position.get(position).copied()
    }

    /// How many boxes there are for each move of the machine.
    pub fn by_move(&self) -> Vec<usize> {
        let mut numbers: Vec<u32> = self.labels.iter().map(|l| l.number).collect();
        numbers.dedup();
        let count = |n: &u32| self.labels.iter().filter(|l| l.number == *n).count();
        numbers.iter().map(count).collect()
    }

    /// The picture on a label.
    pub fn scene(&self, at: usize) -> Option<Scene> {
        (self.picture)(&self.labels.get(at)?.position)
    }

    /// The box for a position: the one that shows it, or else one that shows an image of it; and the
    /// symmetry that leads from the position to the label.
    pub fn find<G: Boxed>(&self, game: &G, state: &G::State) -> Option<(usize, usize)> {
        (0..game.symmetries()).find_map(|how| {
            let at = self.labelled(&written(game, &game.turned(how, state)))?;
            Some((at, how))
        })
    }

    /// The move that a bead of a box means in a position that the box was found for.
    pub fn meant<G: Boxed>(&self, game: &G, at: usize, bead: usize, how: usize) -> Option<G::Move> {
        let label = self.labels.get(at)?;
        let shown = game.position(&label.position).ok()?;
        let mv = game.read(&shown, label.moves.get(bead)?).ok()?;
        Some(game.turned_move(game.undone(how), mv))
    }

    /// The bead of a box that means a move in a position that the box was found for.
    pub fn bead<G: Boxed>(&self, game: &G, at: usize, how: usize, mv: G::Move) -> Option<usize> {
        let label = self.labels.get(at)?;
        let shown = game.position(&label.position).ok()?;
        let mut turned = game.turned_move(how, mv);
        if self.twins == Twins::Merge {
            let options = game.options(&game.view(&shown, Eyes::All));
            turned = game.first_twin(&game.stabiliser(&shown), &options, turned);
        }
        let text = game.write(&shown, &turned, Eyes::All);
        label.moves.iter().position(|m| *m == text)
    }
}

fn after<G: Game>(game: &G, state: &G::State, mv: &G::Move) -> G::State {
    let mut next = state.clone();
    game.play(&mut next, mv);
    next
}

fn written<G: Boxed>(game: &G, state: &G::State) -> String {
    game.notation(state)
        .expect("boxed games have a notation for positions")
}

fn picture<G: Boxed + Clone>(game: &G) -> Arc<Picture> {
    let game = game.clone();
    Arc::new(move |text| {
        let state = game.position(text).ok()?;
        Some(game.scene(&game.view(&state, Eyes::All)))
    })
}
