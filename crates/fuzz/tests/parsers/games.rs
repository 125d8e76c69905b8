//! Specs, moves, positions, records, and the files of the board games.

use wits_game::Seed;
use wits_matchbox::{Machine, Opponent, Preset};
use wits_othello::notation::{Replay, read_board};
use wits_othello::wthor::Wtb;
use wits_othello::{NoMove, Othello, Start, ggf, obf};
use wits_play::{Catalog, Record, Shelf, Spec};
use wits_search::Thread;
use wits_thue::solve::{Certificate, verify};
use wits_thue::words::source::Source;
use wits_thue::{Variant, Word};

use crate::{Parser, bytes, text};

/// Games that need nothing from a shelf, small enough to be set up often.
const GAMES: [&str; 16] = [
    "tictactoe",
    "hexapawn:rows=3,cols=3",
    "othello",
    "othello:size=6",
    "rainbow:n=12,k=3,c=4",
    "thue:symbols=4",
    "thue-solitaire",
    "thue-append",
    "thue-erase",
    "chomp",
    "nim",
    "tactix",
    "domineering",
    "notakto",
    "connect3",
    "mnk",
];

fn othello() -> Othello {
    Othello::new(8, Start::Othello, NoMove::Pass).unwrap()
}

pub(crate) fn parsers() -> Vec<Parser> {
    let catalog = wits_catalog::all();
    let mut all = vec![
        text(
            "spec",
            1,
            &[
                "othello:size=8,start=othello,nomove=pass",
                "mcts:nodes=100",
                "a:b=\"c,d\",e={f:g=h},i=1.5",
            ],
            |t| {
                t.parse::<Spec>()
                    .is_ok_and(|s| s.to_string().parse::<Spec>().is_ok())
            },
        ),
        game_specs(catalog.clone()),
        player_specs(&catalog),
        moves(&catalog),
        positions(&catalog),
        records(catalog),
        text("opponent", 1, &["random", "perfect"], |t| {
            t.parse::<Opponent>().is_ok()
        }),
        text(
            "othello-transcript",
            1,
            &["f5d6c3d3c4f4", "f5 d6 c3", "1. f5 d6"],
            |t| Replay::read(&othello(), t).is_ok(),
        ),
        text(
            "othello-board",
            1,
            &["---------------------------OX------XO--------------------------- X"],
            |t| read_board(8, t).is_ok(),
        ),
        text(
            "obf",
            1,
            &[
                "---------------------------OX------XO--------------------------- X; f5:+2; d3:+1; % comment",
            ],
            |t| obf::read(t).is_ok(),
        ),
        text("ggf", 2, &[GGF], |t| ggf::read(t).is_ok()),
        bytes("wthor", 2, vec![wthor()], |b| Wtb::read(b).is_ok()),
        text("thue-word", 1, &["abacaba", "0102"], |t| {
            t.parse::<Word>().is_ok()
        }),
        text("thue-variant", 1, &["square", "overlap"], |t| {
            t.parse::<Variant>().is_ok()
        }),
        text("thue-source", 1, &["thue-morse"], |t| {
            t.parse::<Source>().is_ok()
        }),
        thue_certificate(),
        text("rainbow-colouring", 1, &["1 2 3 1 2 3", "1,2,3"], |t| {
            t.parse::<wits_rainbow::numbers::Colouring>().is_ok()
        }),
        machine_file(),
        thread_file(),
    ];
    all.sort_by_key(|p| p.name);
    all
}

const GGF: &str = "(;GM[Othello]PC[here]PB[a]PW[b]RE[0]TI[5:00]TY[8]BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]B[F5]W[D6]B[C3];)";

/// One game of two moves as the French federation keeps them.
fn wthor() -> Vec<u8> {
    let mut bytes = vec![0; 16 + 68];
    bytes[4] = 1;
    bytes[10] = 0xD2;
    bytes[11] = 0x07;
    bytes[16 + 8] = 56;
    bytes[16 + 9] = 64;
    bytes
}

fn game_specs(catalog: Catalog) -> Parser {
    text("game-spec", 2, &GAMES, move |t| {
        // A board may be as large as the game allows; this only asks whether it can be built.
        t.parse::<Spec>()
            .is_ok_and(|spec| catalog.game(&spec, &Shelf::new()).is_ok())
    })
}

fn player_specs(catalog: &Catalog) -> Parser {
    let spec = "tictactoe".parse().unwrap();
    let game = catalog.game(&spec, &Shelf::new()).unwrap();
    let samples = [
        "mcts:nodes=10",
        "alphabeta:depth=3",
        "minimax:depth=2",
        "random",
        "perfect",
    ];
    text("player-spec", 2, &samples, move |t| {
        let seat = wits_game::Seat::all(2).next().unwrap();
        t.parse::<Spec>()
            .is_ok_and(|spec| game.player(&spec, seat, &Shelf::new()).is_ok())
    })
}

