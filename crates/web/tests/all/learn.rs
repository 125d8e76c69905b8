//! The learning desk over HTTP: tables, grids that fill, runs that survive, and bad input.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use wits_learn::{Found, Model, Run};
use wits_play::Catalog;
use wits_store::Store;
use wits_web::testing::{Client, House, Reply};

fn over(store: Store) -> House {
    House::open(Catalog::new(Vec::new()), store, |_| {})
}

fn open() -> House {
    over(Store::memory().unwrap())
}

fn on_disk(folder: &Path) -> House {
    over(Store::sqlite(folder.join("wits.db")).unwrap())
}

const FORM: (&str, &str) = ("content-type", "application/x-www-form-urlencoded");

fn send(client: &mut Client, csv: &str) -> Reply {
    let kind = ("content-type", "text/csv");
    client
        .send("POST", "/learn/data?name=mine.csv", &[kind], csv)
        .unwrap()
}

fn page_of(reply: &Reply) -> String {
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()["page"].as_str().unwrap().to_owned()
}

fn begin(client: &mut Client, data: &str, fields: &str) -> Reply {
    let path = format!("/learn/data/{data}/grid");
    client.send("POST", &path, &[FORM], fields).unwrap()
}

const SMALL: &str = "imputer=mean&imputer=median&transformer=passthrough&transformer=standard%20%2B%20pca&classifier=knn:k%3D3&classifier=tree:depth%3D3&folds=3&missing=5&seed=4";
/// Takes some minutes if nobody stops it.
const LONG: &str = "imputer=mean&transformer=passthrough&classifier=knn:k%3D1&classifier=random-forest:trees%3D5000&folds=50&repeats=20";

/// Waits for the end of a run; gives everything that was told on the way.
fn follow(client: &Client, page: &str) -> Vec<Value> {
    let mut events = client.listen(&format!("{page}/events"), None).unwrap();
    let mut told = Vec::new();
    loop {
        let (name, data) = events.hear().unwrap();
        told.push(data);
        if name == "over" {
            return told;
        }
    }
}

#[test]
fn a_grid_fills_live_and_equals_the_library_s() {
    let house = open();
    let mut ada = house.visitor();
    let page = page_of(&begin(&mut ada, "glass", SMALL));
    let told = follow(&ada, &page);
    let cells: usize = told
        .iter()
        .map(|t| t["cells"].as_array().unwrap().len())
        .sum();
    assert_eq!(cells, 8);
    let run = ada.get(&format!("{page}/keep/run.json")).unwrap();
    let Found::Grid { result, .. } = Run::from_json(&run.body).unwrap().found else {
        panic!("a grid was run");
    };
    let data = wits_learn::bench::glass().with_missing(0.05, 4);
    let mut plan = wits_learn::GridPlan::new(
        &["mean", "median"],
        &["passthrough", "standard + pca"],
        &["knn:k=3", "tree:depth=3"],
    )
    .unwrap();
    plan.validation = wits_learn::Validation::folds(3);
    plan.seed = 4;
    let own = wits_learn::grid(&data, &plan, &wits_learn::Control::quiet()).unwrap();
    assert_eq!(result.pipelines, own.pipelines);
    let csv = ada.get(&format!("{page}/keep/board.csv")).unwrap();
    assert_eq!(csv.body.lines().count(), 9);
    let thread = ada.get(&format!("{page}/keep/grid.thread")).unwrap();
    assert!(thread.body.starts_with("{\"thread\":2,\"room\":\"learn\""));
    assert_eq!(thread.body.matches("\"kind\":\"cell\"").count(), 8);
    let html = ada.get(&page).unwrap().body;
    assert_eq!(html.matches("class=\"known").count(), 8, "{html}");
    for kind in ["imputers", "transformers", "classifiers"] {
        let svg = ada.get(&format!("{page}/keep/{kind}.svg")).unwrap();
        assert!(svg.body.starts_with("<svg"), "{kind}");
    }
    // Somebody else may look, and comes from the middle on if they say what they have seen.
    let mut events = house
        .visitor()
        .listen(&format!("{page}/events"), Some(6))
        .unwrap();
    let (name, rest) = events.hear().unwrap();
    assert_eq!(
        (name.as_str(), rest["cells"].as_array().unwrap().len()),
        ("over", 2)
    );
}

