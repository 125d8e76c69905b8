//! `scrabble analyse`: every turn of a game beside the best, with the chance to win, and luck apart from skill.

use std::io::Read as _;
use std::sync::Arc;

use serde_json::{Value, json};
use wits_desk::{
    Answer, Args, Block, Cell, Cost, Param, ParamKind, Picture, Progress, Refusal, Served, Shelf,
    Table, Verb, Work,
};
use wits_game::{Figure, Message, Seed};

use super::{INSIDE, engine, heads, other_words, say};
use crate::files::gcg::{self, Sheet};
use crate::review::{By, Depth, Review, Reviewed, chart, review};
use crate::{Engine, Settings, TileSet, WORDS};

/// How many mistakes are named.
const DEAREST: usize = 3;
/// How many moves are tried beside the one that was made.
const CANDIDATES: usize = 10;

pub(super) fn verb() -> Verb {
    let lexicon = Param::new(
        "lexicon",
        ParamKind::File,
        &"",
        &WORDS,
        "param-sheet-lexicon",
    );
    Verb {
        id: "analyse",
        about: say("verb-analyse"),
        params: vec![
            Param::file("sheets", &WORDS, "param-sheets")
                .positional()
                .many()
                .listed()
                .folder()
                .required()
                .shown_as("FILE"),
            lexicon.optional().shown_as("NAME").offering(INSIDE),
            Param::int("rollouts", 0, 1_000_000, 600, &WORDS, "param-turn-rollouts"),
            Param::int("seed", 0, 1 << 53, 1, &WORDS, "param-seed"),
            Param::output("svg", &WORDS, "param-chart").shown_as("FILE"),
        ],
        examples: &["wits scrabble analyse game.gcg --svg chart.svg"],
        served: Served::Everywhere,
        cost: Cost::LONG,
        run: |args, shelf, work| {
            let names = sheets(&args.list("sheets"), shelf);
            let mut games = Vec::new();
            let mut blocks = Vec::new();
            let count = names.len() as u64;
            for (at, name) in names.iter().enumerate() {
                let (game, told) = one(name, args, shelf, work, (at as u64, count))?;
                games.push(game);
                blocks.extend(told);
            }
            let mut answer = Answer::yes(json!({ "games": games }));
            for block in blocks {
                answer = answer.with(block);
            }
            Ok(answer)
        },
    }
}

/// The sheets that are named, with those in folders that are.
fn sheets(names: &[String], shelf: &Shelf) -> Vec<String> {
    let mut found = Vec::new();
    for name in names {
        let inside = format!("{}/", name.trim_end_matches('/'));
        let is_sheet = |path: &str| {
            let end = path.len().saturating_sub(4);
            path.get(end..)
                .is_some_and(|e| e.eq_ignore_ascii_case(".gcg"))
        };
        let mut below: Vec<String> = shelf
            .names()
            .filter(|path| path.strip_prefix(&inside).is_some_and(|p| !p.contains('/')))
            .filter(|path| is_sheet(path))
            .map(str::to_owned)
            .collect();
        below.sort();
        if below.is_empty() {
            found.push(name.clone());
        } else {
            found.extend(below);
        }
    }
    found
}

/// The lexicon that a sheet is judged by: the one asked for, the one it names or that stands for it, or the one whose tiles it was played
/// with; and what is to be said about it.
fn judge_of(
    args: &Args,
    shelf: &Shelf,
    text: &str,
    wrong: &dyn Fn(gcg::BadGcg) -> Refusal,
) -> Result<(Arc<Engine>, Option<Block>), Refusal> {
    if let Some(name) = args.text_if("lexicon").filter(|name| !name.is_empty()) {
        return Ok((engine(name, shelf)?, None));
    }
    let named = gcg::named(text);
    if let Some((name, Some(related))) = named {
        let note = (!related.same).then(|| other_words(name, related.ours));
        return Ok((engine(related.ours, shelf)?, note));
    }
    let (tiles, _) = gcg::guess(text, TileSet::shipped()).map_err(wrong)?;
    let ours = tiles.name();
    let note = match named {
        Some((name, None)) => Some(other_words(name, ours)),
        _ if ours == "english" => None,
        _ => Some(Block::Note(say("sheet-guessed").with("ours", ours))),
    };
    Ok((engine(ours, shelf)?, note))
}

