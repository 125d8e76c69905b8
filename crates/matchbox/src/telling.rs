//! How a draw is told: the box, what lessons have changed in it, the beads for every legal move, the draw.

use wits_game::{Eyes, Message, Seat, Turn};
use wits_search::{Backup, Candidates, Kind, Step, Watch};

use crate::WORDS;
use crate::boxed::Boxed;
use crate::machine::{Drawn, Machine};
use crate::teaching::{Punish, Verdict};

/// What the machine came to: the bead, if a box was needed, and the move; nothing where it resigns.
pub(crate) type Draw<M> = Option<(Option<Drawn>, M)>;

/// One decision of a machine, for somebody who follows it.
pub(crate) struct Telling<'a, G: Boxed> {
    pub(crate) game: &'a G,
    pub(crate) state: &'a G::State,
    /// The machine of the seat to move, if there is one.
    pub(crate) machine: Option<&'a Machine>,
    /// Beads drawn in earlier moves, perhaps of other games.
    pub(crate) way: &'a [(Seat, Drawn)],
    /// Whether it is taught after the game.
    pub(crate) learns: bool,
}

impl<G: Boxed> Telling<'_, G> {
    fn write(&self, mv: &G::Move) -> String {
        self.game.write(self.state, mv, Eyes::All)
    }

    /// The box of this position, and the symmetry that leads to its label.
    fn shown(&self) -> Option<(usize, usize)> {
        self.machine?.cabinet().find(self.game, self.state)
    }

    /// The decision in one sentence.
    pub(crate) fn why(&self, choice: Draw<G::Move>) -> Message {
        let Some(machine) = self.machine else {
            return WORDS.say("draw-other-seat");
        };
        match choice {
            Some((Some(drawn), mv)) => drawn_why(machine, drawn, &self.write(&mv)),
            Some((None, mv)) => self.unboxed(&mv),
            None => match self.shown() {
                Some((at, _)) => WORDS.say("draw-empty").with("box", at + 1),
                None => WORDS.say("draw-no-box"),
            },
        }
    }

    /// Why a move was played that no box was asked about.
    fn unboxed(&self, mv: &G::Move) -> Message {
        let one = self.options().len() == 1;
        let key = if one { "draw-forced" } else { "draw-first" };
        WORDS.say(key).with("move", self.write(mv))
    }

    fn options(&self) -> Vec<G::Move> {
        self.game.options(&self.game.view(self.state, Eyes::All))
    }

    /// Tells the decision step by step.
    pub(crate) fn tell(&self, choice: Draw<G::Move>, watch: &mut impl Watch) {
        let Turn::Of(seat) = self.game.turn(self.state) else {
            return;
        };
        let options = self.options();
        let mut told = Candidates::open(watch, self.game.seat_name(seat), Backup::None);
        let (Some(machine), Some((at, how))) = (self.machine, self.shown()) else {
            let why = self.why(choice);
            if let Some((_, mv)) = choice {
                let label = self.write(&mv);
                told.candidate(&label, None, &[], why);
                let rest = options.len() - 1;
                told.skip(rest, WORDS.say("draw-unboxed").with("rest", rest));
                told.choose(&label, None, [self.sum(choice)]);
            } else {
                let rest = options.len();
                told.skip(rest, WORDS.say("draw-unboxed").with("rest", rest));
                told.resign(why, [self.sum(choice)]);
            }
            return;
        };
        tell_box(machine, (at, how), &mut told);
        for drawn in self.linked(machine, seat, at) {
            let bead = &machine.cabinet().labels()[drawn.at].moves[drawn.bead];
            let says = WORDS.say("draw-before").with("box", drawn.at + 1);
            told.step(|| bead_step(machine, drawn, says.with("move", bead)));
        }
        for change in changes(machine, at) {
            told.step(|| change);
        }
        for mv in options {
            self.candidate(machine, (at, how), mv, &mut told);
        }
        let Some((Some(drawn), mv)) = choice else {
            told.resign(self.why(choice), [self.sum(choice)]);
            return;
        };
        let label = self.write(&mv);
        let says = drawn_why(machine, drawn, &label);
        // The box may show the position turned: what is played is named beside the bead.
        told.step(|| bead_step(machine, drawn, says).data("drawn", label.as_str()));
        told.note(self.ahead(machine, drawn, &label));
        let summary = self.summary(machine, (at, how), drawn, &label);
        told.choose(&label, None, summary);
    }

    /// The one sentence of a decision without a bead.
    fn sum(&self, choice: Draw<G::Move>) -> Message {
        WORDS.say("sum-draw").with("why", self.why(choice))
    }

    /// The boxes on the way here: earlier draws, as long as a reply leads from each to the next.
    fn linked(&self, machine: &Machine, seat: Seat, mut to: usize) -> Vec<Drawn> {
        let mut way = Vec::new();
        for &(whose, drawn) in self.way.iter().rev() {
            if whose != seat || !self.leads(machine, drawn, to) {
                break;
            }
            way.push(drawn);
            to = drawn.at;
        }
        way.reverse();
        way
    }

    /// Whether some reply after a drawn bead leads to a box.
    fn leads(&self, machine: &Machine, from: Drawn, to: usize) -> bool {
        let cabinet = machine.cabinet();
        let Some(label) = cabinet.labels().get(from.at) else {
            return false;
        };
        let after = |state: &G::State, mv: &G::Move| {
            let mut next = *state;
            self.game.play(&mut next, mv);
            next
        };
        let Ok(shown) = self.game.position(&label.position) else {
            return false;
        };
        let played = label.moves.get(from.bead);
        let Some(Ok(mv)) = played.map(|text| self.game.read(&shown, text)) else {
            return false;
        };
        let next = after(&shown, &mv);
        let replies = self.game.options(&self.game.view(&next, Eyes::All));
        replies.iter().any(|reply| {
            let found = cabinet.find(self.game, &after(&next, reply));
            found.is_some_and(|(at, _)| at == to)
        })
    }

    fn candidate<W: Watch>(
        &self,
        machine: &Machine,
        (at, how): (usize, usize),
        mv: G::Move,
        told: &mut Candidates<'_, W>,
    ) {
        let label = self.write(&mv);
        let cabinet = machine.cabinet();
        let beads = machine.beads(at);
        let total: u64 = beads.iter().map(|&n| u64::from(n)).sum();
        let Some(bead) = cabinet.bead(self.game, at, how, mv) else {
            let says = WORDS.say("bead-missing").with("box", at + 1);
            told.candidate(&label, None, &[], says.with("move", &label));
            return;
        };
        let twin = cabinet.meant(self.game, at, bead, how);
        let key = match (beads[bead], twin) {
            (_, Some(twin)) if twin != mv => "bead-twin",
            (0, _) => "bead-none",
            _ => "bead-own",
        };
        let says = WORDS
            .say(key)
            .with("box", at + 1)
            .with("count", beads[bead])
            .with("total", total)
            .with(
                "twin",
                twin.map_or_else(String::new, |twin| self.write(&twin)),
            )
            .with("move", &label);
        let numbers = [("beads", f64::from(beads[bead])), ("total", total as f64)];
        told.candidate(&label, None, &numbers, says);
    }

    /// What the end of the game will do to the bead.
    fn ahead(&self, machine: &Machine, drawn: Drawn, label: &str) -> Message {
        if !self.learns {
            return WORDS.say("teach-never").with("move", label);
        }
        let teaching = machine.teaching();
        let now = machine.beads(drawn.at)[drawn.bead];
        let then = |verdict| teaching.changed(now, teaching.change(verdict, true));
        let key = match teaching.punish {
            Punish::Last => "teach-ahead-last",
            Punish::All => "teach-ahead",
        };
        WORDS
            .say(key)
            .with("move", label)
            .with("now", now)
            .with("win", then(Verdict::Win))
            .with("draw", then(Verdict::Draw))
            .with("loss", then(Verdict::Loss))
    }

    fn summary(
        &self,
        machine: &Machine,
        (at, how): (usize, usize),
        drawn: Drawn,
        label: &str,
    ) -> [Message; 3] {
        let beads = machine.beads(at);
        let total: u64 = beads.iter().map(|&n| u64::from(n)).sum();
        let others = (0..beads.len()).filter(|&bead| bead != drawn.bead && beads[bead] > 0);
        let next = others.reduce(|most, bead| {
            if beads[bead] > beads[most] {
                bead
            } else {
                most
            }
        });
        let named = |bead: usize| {
            let mv = machine.cabinet().meant(self.game, at, bead, how);
            mv.map_or_else(String::new, |mv| self.write(&mv))
        };
        let last = match next {
            Some(bead) => WORDS
                .say("sum-bead-next")
                .with("move", named(bead))
                .with("count", beads[bead]),
            None => WORDS.say("sum-bead-alone"),
        };
        [
            WORDS
                .say("sum-box")
                .with("box", at + 1)
                .with("total", total),
            WORDS
                .say("sum-bead")
                .with("move", label)
                .with("count", beads[drawn.bead]),
            last,
        ]
    }
}