#[test]
fn grids_are_listed_with_date_class_and_best_score_and_their_csv_is_quoted() {
    let house = open();
    let mut ada = house.visitor();
    let fields = "target=species&imputer=mean&transformer=passthrough&classifier=tree:depth%3D1,criterion%3Dentropy&folds=3";
    let page = page_of(&begin(&mut ada, "iris", fields));
    follow(&ada, &page);
    // Two of three classes can be told by one question.
    let html = ada.get("/learn").unwrap().body;
    let (_, list) = html.split_once("id=\"runs\"").unwrap();
    let (line, _) = list.split_once("</li>").unwrap();
    assert!(line.contains(&format!("href=\"{page}\"")), "{line}");
    assert!(line.contains("<time datetime=\"20"), "{line}");
    assert!(
        line.contains(" · species · 1 pipeline · best 66.0\u{a0}%"),
        "{line}"
    );
    let csv = ada.get(&format!("{page}/keep/board.csv")).unwrap().body;
    let (_, row) = csv.trim_end().split_once('\n').unwrap();
    let tree = ",\"tree:depth=1,criterion=entropy\",";
    assert!(
        row.starts_with("1,mean,passthrough") && row.contains(tree),
        "{row}"
    );
}

/// Stopped in the midst of a fit of minutes, a run has every fold that was finished.
#[test]
fn a_run_that_is_stopped_keeps_every_finished_fold() {
    let house = open();
    let mut ada = house.visitor();
    let fields = "imputer=mean&transformer=passthrough&classifier=knn:k%3D1&classifier=boosting:trees%3D10000,depth%3D10&folds=5";
    let page = page_of(&begin(&mut ada, "glass", fields));
    let mut events = ada.listen(&format!("{page}/events"), None).unwrap();
    while events.hear().unwrap().1["done"].as_u64() < Some(1) {}
    let stop = format!("{page}/stop");
    assert_eq!(ada.send("POST", &stop, &[FORM], "").unwrap().status, 200);
    let last = follow(&ada, &page).pop().unwrap();
    let run = ada.get(&format!("{page}/keep/run.json")).unwrap();
    let Found::Grid { result, .. } = Run::from_json(&run.body).unwrap().found else {
        panic!("a grid was run");
    };
    let whole = result.pipelines.iter().map(|line| line.folds.len());
    let parts = result.unfinished.iter().map(|line| line.folds.len());
    let folds: usize = whole.chain(parts).sum();
    assert!(result.stopped);
    assert_eq!(last["done"], folds, "{last}");
    assert!((1..10).contains(&folds));
}

/// A stop in the midst of the check keeps the grid, and what its best gave on the rows kept aside.
#[test]
fn a_stop_while_the_winner_is_checked_leaves_the_grid_whole() {
    let house = open();
    let mut ada = house.visitor();
    // Two hundred folds, and as many in each of them.
    let fields = "imputer=mean&transformer=passthrough&classifier=knn:k%3D1&folds=10&repeats=20&holdout=20&nested=1";
    let page = page_of(&begin(&mut ada, "iris", fields));
    let mut events = ada.listen(&format!("{page}/events"), None).unwrap();
    while events.hear().unwrap().1["nested"] != true {}
    let stop = format!("{page}/stop");
    assert_eq!(ada.send("POST", &stop, &[FORM], "").unwrap().status, 200);
    follow(&ada, &page);
    let run = ada.get(&format!("{page}/keep/run.json")).unwrap();
    let Found::Grid { result, nested } = Run::from_json(&run.body).unwrap().found else {
        panic!("a grid was run");
    };
    assert!(nested.is_none() && !result.stopped && result.holdout.is_some());
    assert_eq!(result.pipelines[0].folds.len(), 200);
    let html = ada.get(&page).unwrap().body;
    assert!(html.contains("Stopped: "), "{html}");
}

