//! Positions on real boards: to click on, and lines of moves that are played out on them.

use std::fmt::Display;
use std::sync::Arc;

use maud::{Markup, html};
use serde_json::{Value, json};
use wits_game::{Eyes, Light, Scene, Seed, Turn};
use wits_play::{AnyDesk, AnyGame, AnyMatch, Budget, Choice, Recorder, Spec, Thought};

use super::asked::{Asked, PICK, refused};
use crate::pages::{board, embedded, say, sentence};
use crate::{App, Fault, WORDS};

/// A game, and a match of it.
pub(super) type Seated = (Arc<dyn AnyGame>, Box<dyn AnyMatch>);

/// A table of a game after some moves.
pub(super) fn table(app: &App, spec: &str, moves: &str) -> Result<Seated, Fault> {
    let spec: Spec = spec.parse()?;
    let game = app.catalog.game(&spec, &app.shelf)?;
    let mut table = game.begin(Seed::new(1), None);
    for text in moves.split_whitespace() {
        play(&mut *table, text)?;
    }
    Ok((game, table))
}

/// A table of a game that starts from a position.
pub(super) fn table_from(app: &App, spec: &str, position: &str) -> Result<Seated, Fault> {
    let spec: Spec = spec.parse()?;
    let game = app.catalog.game(&spec, &app.shelf)?;
    let table = game.begin_from(position, Seed::new(1), None)?;
    Ok((game, table))
}

fn play(table: &mut dyn AnyMatch, text: &str) -> Result<(), Fault> {
    if let Turn::Of(seat) = table.turn() {
        table.play(seat, text, None)?;
    }
    Ok(())
}

/// What one search came to.
pub(super) struct Searched {
    /// The move.
    pub(super) choice: String,
    /// What it is worth, in words.
    pub(super) worth: String,
    /// Positions looked at.
    pub(super) nodes: u64,
    /// The thread, where one was asked for.
    pub(super) thread: Option<String>,
}

/// Lets a machine decide, and keeps how it did.
pub(super) fn search(
    app: &App,
    game: &dyn AnyGame,
    table: &dyn AnyMatch,
    by: &str,
    budget: &Budget,
    steps: Option<usize>,
) -> Result<Searched, Fault> {
    let spec: Spec = by.parse()?;
    let seat = table.turn().seat().ok_or_else(|| {
        refused(
            "over",
            WORDS.say("lesson-over"),
            WORDS.say("lesson-over-hint"),
        )
    })?;
    let mut player = game.player(&spec, seat, &app.shelf)?;
    let mut last: Option<Thought<String>> = None;
    let mut tell = |thought: &Thought<String>| last = Some(thought.clone());
    let mut recorder = steps.map(Recorder::new);
    let desk = AnyDesk {
        budget,
        dice: table.dice(seat),
        tell: &mut tell,
        record: recorder.as_mut(),
    };
    let choice = match player.choose(table, desk) {
        Choice::Move(text) => text,
        Choice::Resign => "resign".to_owned(),
    };
    let thread = recorder.map(|r| player.thread(r, game, table, Seed::new(1), &choice).text());
    let worth = last.as_ref().and_then(|t| t.lines.first());
    Ok(Searched {
        worth: worth.map_or_else(String::new, |line| line.worth.to_string()),
        nodes: last.map_or(0, |t| t.nodes),
        choice,
        thread,
    })
}

/// A board with its scene for scripts, and as plain HTML where there are none.
fn element(scene: &Scene, live: bool) -> Markup {
    let json = serde_json::to_value(scene).unwrap_or_default();
    html! {
        wits-board live[live] {
            script.scene type="application/json" { (embedded(&json)) }
            div.lesson-board { (board(scene)) }
        }
    }
}

/// A board on which the reader clicks a move: a guess, or the way to another position.
pub(super) fn live(scene: &Scene) -> Markup {
    element(scene, true)
}

/// A board to look at.
pub(super) fn still(scene: &Scene) -> Markup {
    let bare = Scene {
        targets: Vec::new(),
        ..scene.clone()
    };
    element(&bare, false)
}

/// The moves of a position that the reader makes by playing on a board.
pub(super) fn moves<'a>(asked: &'a Asked, usual: &'a str) -> &'a str {
    asked.text("moves").unwrap_or(usual).trim_matches('-')
}

