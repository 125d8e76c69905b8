//! What a program does wrong loses its game, has a name, and comes with a sentence for its author.

use std::time::Duration;

use wits_game::{Seat, Turn};
use wits_play::{Fault, Shelf, Spec, TimeControl};

use super::{Test, game, play, python};

pub(crate) const TESTS: &[Test] = &[
    ("every_fault_has_its_name", every_fault_has_its_name),
    (
        "sleeping_costs_nothing_but_patience",
        sleeping_costs_nothing_but_patience,
    ),
    (
        "helpers_are_charged_and_ended",
        helpers_are_charged_and_ended,
    ),
    (
        "a_daemon_is_ended_with_its_program",
        a_daemon_is_ended_with_its_program,
    ),
    ("memory_is_limited", memory_is_limited),
    (
        "commands_are_checked_before_anything_starts",
        commands_are_checked,
    ),
    ("only_programs_of_the_folder", only_programs_of_the_folder),
    (
        "whatever_a_program_says_the_game_ends",
        whatever_a_program_says,
    ),
    ("moves_taken_back_are_told", moves_taken_back_are_told),
];

/// A loop that says hello, and does `turn` when it is asked for a move.
fn bot(turn: &str) -> Spec {
    python(&format!(
        "import sys, json, time, os\n\
         for text in sys.stdin:\n\
         \x20   line = json.loads(text)\n\
         \x20   if 'hello' in line: print(json.dumps({{'name': 'test'}}), flush=True)\n\
         \x20   if 'legal' in line:\n\
         \x20       legal = line['legal']\n\
         \x20       def say(move): print(json.dumps({{'turn': line['id'], 'move': move}}), flush=True)\n\
         \x20       {turn}\n"
    ))
}

const CLOCK: TimeControl = TimeControl::PerMove { ms: 300 };

fn fault(spec: &Spec, clock: TimeControl) -> Fault {
    let random = Spec::named("random");
    let finished = play(&*game("tictactoe"), &[spec, &random], clock, 5);
    assert_eq!(
        finished.outcome.winner(),
        Some(Seat::SECOND),
        "{finished:?}"
    );
    let (seat, fault) = finished.fault.unwrap();
    assert_eq!(seat, Seat::FIRST);
    // The word is for everybody, also for who replays the record; the sentence is not.
    let replayed = game("tictactoe").replay(&finished.record).unwrap();
    let why = finished.outcome.why.to_string();
    assert!(why.contains(&format!("({})", fault.name())), "{why}");
    assert_eq!(replayed.turn(), Turn::Over(finished.outcome));
    assert!(!finished.record.text().contains(fault.why()) && !why.contains(fault.why()));
    fault
}

fn every_fault_has_its_name() {
    let silent = TimeControl::PerMove { ms: 50 };
    for (turn, clock, name, says) in [
        (
            "say('z9')",
            CLOCK,
            "illegal",
            vec!["z9", "legal moves: a1", "g1-0"],
        ),
        ("sum(range(10**9))", CLOCK, "late", vec![" ms"]),
        ("time.sleep(60)", silent, "silent", vec!["500 ms"]),
        (
            "1 / 0",
            CLOCK,
            "crashed",
            vec!["code 1", "ZeroDivisionError"],
        ),
        (
            "os.kill(os.getpid(), 11)",
            CLOCK,
            "crashed",
            vec!["signal 11"],
        ),
        ("print('d3', flush=True)", CLOCK, "unreadable", vec!["d3"]),
        (
            "print('{}', flush=True)",
            CLOCK,
            "unreadable",
            vec!["\"move\""],
        ),
        (
            "print('x' * 2000000, flush=True)",
            CLOCK,
            "unreadable",
            vec!["longer than"],
        ),
        (
            "print(json.dumps({'turn': 'g7-1', 'move': 'a1'}), flush=True)",
            CLOCK,
            "unreadable",
            vec!["g7-1"],
        ),
    ] {
        let fault = fault(&bot(turn), clock);
        assert_eq!(fault.name(), name, "{turn}: {fault:?}");
        for part in says {
            assert!(
                fault.why().contains(part),
                "{turn}: {part} is not in {fault:?}"
            );
        }
    }
    let dumb = Spec::named("program").with("run", "true");
    assert_eq!(fault(&dumb, CLOCK).name(), "crashed");
    let nowhere = Spec::named("program").with("run", "no-such-program-anywhere");
    let fault = fault(&nowhere, CLOCK);
    assert!(fault.why().contains("cannot be started"), "{fault:?}");
}

