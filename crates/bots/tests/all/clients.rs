//! The starters of `clients/` play the contract, their thoughts are threads that hold, and what the
//! house and they say to each other is what the schema says.

use std::time::Duration;

use serde_json::Value;
use wits_bots::trial::{Report, Trial};
use wits_bots::{Launch, split};
use wits_game::Seed;
use wits_play::check::check;
use wits_play::{Budget, Limits, Shelf, Spec, TimeControl, check_decision};

use super::schema::schema;
use super::{Test, folder, game, play, python};

pub(crate) const TESTS: &[Test] = &[
    ("starters_play_the_contract", starters_play_the_contract),
    ("the_six_lines_of_the_readmes_play", the_six_lines_play),
    ("thoughts_are_threads_that_hold", thoughts_are_threads),
    ("trials_find_what_is_wrong", trials_find_what_is_wrong),
    ("every_game_can_be_played", every_game_can_be_played),
    (
        "a_bot_that_prints_does_no_harm",
        a_bot_that_prints_does_no_harm,
    ),
    (
        "the_same_seed_is_the_same_game",
        the_same_seed_is_the_same_game,
    ),
];

fn attempt(command: &str, spec: &str, games: u32) -> Report {
    let trial = Trial {
        game: game(spec),
        shelf: Shelf::new(),
        launch: Launch::new(split(command).unwrap()),
        games,
        move_time: Duration::from_mins(1),
        seed: Seed::new(29),
    };
    trial.run(&Budget::start(Limits::NONE)).unwrap()
}

/// The commands of the starters, whose interpreters are on every machine that tests.
fn starters() -> Vec<String> {
    let mut all = Vec::new();
    for name in ["random", "greedy", "alphabeta"] {
        let python = folder("clients/python").join(format!("{name}_bot.py"));
        let node = folder("clients/javascript").join(format!("{name}_bot.js"));
        all.push(format!("python3 {}", python.display()));
        all.push(format!("node {}", node.display()));
    }
    all
}

fn starters_play_the_contract() {
    for command in starters() {
        for spec in ["othello:size=4", "thue:symbols=4", "hexapawn"] {
            let report = attempt(&command, spec, 1);
            assert!(report.ok, "{command} at {spec}: {report:#?}");
            assert_eq!(report.held.len(), 7, "{report:#?}");
        }
    }
    let alphabeta = &starters()[4];
    let report = attempt(&format!("{alphabeta} 2"), "othello:size=6", 2);
    assert!(report.ok && report.won >= 3, "{report:#?}");
}

/// The first block of code of a README.
fn first_code(readme: &str, fence: &str) -> String {
    let text = std::fs::read_to_string(folder(readme)).unwrap();
    let (_, rest) = text.split_once(&format!("```{fence}\n")).unwrap();
    rest.split_once("```").unwrap().0.to_owned()
}

fn the_six_lines_play() {
    for (readme, fence, name, run) in [
        ("clients/python/README.md", "python", "mine.py", "python3"),
        (
            "clients/javascript/README.md",
            "javascript",
            "mine.js",
            "node",
        ),
    ] {
        let code = first_code(readme, fence);
        assert_eq!(code.trim().lines().count(), 6, "{readme}");
        let own = tempfile(name, &code);
        let beside = folder(readme);
        let library = beside.with_file_name(if fence == "python" {
            "wits_bot.py"
        } else {
            "wits_bot.js"
        });
        std::fs::copy(&library, own.with_file_name(library.file_name().unwrap())).unwrap();
        let report = attempt(&format!("{run} {}", own.display()), "tictactoe", 1);
        assert!(report.ok, "{readme}: {report:#?}");
    }
}

