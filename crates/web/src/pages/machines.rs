//! What people call the machines and the desks' searches.

use super::say;

/// Names in specs and the keys of what people say.
const NAMES: [(&str, &str); 35] = [
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
];

/// What people call a machine; its name in specs where nobody calls it anything.
pub(super) fn title(id: &str) -> String {
    let known = NAMES.iter().find(|(name, _)| *name == id);
    known.map_or_else(|| id.to_owned(), |(_, key)| say(key))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::threads::GALLERY;

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