fn sleeping_costs_nothing_but_patience() {
    // Half a second of sleep is no processor time: it fits into 300 ms, ten times over by the wall.
    let spec = bot("time.sleep(0.5); say(legal[0])");
    let finished = play(
        &*game("tictactoe"),
        &[&spec, &Spec::named("random")],
        CLOCK,
        5,
    );
    assert_eq!(finished.fault, None);
    assert!(
        finished.thought[0] < Duration::from_millis(900),
        "{finished:?}"
    );
}

fn helpers_are_charged_and_ended() {
    // The work is done by a process that the program starts.
    let spec = bot(
        "import subprocess; subprocess.run(['python3', '-c', 'sum(range(10**9))']); say(legal[0])",
    );
    assert_eq!(fault(&spec, CLOCK).name(), "late");
}

/// The processes whose command line holds a word.
fn running(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").unwrap().flatten() {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.contains(word) {
            found.push(line);
        }
    }
    found
}

fn a_daemon_is_ended_with_its_program() {
    let mark = format!("daemon-of-wits-{}", std::process::id());
    // It moves into a session of its own, twice removed, and stays.
    let turn = format!(
        "import subprocess; subprocess.Popen(['sh', '-c', 'setsid sh -c \"sleep 300; : {mark}\" &']); time.sleep(0.3); say('z9')"
    );
    let fault = fault(&bot(&turn), TimeControl::PerMove { ms: 2000 });
    assert_eq!(fault.name(), "illegal");
    assert_eq!(running(&mark), Vec::<String>::new());
}

fn memory_is_limited() {
    let mut spec = bot("hog = bytearray(400 << 20); say(legal[0])");
    spec = spec.with("memory", "128");
    let fault = fault(&spec, TimeControl::PerMove { ms: 5000 });
    assert_eq!(fault.name(), "crashed", "{fault:?}");
    assert!(fault.why().contains("Memory"), "{fault:?}");
}

fn commands_are_checked() {
    let game = game("nim");
    for (run, says) in [("python3 'x", "quote"), (" ", "no command")] {
        let spec = Spec::named("program").with("run", run);
        let refusal = game
            .player(&spec, Seat::FIRST, &Shelf::new())
            .err()
            .unwrap();
        assert!(refusal.to_string().contains(says), "{refusal}");
    }
    assert!(
        game.player(&Spec::named("program"), Seat::FIRST, &Shelf::new())
            .is_err()
    );
    // A slip of the finger is answered with all who could be meant, once each.
    for (name, hint) in [
        (
            "progam",
            "did you mean `program`? there are: human, random, ",
        ),
        ("gtp", "there are: human, random, "),
    ] {
        let refusal = game.player(&Spec::named(name), Seat::FIRST, &Shelf::new());
        let said = refusal.err().unwrap().hint.to_string();
        assert!(
            said.starts_with(hint) && said.ends_with(", program"),
            "{said}"
        );
    }
}

