//! The race of searches, and the journeys that are offered to be tried first.

use std::sync::Arc;

use serde_json::Value;
use wits_game::Seed;
use wits_store::Store;
use wits_transit::{CityPlan, Objective, Planner, Question, Time, Walking, generate, names};

use crate::transit::{house, visitor};

#[test]
fn tabs_keep_the_stops_and_the_race_comes_before_the_study() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, _) = visitor(address);
        let page = client
            .get("/transit?from=Mostka&to=Rybka&at=08:00")
            .unwrap()
            .body;
        let page = page.replace("&amp;", "&");
        for link in [
            // Views of one stop do not forget where one wants to go.
            "/transit/board?to=Rybka&at=08%3A00&stop=Mostka",
            "/transit/reach?to=Rybka&at=08%3A00&stop=Mostka",
            "/transit/tour?at=08%3A00&start=Mostka&via=Rybka",
            "/transit/search?from=Mostka&to=Rybka&at=08%3A00",
        ] {
            assert!(page.contains(&format!("href=\"{link}\"")), "{link}: {page}");
        }
        let back = client
            .get("/transit/board?stop=Mostka&at=08:00&to=Rybka")
            .unwrap()
            .body;
        let back = back.replace("&amp;", "&");
        let journey = "href=\"/transit?at=08%3A00&to=Rybka&from=Mostka\"";
        assert!(back.contains(journey), "{journey}: {back}");
        assert_eq!(back.matches("class=\"tr-to-go\"").count(), 10);
        let race = client.get("/transit/search").unwrap().body;
        assert!(race.contains("<wits-threads race autoplay"), "{race}");
        assert_eq!(race.matches("<wits-thread ").count(), 4);
        assert!(!race.contains("id=\"bold-rows\""), "the study comes later");
        assert!(
            race.find("wits-threads") < race.find("tr-desk"),
            "the picture comes first"
        );
        let later = race
            .split("data-later=\"")
            .nth(1)
            .unwrap()
            .split('"')
            .next()
            .unwrap();
        let study = client.get(&later.replace("&amp;", "&")).unwrap().body;
        assert!(study.contains("id=\"bold-rows\"") && study.contains("data:image/svg+xml"));
        let thread = race
            .split("src=\"")
            .find(|src| src.contains("keep=thread"))
            .unwrap();
        let thread = thread.split('"').next().unwrap().replace("&amp;", "&");
        let thread = client.get(&thread).unwrap().body;
        assert!(
            thread.contains("Dijkstra's algorithm: "),
            "{}",
            &thread[..400]
        );
    });
}

#[test]
fn all_searches_of_the_race_lie_on_the_same_ground() {
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, _) = visitor(address);
        let race = client.get("/transit/search").unwrap().body;
        let threads = race.split("src=\"").skip(1);
        let threads = threads.map(|src| src.split('"').next().unwrap().replace("&amp;", "&"));
        let grounds: Vec<[Value; 3]> = threads
            .filter(|src| src.contains("keep=thread"))
            .map(|src| {
                let thread = client.get(&src).unwrap().body;
                let first: Value = serde_json::from_str(thread.lines().nth(1).unwrap()).unwrap();
                ["frame", "network", "goal"].map(|part| first["data"][part].clone())
            })
            .collect();
        assert_eq!(grounds.len(), 4);
        assert_eq!(grounds[0][0].as_array().map(Vec::len), Some(4));
        assert!(grounds[0][1].as_array().is_some_and(|n| n.len() > 100));
        for ground in &grounds[1..] {
            assert_eq!(ground, &grounds[0]);
        }
    });
}

#[test]
fn journeys_to_try_first_are_as_long_as_most() {
    let table = generate(&CityPlan::default());
    let planner = Planner::new(Arc::new(table), Walking::Real, None).unwrap();
    let at = Time::hm(8, 0);
    let minutes = |from: Vec<u32>, to: Vec<u32>| {
        let question = Question {
            by: Objective::Time,
            ..Question::new(from, to, at)
        };
        let found = planner.route(&question).unwrap().journeys;
        found.first().map(|one| one.total_minutes)
    };
    let asked = planner.query_lines(101, Seed::new(7));
    let asked = planner.read_queries(&asked).unwrap();
    let mut usual: Vec<i32> = asked
        .into_iter()
        .filter_map(|ends| minutes(ends.from, ends.to))
        .collect();
    usual.sort_unstable();
    let between = usual[usual.len() * 3 / 10]..=usual[usual.len() * 7 / 10];
    let store = Arc::new(Store::memory().unwrap());
    house(&store, |address| {
        let (mut client, _) = visitor(address);
        let page = client.get("/transit").unwrap().body;
        let list = page.split("tr-examples").nth(1).unwrap();
        let list = list.split("</ul>").next().unwrap();
        let examples = list.split("</a>").filter(|part| part.contains(" → "));
        let mut count = 0;
        for example in examples {
            let said = example.rsplit('>').next().unwrap();
            let (from, to) = said.split_once(" → ").unwrap();
            let stops = |name: &str| names::resolve(&planner.table, name).unwrap();
            let takes = minutes(stops(from), stops(to)).unwrap();
            assert!(between.contains(&takes), "{said}: {takes} of {between:?}");
            count += 1;
        }
        assert_eq!(count, 3, "{list}");
    });
}
