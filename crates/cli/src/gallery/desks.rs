//! Threads of the rooms with a desk: searches for a journey, proofs, a grid and a tournament.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context as _, Result};
use wits_arena::{Coordinator, File, Hall, Header};
use wits_expert::query::{Wish, query};
use wits_expert::{Base, Sample, Session, Turn, built_in};
use wits_game::Seed;
use wits_learn::{Control, GridPlan};
use wits_play::{Catalog, Shelf};
use wits_search::Thread;
use wits_store::Store;
use wits_transit::names::resolve;
use wits_transit::tour::{Method, Tabu, TourBy, TourQuestion};
use wits_transit::{Algorithm, CityPlan, Planner, Question, Time, Walking, generate};

/// One thread: its name and its text.
type Exhibit = (String, String);

/// All threads of a desk.
pub(super) fn of(desk: &str, catalog: &Catalog) -> Result<Vec<Exhibit>> {
    let threads = match desk {
        "transit" => transit()?,
        "expert" => expert()?,
        "learn" => vec![("grid", grid()?)],
        _ => vec![("tournament", tournament(catalog)?)],
    };
    let named = |(name, thread): (&str, Thread)| (format!("{desk}-{name}"), thread.text());
    Ok(threads.into_iter().map(named).collect())
}

/// The desks in the order of the page.
pub(super) const DESKS: [&str; 4] = ["transit", "expert", "learn", "arena"];

/// The most steps of a search.
const STEPS: usize = 20_000;
/// A town small enough that a whole search fits into a file.
const TOWN: f64 = 0.05;
/// The algorithms that find one journey, and how they are asked for.
const ALGORITHMS: [(&str, &str); 7] = [
    ("dijkstra", "dijkstra"),
    ("astar", "astar:graph=dependent,bound"),
    ("csa", "csa"),
    ("profile-csa", "profile-csa"),
    ("raptor", "raptor"),
    ("tripbased", "tripbased"),
    ("sweep", "sweep"),
];

fn transit() -> Result<Vec<(&'static str, Thread)>> {
    let plan = CityPlan {
        size: TOWN,
        ..CityPlan::default()
    };
    let planner = Planner::new(Arc::new(generate(&plan)), Walking::Real, None)?;
    let at = Time::hm(8, 0);
    let (from, to, others) = ends(&planner)?;
    let mut all = Vec::new();
    for (name, spec) in ALGORITHMS {
        let algorithm: Algorithm = spec.parse()?;
        let question = Question {
            algorithm,
            ..Question::new(from.clone(), to.clone(), at)
        };
        let (_, thread) = planner.route_thread(&question, STEPS)?;
        all.push((name, thread));
    }
    let tabu = Tabu {
        seed: Seed::new(7),
        shuffle: true,
        ..Tabu::default()
    };
    for (name, method) in [
        ("tour-exact", Method::Exact),
        ("tour-tabu", Method::Tabu(tabu)),
    ] {
        let question = TourQuestion {
            start: from.clone(),
            stops: others.clone(),
            at,
            by: TourBy::Time,
            open: false,
            dwell: 0,
            method,
        };
        let tour = planner.tour(&question)?;
        let thread = planner.tour_thread(&question, &tour, STEPS);
        all.push((name, thread));
    }
    Ok(all)
}

/// How many stops a tour visits, its start included.
const PLACES: usize = 10;

/// Posts of one name.
type Posts = Vec<u32>;

/// The longest journey that is shown, in minutes.
const LONGEST: i32 = 60;

