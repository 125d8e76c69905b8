//! Othello engines that speak GTP and `NBoard`, played by small stand-ins in Python.

use wits_game::Seat;
use wits_play::{Shelf, Spec, TimeControl};

use super::{Test, folder, game, play, scratch};

pub(crate) const TESTS: &[Test] = &[
    ("engines_play_whole_games", engines_play_whole_games),
    (
        "engines_start_from_a_position",
        engines_start_from_a_position,
    ),
    (
        "what_an_engine_refuses_has_a_name",
        what_an_engine_refuses_has_a_name,
    ),
    (
        "engines_play_plain_othello_only",
        engines_play_plain_othello_only,
    ),
];

const GTP: &str = "
import sys
sys.path.insert(0, 'PATH')
from rules import Othello
start = '-' * 27 + 'OX' + '-' * 6 + 'XO' + '-' * 27
position = Othello(start, 0)
for line in sys.stdin:
    words = line.split()
    answer = ''
    if words[0] == 'protocol_version': answer = '2'
    elif words[0] == 'clear_board': position = Othello(start, 0)
    elif words[0] == 'play':
        assert position.mover == 'bw'.index(words[1]), line
        assert words[2] in position.moves(), line
        position = position.after(words[2])
    elif words[0] == 'genmove':
        assert position.mover == 'bw'.index(words[1]), line
        answer = max(position.moves(), key=lambda move: (position.after(move).value(position.mover), move)).upper()
    else:
        print('? unknown command\\n', flush=True)
        continue
    print(f'= {answer}\\n', flush=True)
";

const NBOARD: &str = "
import re, sys
sys.path.insert(0, 'PATH')
from rules import Othello
position = None
for line in sys.stdin:
    command, _, rest = line.strip().partition(' ')
    if command == 'ping': print('pong', rest, flush=True)
    elif command == 'nboard': print('set myname stand-in', flush=True)
    elif command == 'set' and rest.startswith('game'):
        board, turn = re.search(r'BO\\[8 (\\S+) (.)\\]', rest).groups()
        position = Othello(board.replace('*', 'X'), '*O'.index(turn))
    elif command == 'go':
        print('status thinking', flush=True)
        print('===', position.moves()[0].upper() + '/0.5', flush=True)
";

fn engine(tongue: &str, code: &str) -> Spec {
    let path = folder("clients/python").canonicalize().unwrap();
    let file = scratch(&code.replace("PATH", &path.display().to_string()));
    Spec::named(tongue).with("run", format!("python3 {}", file.display()))
}

fn engines_play_whole_games() {
    let game = game("othello");
    let (gtp, nboard) = (
        engine("gtp", GTP),
        engine("nboard", NBOARD).with("depth", "4"),
    );
    let random = Spec::named("random");
    for seats in [[&gtp, &random], [&random, &nboard], [&nboard, &gtp]] {
        let clock = TimeControl::PerGame {
            ms: 60_000,
            increment_ms: 0,
        };
        let finished = play(&*game, &seats, clock, 3);
        assert_eq!(finished.fault, None, "{seats:?}");
        assert!(finished.record.events.len() > 30, "{finished:?}");
    }
}

fn engines_start_from_a_position() {
    let game = game("othello");
    let position = "---------------------------OX------XXX-------------------------- O";
    for (spec, works) in [
        (engine("nboard", NBOARD), true),
        (engine("gtp", GTP), false),
    ] {
        let table = game
            .begin_from(position, wits_game::Seed::new(1), None)
            .unwrap();
        let seat = table.turn().seat().unwrap();
        let mut player = game.player(&spec, seat, &Shelf::new()).unwrap();
        let budget = wits_play::Budget::endless();
        let desk = wits_play::AnyDesk {
            budget: &budget,
            dice: table.dice(seat),
            tell: &mut |_| {},
            record: None,
        };
        let choice = player.choose(&*table, desk);
        let fault = player.account().fault;
        assert_eq!(fault.is_none(), works, "{spec}: {choice:?} {fault:?}");
        if let Some(fault) = fault {
            assert!(fault.why().contains("nboard"), "{fault:?}");
        }
    }
}

fn what_an_engine_refuses_has_a_name() {
    let game = game("othello");
    let random = Spec::named("random");
    for (from, to, name) in [
        ("words[0] == 'play':", "words[0] == 'never':", "unreadable"),
        (".upper()", ".lower() and 'a1'", "illegal"),
        (
            "elif words[0] == 'genmove':",
            "elif words[0] == 'genmove': sys.exit(4)\n    elif words[0] == 'x':",
            "crashed",
        ),
    ] {
        let spec = engine("gtp", &GTP.replace(from, to));
        let finished = play(&*game, &[&spec, &random], TimeControl::None, 3);
        let (seat, fault) = finished.fault.unwrap();
        assert_eq!((seat, fault.name()), (Seat::FIRST, name), "{fault:?}");
    }
}

fn engines_play_plain_othello_only() {
    let small = game("othello:size=6");
    let spec = engine("gtp", GTP);
    let refusal = small
        .player(&spec, Seat::FIRST, &Shelf::new())
        .err()
        .unwrap();
    assert!(refusal.to_string().contains("8x8"), "{refusal}");
}