#[test]
fn only_its_owner_stops_a_run_and_what_is_known_is_kept() {
    let house = open();
    let (mut ada, mut bob) = (house.visitor(), house.visitor());
    let page = page_of(&begin(&mut ada, "glass", LONG));
    bob.get("/learn").unwrap();
    let stop = format!("{page}/stop");
    assert_eq!(bob.send("POST", &stop, &[FORM], "").unwrap().status, 403);
    assert!(ada.get(&page).unwrap().body.contains("data-running"));
    assert_eq!(ada.send("POST", &stop, &[FORM], "").unwrap().status, 200);
    let told = follow(&ada, &page);
    assert_eq!(told.last().unwrap()["over"], true);
    let html = ada.get(&page).unwrap().body;
    assert!(
        html.contains("Stopped: ") && !html.contains("data-running"),
        "{html}"
    );
    // Nothing is left of what is over, and every pipeline of the leaderboard has its cell.
    assert!(html.contains("id=\"left\"></p>"), "{html}");
    let lines = html.matches("</svg> <small").count();
    assert_eq!(html.matches("class=\"known").count(), lines, "{html}");
    // A fourth grid at a time is refused, a stopped one does not count.
    for at in 0..3 {
        let reply = begin(&mut ada, "glass", LONG);
        assert_eq!(reply.status, 200, "{at}: {}", reply.body);
        if at == 2 {
            let fourth = begin(&mut ada, "glass", LONG);
            assert_eq!(
                (fourth.status, fourth.json()["error"]["code"].as_str()),
                (409, Some("busy"))
            );
        }
    }
    let list = ada.get("/learn").unwrap().body;
    for part in list.split("/learn/runs/").skip(1) {
        let id = &part[..32];
        ada.send("POST", &format!("/learn/runs/{id}/stop"), &[FORM], "")
            .unwrap();
    }
}

#[test]
fn a_run_that_was_cut_short_begins_again_and_one_that_was_done_is_still_there() {
    let folder = tempfile::tempdir().unwrap();
    let (done, cut, board) = {
        let house = on_disk(folder.path());
        let mut ada = house.visitor();
        let done = page_of(&begin(&mut ada, "glass", SMALL));
        follow(&ada, &done);
        let board = ada.get(&format!("{done}/keep/board.csv")).unwrap().body;
        let mine = page_of(&send(&mut ada, &rows(200)));
        let name = mine.rsplit('/').next().unwrap().to_owned();
        // The server ends while this one is at work.
        let cut = page_of(&begin(&mut ada, &name, LONG));
        (done, cut, board)
    };
    let house = on_disk(folder.path());
    let mut bob = house.visitor();
    let again = bob.get(&format!("{done}/keep/board.csv")).unwrap();
    assert_eq!(again.body, board);
    assert!(bob.get(&cut).unwrap().body.contains("data-running"));
    let mut events = bob.listen(&format!("{cut}/events"), None).unwrap();
    let deadline = Instant::now() + Duration::from_secs(30);
    while events.hear().unwrap().1["done"] == 0 {
        assert!(Instant::now() < deadline, "it works again");
    }
}

fn rows(count: u32) -> String {
    let row = |i: u32| {
        format!(
            "{},{},{}\n",
            (i * 7) % 11,
            (i % 17) * (i % 17) % 17,
            ["x", "y"][(i % 2) as usize]
        )
    };
    "a,b,kind\n".to_owned() + &(0..count).map(row).collect::<String>()
}

