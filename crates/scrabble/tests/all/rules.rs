//! The rules case by case: refusals of both kinds, challenges, exchanges, ends.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use std::sync::Arc;

use wits_game::{Eyes, Game, Seat, Seed, Turn};
use wits_play::Match;
use wits_scrabble::files::{gcg, transcript};
use wits_scrabble::players::{Greedy, Leave};
use wits_scrabble::table::{Phase, Table};
use wits_scrabble::{
    Challenge, Ending, Engine, Leftover, Lexicon, Move, Scrabble, Settings, Start, TileSet, house,
    tile,
};

const WORDS: &str = "AT TA EAT TEA ATE TEN NET ET TAN ANT AN EN NEAT ANTE NE QI IN IT TI TIN NIT AI STAIN SATIN STAINED \
    INSTEAD ENTS SEAT SEA AS IS US SIN EATS TENS ES CAT CATS";

fn engine() -> Arc<Engine> {
    let tiles = TileSet::english();
    let words = WORDS
        .split_whitespace()
        .map(|w| tiles.read_word(w).unwrap());
    Arc::new(Engine::new(Lexicon::new("small", &tiles, words).unwrap()))
}

fn game(change: impl FnOnce(&mut Settings)) -> Scrabble {
    let mut settings = Settings::default();
    change(&mut settings);
    Scrabble::new(engine(), settings)
}

/// A table with these racks to move and this bag.
fn table(game: &Scrabble, racks: &[&str], bag: &str) -> Table {
    let bytes = |text: &str| {
        let mut held: Vec<u8> = TileSet::english()
            .read_rack(text)
            .unwrap()
            .iter()
            .map(|t| t.byte())
            .collect();
        held.sort_unstable();
        held
    };
    let mut table = game.start();
    table.racks = racks.iter().map(|r| bytes(r)).collect();
    table.bag = TileSet::english()
        .read_rack(bag)
        .unwrap()
        .iter()
        .map(|t| t.byte())
        .collect();
    table.phase = Phase::Move;
    table
}

fn play(game: &Scrabble, table: &mut Table, text: &str) -> Result<(), String> {
    let mv = game.read(table, text).map_err(|e| e.to_string())?;
    game.legal(table, &mv).map_err(|e| e.to_string())?;
    game.play(table, &mv);
    Ok(())
}

#[test]
fn refusals_name_the_rule_or_the_words() {
    let game = game(|_| {});
    let mut empty = table(&game, &["STAINED", "EATNTQ?"], "EEEEEEEE");
    for (text, says) in [
        ("", "is not a move"),
        ("8H", "is not a move"),
        ("P8 TEA", "is not a move"),
        ("1A SATIN", "must cover the centre"),
        ("8H A", "at least two tiles"),
        ("8H ZA", "do not hold enough tiles `Z`"),
        ("8H AA", "do not hold enough tiles `A`"),
        ("8M STAINED", "runs off the board"),
        ("8H .A", "no tile lies on H8"),
        ("8H É", "`É`"),
        ("exchange", "name the tiles"),
        ("exchange Z", "do not hold"),
        ("challenge", "no challenges"),
        ("8H DAS", "DAS (8H) is not in the lexicon `small`"),
    ] {
        let said = play(&game, &mut empty, text).unwrap_err();
        assert!(said.contains(says), "`{text}`: {said}");
    }
    play(&game, &mut empty, "8H SATIN").unwrap();
    assert_eq!(empty.scores, [12, 0]);
    for (text, says) in [
        ("1A EAT", "touches nothing"),
        ("8G XSATIN", "`X`"),
        ("8H EAT", "`S` lies on H8"),
        ("9H TE", "TE (9H), ST (H8), AE (I8) are not in the lexicon"),
        ("7A TEN", "touches nothing"),
    ] {
        let said = play(&game, &mut empty, text).unwrap_err();
        assert!(said.contains(says), "`{text}`: {said}");
    }
    // Through S of SATIN, as points, in brackets and written out.
    for text in ["H7 .TEA", "H8 (S)EA", "H8 SEA", "H8 .EA", "H8 sea"] {
        let mut copy = empty.clone();
        let result = play(&game, &mut copy, text);
        assert_eq!(result.is_ok(), text != "H7 .TEA", "{text}: {result:?}");
        if result.is_ok() {
            assert_eq!(copy.scores[1], 3, "{text}");
        }
    }
}

