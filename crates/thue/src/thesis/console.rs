//! The console game of the thesis, line by line, in Polish or English.

use wits_game::{Dice, Game, Illegal, Lang, Message, Seat, Seed, Stream};
use wits_search::{Budget, Limits};

use super::Properties;
use crate::WORDS;
use crate::game::{Insertion, Move, Phase, Position};
use crate::players::ask;
use crate::players::scores::Purse;
use crate::words::{Repetition, Variant};

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A person's gap.
    Gap,
    /// A person's symbol.
    Symbol,
    /// A machine's thinking.
    Machine,
    /// Nothing: it is over.
    Nothing,
}

/// One console game and everything it wrote.
pub struct Console {
    game: Insertion,
    properties: Properties,
    position: Position,
    lang: Lang,
    seed: Seed,
    ply: u32,
    lines: Vec<String>,
    aborted: bool,
}

impl Console {
    /// Begins a game, and writes what the thesis's program writes first.
    pub fn new(properties: &Properties, max_moves: usize, lang: Lang, seed: Seed) -> Console {
        let game = Insertion {
            max_moves,
            ..Insertion::new(properties.variant, properties.symbols)
        };
        let mut console = Console {
            position: game.start(),
            game,
            properties: properties.clone(),
            lang,
            seed,
            ply: 0,
            lines: Vec::new(),
            aborted: false,
        };
        if !properties.mode.human_builder() {
            console.say(
                &WORDS
                    .say("console-builder-level")
                    .with("level", properties.builder),
            );
        }
        if !properties.mode.human_painter() {
            console.say(
                &WORDS
                    .say("console-painter-level")
                    .with("level", properties.painter),
            );
        }
        console.say(&WORDS.say("console-symbols"));
        console
            .lines
            .extend((0..properties.symbols).map(|symbol| symbol.to_string()));
        console.show_word();
        console
    }

    /// Everything written so far: the transcript.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// The position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether a thinker took too long.
    pub fn aborted(&self) -> bool {
        self.aborted
    }

    /// What the game waits for.
    pub fn need(&self) -> Need {
        let mode = self.properties.mode;
        match self.position.phase {
            _ if self.aborted => Need::Nothing,
            Phase::Build if mode.human_builder() => Need::Gap,
            Phase::Paint(_) if mode.human_painter() => Need::Symbol,
            Phase::Build | Phase::Paint(_) => Need::Machine,
            _ => Need::Nothing,
        }
    }

    /// Writes the question that the person is asked now.
    pub fn prompt(&mut self) {
        match self.need() {
            Need::Gap => self.say(&WORDS.say("console-ask-gap")),
            Need::Symbol => self.say(&WORDS.say("console-ask-symbol")),
            _ => {}
        }
    }

    /// Takes a person's answer. A refused one changes nothing but is written down with the refusal.
    pub fn answer(&mut self, text: &str) -> Result<(), Illegal> {
        self.lines.push(text.trim().to_owned());
        let mv = self
            .game
            .read(&self.position, text)
            .and_then(|mv| self.game.legal(&self.position, &mv).map(|()| mv));
        match mv {
            Ok(mv) => {
                self.make(mv);
                Ok(())
            }
            Err(why) => {
                self.lines.push(format!("#> {}", why.why().to(self.lang)));
                Err(why)
            }
        }
    }

    /// Lets the machine whose turn it is think. Longer than allowed, and the game is broken off, as in the thesis.
    pub fn think(&mut self) {
        let building = self.position.phase == Phase::Build;
        let (seat, level) = if building {
            (Seat::FIRST, self.properties.builder)
        } else {
            (Seat::SECOND, self.properties.painter)
        };
        let budget = Budget::start(self.properties.think.map_or(Limits::NONE, Limits::time));
        let mut dice = Dice::at(self.seed, Stream::Seat(seat), self.ply);
        let chosen = ask(
            &self.game,
            &self.position,
            level,
            &mut dice,
            &mut Purse::new(&budget),
        );
        let seconds = budget.elapsed().as_secs_f64();
        let time = format!("{seconds:.3}");
        if budget.late() {
            self.aborted = true;
            self.say(&WORDS.say("console-too-long").with("time", time));
            return;
        }
        let Some((mv, _)) = chosen else { return };
        let (key, number) = match mv {
            Move::Gap(gap) => ("console-machine-gap", gap),
            Move::Symbol(symbol) => ("console-machine-symbol", u32::from(symbol)),
        };
        self.say(&WORDS.say(key).with("number", number).with("time", time));
        self.make(mv);
    }

    /// Writes how it ended. The caller measured how long the game took.
    pub fn finish(&mut self, seconds: f64) {
        match self.position.phase {
            Phase::Repeated(found) => {
                let key = if self.game.variant == Variant::Square {
                    "console-square"
                } else {
                    "console-overlap"
                };
                self.lines.push(String::new());
                self.say(&WORDS.say(key));
                let halves = self.halves(found);
                self.lines.push(halves);
            }
            Phase::Stuck(gap) => {
                self.lines.push(String::new());
                self.say(&WORDS.say("console-stuck").with("gap", gap));
            }
            _ => {}
        }
        self.lines.push(String::new());
        self.lines.push(RULE.to_owned());
        self.lines.push(String::new());
        let count = self.position.thesis_moves();
        let moves = WORDS.say(plural(count)).with("count", count);
        self.say(
            &WORDS
                .say("console-lasted")
                .with("moves", moves)
                .with("time", format!("{seconds:.3}")),
        );
    }