fn tempfile(name: &str, text: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("wits-six-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(name);
    std::fs::write(&file, text).unwrap();
    file
}

fn thoughts_are_threads() {
    let path = folder("clients/python");
    for (spec, bot) in [
        ("othello:size=6", "alphabeta_bot.py"),
        // All first moves have the same value.
        ("othello", "alphabeta_bot.py"),
        ("hexapawn:rows=4,cols=4", "alphabeta_bot.py"),
        ("thue:symbols=4", "alphabeta_bot.py"),
        ("tictactoe", "random_bot.py"),
        ("scrabble", "random_bot.py"),
    ] {
        let game = game(spec);
        let run = format!("python3 {}", path.join(bot).display());
        let program = Spec::named("program").with("run", run);
        let mut table = game.begin(Seed::new(3), None);
        table.settle();
        for _ in 0..3 {
            let thread = check_decision(&*game, &*table, &program, &Shelf::new(), Limits::NONE, 2);
            let thread = thread.unwrap_or_else(|breach| panic!("{spec}: {breach:?}"));
            let report = check(&*game, &thread);
            assert!(report.ok(), "{spec}: {report:?}");
            assert!(
                thread.header.summary.contains("in Python"),
                "{}",
                thread.header.summary
            );
            if bot == "alphabeta_bot.py" {
                assert!(
                    thread.header.summary.contains("moves deep"),
                    "{}",
                    thread.header.summary
                );
                assert!(thread.text().contains("with the line"), "{}", thread.text());
            }
            let seat = table.turn().seat().unwrap();
            table
                .play(seat, &thread.footer.result.clone(), None)
                .unwrap();
            table.settle();
        }
    }
    // Words that fit no move do no harm.
    let odd = python(
        "import sys, json\n\
         for text in sys.stdin:\n\
         \x20   line = json.loads(text)\n\
         \x20   if 'hello' in line: print(json.dumps({'name': 'odd\\x07 {name}'}), flush=True)\n\
         \x20   if 'legal' in line:\n\
         \x20       lines = [{'moves': ['z9'], 'value': 3}, {'moves': [line['legal'][1], 'nonsense'], 'value': -1}, {'moves': [line['legal'][1]]}]\n\
         \x20       print(json.dumps({'move': line['legal'][0], 'say': 'One. Two. Three. {x} </script>.', 'lines': lines}), flush=True)\n",
    );
    let game = game("nim");
    let table = game.begin(Seed::new(3), None);
    let thread = check_decision(&*game, &*table, &odd, &Shelf::new(), Limits::NONE, 0).unwrap();
    let report = check(&*game, &thread);
    assert!(report.ok(), "{report:?}");
    assert!(
        thread.text().contains("z9, which is no legal move"),
        "{}",
        thread.text()
    );
}

fn trials_find_what_is_wrong() {
    let answer = |turn: &str, rest: &str| {
        let spec = python(&format!(
            "import sys, json, random\nfor text in sys.stdin:\n\
             \x20   line = json.loads(text)\n\
             \x20   if 'hello' in line: print(json.dumps({{'name': 'test', 'deterministic': True}}), flush=True)\n\
             \x20   if 'legal' in line: print(json.dumps({{'turn': line['id'], {turn}}}), flush=True)\n{rest}"
        ));
        spec.value("run").unwrap().to_string()
    };
    for (command, code) in [
        ("true".to_owned(), "crashed"),
        ("no-such-program".to_owned(), "start"),
        ("echo hello".to_owned(), "crashed"),
        (answer("'move': 'z9'", ""), "illegal"),
        (answer("'says': 'z9'", ""), "unreadable"),
        (
            answer("'move': random.choice(line['legal'])", ""),
            "deterministic",
        ),
        (
            answer("'move': line['legal'][0]", "while True: pass\n"),
            "end",
        ),
        (answer("'move': line['legal'][0]", "sys.exit(3)\n"), "end"),
    ] {
        let report = attempt(&command, "othello:size=4", 1);
        assert!(!report.ok, "{command}");
        assert_eq!(report.findings[0].code, code, "{command}: {report:#?}");
        assert!(!report.findings[0].hint.is_empty());
    }
}

fn every_game_can_be_played() {
    let bot = folder("clients/python").join("random_bot.py");
    let bot = Spec::named("program").with("run", format!("python3 {}", bot.display()));
    let validate = schema();
    for entry in wits_catalog::all().entries() {
        let game = game(entry.id());
        let seats = vec![&bot; usize::from(game.seats())];
        let finished = play(&*game, &seats, TimeControl::None, 11);
        assert_eq!(finished.fault, None, "{}", entry.id());
        // The same lines again, held against the schema.
        let mut table = game.begin(Seed::new(11), None);
        table.settle();
        for _ in 0..5 {
            let Some(seat) = table.turn().seat() else {
                break;
            };
            for line in wits_bots::first_turn(&*game, &*table, seat) {
                let line: Value = serde_json::from_str(&line).unwrap();
                validate
                    .holds("house", &line)
                    .unwrap_or_else(|why| panic!("{}: {why}", entry.id()));
            }
            let options = table.options();
            table.play(seat, &options[0], None).unwrap();
            table.settle();
        }
    }
    for (line, says) in [
        (r#"{"name":"a"}"#, true),
        (
            r#"{"name":"a","version":"1","deterministic":true,"more":1}"#,
            true,
        ),
        (
            r#"{"turn":"t","move":"d3","say":"x","lines":[{"moves":["d3"],"value":1}]}"#,
            true,
        ),
        (r#"{"resign":true}"#, true),
        (r#"{"name":3}"#, false),
        (r#"{"move":3}"#, false),
        (r#"{"move":"d3","lines":[{"value":1}]}"#, false),
        (r#"{"say":"x"}"#, false),
        (r#"["d3"]"#, false),
    ] {
        let value: Value = serde_json::from_str(line).unwrap();
        assert_eq!(validate.holds("program", &value).is_ok(), says, "{line}");
        let read = wits_bots::protocol::Reply::read(line).is_ok()
            || wits_bots::protocol::Card::read(line).is_ok();
        assert_eq!(read, says, "the program and the schema differ: {line}");
    }
}

fn a_bot_that_prints_does_no_harm() {
    let code = "import sys\n\
                sys.path.insert(0, 'PATH')\n\
                from wits_bot import Bot\n\
                class Mine(Bot):\n\
                \x20   def choose(self, turn):\n\
                \x20       print('thinking about', turn.legal)\n\
                \x20       return turn.legal[-1]\n\
                Mine().run()\n";
    let path = folder("clients/python").canonicalize().unwrap();
    let spec = python(&code.replace("PATH", &path.display().to_string()));
    let finished = play(&*game("tictactoe"), &[&spec, &spec], TimeControl::None, 5);
    assert_eq!(finished.fault, None);
}

fn the_same_seed_is_the_same_game() {
    let bot = folder("clients/python").join("random_bot.py");
    let bot = Spec::named("program").with("run", format!("python3 {}", bot.display()));
    let once = play(&*game("connect3"), &[&bot, &bot], TimeControl::None, 7);
    let again = play(&*game("connect3"), &[&bot, &bot], TimeControl::None, 7);
    let other = play(&*game("connect3"), &[&bot, &bot], TimeControl::None, 8);
    assert_eq!(once.record.events, again.record.events);
    assert_ne!(once.record.events, other.record.events);
}