/// The two ends of the longest journey among some stops in the order of the timetable, and all of these stops.
fn ends(planner: &Planner) -> Result<(Posts, Posts, Vec<Posts>)> {
    let mut names: Vec<&str> = Vec::new();
    for stop in 0..planner.table.stops.len() as u32 {
        let name = planner.table.stop_name(stop);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let step = (names.len() / PLACES).max(1);
    let mut places = Vec::new();
    for name in names.iter().step_by(step).take(PLACES) {
        places.push(resolve(&planner.table, name)?);
    }
    let mut best = None;
    for from in &places {
        for to in places.iter().filter(|to| *to != from) {
            let question = Question::new(from.clone(), to.clone(), Time::hm(8, 0));
            let answer = planner.route(&question)?;
            let minutes = answer.journeys.last().map_or(0, |j| j.total_minutes);
            // A night at a stop makes a dull thread.
            if minutes <= LONGEST && best.as_ref().is_none_or(|(most, _, _)| minutes > *most) {
                best = Some((minutes, from.clone(), to.clone()));
            }
        }
    }
    let (_, from, to) = best.context("a town has two stops")?;
    let others = places.into_iter().filter(|place| *place != from).collect();
    Ok((from, to, others))
}

/// Who is related to whom: small enough to be followed goal by goal.
const FAMILY: &str = include_str!("../../../web/src/rooms/expert/examples/family.pl");
/// Queens on a small board: a search that goes back.
const QUEENS: &str = include_str!("../../../web/src/rooms/expert/examples/queens.pl");

fn expert() -> Result<Vec<(&'static str, Thread)>> {
    let mut all = Vec::new();
    for (name, text, goal, limit) in [
        ("family", FAMILY, "ancestor(X, zoe).", 3),
        ("queens", QUEENS, "queens(4, Rows).", 1),
    ] {
        let wish = Wish {
            limit,
            trace: Some(400),
            ..Wish::default()
        };
        let answers = query(name, text, goal, wish);
        let thread = wits_expert::thread(name, goal, &answers);
        all.push((name, thread));
    }
    all.push(("dialogue", dialogue()?));
    Ok(all)
}

/// The longest sample conversation about a printer.
fn dialogue() -> Result<Thread> {
    let text = built_in("printer").context("the program has a base about printers")?;
    let base = Base::read("printer", text)?;
    let sample = base.samples.iter().max_by_key(|s| s.answers.len());
    conversation(&base, sample.context("the base has samples")?)
}

/// A conversation to its advice, or to a question that the sample does not answer.
fn conversation(base: &Base, sample: &Sample) -> Result<Thread> {
    let mut session = Session::new(base);
    let problem = base.problem(&sample.problem);
    let problem = problem.context("a sample is about a problem")?;
    session.choose(base, &problem.category)?;
    session.choose(base, &problem.id)?;
    loop {
        let turn = session.turn(base)?;
        if let Turn::Question { id, .. } = &turn
            && let Some((_, said)) = sample.answers.iter().find(|(asked, _)| asked == id)
        {
            let reply = base.read_reply(id, said)?;
            session.reply(base, reply)?;
            continue;
        }
        let steps = session.steps(base, &turn, wits_expert::STEPS)?;
        let steps = steps.context("a problem is looked at")?;
        return Ok(wits_expert::conversation(
            (base, "printer"),
            &session,
            &turn,
            &steps,
        ));
    }
}

fn grid() -> Result<Thread> {
    let plan = GridPlan::quick();
    let result = wits_learn::grid(&wits_learn::bench::glass(), &plan, &Control::quiet())?;
    Ok(wits_learn::grid_thread(&result, "glass"))
}

/// Four machines of one small game, each against each.
const TOURNAMENT: &str = r#"
about = "Machines of tic-tac-toe"
game = "tictactoe"
players = ["random", "alphabeta:depth=2", "mcts:nodes=200", "perfect"]
games = 10
random-plies = 2
seed = 7
"#;

fn tournament(catalog: &Catalog) -> Result<Thread> {
    let file = File::read(TOURNAMENT, "tictactoe")?;
    let shelf = Shelf::new();
    let tournament = file.tournament(catalog, &shelf)?;
    let store = Store::memory()?;
    let header = Header {
        tournament,
        begun: 0,
        anchor: None,
        anchor_rating: 1000.0,
    };
    let mut coordinator = Coordinator::begin(&store, header)?;
    let hall = Hall::new(catalog.clone(), shelf);
    let stop = AtomicBool::new(false);
    wits_arena::run(&mut coordinator, &hall, 1, &stop, &|| 0, &mut |_| {
        ControlFlow::Continue(())
    })?;
    let players = &coordinator.tournament().players;
    let names: Vec<String> = players.iter().map(|player| player.name.clone()).collect();
    wits_arena::thread(&coordinator, &names).context("games were played")
}