/// One game: for programs, and for people.
fn one(
    name: &str,
    args: &Args,
    shelf: &Shelf,
    work: &mut Work<'_>,
    (at, games): (u64, u64),
) -> Result<(Value, Vec<Block>), Refusal> {
    let mut bytes = Vec::new();
    let read = shelf.open(name)?.read_to_end(&mut bytes);
    read.map_err(|error| wits_desk::unread(name, &error))?;
    let wrong = |error: gcg::BadGcg| {
        let why = say("bad-sheet").with("file", Message::plain(name));
        let why = why.with("why", Message::plain(error.to_string()));
        Refusal::new("bad-sheet", why, say("bad-sheet-hint"))
    };
    let text = gcg::decode(&bytes).map_err(wrong)?;
    let (engine, note) = judge_of(args, shelf, &text, &wrong)?;
    let sheet = gcg::read(&text, engine.tiles()).map_err(wrong)?;
    let settings = Settings::usual(engine.tiles().language());
    let depth = Depth {
        rollouts: args.int("rollouts") as u64,
        candidates: CANDIDATES,
        threads: work.threads(),
        seed: Seed::new(args.int("seed") as u64),
    };
    let budget = work.budget().clone();
    let reviewed = review(
        &engine,
        &settings,
        &sheet,
        &depth,
        &budget,
        &mut |done, all| {
            let all = all.max(1) as u64;
            work.tell(Progress {
                done: at * all + done as u64,
                total: Some(games * all),
                ..Progress::default()
            });
        },
    );
    let slips = sheet.slips(engine.values(), settings.bingo);
    let mut blocks = told(name, &sheet, &reviewed, games > 1 || note.is_some());
    blocks.extend(note);
    for (line, why) in &slips {
        let says = say("sheet-slip").with("line", *line);
        blocks.push(Block::Note(says.with("why", Message::plain(why.clone()))));
    }
    if !reviewed.complete && depth.rollouts > 0 {
        blocks.push(Block::Note(say("review-part")));
    }
    if let Some(svg) = chart(&sheet, &reviewed) {
        blocks.push(Block::Picture(Picture {
            name: if at == 0 {
                "svg".to_owned()
            } else {
                format!("svg-{}", at + 1)
            },
            title: say("title-chart"),
            svg,
        }));
    }
    Ok((as_json(name, &sheet, &reviewed, &slips), blocks))
}

/// What a player gave away and was given.
struct Sums {
    name: String,
    turns: usize,
    loss: f64,
    lost_win: f64,
    luck: f64,
    luck_win: f64,
    missed: usize,
    phonies: usize,
}

fn sums(sheet: &Sheet, reviewed: &Reviewed) -> Vec<Sums> {
    let of = |(player, (_, name)): (usize, &(String, String))| {
        let own = reviewed.turns.iter().filter(|t| t.turn.player == player);
        let own: Vec<&Review> = own.collect();
        let sum = |pick: &dyn Fn(&Review) -> f64| own.iter().map(|t| pick(t)).sum();
        Sums {
            name: name.clone(),
            turns: own.len(),
            loss: sum(&|t| t.turn.loss),
            lost_win: sum(&|t| t.lost_win.unwrap_or(0.0)),
            luck: sum(&|t| t.luck.map_or(0.0, |luck| luck.points)),
            luck_win: sum(&|t| t.luck.map_or(0.0, |luck| luck.win)),
            missed: own.iter().filter(|t| t.turn.missed_bingo.is_some()).count(),
            phonies: own.iter().filter(|t| !t.turn.phonies.is_empty()).count(),
        }
    };
    sheet.players.iter().enumerate().map(of).collect()
}