fn only_programs_of_the_folder() {
    use std::os::unix::fs::PermissionsExt;
    let folder = std::env::temp_dir().join(format!("wits-programs-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("mine.sh");
    std::fs::write(&file, "#!/bin/sh\necho no\n").unwrap();
    std::fs::write(folder.join("notes.txt"), "not a program").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let admission = wits_bots::Admission::Folder(folder.clone());
    let catalog = wits_bots::welcome(&wits_catalog::all(), &admission, None);
    let game = catalog.game(&Spec::named("nim"), &Shelf::new()).unwrap();
    let make = |run: &str| {
        let spec = Spec::named("program").with("run", run);
        game.player(&spec, Seat::FIRST, &Shelf::new()).map(|_| ())
    };
    assert!(make("mine.sh").is_ok());
    for run in [
        "notes.txt",
        "../mine.sh",
        "/bin/sh",
        "mine.sh -c x",
        "sh",
        "",
    ] {
        assert!(make(run).is_err(), "{run}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

/// A program that walks through the states of the protocol at random: right and wrong answers, too
/// many, none, late ones, and its end.
const FUZZ: &str = "
import sys, json, random
dice = random.Random(0)
old = None
for text in sys.stdin:
    line = json.loads(text)
    if 'hello' in line:
        dice = random.Random(line['seed'])
        names = [{'name': 'fuzz'}] * 12 + [{'name': ''}, {}, [], 'x', {'name': 7}, {'name': 'f', 'deterministic': 'yes'}]
        print(json.dumps(dice.choice(names)), flush=True)
    elif 'legal' in line:
        good = {'turn': line['id'], 'move': dice.choice(line['legal'])}
        stale = {'turn': old, 'move': 'a1'}
        while True:
            what = dice.choice([good] * 8 + [stale, {'undo': True}, {'resign': True}, 'bad', 'exit', 'twice', 'silent', 'long'])
            if what == 'exit': sys.exit(dice.randrange(256))
            if what == 'bad':
                print(dice.choice(['', '{', 'null', '{}', '{\"move\":1}', '\\x00', '[' * 5000, '{\"move\":\"zz\"}']), flush=True)
                break
            if what == 'silent': break
            if what == 'long': print('y' * 3000000, flush=True); break
            if what == 'twice': print(json.dumps(good)); print(json.dumps(good), flush=True); break
            print(json.dumps(what), flush=True)
            if what is good or what is not stale and what != {'undo': True}: break
        old = line['id']
";

fn whatever_a_program_says() {
    let spec = python(FUZZ);
    let random = Spec::named("random");
    let game = game("connect3");
    let names = ["illegal", "late", "silent", "crashed", "unreadable"];
    let mut met = std::collections::BTreeSet::new();
    for seed in 0..40 {
        let finished = play(
            &*game,
            &[&spec, &random],
            TimeControl::PerMove { ms: 60 },
            seed,
        );
        assert!(!finished.stopped);
        match finished.fault {
            None => met.insert("none"),
            Some((seat, fault)) => {
                assert_eq!(seat, Seat::FIRST);
                assert!(
                    names.contains(&fault.name()) && !fault.why().is_empty(),
                    "{fault:?}"
                );
                assert_eq!(finished.outcome.winner(), Some(Seat::SECOND));
                met.insert(fault.name())
            }
        };
    }
    assert!(met.len() >= 4, "{met:?}");
}

fn moves_taken_back_are_told() {
    let spec = python(
        "import sys, json\n\
         undone = 'nothing'\n\
         for text in sys.stdin:\n\
         \x20   line = json.loads(text)\n\
         \x20   if 'hello' in line: print(json.dumps({'name': 'test'}), flush=True)\n\
         \x20   if 'undo' in line: undone = line['undo']\n\
         \x20   if 'legal' in line: print(json.dumps({'turn': line['id'], 'move': line['legal'][0], 'say': f'{undone} {len(line[\"history\"])}'}), flush=True)\n",
    );
    let game = game("tictactoe");
    let mut table = game.begin(wits_game::Seed::new(1), None);
    let mut player = game.player(&spec, Seat::FIRST, &Shelf::new()).unwrap();
    let mut ask = |table: &dyn wits_play::AnyMatch| {
        let budget = wits_play::Budget::endless();
        let mut said = None;
        let desk = wits_play::AnyDesk {
            budget: &budget,
            dice: table.dice(Seat::FIRST),
            tell: &mut |thought| said = thought.why.as_ref().map(ToString::to_string),
            record: None,
        };
        let choice = player.choose(table, desk);
        assert!(
            matches!(choice, wits_play::Choice::Move(_)),
            "{choice:?} {:?}",
            player.account()
        );
        said.unwrap()
    };
    assert_eq!(ask(&*table), "nothing 0");
    table.play(Seat::FIRST, "a1", None).unwrap();
    table.play(Seat::SECOND, "b1", None).unwrap();
    assert_eq!(ask(&*table), "nothing 2");
    table.undo(0).unwrap();
    assert_eq!(ask(&*table), "0 0");
}