#[test]
fn tables_are_opened_looked_at_and_learned_from() {
    let house = open();
    let mut ada = house.visitor();
    let page = page_of(&send(&mut ada, &rows(60)));
    let html = ada.get(&page).unwrap().body;
    assert!(html.contains("60 rows") && html.contains("mine.csv"));
    assert_eq!(ada.get(&format!("{page}/file")).unwrap().body, rows(60));
    for what in [
        "gaps",
        "boxes",
        "scatter",
        "correlation",
        "densities",
        "transformed",
    ] {
        let drawn = ada.get(&format!("{page}/draw/{what}")).unwrap();
        assert!(drawn.body.starts_with("<svg"), "{what}: {}", drawn.body);
    }
    for (what, lines) in [
        ("columns", 4),
        ("features", 3),
        ("classes", 5),
        ("correlation", 3),
        ("rows", 61),
    ] {
        let told = ada.get(&format!("{page}/table/{what}")).unwrap();
        assert_eq!(told.body.lines().count(), lines, "{what}: {}", told.body);
    }
    let pipeline = "pipeline=mean%20%2B%20standard%20%2B%20tree:depth%3D3";
    let model = ada
        .get(&format!("{page}/keep/model.json?{pipeline}"))
        .unwrap();
    let model = Model::from_json(&model.body).unwrap();
    let answer = model.predict_one(&[3.0, 4.0]).unwrap();
    let html = ada
        .get(&format!("{page}/what-if?{pipeline}&row=2&x=3&x=4"))
        .unwrap()
        .body;
    assert!(
        html.contains(&format!("It says: {}", answer.class)),
        "{html}"
    );
    for what in [
        "run.json",
        "answers.csv",
        "pipeline.py",
        "confusion.svg",
        "tree.svg",
        "model.rs",
    ] {
        let kept = ada.get(&format!("{page}/keep/{what}?{pipeline}")).unwrap();
        assert_eq!(kept.status, 200, "{what}: {}", kept.body);
        assert!(
            kept.header("content-disposition")
                .unwrap()
                .contains(what.rsplit('.').next().unwrap())
        );
    }
    let both = "a=mean%20%2B%20knn:k%3D3&b=mean%20%2B%20majority";
    let html = ada.get(&format!("{page}/compare?{both}")).unwrap().body;
    assert!(html.contains("corrected resampled test"));
    let name = page.rsplit('/').next().unwrap();
    let run = format!("/desk/learn/compare?data={name}&{both}&keep=save");
    let run = ada.get(&run).unwrap().body;
    assert!(matches!(
        Run::from_json(&run).unwrap().found,
        Found::Compare(_)
    ));
}

#[test]
fn bad_tables_are_met_with_a_sentence() {
    let house = open();
    let mut ada = house.visitor();
    for (csv, says) in [
        ("", "empty"),
        ("a,b\n", "nothing below"),
        ("a,b\n1,2\n3\n", "line 3 has 1 fields"),
        ("a,b\n1,x\n2,y\n3,x\ninf,y\n", "line 5, column `a`"),
        ("a,b\n\"1,x\n", "opened on line 2"),
    ] {
        let reply = send(&mut ada, csv);
        let told = reply.json()["error"]["message"]
            .as_str()
            .unwrap_or("")
            .to_owned();
        assert_eq!(reply.status, 422, "{csv}: {}", reply.body);
        assert!(told.contains(says), "{csv}: {told}");
    }
    let large = send(&mut ada, &"1,2,3\n".repeat(6_000_000));
    assert_eq!(large.status, 413);
    assert!(large.body.contains("larger than 32 MB"), "{}", large.body);
    let long = send(&mut ada, &rows(200_001));
    assert!(long.body.contains("at most 200000"), "{}", long.body);
    // One class only: the page says so and offers another column.
    let page = page_of(&send(&mut ada, "a,b,kind\n1,2,x\n2,1,x\n1,1,x\n2,2,x\n"));
    let html = ada.get(&format!("{page}?target=kind")).unwrap().body;
    assert!(html.contains("a classifier needs at least two") && html.contains("id=\"target\""));
    assert_eq!(ada.get(&format!("{page}?target=b")).unwrap().status, 200);
    // What the page is asked for by hand.
    for (path, status) in [
        ("/learn/data/nothing", 404),
        ("/learn/data/glass/draw/else", 404),
        ("/learn/data/glass/table/else", 404),
        (
            "/learn/data/glass/pipeline?pipeline=mean%20%2B%20oracle",
            422,
        ),
        ("/learn/data/glass/pipeline?truth=99&predicted=0", 422),
        ("/learn/data/glass/what-if?row=0", 422),
        ("/learn/data/glass?target=nobody&roles=1", 200),
        (
            "/learn/data/glass/keep/model.rs?pipeline=mean%20%2B%20knn",
            422,
        ),
        ("/learn/runs/0", 404),
        ("/learn/runs/00000000000000000000000000000000/events", 404),
    ] {
        assert_eq!(ada.get(path).unwrap().status, status, "{path}");
    }
    for (fields, code) in [
        ("imputer=mean", "bad-data"),
        (
            "imputer=mean&transformer=passthrough&classifier=oracle",
            "bad-pipeline",
        ),
        (
            "imputer=mean&transformer=passthrough&classifier=knn&folds=1",
            "bad-number",
        ),
        (
            "imputer=mean&transformer=passthrough&classifier=knn&score=luck",
            "bad-score",
        ),
    ] {
        let reply = begin(&mut ada, "glass", fields);
        assert_eq!(
            reply.json()["error"]["code"],
            code,
            "{fields}: {}",
            reply.body
        );
    }
}