/// The machine, and the box that it found.
fn tell_box<W: Watch>(machine: &Machine, (at, how): (usize, usize), told: &mut Candidates<'_, W>) {
    let taught = machine.taught();
    let games = taught.wins + taught.draws + taught.losses;
    let key = if games == 0 {
        "machine-new"
    } else {
        "machine-taught"
    };
    told.note(
        WORDS
            .say(key)
            .with("name", machine.name())
            .with("games", games)
            .with("wins", taught.wins)
            .with("draws", taught.draws)
            .with("losses", taught.losses),
    );
    let label = &machine.cabinet().labels()[at];
    let key = if how == 0 { "box-shows" } else { "box-image" };
    let says = WORDS.say(key).with("box", at + 1);
    told.step(|| {
        Step::new(Kind::Note, says.with("position", &label.position))
            .data("id", 0)
            .data("box", at)
            .data("position", label.position.as_str())
    });
}

fn drawn_why(machine: &Machine, drawn: Drawn, text: &str) -> Message {
    let beads = machine.beads(drawn.at);
    let total: u64 = beads.iter().map(|&n| u64::from(n)).sum();
    WORDS
        .say("draw")
        .with("box", drawn.at + 1)
        .with("move", text)
        .with("count", beads[drawn.bead])
        .with("total", total)
}