#[test]
fn premiums_blanks_and_the_bonus_are_counted() {
    let game = game(|_| {});
    let mut first = table(&game, &["STAINED", "E?"], "EEEEEEEE");
    // S on a double letter square, the word over the centre, 50 for all seven.
    play(&game, &mut first, "8D STAINED").unwrap();
    assert_eq!(first.scores[0], (2 + 1 + 1 + 1 + 1 + 1 + 2) * 2 + 50);
    let mut second = table(&game, &["STAIN?D", "E"], "EEEEEEEE");
    play(&game, &mut second, "8D STAINeD").unwrap();
    assert_eq!(second.scores[0], (2 + 1 + 1 + 1 + 1 + 2) * 2 + 50);
    let preview = game.preview(&table(&game, &["QQ", ""], "EE"), &[(112, 17), (113, 17)]);
    assert_eq!((preview.refused, preview.score), (Some("words"), Some(40)));
    assert_eq!(preview.words[0].squares, [112, 113]);
    assert!(!preview.words[0].good);
}

#[test]
fn challenges_take_back_or_cost() {
    for (rule, good) in [
        (Challenge::Single, true),
        (Challenge::Double, true),
        (Challenge::Free, true),
        (Challenge::Single, false),
        (Challenge::Double, false),
    ] {
        let game = game(|s| s.challenge = rule);
        let mut t = table(&game, &["SATNXYZ", "EATNTIQ"], "EEEEEEEE");
        let before = t.clone();
        play(&game, &mut t, if good { "8H SAT" } else { "8H XYZ" }).unwrap_or_default();
        if good {
            // SAT is no word of this small lexicon, SATIN is; so lay a good one.
            t = before.clone();
            play(&game, &mut t, "8G TAN").unwrap();
        }
        assert_eq!(
            t.racks[0].len(),
            4,
            "the tiles are drawn when nobody challenges"
        );
        let score = t.scores[0];
        play(&game, &mut t, "challenge").unwrap();
        if good {
            assert_eq!(t.racks[0].len(), 7);
            let gain = if rule == Challenge::Single { 5 } else { 0 };
            assert_eq!(t.scores[0], score + gain);
            let whose = u8::from(rule != Challenge::Double);
            assert_eq!(t.turn, whose, "{rule:?}");
            assert!(
                play(&game, &mut t, "challenge")
                    .unwrap_err()
                    .contains("no play to challenge")
            );
        } else {
            assert!(t.board.is_empty());
            assert_eq!((t.scores[0], t.turn), (0, 1));
            assert_eq!(t.racks[0], before.racks[0]);
            assert_eq!(t.bag, before.bag);
        }
    }
}

#[test]
fn going_out_under_challenge_waits_for_the_other_side() {
    let game = game(|s| s.challenge = Challenge::Double);
    let mut t = table(&game, &["TAN", "EQ"], "");
    play(&game, &mut t, "8G TAN").unwrap();
    assert_eq!(t.phase, Phase::Move);
    assert!(
        play(&game, &mut t, "exchange E")
            .unwrap_err()
            .contains("gone out")
    );
    let mut accepted = t.clone();
    play(&game, &mut accepted, "pass").unwrap();
    assert_eq!(accepted.phase, Phase::Out(0));
    assert_eq!(accepted.scores, [6 + 11, -11]);
    play(&game, &mut t, "challenge").unwrap();
    assert_eq!(t.phase, Phase::Out(0));
}