    fn make(&mut self, mv: Move) {
        let painted = matches!(mv, Move::Symbol(_));
        self.game.play(&mut self.position, &mv);
        self.ply += 1;
        if painted {
            self.show_word();
        }
    }

    fn say(&mut self, message: &Message) {
        self.lines.push(format!("#> {}", message.to(self.lang)));
    }

    fn show_word(&mut self) {
        let word = &self.position.word;
        let mut line: Vec<String> = word
            .iter()
            .enumerate()
            .map(|(i, c)| format!("{i}: {{ {c} }}"))
            .collect();
        line.push(format!("{}: {{ }}", word.len()));
        self.lines.push(line.join(" "));
        self.lines.push(RULE.to_owned());
    }

    /// Both windows of a repetition; those of an overlap share a letter.
    fn halves(&self, found: Repetition) -> String {
        let pairs = self.game.variant.pairs(found.period);
        let window = |from: usize| {
            let cells =
                (from..from + pairs).map(|i| format!("{i}: {{ {} }}", self.position.word[i]));
            cells.collect::<Vec<String>>().join(" ")
        };
        format!(
            "{} <-> {}",
            window(found.start),
            window(found.start + found.period)
        )
    }
}

const RULE: &str = "## ===== ##";

/// Polish counts 1, 2 to 4 (but not 12 to 14), and the rest.
fn plural(count: usize) -> &'static str {
    match (count, count % 10, count % 100) {
        (1, ..) => "moves-one",
        (_, 2..=4, rest) if !(12..=14).contains(&rest) => "moves-few",
        _ => "moves-many",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sample game of the thesis: four insertions, five "moves".
    #[test]
    fn the_sample_game_line_by_line() {
        let properties =
            Properties::read("gameType=Square\ngameMode=humanHuman\nsetPower=3\n").unwrap();
        let mut console = Console::new(&properties, 1000, Lang::Pl, Seed::new(1));
        for answer in ["1", "2", "1", "1", "3", "1", "4", "2"] {
            console.prompt();
            console.answer(answer).unwrap();
        }
        assert_eq!(console.need(), Need::Nothing);
        console.finish(20.339);
        let expected = "\
#> W grze dostępne są następujące liczby:
0
1
2
0: { 0 } 1: { }
## ===== ##
#> Podaj indeks:
1
#> Podaj liczbę:
2
0: { 0 } 1: { 2 } 2: { }
## ===== ##
#> Podaj indeks:
1
#> Podaj liczbę:
1
0: { 0 } 1: { 1 } 2: { 2 } 3: { }
## ===== ##
#> Podaj indeks:
3
#> Podaj liczbę:
1
0: { 0 } 1: { 1 } 2: { 2 } 3: { 1 } 4: { }
## ===== ##
#> Podaj indeks:
4
#> Podaj liczbę:
2
0: { 0 } 1: { 1 } 2: { 2 } 3: { 1 } 4: { 2 } 5: { }
## ===== ##

#> Znaleziono kwadrat:
1: { 1 } 2: { 2 } <-> 3: { 1 } 4: { 2 }

## ===== ##

#> Rozgrywka trwała 5 ruchów i 20.339 sekund.";
        assert_eq!(console.lines().join("\n"), expected);
    }

    #[test]
    fn machines_play_and_say_how_long_they_thought() {
        let properties = Properties::read(
            "gameMode=pcPc\nsetPower=3\nbuilderNestingLevel=1\npainterNestingLevel=1",
        )
        .unwrap();
        let mut console = Console::new(&properties, 1000, Lang::Pl, Seed::new(1));
        while console.need() == Need::Machine {
            console.think();
        }
        console.finish(0.5);
        let text = console.lines().join("\n");
        assert!(
            text.contains("#> Komputer wybrał indeks: ")
                && text.contains(" | Czas trwania obliczeń: 0.0"),
            "{text}"
        );
        assert!(
            text.ends_with("#> Rozgrywka trwała 5 ruchów i 0.500 sekund."),
            "{text}"
        );
        assert!(text.contains("#> Pod indeksem "), "{text}");
    }

    #[test]
    fn a_thinker_that_takes_too_long_ends_the_game() {
        let properties =
            Properties::read("gameMode=pcPc\nsetPower=5\nbuilderNestingLevel=4\nmaxThinkTime=1")
                .unwrap();
        let mut console = Console::new(&properties, 1000, Lang::En, Seed::new(1));
        console.think();
        assert!(console.aborted() && console.need() == Need::Nothing);
        assert!(console.lines().last().unwrap().contains("too long"));
    }

    #[test]
    fn polish_plurals() {
        let keys: Vec<&str> = [1, 2, 4, 5, 12, 14, 22, 25, 101, 102, 112]
            .iter()
            .map(|&n| plural(n))
            .collect();
        assert_eq!(keys.iter().filter(|k| **k == "moves-few").count(), 4);
        assert_eq!(
            (keys[0], keys[3], keys[10]),
            ("moves-one", "moves-many", "moves-many")
        );
    }
}