#[test]
fn a_form_without_scripts_brings_a_table() {
    let house = open();
    let mut ada = house.visitor();
    let html = ("accept", "text/html");
    let body = "na=gone&csv=a%2Cb%2Ckind%0A1%2C2%2Cx%0Agone%2C3%2Cy%0A2%2C5%2Cx%0A";
    let reply = ada
        .send("POST", "/learn/data", &[FORM, html], body)
        .unwrap();
    assert_eq!(reply.status, 303);
    let page = reply.header("location").unwrap().to_owned();
    let told = ada.get(&page).unwrap().body;
    assert!(told.contains("1 value missing"), "{told}");
}

/// The first screen has something to see, and every sample opens.
#[test]
fn the_desk_opens_on_pictures_of_its_samples() {
    let house = open();
    let mut ada = house.visitor();
    let html = ada.get("/learn").unwrap().body;
    for (name, rows, target) in [
        ("glass", "214 rows", "class"),
        ("iris", "150 rows", "species"),
        ("wine", "178 rows", "cultivar"),
        ("balcony", "363 rows", "survived"),
    ] {
        assert!(
            html.contains(&format!("src=\"/learn/picture/{name}\"")),
            "{name}"
        );
        let drawn = ada.get(&format!("/learn/picture/{name}")).unwrap().body;
        assert!(
            drawn.starts_with("<svg") && drawn.contains("image/png"),
            "{name}"
        );
        let page = ada.get(&format!("/learn/data/{name}")).unwrap().body;
        assert!(page.contains(rows), "{name}");
        let chosen = format!("<option value=\"{target}\" selected>{target}</option>");
        assert!(page.contains(&chosen), "{name}: {target}");
    }
    let pictures = html.find("/learn/picture/").unwrap();
    assert!(
        pictures < html.find("<form id=\"own\"").unwrap(),
        "pictures come first"
    );
    assert_eq!(ada.get("/learn/picture/nobody").unwrap().status, 404);
}

/// Another column is chosen on top; a column of numbers says why it cannot be.
#[test]
fn a_measurement_is_refused_as_a_class_and_the_choice_stays_on_top() {
    let house = open();
    let mut ada = house.visitor();
    let html = ada.get("/learn/data/wine?target=proline").unwrap().body;
    assert!(html.contains("only classes can be learned"), "{html}");
    assert!(html.contains("id=\"predict\""));
    let html = ada.get("/learn/data/wine?target=alcohol").unwrap().body;
    assert!(html.contains("only classes can be learned"));
}

