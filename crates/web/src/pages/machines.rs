//! What people call the machines and the desks' searches.

use wits_game::Message;
use wits_play::Spec;

use super::say;
use crate::WORDS;

/// Names in specs and the keys of what people say.
const NAMES: [(&str, &str); 36] = [
    ("alphabeta", "machine-alphabeta"),
    ("astar", "machine-astar"),
    ("corners-greedy", "machine-corners-greedy"),
    ("csa", "machine-csa"),
    ("dialogue", "machine-dialogue"),
    ("dijkstra", "machine-dijkstra"),
    ("engine", "machine-engine"),
    ("family", "machine-family"),
    ("first", "machine-first"),
    ("greedy", "machine-greedy"),
    ("grid", "machine-grid"),
    ("hint", "machine-hint"),
    ("leave", "machine-leave"),
    ("level", "machine-level"),
    ("levels12", "machine-levels12"),
    ("linear", "machine-linear"),
    ("matchbox", "machine-matchbox"),
    ("mcts", "machine-mcts"),
    ("minimax", "machine-minimax"),
    ("nested", "machine-nested"),
    ("pairing", "machine-pairing"),
    ("perfect", "machine-perfect"),
    ("potential", "machine-potential"),
    ("profile-csa", "machine-profile-csa"),
    ("queens", "machine-queens"),
    ("random", "machine-random"),
    ("raptor", "machine-raptor"),
    ("score-greedy", "machine-score-greedy"),
    ("sim", "machine-sim"),
    ("strong", "machine-strong"),
    ("thesis", "machine-thesis"),
    ("tour-exact", "machine-tour-exact"),
    ("tour-tabu", "machine-tour-tabu"),
    ("tournament", "machine-tournament"),
    ("tripbased", "machine-tripbased"),
    ("sweep", "machine-sweep"),
];

/// What people call a machine; its name in specs where nobody calls it anything.
pub(crate) fn title(id: &str) -> String {
    let known = NAMES.iter().find(|(name, _)| *name == id);
    known.map_or_else(|| id.to_owned(), |(_, key)| say(key))
}

/// The settings that tell one machine from another of its kind, and how people say them.
const SETTINGS: [(&str, &str); 5] = [
    ("level", "machine-with-level"),
    ("depth", "machine-with-depth"),
    ("rollouts", "machine-with-rollouts"),
    ("nodes", "machine-with-nodes"),
    ("seconds", "machine-with-seconds"),
];

/// What a machine of many levels does at its own: what is said of the kind would be too much for a beginner.
pub(crate) fn grade(game: &str, player: &str) -> Option<Message> {
    let spec = player.parse::<Spec>().ok()?;
    let level: u32 = spec.value("level")?.to_string().parse().ok()?;
    match (game, spec.name.as_str()) {
        ("othello", "engine") => {
            let own = wits_othello::engine::levels::Level::of(level);
            let key = match own.loss {
                _ if level >= 10 => return None,
                loss if loss >= 3.5 => "grade-engine-often",
                loss if loss > 0.0 => "grade-engine-sometimes",
                _ => "grade-engine-never",
            };
            Some(WORDS.say(key).with("n", own.depth))
        }
        ("scrabble", "level") => Some(WORDS.say(match level {
            1 => "grade-words-1",
            2 => "grade-words-2",
            3 => "grade-words-3",
            4 => "grade-words-4",
            _ => "grade-words-5",
        })),
        ("rainbow", "level") => Some(WORDS.say(match level {
            0 => "grade-maker-0",
            1 => "grade-maker-1",
            2 => "grade-maker-2",
            3 => "grade-maker-3",
            _ => "grade-maker-4",
        })),
        ("rainbow", "hint") => Some(WORDS.say(match level {
            0 => "grade-breaker-0",
            1 => "grade-breaker-1",
            2 => "grade-breaker-2",
            3 => "grade-breaker-3",
            _ => "grade-breaker-4",
        })),
        _ => None,
    }
}