/// The board that makes such a position.
pub(super) fn picker(label: &'static str, scene: &Scene, moves: &str) -> Markup {
    // A dash says that every move was taken back; nothing, that none was asked about.
    let told = if moves.is_empty() { "-" } else { moves };
    html! {
        div.field.lesson-picker data-part="picker" role="group" aria-label=(say(label)) {
            p.field-name { (say(label)) }
            input type="hidden" name=(PICK) value=(told);
            (live(scene))
            div.row {
                button.button.quiet.small type="submit" name="back" value="one" { (say("lesson-back-one")) }
                button.button.quiet.small type="submit" name="back" value="all" { (say("lesson-back-all")) }
            }
        }
    }
}

/// Positions one after the other, each with a sentence: the guess, the reply to it, and what follows.
#[derive(Default)]
pub(super) struct Story {
    frames: Vec<(Scene, String, Value)>,
    /// Which of them is the reply, if it is not the one after the reader's move.
    reply: Option<usize>,
}

impl Story {
    /// A story whose reply comes at this place.
    pub(super) fn replied(at: usize) -> Story {
        Story {
            reply: Some(at),
            ..Story::default()
        }
    }

    /// One more position.
    pub(super) fn add(&mut self, scene: Scene, says: impl Display) {
        self.note(scene, &says, Value::Null);
    }

    /// One more position with remarks on its cells: name of a cell, text, kind.
    pub(super) fn note(&mut self, scene: Scene, says: &dyn Display, remarks: Value) {
        self.frames.push((
            Scene {
                targets: Vec::new(),
                ..scene
            },
            says.to_string(),
            remarks,
        ));
    }

    /// Plays a move of a match and shows what it comes to.
    pub(super) fn play(
        &mut self,
        table: &mut dyn AnyMatch,
        text: &str,
        says: impl Display,
    ) -> Result<(), Fault> {
        let before = table.scene(Eyes::All);
        play(table, text)?;
        let mut scene = table.scene(Eyes::All);
        for (cell, was) in scene.cells.iter_mut().zip(&before.cells) {
            if cell.token != was.token && cell.light.is_none() {
                cell.light = Some(Light::Last);
            }
        }
        self.add(scene, says);
        Ok(())
    }

    /// The reader's move, and then best play on both sides until the game is over; what it pays the
    /// reader.
    pub(super) fn answered(
        &mut self,
        app: &App,
        game: &dyn AnyGame,
        table: &mut dyn AnyMatch,
        guess: &str,
        by: &str,
        budget: &Budget,
    ) -> Result<i32, Fault> {
        let reader = table.turn().seat().ok_or_else(Fault::missing)?;
        let yours = WORDS.say("lesson-you-play").with("move", guess);
        self.play(table, guess, yours)?;
        while let Turn::Of(seat) = table.turn() {
            let found = search(app, game, table, by, budget, None)?;
            let key = if seat == reader {
                "lesson-goes-on"
            } else {
                "lesson-answers"
            };
            let says = WORDS.say(key).with("who", game.seat_name(seat));
            self.play(table, &found.choice, says.with("move", &found.choice))?;
        }
        self.ends(table);
        let turn = table.turn();
        let payoffs = turn.outcome().map_or(&[][..], |o| &o.payoffs);
        Ok(payoffs.get(reader.index()).copied().unwrap_or(0))
    }

    /// Says at the end why the game is over.
    pub(super) fn ends(&mut self, table: &dyn AnyMatch) {
        if let (Some((_, says, _)), Turn::Over(outcome)) = (self.frames.last_mut(), table.turn()) {
            *says = format!("{says} {}", sentence(&outcome.why.to_string()));
        }
    }

    /// The same story with its positions drawn in another way.
    pub(super) fn drawn(mut self, how: fn(Scene) -> Scene) -> Story {
        for (scene, ..) in &mut self.frames {
            *scene = how(std::mem::take(scene));
        }
        self
    }

    /// Its last position.
    pub(super) fn last(&self) -> Markup {
        html! { @if let Some((scene, ..)) = self.frames.last() { (still(scene)) } }
    }

    /// The story on its page: scripts play it, without them the sentences and the last position stand.
    pub(super) fn on_page(&self) -> Markup {
        let frames: Vec<Value> = (self.frames.iter())
            .map(|(scene, _, remarks)| json!({ "scene": scene, "remarks": remarks }))
            .collect();
        html! {
            wits-story reply=(self.reply.unwrap_or(2)) {
                script.frames type="application/json" { (embedded(&Value::from(frames))) }
                (self.last())
                ol.story { @for (_, says, _) in &self.frames { li { (says) } } }
            }
        }
    }
}
