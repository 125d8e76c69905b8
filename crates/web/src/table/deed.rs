//! What the last move of a game did: the cells that it was played on, the others that it changed, and how that is said.

use wits_game::{Eyes, Layout, Light, Message, Scene, Target};
use wits_play::{AnyGame, AnyMatch, Event, Header, Record};

use crate::WORDS;

/// So many moves are replayed at most to find where the last one was.
const LOOKED_BACK: u32 = 500;

/// What the last move did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Deed {
    /// The cells that it was played on.
    pub(crate) touched: Vec<usize>,
    /// Other cells on which something else lies since.
    pub(crate) changed: Vec<usize>,
    effect: Effect,
}

/// What came of a move besides the piece that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Effect {
    #[default]
    Nothing,
    /// So many pieces changed sides.
    Turned(usize),
    /// So many pieces left the board.
    Took(usize),
    /// A place in a word was chosen.
    Gap,
    /// A symbol was put into the chosen place.
    Painted,
    /// A symbol was put at the end of a word.
    Appended,
    /// A number got a colour.
    Coloured,
}

impl Deed {
    /// What the last move of a match did. The position before it says which clicks meant that move; a line of
    /// symbols shifts, and shows by itself what is new.
    pub(super) fn of(game: &dyn AnyGame, header: &Header, table: &dyn AnyMatch) -> Deed {
        let told = table.told(Eyes::All);
        let last = told.last().filter(|last| last.ply < LOOKED_BACK);
        let Some(last) = last.filter(|_| !game.hidden()) else {
            return Deed::default();
        };
        let Some(before) = earlier(game, header, table.events(), last.ply) else {
            return Deed::default();
        };
        let (before, after) = (before.scene(Eyes::All), table.scene(Eyes::All));
        let target = before
            .targets
            .iter()
            .find(|target| target.text == last.text);
        match before.layout {
            Layout::Board { .. } => Deed::on_board(&before, &after, target),
            Layout::Strip => Deed {
                effect: in_line(game.id(), target),
                ..Deed::default()
            },
        }
    }

    fn on_board(before: &Scene, after: &Scene, target: Option<&Target>) -> Deed {
        let touched = target.map_or_else(Vec::new, |target| target.path.clone());
        let pairs = || before.cells.iter().zip(&after.cells).enumerate();
        let differs = pairs().filter(|(_, (was, is))| was.token != is.token);
        let changed: Vec<usize> = differs
            .map(|(cell, _)| cell)
            .filter(|cell| !touched.contains(cell))
            .collect();
        let count = |scene: &Scene| scene.cells.iter().filter(|c| c.token.is_some()).count();
        let turned = pairs()
            .filter(|(_, (was, is))| was.token.is_some() && is.token.is_some())
            .filter(|(_, (was, is))| was.token != is.token)
            .count();
        let (had, has) = (count(before), count(after));
        let effect = if has < had {
            Effect::Took(had - has)
        } else if turned > 0 {
            Effect::Turned(turned)
        } else {
            Effect::Nothing
        };
        Deed {
            touched,
            changed,
            effect,
        }
    }

    /// The move in a sentence: what the visitor did, or somebody else.
    pub(crate) fn says(&self, who: Option<&str>, text: &str) -> Message {
        let (you, they) = match self.effect {
            Effect::Nothing => ("you-played", "they-played"),
            Effect::Turned(_) => ("you-turned", "they-turned"),
            Effect::Took(_) => ("you-took", "they-took"),
            Effect::Gap => ("you-gap", "they-gap"),
            Effect::Painted => ("you-painted", "they-painted"),
            Effect::Appended => ("you-appended", "they-appended"),
            Effect::Coloured => ("you-coloured", "they-coloured"),
        };
        let (you, they) = match text {
            "pass" => ("you-passed", "they-passed"),
            _ => (you, they),
        };
        let message = match who {
            None => WORDS.say(you),
            Some(who) => WORDS.say(they).with("who", who),
        };
        match (self.effect, text.split_once('=')) {
            (Effect::Turned(n) | Effect::Took(n), _) => message.with("move", text).with("n", n),
            (Effect::Coloured, Some((number, colour))) => {
                message.with("number", number).with("colour", colour)
            }
            _ => message.with("move", text),
        }
    }
}

/// What a move in a line of cells does, by the game and by where it is clicked.
fn in_line(game: &str, target: Option<&Target>) -> Effect {
    let buttoned = target.is_some_and(|target| target.path.is_empty());
    match game {
        "rainbow" => Effect::Coloured,
        "thue" | "thue-solitaire" if buttoned => Effect::Painted,
        "thue" | "thue-solitaire" => Effect::Gap,
        "thue-append" | "thue-erase" => Effect::Appended,
        _ => Effect::Nothing,
    }
}

/// The symbols of a line that are lit as a repetition, where they are one block twice.
pub(crate) fn doubled(scene: &Scene) -> Option<String> {
    let glyphs: Vec<&str> = scene
        .cells
        .iter()
        .filter(|cell| cell.light == Some(Light::Wrong))
        .filter_map(|cell| Some(cell.token.as_ref()?.glyph.as_str()))
        .collect();
    let (left, right) = glyphs.split_at(glyphs.len() / 2);
    (!left.is_empty() && left == right).then(|| {
        let long = left.iter().any(|glyph| glyph.chars().count() > 1);
        left.join(if long { " " } else { "" })
    })
}

/// A match as it stood after so many moves.
pub(super) fn earlier(
    game: &dyn AnyGame,
    header: &Header,
    events: &[Event],
    ply: u32,
) -> Option<Box<dyn AnyMatch>> {
    let record = Record {
        header: header.clone(),
        events: before(events, ply),
        cut: false,
    };
    game.replay(&record).ok()
}

/// The events that lead to the position before a ply that stands: what was undone is left out.
fn before(events: &[Event], ply: u32) -> Vec<Event> {
    let mut standing: Vec<Event> = Vec::new();
    for event in events {
        match event {
            Event::Undo { to } => standing.truncate(*to as usize),
            Event::Move { .. } | Event::Deal { .. } => standing.push(event.clone()),
            _ => {}
        }
    }
    standing.truncate(ply as usize);
    standing
}
