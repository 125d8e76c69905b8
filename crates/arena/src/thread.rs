//! A tournament as a thread: its cross table, filling result by result in the order of the plan.

use wits_game::{Book, Figure, Lang};
use wits_search::{Kind, Recorder, Step, Thread, ThreadHeader, Watch};

use crate::{Coordinator, Table};

/// What the threads of tournaments say.
pub static WORDS: Book = Book::new(
    "arena",
    &[
        (Lang::En, include_str!("../texts/en.txt")),
        (Lang::Pl, include_str!("../texts/pl.txt")),
        (Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

/// The most steps that a thread keeps.
const STEPS: usize = 20_000;

/// The thread of what was played so far, with the players called by these names; nothing before the first result.
pub fn thread(coordinator: &Coordinator<'_>, names: &[String]) -> Option<Thread> {
    let table = coordinator.table();
    let best = &names[table.rows.first()?.player];
    if table.games == 0 {
        return None;
    }
    let mut recorder = Recorder::new(STEPS);
    results(coordinator, names, &mut recorder);
    let score = table.rows.first()?.score;
    recorder.step(|| {
        let says = WORDS
            .say("choose")
            .with("name", best)
            .with("score", Figure::share(score));
        Step::new(Kind::Choose, says)
            .data("answer", best.clone())
            .data("value", score)
    });
    let tournament = coordinator.tournament();
    let mut header = ThreadHeader::new("arena", "grid");
    tournament.name.clone_into(&mut header.subject);
    tournament.game.clone_into(&mut header.by);
    header.seed = tournament.seed.number();
    header.title = WORDS
        .say("title")
        .with("count", tournament.players.len() as u64)
        .with("game", &tournament.game)
        .to_string();
    header.summary = summary(&table, names);
    Some(recorder.finish(&header, best, Lang::spoken()))
}

/// Every result moves two cells of the cross table, and sometimes the lead.
fn results(coordinator: &Coordinator<'_>, players: &[String], watch: &mut impl Watch) {
    let ledger = coordinator.ledger();
    let mut cross = vec![vec![(0.0, 0_u32); players.len()]; players.len()];
    let mut lead = None;
    for share in ledger.shares() {
        for (a, b, won) in [
            (share.a, share.b, share.share),
            (share.b, share.a, 1.0 - share.share),
        ] {
            let (points, games) = &mut cross[a][b];
            *points += won;
            *games += 1;
            let (points, games) = (*points, *games);
            watch.step(|| {
                let says = WORDS
                    .say("cell")
                    .with("one", &players[a])
                    .with("other", &players[b])
                    .with("points", points)
                    .with("count", u64::from(games));
                Step::new(Kind::Cell, says)
                    .data("row", players[a].clone())
                    .data("column", players[b].clone())
                    .data("value", points / f64::from(games))
                    .data("games", games)
            });
        }
        let score = |row: &Vec<(f64, u32)>| {
            let games: u32 = row.iter().map(|(_, games)| games).sum();
            row.iter().map(|(points, _)| points).sum::<f64>() / f64::from(games.max(1))
        };
        let best = cross
            .iter()
            .enumerate()
            .map(|(place, row)| (place, score(row)))
            .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        if let Some((place, score)) = best.filter(|best| lead != Some(best.0)) {
            lead = Some(place);
            watch.step(|| {
                let says = WORDS
                    .say("lead")
                    .with("name", &players[place])
                    .with("score", Figure::share(score));
                Step::new(Kind::Improve, says)
                    .data("answer", players[place].clone())
                    .data("value", score)
            });
        }
    }
}

fn summary(table: &Table, names: &[String]) -> String {
    let done = WORDS
        .say("summary")
        .with("games", table.games)
        .with("count", table.rows.len() as u64);
    let line = |row: &crate::Row, key: &'static str| {
        WORDS
            .say(key)
            .with("name", &names[row.player])
            .with("score", Figure::share(row.score))
            .with("low", Figure::share(row.score_interval.0))
            .with("high", Figure::share(row.score_interval.1))
            .to_string()
    };
    let first = table.rows.first().map(|row| line(row, "summary-first"));
    let second = table.rows.get(1).map(|row| line(row, "summary-second"));
    let said = [Some(done.to_string()), first, second];
    said.into_iter().flatten().collect::<Vec<_>>().join(" ")
}
