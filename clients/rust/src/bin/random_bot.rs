//! Any legal move of any game, by dice of its own.
#![forbid(unsafe_code)]

use wits_bot::{Answer, Bot, Dice, Hello, Turn, run};

#[derive(Clone)]
struct Random(Dice);

impl Bot for Random {
    fn name(&self) -> String {
        "random in Rust".to_owned()
    }

    fn deterministic(&self) -> bool {
        true
    }

    fn start(&mut self, hello: &Hello) {
        self.0 = Dice::new(hello.seed);
    }

    fn choose(&mut self, turn: &Turn) -> Answer {
        turn.legal[self.0.below(turn.legal.len())].as_str().into()
    }
}

fn main() -> std::io::Result<()> {
    run(&mut Random(Dice::default()))
}
