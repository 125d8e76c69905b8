//! What a position looks like.

use wits_game::{Game, Scene, Seat, Shape, Target, Tint, Token};

use crate::{Othello, Position, Square, WORDS};

/// The picture of a position: discs, the legal moves as targets, the score underneath.
pub(crate) fn scene(game: &Othello, position: &Position) -> Scene {
    let size = game.size();
    let mut scene = Scene::board(size, size, true);
    let cell = |square: Square| square.row() * size + square.column();
    for square in Square::all(game.area()) {
        let cell = &mut scene.cells[cell(square)];
        cell.tint = Tint::Felt;
        cell.token = position.disc(square).map(|seat| {
            if seat == Seat::FIRST {
                Token::new(Shape::Dark, "X", WORDS.say("black-disc").to_string(), 0)
            } else {
                Token::new(Shape::Light, "O", WORDS.say("white-disc").to_string(), 1)
            }
        });
    }
    scene.targets = game
        .options(position)
        .into_iter()
        .map(|square| Target {
            path: vec![cell(square)],
            text: square.to_string(),
            label: String::new(),
        })
        .collect();
    let (black, white) = position.score();
    let score = WORDS
        .say("caption")
        .with("black", black)
        .with("white", white);
    scene.caption = score
        .with("move", i64::from(position.move_number()))
        .to_string();
    scene
}
