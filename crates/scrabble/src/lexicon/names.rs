//! What other programs and federations call their lexicons, and which of ours stands for each.

use super::shipped::SHIPPED;

/// How a lexicon that somebody names is related to one of ours.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The name of ours.
    pub ours: &'static str,
    /// Whether it is the same words, or only the same language.
    pub same: bool,
}

/// Names by how they begin, in small letters; a number of an edition follows most of them.
const ENGLISH: [&str; 16] = [
    "nwl", "owl", "otcwl", "twl", "csw", "osw", "oswi", "ospd", "ecwl", "sowpods", "collins",
    "wow", "enable", "nswl", "america", "cel",
];
const POLISH: [&str; 2] = ["osps", "sjp"];

/// Which of ours stands for a lexicon: the same by its name, or another of the same language; nothing where the name is not known.
pub fn related(name: &str) -> Option<Relation> {
    let name = name.trim().to_lowercase();
    if let Some(shipped) = SHIPPED.iter().find(|shipped| shipped.name == name) {
        let ours = shipped.name;
        return Some(Relation { ours, same: true });
    }
    let stem = name.trim_end_matches(|c: char| !c.is_alphabetic());
    let ours = if ENGLISH.contains(&stem) {
        "english"
    } else if POLISH.contains(&stem) {
        "polish"
    } else {
        return None;
    };
    Some(Relation { ours, same: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn editions_of_the_same_list_are_known_by_its_name() {
        let ours = |name| related(name).map(|r| (r.ours, r.same));
        assert_eq!(ours("NWL23"), Some(("english", false)));
        assert_eq!(ours("CSW 2021"), Some(("english", false)));
        assert_eq!(ours("OSPS49"), Some(("polish", false)));
        assert_eq!(ours("Czech"), Some(("czech", true)));
        assert_eq!(ours("klingon"), None);
        assert_eq!(ours(""), None);
    }
}