/// What people call whoever plays by a spec: `engine:level=3,book=true` is "Othello engine, level 3". A
/// machine that is kept goes by its own name.
pub(crate) fn called(player: &str) -> String {
    let Ok(spec) = player.parse::<Spec>() else {
        return player.to_owned();
    };
    if spec.name == "human" {
        return say("person");
    }
    if let ("bot", Some(name)) = (spec.name.as_str(), spec.value("name")) {
        return WORDS
            .say("machine-bot")
            .with("name", name.to_string())
            .to_string();
    }
    let name = title(&spec.name);
    let said = SETTINGS.iter().find_map(|(key, text)| {
        // Where positions are only a limit, they say nothing about how a machine plays.
        if *key == "nodes" && spec.name != "mcts" {
            return None;
        }
        let value = spec.value(key)?.to_string();
        let figure = value.parse::<u64>();
        let message = WORDS.say(text).with("name", &name);
        Some(match figure {
            Ok(figure) => message.with("n", figure),
            Err(_) => message.with("n", value),
        })
    });
    said.map_or(name, |message| message.to_string())
}

/// What people call each of several players: those with the same name are told apart by the settings in which
/// they differ.
pub(crate) fn apart<'a>(players: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let players: Vec<&str> = players.into_iter().collect();
    let names: Vec<String> = players.iter().map(|player| called(player)).collect();
    let settings = |player: &str| -> Vec<String> {
        let spec = player.parse::<Spec>();
        let args = spec.map(|spec| spec.args).unwrap_or_default();
        args.iter()
            .map(|(key, value)| format!("{key} {value}"))
            .collect()
    };
    let name = |at: usize| {
        let alike: Vec<usize> = (0..names.len())
            .filter(|&i| names[i] == names[at])
            .collect();
        if alike.len() < 2 {
            return names[at].clone();
        }
        let everywhere = |one: &String| alike.iter().all(|&i| settings(players[i]).contains(one));
        let own: Vec<String> = settings(players[at])
            .into_iter()
            .filter(|one| !everywhere(one))
            .collect();
        if own.is_empty() {
            return names[at].clone();
        }
        format!("{} ({})", names[at], own.join(", "))
    };
    (0..names.len()).map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_are_called_by_names_and_not_by_specs() {
        for (spec, name) in [
            ("human", "a person"),
            (
                "engine:level=3,threads=1,book=true",
                "Othello engine, level 3",
            ),
            (
                "alphabeta:depth=4,eval=korman",
                "Alpha-beta, looks 4 moves ahead",
            ),
            ("random", "Random moves"),
        ] {
            assert_eq!(called(spec), name);
        }
    }
    use crate::pages::threads::GALLERY;

    #[test]
    fn a_beginner_is_not_said_to_play_as_well_as_it_can() {
        let said = |spec: &str| grade("othello", spec).map(|message| message.to_string());
        let low = said("engine:level=2,threads=1").expect("a sentence of its own");
        assert!(
            low.contains("3 moves ahead") && low.contains("careless"),
            "{low}"
        );
        assert_eq!(said("engine:level=10"), None);
        assert_eq!(said("random"), None);
        assert!(grade("scrabble", "level:level=1").is_some());
        let maker = grade("rainbow", "level:level=0").map(|message| message.to_string());
        let breaker = grade("rainbow", "hint:level=3").map(|message| message.to_string());
        assert_eq!(maker.as_deref(), Some("moves at random"));
        assert!(breaker.is_some_and(|said| said.starts_with("spoils the progression")));
        assert_eq!(grade("thue", "nested:level=1"), None);
    }

    #[test]
    fn players_of_one_name_are_told_apart_by_what_differs() {
        let players = [
            "alphabeta:depth=4,eval=korman",
            "alphabeta:depth=4,eval=iago",
            "random",
        ];
        let names = apart(players);
        assert_eq!(names[0], "Alpha-beta, looks 4 moves ahead (eval korman)");
        assert_eq!(names[1], "Alpha-beta, looks 4 moves ahead (eval iago)");
        assert_eq!(names[2], "Random moves");
        assert!(names.iter().all(|name| !name.contains('=')));
    }

    #[test]
    fn every_thread_of_the_gallery_has_a_name_for_people() {
        for (name, _) in GALLERY {
            let known = NAMES
                .iter()
                .any(|(id, _)| name.ends_with(&format!("-{id}")));
            assert!(known, "`{name}` is called by its spec");
        }
    }
}
