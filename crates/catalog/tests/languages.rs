//! Every game of the house in every language: what a player reads of it differs from the English
//! wherever it holds a word, so no sentence slips past the books.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};

use wits_game::{End, Eyes, Lang, Scene, Seat, Seed, Turn};
use wits_play::{AnyDesk, AnyGame, Budget, Choice, Limits, Param, Recorder, Shelf, Spec, Thought};

/// Words that are the same everywhere: names, what is typed, signs on a board.
const SAME: [&str; 17] = [
    "hexapawn",
    "othello",
    "scrabble",
    "symbol",
    "reversi",
    "exchange",
    "pass",
    "challenge",
    "resign",
    "minimax",
    "seat",
    "mcts",
    "chomp",
    "connect",
    "domineering",
    "domino",
    "notakto",
];

/// Sentences by where they stand, in the order in which they were met.
type Said = BTreeMap<String, Vec<String>>;

fn scene(said: &mut Vec<String>, scene: &Scene) {
    said.push(scene.caption.clone());
    for tray in &scene.trays {
        said.push(tray.title.clone());
        said.extend(tray.tokens.iter().map(|token| token.label.clone()));
    }
    for token in scene.cells.iter().filter_map(|cell| cell.token.as_ref()) {
        said.push(token.label.clone());
    }
    for target in scene.targets.iter().filter(|t| t.label != t.text) {
        said.push(target.label.clone());
    }
}

fn params(said: &mut Vec<String>, params: &[Param]) {
    said.extend(params.iter().map(|param| param.about.to_string()));
}

/// Everything that a game says while its usual opponents play it once, with refusals on the way.
fn game(said: &mut Vec<String>, game: &dyn AnyGame, names: &[&str]) {
    said.push(game.title().to_string());
    said.extend(Seat::all(game.seats()).map(|seat| game.seat_name(seat).to_string()));
    for name in names {
        let shelf = Shelf::new();
        let mut table = game.begin(Seed::new(3), Some(30));
        table.settle();
        while let Turn::Of(seat) = table.turn() {
            for nonsense in ["", "z99", "17", "a1", "exchange", "5=70000", "8H QQQ"] {
                // Only what is refused is of interest; a move that is allowed is made on a copy.
                said.extend(
                    table
                        .copy()
                        .play(seat, nonsense, None)
                        .err()
                        .map(|e| e.to_string()),
                );
            }
            scene(said, &table.scene(Eyes::All));
            let spec: Spec = name.parse().unwrap();
            let player = game.player(&spec, seat, &shelf);
            let mut player = match player {
                Ok(player) => player,
                Err(_) => game.player(&Spec::named("random"), seat, &shelf).unwrap(),
            };
            let budget = Budget::start(Limits::nodes(300));
            let mut tell = |thought: &Thought<String>| {
                said.extend(thought.why.as_ref().map(ToString::to_string));
                said.extend(thought.lines.iter().map(|line| line.worth.to_string()));
            };
            let mut recorder = Recorder::new(40);
            let desk = AnyDesk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut tell,
                record: Some(&mut recorder),
            };
            let choice = player.choose(table.as_ref(), desk);
            let result = match &choice {
                Choice::Move(text) => text.clone(),
                Choice::Resign => "resign".to_owned(),
            };
            if table.ply() < 4 {
                let thread = player.thread(recorder, game, table.as_ref(), Seed::new(3), &result);
                for line in thread.text().lines() {
                    let step: serde_json::Value = serde_json::from_str(line).unwrap();
                    said.extend(step["text"].as_str().map(str::to_owned));
                    said.extend(step["title"].as_str().map(str::to_owned));
                    said.extend(step["summary"].as_str().map(str::to_owned));
                }
            }
            match choice {
                Choice::Move(text) => table.play(seat, &text, None).unwrap(),
                Choice::Resign => table.end(seat, End::Resigned).unwrap(),
            };
            table.settle();
        }
        scene(said, &table.scene(Eyes::All));
        if let Turn::Over(outcome) = table.turn() {
            said.push(outcome.why.to_string());
        }
        let over = table
            .copy()
            .play(Seat::all(game.seats()).next().unwrap(), "a1", None);
        said.extend(over.err().map(|e| e.to_string()));
    }
}

fn everything() -> Said {
    let mut said = Said::new();
    for entry in wits_catalog::all().entries() {
        let mut here = vec![
            entry.about().to_string(),
            entry.rules().to_string(),
            entry.title().to_string(),
        ];
        params(&mut here, entry.params());
        let cards = entry.players();
        for card in &cards {
            here.push(card.about.to_string());
            params(&mut here, &card.params);
        }
        let names: Vec<&str> = cards
            .iter()
            .map(|card| card.id)
            .filter(|id| *id != "human")
            .collect();
        let wrong = entry.game(
            &format!("{}:nothing=1", entry.id()).parse().unwrap(),
            &Shelf::new(),
        );
        here.extend(wrong.err().map(|e| format!("{}; {}", e.why, e.hint)));
        let usual = entry.game(&Spec::named(entry.id()), &Shelf::new()).unwrap();
        game(&mut here, &*usual, &names);
        said.insert(entry.id().to_owned(), here);
    }
    said
}

/// The words of a sentence that are words of a language: four letters or more, some of them small,
/// and not between backticks.
fn words(sentence: &str) -> BTreeSet<String> {
    let plain: String = sentence.split('`').step_by(2).collect();
    plain
        .split(|c: char| !c.is_alphabetic() && c != '_' && c != '=' && c != ':')
        .filter(|w| w.chars().count() >= 4 && w.chars().all(char::is_alphabetic))
        .filter(|w| w.chars().any(char::is_lowercase))
        .map(str::to_lowercase)
        .filter(|w| !SAME.contains(&w.as_str()))
        .collect()
}

/// English words that no other language here has; any of them gives an untranslated sentence away.
const ENGLISH: [&str; 24] = [
    "the", "with", "this", "that", "what", "which", "from", "there", "moves", "move", "game",
    "board", "number", "word", "best", "wins", "have", "then", "into", "when", "every", "colour",
    "tiles", "proved",
];

#[test]
fn every_sentence_of_every_game_is_said_in_every_language() {
    let english = everything();
    let count: usize = english.values().map(Vec::len).sum();
    assert!(count > 1000, "only {count} sentences were met");
    for lang in [Lang::Pl, Lang::Cs] {
        let other = lang.speak(everything);
        let mut same = BTreeSet::new();
        for (game, sentences) in &english {
            // Languages change no decision: the same is said at the same places.
            assert_eq!(sentences.len(), other[game].len(), "{game}");
            for (a, b) in sentences.iter().zip(&other[game]) {
                let left = words(b);
                let given_away = ENGLISH.iter().any(|w| left.contains(*w));
                if given_away || (a == b && !left.is_empty()) {
                    same.insert(format!("{game}: {b}"));
                }
            }
        }
        let list: Vec<String> = same.into_iter().take(40).collect();
        assert!(
            list.is_empty(),
            "not in {}:\n{}",
            lang.code(),
            list.join("\n")
        );
    }
}