fn as_json(name: &str, sheet: &Sheet, reviewed: &Reviewed, slips: &[(usize, String)]) -> Value {
    let players: Vec<Value> = sums(sheet, reviewed)
        .into_iter()
        .map(|s| {
            json!({"name": s.name, "loss": s.loss, "turns": s.turns, "missed_bingos": s.missed, "lost_win": s.lost_win,
                "luck": s.luck, "luck_win": s.luck_win, "phonies": s.phonies})
        })
        .collect();
    let slips: Vec<Value> = slips
        .iter()
        .map(|(line, why)| json!({"line": line, "why": why}))
        .collect();
    let dearest: Vec<usize> = reviewed
        .dearest(DEAREST)
        .iter()
        .map(|t| t.turn.turn)
        .collect();
    json!({"file": name, "players": players, "turns": reviewed.turns, "mistakes": dearest, "slips": slips,
        "complete": reviewed.complete})
}

/// What is to be said of a turn beside its numbers.
fn remark(turn: &Review) -> Cell {
    let judged = &turn.turn;
    if judged.withdrawn {
        return Cell::Says(say("turn-withdrawn"));
    }
    if !judged.phonies.is_empty() {
        return Cell::Says(say("turn-phony").with("words", judged.phonies.join(", ")));
    }
    match (&judged.missed_bingo, turn.by) {
        (Some(missed), _) => Cell::Says(say("turn-missed").with("move", missed.clone())),
        (None, By::Exact) => Cell::Says(say("turn-exact")),
        (None, By::FirstSight) => Cell::Says(say("turn-first-sight")),
        (None, By::Simulation) => Cell::Empty,
    }
}

fn told(name: &str, sheet: &Sheet, reviewed: &Reviewed, named: bool) -> Vec<Block> {
    let mut blocks = Vec::new();
    if named {
        blocks.push(Block::Says(Message::plain(name)));
    }
    let who = |turn: &Review| {
        sheet
            .players
            .get(turn.turn.player)
            .map_or("?", |p| p.0.as_str())
    };
    let share = |x: Option<f64>| x.map_or(Cell::Empty, Cell::share);
    let keys = [
        "turn",
        "player",
        "own-rack",
        "move",
        "points",
        "wins",
        "best",
        "lost-wins",
        "lost-points",
        "luck",
        "remark",
    ];
    let mut table = Table::new("turns", say("title-turns"), heads(&keys));
    for turn in &reviewed.turns {
        let judged = &turn.turn;
        let best = if turn.mistake() {
            Cell::text(format!("{} ({})", judged.best.text, judged.best.score))
        } else {
            Cell::Empty
        };
        table = table.row(vec![
            Cell::whole(judged.turn as u64 + 1),
            Cell::text(who(turn)),
            Cell::text(judged.rack.clone()),
            Cell::text(judged.played.text.clone()),
            Cell::whole(if judged.withdrawn {
                0
            } else {
                judged.played.score
            }),
            share(turn.win),
            best,
            share(turn.lost_win),
            Cell::decimal(judged.loss, 1),
            turn.luck
                .map_or(Cell::Empty, |luck| Cell::decimal(luck.points, 1)),
            remark(turn),
        ]);
    }
    blocks.push(Block::Table(table));
    let keys = [
        "player",
        "lost-wins",
        "lost-points",
        "luck-wins",
        "luck",
        "missed",
        "phonies",
    ];
    let mut table = Table::new("players", say("title-players"), heads(&keys));
    for sums in sums(sheet, reviewed) {
        table = table.row(vec![
            Cell::text(sums.name),
            Cell::share(sums.lost_win),
            Cell::decimal(sums.loss, 1),
            Cell::share(sums.luck_win),
            Cell::decimal(sums.luck, 1),
            Cell::whole(sums.missed as u64),
            Cell::whole(sums.phonies as u64),
        ]);
    }
    blocks.push(Block::Table(table));
    let dearest = reviewed.dearest(DEAREST);
    if dearest.is_empty() {
        blocks.push(Block::Says(say("no-mistakes")));
    }
    for turn in dearest {
        let judged = &turn.turn;
        let key = if turn.lost_win.is_some() {
            "mistake"
        } else {
            "mistake-points"
        };
        let says = say(key)
            .with("turn", judged.turn + 1)
            .with("name", Message::plain(who(turn)))
            .with("move", Message::plain(judged.played.text.clone()))
            .with("best", Message::plain(judged.best.text.clone()))
            .with("wins", Figure::Share(turn.lost_win.unwrap_or(0.0)))
            .with("points", Figure::Decimal(judged.loss, 1));
        blocks.push(Block::Says(says));
    }
    blocks
}
