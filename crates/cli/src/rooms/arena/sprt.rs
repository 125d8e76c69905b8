//! `wits arena sprt`: is A stronger than B?

use anyhow::Result;
use serde_json::json;
use wits_arena::stats::{Counts, Sprt, Test, Verdict, superiority};
use wits_arena::{Coordinator, File, Hall, Header, LimitsFile};
use wits_play::Catalog;

use super::args::SprtArgs;
use super::{now, play, problem};
use crate::out::Out;
use crate::problem::Problem;
use crate::{Answer, shelf};

/// `wits arena sprt`
pub(super) fn run(catalog: &Catalog, args: &SprtArgs, out: &Out) -> Result<Answer> {
    let sprt = Sprt {
        elo0: args.elo0,
        elo1: args.elo1,
        alpha: args.alpha,
        beta: args.beta,
        model: args.model,
    };
    sprt.check().map_err(|e| {
        Problem::new(
            "usage",
            e.to_string(),
            "usual are --elo0 0 --elo1 5, or --elo0 -3 --elo1 1",
        )
    })?;
    if let Some(counts) = args.counts {
        let test = sprt.test(&counts);
        tell(&sprt, &counts, &test, "", out)?;
        return Ok(Answer::Yes);
    }
    let (Some(game), Some(a), Some(b)) = (&args.game, &args.a, &args.b) else {
        return Err(Problem::new(
            "usage",
            "nothing to test",
            "give `--counts`, or `--game`, `--a` and `--b`",
        )
        .into());
    };
    let file = File {
        game: game.to_string(),
        players: vec![
            wits_arena::EntrantFile::Named {
                name: "A".to_owned(),
                spec: a.to_string(),
            },
            wits_arena::EntrantFile::Named {
                name: "B".to_owned(),
                spec: b.to_string(),
            },
        ],
        games: Some(args.games),
        random_plies: Some(args.random_plies),
        seed: args.seed.seed,
        limits: Some(LimitsFile {
            nodes: args.nodes,
            think: args.time.time,
            move_time: args.time.move_time,
            game_time: args.time.game_time,
            increment: args.time.increment,
            ..LimitsFile::default()
        }),
        ..File::default()
    };
    let shelf = shelf::fill(catalog, game, &[a, b])?;
    let mut tournament = file.tournament(catalog, &shelf).map_err(problem)?;
    tournament.name = format!("sprt-{}", &tournament.id()[..12]);
    let store = args.place.open()?;
    let header = Header {
        tournament,
        begun: now(),
        anchor: Some("B".to_owned()),
        anchor_rating: 0.0,
    };
    let mut coordinator = Coordinator::begin(&store, header).map_err(problem)?;
    let hall = Hall::new(catalog.clone(), shelf);
    // What was looked at once need not be looked at again.
    let seen = std::cell::Cell::new(0);
    let clear = |c: &Coordinator<'_>| {
        let growing = c.ledger().growing(0, 1);
        let fresh = &growing[seen.replace(growing.len()).min(growing.len())..];
        fresh
            .iter()
            .any(|counts| sprt.test(counts).verdict != Verdict::Continue)
    };
    if !clear(&coordinator) {
        play(&mut coordinator, &hall, &args.crew.ready(None)?, &clear)?;
    }
    let (counts, test) = verdict(&sprt, &coordinator);
    let more = format!("A = {a}, B = {b}, {}\n", coordinator.tournament().game);
    tell(&sprt, &counts, &test, &more, out)?;
    Ok(Answer::Yes)
}

/// The test where it first became clear, in the order of the plan: however many threads play, and
/// however results arrive, the verdict is the same.
fn verdict(sprt: &Sprt, coordinator: &Coordinator<'_>) -> (Counts, Test) {
    let growing = coordinator.ledger().growing(0, 1);
    for counts in &growing {
        let test = sprt.test(counts);
        if test.verdict != Verdict::Continue {
            return (*counts, test);
        }
    }
    let last = growing.last().copied().unwrap_or(Counts::Games([0; 3]));
    (last, sprt.test(&last))
}

fn tell(sprt: &Sprt, counts: &Counts, test: &Test, more: &str, out: &Out) -> Result<()> {
    let (low, high) = counts.interval();
    let list = counts.list();
    let half = list.len() / 2;
    let better: u64 = list[half + 1..].iter().sum();
    let worse: u64 = list[..half].iter().sum();
    let value = json!({
        "llr": test.llr, "lower": test.lower, "upper": test.upper, "verdict": test.verdict,
        "counts": list, "score": counts.score(), "interval": [low, high],
        "superiority": superiority(better, worse), "elo0": sprt.elo0, "elo1": sprt.elo1,
        "alpha": sprt.alpha, "beta": sprt.beta, "model": sprt.model,
    });
    out.tell(&value, || {
        let says = match test.verdict {
            Verdict::H0 => format!("accepted: A is not {} Elo stronger", sprt.elo1),
            Verdict::H1 => format!("accepted: A is more than {} Elo stronger", sprt.elo0),
            Verdict::Continue => "not clear yet: more games are needed".to_owned(),
        };
        let unit = if list.len() == 5 { "pairs with 0, ½, 1, 1½, 2 points" } else { "lost, drawn, won" };
        format!(
            "{more}{unit}: {counts}\nscore {:.1}% (95% interval {:.1}% to {:.1}%)\nlog-likelihood ratio {:.6}, stops at {:.6} and {:.6}\n{says}",
            100.0 * counts.score(), 100.0 * low, 100.0 * high, test.llr, test.lower, test.upper,
        )
    })
}