#[test]
fn a_table_without_a_header_is_given_names() {
    let house = open();
    let mut ada = house.visitor();
    let page = page_of(&send(&mut ada, "1,2,x\n2,3,y\n3,1,x\n5,2,y\n"));
    let html = ada.get(&page).unwrap().body;
    assert!(html.contains("value=\"c1, c2, c3\""), "{html}");
    let name = page.rsplit('/').next().unwrap();
    let to = format!("/learn/data?from={name}");
    let reply = ada.send(
        "POST",
        &to,
        &[FORM, ("accept", "text/html")],
        "names=height,+width,+kind",
    );
    let reply = reply.unwrap();
    assert_eq!(reply.status, 303, "{}", reply.body);
    let page = reply.header("location").unwrap().to_owned();
    let html = ada.get(&page).unwrap().body;
    assert!(
        html.contains("mine.csv") && html.contains("height") && html.contains("`kind`")
            || html.contains("<code>kind</code>"),
        "{html}"
    );
    // The verbs behind the pages know the names, too.
    let html = ada
        .get(&format!(
            "{page}/pipeline?folds=2&pipeline=mean+%2B+majority"
        ))
        .unwrap();
    assert_eq!(html.status, 200, "{}", html.body);
    let many = ada.send("POST", &to, &[FORM], "names=a,b,c,d").unwrap();
    assert_eq!(many.status, 422);
}

/// Rows that are kept aside are learned from nowhere, and the winner is measured on them.
#[test]
fn rows_are_kept_aside_for_the_end() {
    let house = open();
    let mut ada = house.visitor();
    let html = ada.get("/learn/data/iris?holdout=20").unwrap().body;
    assert!(html.contains("30 of the 150 rows are kept aside"), "{html}");
    let one = "/learn/data/iris/pipeline?holdout=20&pipeline=mean+%2B+knn";
    let html = ada.get(one).unwrap().body;
    assert!(
        html.contains("rows kept aside") && html.contains("120"),
        "{html}"
    );
    let fields = "imputer=mean&transformer=standard&classifier=knn&classifier=majority&holdout=20";
    let page = page_of(&begin(&mut ada, "iris", fields));
    follow(&ada, &page);
    let html = ada.get(&page).unwrap().body;
    assert!(html.contains("On 30 rows kept aside"), "{html}");
    let run = ada.get(&format!("{page}/keep/run.json")).unwrap().body;
    let run = Run::from_json(&run).unwrap();
    assert_eq!(run.rows, 120);
    // The list says when, what and how well.
    let html = ada.get("/learn").unwrap().body;
    let at = html.find("id=\"runs\"").unwrap();
    let listed = &html[at..];
    assert!(
        listed.contains("species") && listed.contains("best 9") && listed.contains("<time"),
        "{listed}"
    );
}

/// Larger tables than are learned from are taken; the sample is said.
#[test]
fn fifty_thousand_rows_are_taken_and_a_sample_is_said() {
    let house = open();
    let mut ada = house.visitor();
    let page = page_of(&send(&mut ada, &rows(50_000)));
    let html = ada.get(&page).unwrap().body;
    assert!(
        html.contains("50000 rows") || html.contains("50,000 rows"),
        "{html}"
    );
    assert!(
        html.contains("stratified sample of 20000") || html.contains("stratified sample of 20,000"),
        "{html}"
    );
    let one = format!("{page}/pipeline?folds=2&pipeline=mean+%2B+majority");
    let html = ada.get(&one).unwrap().body;
    assert!(html.contains("stratified sample"), "{html}");
}

