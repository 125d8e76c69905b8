//! What the table looks like.

use wits_game::{Light, Scene, Shape, Target, Tint, Token, Tray};

use super::game::Scrabble;
use super::state::{Done, HIDDEN, Phase, Table};
use crate::WORDS;
use crate::board::{PREMIUMS, Premium, SIDE};
use crate::play::tile;

pub(super) fn scene(game: &Scrabble, view: &Table) -> Scene {
    let tiles = game.engine().tiles();
    let mut scene = Scene::board(SIDE, SIDE, true);
    let token = |byte: u8| {
        if byte == HIDDEN {
            return Token::new(Shape::Tile, " ", WORDS.say("tile-hidden").to_string(), 0);
        }
        let shown = tiles.write_tile(tile(byte));
        let value = game.engine().values().of(byte);
        let label = WORDS
            .say("tile-label")
            .with("letter", shown)
            .with("value", value)
            .to_string();
        Token::new(Shape::Tile, shown, label, value as u16)
    };
    for (square, cell) in scene.cells.iter_mut().enumerate() {
        let (tint, note) = match PREMIUMS[square] {
            Premium::Plain => (Tint::Plain, ""),
            Premium::DoubleLetter => (Tint::First, "2L"),
            Premium::TripleLetter => (Tint::Second, "3L"),
            Premium::DoubleWord => (Tint::Third, "2W"),
            Premium::TripleWord => (Tint::Fourth, "3W"),
        };
        cell.tint = tint;
        note.clone_into(&mut cell.note);
        if view.board.tile(square) != 0 {
            cell.token = Some(token(view.board.tile(square)));
        }
    }
    if let Some(last) = view.last
        && let Done::Play(play) | Done::Back(play) = last.done
    {
        let light = if matches!(last.done, Done::Play(_)) {
            Light::Last
        } else {
            Light::Wrong
        };
        for (square, _) in play.laid() {
            scene.cells[square].light = Some(light);
        }
    }
    for (seat, rack) in view.racks.iter().enumerate() {
        scene.trays.push(Tray {
            title: WORDS.say("rack").with("seat", seat + 1).to_string(),
            tokens: rack.iter().map(|&t| token(t)).collect(),
        });
    }
    if view.phase == Phase::Move {
        if game.may_challenge(view) {
            scene.targets.push(button("challenge", "button-challenge"));
        }
        let accept = game.only_accept(view);
        let label = if accept {
            "button-accept"
        } else {
            "button-pass"
        };
        scene.targets.push(button("pass", label));
    }
    let scores: Vec<String> = view.scores.iter().map(ToString::to_string).collect();
    scene.caption = WORDS
        .say("caption")
        .with("scores", scores.join(" : "))
        .with("bag", view.bag.len())
        .to_string();
    scene
}

fn button(text: &str, label: &'static str) -> Target {
    Target {
        path: Vec::new(),
        text: text.to_owned(),
        label: WORDS.say(label).to_string(),
    }
}
