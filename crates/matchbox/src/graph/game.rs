//! The graph as a game of the house, and as one that boxes learn.

use std::borrow::Cow;

use wits_game::{Dice, Eyes, Game, Illegal, Message, Scene, Seat, Seed, Turn};

use super::Graph;
use crate::WORDS;
use crate::boxed::Boxed;
use crate::subject::Subject;
use crate::words::shown;

impl Game for Graph {
    const HIDDEN: bool = false;
    type State = u32;
    type View = u32;
    type Move = u16;

    fn seats(&self) -> u8 {
        2
    }

    fn seat_name(&self, seat: Seat) -> Message {
        self.name(seat)
    }

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, at: &u32) -> Turn {
        self.place(*at).turn.clone()
    }

    fn options(&self, at: &u32) -> Vec<u16> {
        self.place(*at).options.iter().map(|(mv, _)| *mv).collect()
    }

    fn legal(&self, at: &u32, mv: &u16) -> Result<(), Illegal> {
        if self.place(*at).after(*mv).is_some() {
            return Ok(());
        }
        let why = WORDS.say("graph-not-now");
        Err(why.with("move", self.write(at, mv, Eyes::All)).into())
    }

    fn play(&self, at: &mut u32, mv: &u16) {
        if let Some(to) = self.place(*at).after(*mv) {
            *at = to;
        }
    }

    fn read(&self, _at: &u32, text: &str) -> Result<u16, Illegal> {
        let known = self.0.by_move.get(text.trim()).copied();
        known.ok_or_else(|| {
            WORDS
                .say("graph-not-a-move")
                .with("text", shown(text))
                .into()
        })
    }

    fn write(&self, _at: &u32, mv: &u16, _to: Eyes) -> String {
        self.0.moves[usize::from(*mv)].clone()
    }

    fn view<'a>(&self, at: &'a u32, _eyes: Eyes) -> Cow<'a, u32> {
        Cow::Borrowed(at)
    }

    fn scene(&self, at: &u32) -> Scene {
        let notation = &self.place(*at).notation;
        let table = self.0.game.begin_from(notation, Seed::new(0), None);
        let table = table.unwrap_or_else(|_| self.0.game.begin(Seed::new(0), None));
        table.scene(Eyes::All)
    }

    fn position(&self, text: &str) -> Result<u32, Illegal> {
        let why = || WORDS.say("graph-not-a-position").with("text", shown(text));
        self.find(text).ok_or_else(|| why().into())
    }

    fn notation(&self, at: &u32) -> Option<String> {
        Some(self.place(*at).notation.clone())
    }

    fn imagine(&self, at: &u32, _dice: &mut Dice) -> u32 {
        *at
    }
}

impl Boxed for Graph {
    const FORCED: bool = false;

    fn subject(&self) -> Subject {
        Subject::Graph(self.clone())
    }

    fn spec(&self) -> String {
        self.0.spec.clone()
    }

    fn board(&self, view: &u32) -> u32 {
        *view
    }

    fn symmetries(&self) -> usize {
        self.images()
    }

    fn turned(&self, how: usize, at: &u32) -> u32 {
        self.0.images[how].places[*at as usize]
    }

    fn turned_move(&self, how: usize, mv: u16) -> u16 {
        self.0.images[how].moves[usize::from(mv)]
    }

    fn undone(&self, how: usize) -> usize {
        self.0.undone[how]
    }

    fn at_most(&self) -> u128 {
        self.len() as u128
    }
}