#[test]
fn every_plot_of_a_pipeline_is_drawn() {
    let house = open();
    let mut ada = house.visitor();
    // Work is begun only for somebody who came by a page.
    ada.get("/learn").unwrap();
    let pipeline = "pipeline=mean+%2B+standard+%2B+naive-bayes&folds=3";
    let html = ada
        .get(&format!("/learn/data/iris/pipeline?{pipeline}"))
        .unwrap()
        .body;
    for plot in [
        "roc",
        "precision-recall",
        "calibration",
        "learning",
        "importance",
        "regions",
    ] {
        assert!(html.contains(&format!("id=\"plot-{plot}\"")), "{plot}");
        let drawn = ada
            .get(&format!("/learn/data/iris/plot/{plot}?{pipeline}"))
            .unwrap();
        assert!(drawn.body.starts_with("<svg"), "{plot}: {}", drawn.body);
    }
    let areas = ada
        .get(&format!("/learn/data/iris/plot/roc?{pipeline}&table=areas"))
        .unwrap();
    assert_eq!(areas.body.lines().count(), 4, "{}", areas.body);
    let pair =
        format!("/learn/data/iris/plot/regions?{pipeline}&pair=sepal_width&pair=sepal_length");
    let drawn = ada.get(&pair).unwrap().body;
    assert!(drawn.contains("sepal_width") && !drawn.contains("petal_width"));
    regions_are_drawn_over_the_chosen_two(&mut ada, pipeline);
    let drawn = ada
        .get(&format!("/learn/data/iris/response?{pipeline}&row=3"))
        .unwrap()
        .body;
    assert!(
        drawn.starts_with("<svg") && drawn.contains("petal_width"),
        "{drawn}"
    );
    let html = ada
        .get(&format!("/learn/data/iris/what-if?{pipeline}&row=3"))
        .unwrap()
        .body;
    assert!(html.contains("/learn/data/iris/response?"));
}

/// The form once named the first column twice where nothing was chosen.
fn regions_are_drawn_over_the_chosen_two(ada: &mut Client, pipeline: &str) {
    for (asked, named) in [
        ("", ["petal_length", "petal_width"]),
        (
            "&pair=sepal_width&pair=sepal_length",
            ["sepal_width", "sepal_length"],
        ),
    ] {
        let at = |page: &str| format!("/learn/data/iris/{page}?{pipeline}{asked}");
        let html = ada.get(&at("pipeline")).unwrap().body;
        let options = html.split("<option selected>").skip(1);
        let chosen: Vec<&str> = options.filter_map(|rest| rest.split('<').next()).collect();
        assert_eq!(chosen, named);
        let drawn = ada.get(&at("plot/regions")).unwrap().body;
        let axis = |name: &str| drawn.contains(&format!(">{name}</text>"));
        assert!(axis(named[0]) && axis(named[1]), "{drawn}");
    }
}

/// A text is one choice among its texts, not a slider for each of them.
#[test]
fn texts_are_chosen_and_numbers_slide() {
    let house = open();
    let mut ada = house.visitor();
    ada.get("/learn").unwrap();
    let page = "/learn/data/balcony/what-if?pipeline=mean+%2B+tree:depth%3D4&row=1";
    let html = ada.get(page).unwrap().body;
    assert_eq!(html.matches("<select").count(), 3, "{html}");
    assert_eq!(html.matches("type=\"range\"").count(), 5, "{html}");
    // The row's own text is chosen.
    assert!(html.contains(" selected>rosemary</option>"), "{html}");
    let at = |text: &str| {
        let before = html.split(&format!(">{text}</option>")).next().unwrap();
        let value = before.rsplit("value=\"").next().unwrap();
        value.split('"').next().unwrap().to_owned()
    };
    let numbers = "&x=15.5&x=-18&x=0.63&x=12&x=2025";
    let texts = format!("&text={}&text=-&text={}", at("fig"), at("no"));
    let moved = ada.get(&format!("{page}{texts}{numbers}")).unwrap();
    assert_eq!(moved.status, 200, "{}", moved.body);
    assert!(moved.body.contains(" selected>fig</option>"));
    assert!(moved.body.contains(" selected>(missing)</option>"));
    assert!(moved.body.contains("value=\"-18\""), "{}", moved.body);
    let drawn = format!("{}{texts}{numbers}", page.replace("what-if", "response"));
    assert!(ada.get(&drawn).unwrap().body.starts_with("<svg"));
    let wrong = ada.get(&format!("{page}&text=77&text=-&text=0{numbers}"));
    assert_eq!(wrong.unwrap().status, 422);
}