#[test]
fn the_ends_are_settled_as_agreed() {
    for (leftover, scores) in [(Leftover::Moved, [17, -11]), (Leftover::Doubled, [28, 0])] {
        let game = game(|s| s.leftover = leftover);
        let mut t = table(&game, &["TAN", "EQ"], "");
        play(&game, &mut t, "8G TAN").unwrap();
        assert_eq!(t.scores, scores);
        assert!(matches!(game.turn(&t), Turn::Over(outcome) if outcome.payoffs == scores));
    }
    for (ending, exchanges, turns) in [
        (Ending::Scoreless(6), true, 6),
        (Ending::Passes(4), true, 60),
        (Ending::Passes(4), false, 4),
        (Ending::Rounds(2), false, 4),
    ] {
        let game = game(|s| s.ending = ending);
        let mut t = table(&game, &["EEEEEEE", "TTTTTTQ"], "AAAAAAAAAAA");
        let mut count = 0;
        while matches!(game.turn(&t), Turn::Of(_)) {
            let text = if exchanges {
                format!(
                    "exchange {}",
                    TileSet::english().write_tile(tile(t.rack()[0]))
                )
            } else {
                "pass".to_owned()
            };
            play(&game, &mut t, &text).unwrap();
            if t.phase == Phase::Mix {
                let mv = game.deal(&t, &mut wits_game::Dice::new(Seed::new(count)));
                game.play(&mut t, &mv);
            }
            count += 1;
        }
        assert_eq!(count, turns, "{ending:?}");
        assert_eq!(t.phase, Phase::Quiet);
    }
}

#[test]
fn an_exchange_needs_a_full_bag() {
    let game = game(|_| {});
    let mut t = table(&game, &["EEEEEEE", "TTTTTTQ"], "AAAAAA");
    assert!(
        play(&game, &mut t, "exchange E")
            .unwrap_err()
            .contains("the bag holds 6; an exchange needs 7")
    );
    let loose = Scrabble::new(
        engine(),
        Settings {
            exchange: 1,
            ..Settings::default()
        },
    );
    play(&loose, &mut t, "-EE").unwrap();
    assert_eq!(t.returned.len(), 2);
    let (mine, others) = (
        loose.write(&t, &Move::Exchange(vec![5, 5]), Eyes::Seat(Seat::FIRST)),
        loose.write(&t, &Move::Exchange(vec![5, 5]), Eyes::Seat(Seat::SECOND)),
    );
    assert_eq!(
        (mine.as_str(), others.as_str()),
        ("exchange EE", "exchange 2")
    );
}

#[test]
fn where_words_are_not_looked_up_machines_play_on_beside_them() {
    let game = game(|s| s.challenge = Challenge::Off);
    let mut t = table(&game, &["XQZEATS", "EATNTIS"], "EEEEEEEE");
    play(&game, &mut t, "8G XQZ").unwrap();
    let engine = game.engine();
    let options = game.options(&t);
    let plays: Vec<_> = options
        .iter()
        .filter_map(|mv| match mv {
            Move::Play(p) => Some(*p),
            _ => None,
        })
        .collect();
    for p in &plays {
        assert!(
            p.words(&t.board)
                .iter()
                .all(|w| engine.lexicon().contains(&w.letters))
        );
    }
    engine.warm().unwrap();
    assert_eq!(
        game.options(&t),
        options,
        "both automata agree beside words that are none"
    );
    let hand = wits_scrabble::Hand::new(t.rack());
    let slow =
        wits_scrabble::generate::scan(&t.board, engine.lexicon(), engine.values(), 50, &hand);
    assert_eq!(slow.iter().map(|s| s.0).collect::<Vec<_>>(), plays);
}

#[test]
fn bags_are_paired() {
    // With exchanged seats on one seed, each seat is dealt the same tiles as long as both draw as many.
    let game = Arc::new(game(|_| {}));
    let mut one = Match::new(Arc::clone(&game), Seed::new(5), None);
    let mut two = Match::new(Arc::clone(&game), Seed::new(5), None);
    one.settle();
    two.settle();
    assert_eq!(one.state().racks, two.state().racks);
    let mut a = one.state().clone();
    let bag = a.bag.clone();
    // The first seat draws three: the second seat's end of the bag is untouched.
    a.racks[0].truncate(4);
    let mv = Move::Pass;
    game.play(&mut a, &mv);
    assert_eq!(a.bag.first(), bag.first());
    let drawn = Scrabble::new(
        engine(),
        Settings {
            start: Start::Draw,
            seats: 3,
            ..Settings::default()
        },
    );
    let mut seen = [0; 3];
    for seed in 0..30 {
        let mut table = Match::new(Arc::new(drawn.clone()), Seed::new(seed), None);
        table.settle();
        seen[usize::from(table.state().turn)] += 1;
    }
    assert!(seen.iter().all(|&n| n > 3), "{seen:?}");
}