/// Moves of every game: each input is a line `GAME MOVE`.
fn moves(catalog: &Catalog) -> Parser {
    let mut samples = Vec::new();
    let mut tables = Vec::new();
    for name in GAMES {
        let spec = name.parse().unwrap();
        let game = catalog.game(&spec, &Shelf::new()).unwrap();
        let mut table = game.begin(Seed::new(1), None);
        table.settle();
        for text in table.options().into_iter().take(4) {
            samples.push(format!("{} {text}", tables.len()).into_bytes());
        }
        tables.push(table);
    }
    bytes("move", 1, samples, move |input| {
        let input = String::from_utf8_lossy(input).into_owned();
        let (which, text) = input.split_once(' ').unwrap_or(("0", &input));
        let which = which.parse::<usize>().unwrap_or(0) % tables.len();
        let mut table = tables[which].copy();
        let Some(seat) = table.turn().seat() else {
            return true;
        };
        let played = table.play(seat, text, None).is_ok();
        table.settle();
        let _ = (table.scene(wits_game::Eyes::All), table.notation());
        played
    })
}

/// Positions of every game: `GAME POSITION`.
fn positions(catalog: &Catalog) -> Parser {
    let games: Vec<_> = GAMES
        .iter()
        .map(|name| catalog.game(&name.parse().unwrap(), &Shelf::new()).unwrap())
        .collect();
    let mut samples = Vec::new();
    for (n, game) in games.iter().enumerate() {
        if let Some(text) = game.begin(Seed::new(1), None).notation()
            && game.begin_from(&text, Seed::new(1), None).is_ok()
        {
            samples.push(format!("{n} {text}").into_bytes());
        }
    }
    bytes("position", 1, samples, move |input| {
        let input = String::from_utf8_lossy(input).into_owned();
        let (which, text) = input.split_once(' ').unwrap_or(("0", &input));
        let game = &games[which.parse::<usize>().unwrap_or(0) % games.len()];
        game.begin_from(text, Seed::new(1), None)
            .is_ok_and(|table| {
                let _ = (table.scene(wits_game::Eyes::All), table.options());
                true
            })
    })
}

fn records(catalog: Catalog) -> Parser {
    let mut samples = Vec::new();
    for name in ["tictactoe", "othello", "thue:symbols=4"] {
        let game = catalog.game(&name.parse().unwrap(), &Shelf::new()).unwrap();
        let mut table = game.begin(Seed::new(1), None);
        for _ in 0..4 {
            table.settle();
            if let Some(seat) = table.turn().seat() {
                let text = table.options()[0].clone();
                table.play(seat, &text, Some(5)).unwrap();
            }
        }
        let players = vec!["human".to_owned(); usize::from(game.seats())];
        let header =
            wits_play::Header::new(game.rules(), game.spec().to_owned(), Seed::new(1), players);
        let record = Record {
            header,
            events: table.events().to_vec(),
            cut: false,
        };
        samples.push(record.text().into_bytes());
    }
    bytes("record", 2, samples, move |input| {
        let Ok(record) = Record::read(&String::from_utf8_lossy(input)) else {
            return false;
        };
        let Ok(spec) = record.header.game.parse::<Spec>() else {
            return false;
        };
        // Replaying somebody else's record must be survived as well, on boards of a usual size.
        if record.header.game.len() > 80 {
            return false;
        }
        catalog
            .game(&spec, &Shelf::new())
            .is_ok_and(|game| game.replay(&record).is_ok())
    })
}

fn thue_certificate() -> Parser {
    use wits_play::Budget;
    use wits_thue::solve::Solver;
    let mut solver = Solver::new(Variant::Square, 3, 1 << 24).unwrap();
    let value = solver.value(6, 1, &Budget::endless(), |_, _| {}).unwrap();
    let certificate = Certificate::build(&solver, &value, &Budget::endless()).unwrap();
    text("thue-certificate", 4, &[&certificate.to_string()], |t| {
        Certificate::read(t).is_ok_and(|c| verify(&c, 3).valid)
    })
}

fn machine_file() -> Parser {
    let machine = Preset::named("her").unwrap().machine().unwrap();
    text("machine-file", 2, &[&machine.to_text()], |t| {
        Machine::read(t).is_ok()
    })
}

fn thread_file() -> Parser {
    use wits_matchbox::tictactoe::TicTacToe;
    use wits_search::tree::{Payoffs, alphabeta};
    use wits_search::{Budget, Recorder, ThreadHeader};
    let mut recorder = Recorder::new(50);
    let game = TicTacToe;
    let start = wits_game::Game::start(&game);
    let _ = alphabeta(
        &game,
        &start,
        &Payoffs,
        2,
        &Budget::endless(),
        &mut recorder,
    );
    let header = ThreadHeader::new("tictactoe", "tree");
    let thread = recorder.finish(&header, "b2", wits_game::Lang::En).text();
    let catalog = wits_catalog::all();
    let game = catalog.game(
        &wits_play::Spec::named("tictactoe"),
        &wits_play::Shelf::new(),
    );
    let game = game.unwrap();
    // What can be read is checked, too: the checker trusts nothing of it.
    text("thread", 4, &[&thread], move |t| {
        let read = Thread::read(t);
        read.map(|thread| wits_play::check::check(&*game, &thread))
            .is_ok()
    })
}