/// A bead that is out of its box until the game is over: what was in the box, and what is left of the colour.
fn bead_step(machine: &Machine, drawn: Drawn, says: Message) -> Step {
    let label = &machine.cabinet().labels()[drawn.at];
    let beads = machine.beads(drawn.at);
    let moves = label.moves.iter().cloned();
    let all: serde_json::Map<String, serde_json::Value> =
        moves.zip(beads.iter().map(|&n| n.into())).collect();
    Step::new(Kind::Draw, says)
        .data("box", drawn.at)
        .data("position", label.position.as_str())
        .data("bead", label.moves[drawn.bead].as_str())
        .data("beads", all)
        .data("before", beads[drawn.bead])
        .data("after", beads[drawn.bead].saturating_sub(1))
}

/// What lessons have changed in a box since it was filled.
fn changes(machine: &Machine, at: usize) -> Vec<Step> {
    let label = &machine.cabinet().labels()[at];
    let start = machine.start_beads(label);
    let told = label.moves.iter().zip(machine.beads(at));
    let changed = told.filter(|&(_, &now)| now != start);
    let step = |(mv, &now): (&String, &u32)| {
        let key = if now > start {
            "teach-gained"
        } else {
            "teach-lost"
        };
        let says = WORDS
            .say(key)
            .with("count", now.abs_diff(start))
            .with("move", mv)
            .with("box", at + 1)
            .with("left", now);
        Step::new(Kind::Teach, says)
            .data("box", at)
            .data("position", label.position.as_str())
            .data("bead", mv.as_str())
            .data("change", i64::from(now) - i64::from(start))
            .data("left", now)
    };
    changed.map(step).collect()
}