#[test]
fn games_become_score_sheets_that_are_read_back() {
    let tiles = TileSet::english();
    let words = "AA AB AD AE AH AI AN AR AS AT BE BY DO EN ER ES EX GO HA HE HI HO ID IF IN IS IT LA LO MA ME MY NO OF ON OR OX PA QI RE SO TA TO \
        UP US WE YE ZA CAT DOG EAT TEA TEN NET RAT RATE TEAR STAR QUIZ JOKE VINE WAVE ZONE STONE NOTES RETAINS";
    let words = words
        .split_whitespace()
        .map(|w| tiles.read_word(w).unwrap());
    let engine = Arc::new(Engine::new(Lexicon::new("small", &tiles, words).unwrap()));
    for (seed, settings) in [
        (1, Settings::default()),
        (
            2,
            Settings {
                leftover: Leftover::Doubled,
                ..Settings::default()
            },
        ),
        (
            3,
            Settings {
                seats: 3,
                challenge: Challenge::Single,
                ..Settings::default()
            },
        ),
    ] {
        let game = Arc::new(Scrabble::new(Arc::clone(&engine), settings));
        let mut table = Match::new(Arc::clone(&game), Seed::new(seed), None);
        let mut leave = Leave::new(house::leaves(&tiles), 0);
        loop {
            table.settle();
            let Turn::Of(seat) = table.turn() else { break };
            let view = game.view(table.state(), Eyes::Seat(seat)).into_owned();
            let budget = wits_play::Budget::endless();
            let mut desk = wits_play::Desk {
                budget: &budget,
                dice: table.dice(seat),
                tell: &mut |_| {},
                record: None,
            };
            let choice = if seat == Seat::FIRST {
                wits_play::Player::choose(&mut leave, &game, &view, &mut desk)
            } else {
                wits_play::Player::choose(&mut Greedy, &game, &view, &mut desk)
            };
            let wits_play::Choice::Move(mv) = choice else {
                panic!("machines do not resign")
            };
            table.play_move(&mv, None).unwrap();
        }
        let names: Vec<String> = ["Ann", "Bo", "Cy"]
            .iter()
            .map(ToString::to_string)
            .collect();
        let sheet = transcript(&game, &game.start(), table.events(), &names);
        assert_eq!(sheet.slips(engine.values(), 50), []);
        let text = gcg::write(&sheet, &tiles);
        let read = gcg::read(&text, &tiles).unwrap();
        assert_eq!(gcg::write(&read, &tiles), text);
        for (player, _) in sheet.players.iter().enumerate() {
            let last = sheet.turns.iter().rfind(|t| t.player == player).unwrap();
            assert_eq!(last.total, table.state().scores[player], "{text}");
        }
    }
}

#[test]
fn broken_score_sheets_are_refused_with_line_and_column() {
    let tiles = TileSet::english();
    let head = "#character-encoding UTF-8\n#player1 ann Ann\n#player2 bo Bo\n";
    for (text, line, column, says) in [
        ("hello".to_owned(), 1, 1, "begins with"),
        ("#title a\n>ann\nhello".to_owned(), 2, 2, "no `:`"),
        ("#player1 ann Ann\nhello".to_owned(), 2, 1, "begins with"),
        (
            format!("{head}>cy: ABC 8H CAB +14 14"),
            4,
            2,
            "no player is called `cy`",
        ),
        (format!("{head}>ann ABC"), 4, 2, "no `:`"),
        (format!("{head}>ann: ABC 8H"), 4, 13, "the word is missing"),
        (
            format!("{head}>ann: ABC 8H CAB +14"),
            4,
            21,
            "ends too early",
        ),
        (
            format!("{head}>ann: ABC 8H CAB x 14"),
            4,
            18,
            "not a number",
        ),
        (format!("{head}>ann: AB1 8H CAB +14 14"), 4, 9, "`1`"),
        (format!("{head}>ann: ABC Z9 CAB +14 14"), 4, 11, "no place"),
        (
            format!("{head}>ann: ABC 8N CAB +14 14"),
            4,
            14,
            "runs off the board",
        ),
        (
            format!("{head}>ann: ABC 8H C.B +14 14"),
            4,
            14,
            "no tile lies on I8",
        ),
    ] {
        let error = gcg::read(&text, &tiles).unwrap_err();
        assert!(error.to_string().contains(says), "{error}");
        assert_eq!((error.line, error.column), (line, column), "{error}");
    }
}
