//! How a DAWG is built: a tree of letters, and which of its states can be one.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use maud::html;
use wits_play::Budget;
use wits_scrabble::lexicon::Builder;
use wits_scrabble::{Graph, Lexicon, Node};

use super::asked::{Asked, MOVE, refused};
use super::charts::{Part, drawing};
use super::guess::Guess;
use super::parts::{Live, line, percent, slider};
use super::picture::Picture;
use crate::pages::say;
use crate::{App, Fault, WORDS};

const WORDS_AT_FIRST: &str = "car cars cat cats do dog dogs done ear ears eat eats";
/// The most words, and letters of a word, that are drawn.
const MOST_WORDS: usize = 16;
const MOST_LETTERS: usize = 10;

/// A picture of states and letters: where each state lies, and what leads on.
#[derive(Default)]
struct Drawn {
    /// Column and row.
    places: Vec<(f64, f64)>,
    /// From, to, letter, whether a word ends there.
    edges: Vec<(usize, usize, char, bool)>,
    /// What leads to each state of a tree.
    stems: Vec<String>,
}

fn words(asked: &Asked) -> Result<Vec<String>, Fault> {
    let text = asked.text("words").unwrap_or(WORDS_AT_FIRST).to_lowercase();
    let mut list: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|w| !w.is_empty())
        .map(str::to_owned)
        .collect();
    list.sort();
    list.dedup();
    let fits = |w: &String| w.len() <= MOST_LETTERS && w.bytes().all(|b| b.is_ascii_lowercase());
    if list.is_empty() || list.len() > MOST_WORDS || !list.iter().all(fits) {
        let hint = WORDS
            .say("lesson-bad-words-hint")
            .with("most", MOST_WORDS)
            .with("letters", MOST_LETTERS);
        return Err(refused("bad-words", WORDS.say("lesson-bad-words"), hint));
    }
    Ok(list)
}

fn graph(words: &[String]) -> Result<Graph, Fault> {
    let mut builder = Builder::new();
    for word in words {
        let codes: Vec<u8> = word.bytes().map(|b| b - b'a' + 1).collect();
        builder.add(&codes).map_err(|_| Fault::missing())?;
    }
    builder.finish().map_err(|_| Fault::missing())
}

fn letter(code: u8) -> char {
    char::from(b'a' + code.saturating_sub(1))
}

/// The tree, every beginning a state of its own.
fn tree(words: &[String]) -> Drawn {
    let mut drawn = Drawn {
        places: vec![(0.0, 0.0)],
        stems: vec![String::new()],
        ..Drawn::default()
    };
    let mut states: BTreeMap<&str, usize> = BTreeMap::from([("", 0)]);
    for word in words {
        for end in 1..=word.len() {
            let (stem, before) = (&word[..end], &word[..end - 1]);
            if !states.contains_key(stem) {
                let id = drawn.places.len();
                drawn.places.push((end as f64, 0.0));
                drawn.stems.push(stem.to_owned());
                states.insert(stem, id);
                let ends = words.iter().any(|w| w == stem);
                let last = stem.chars().last().unwrap_or(' ');
                drawn.edges.push((states[before], id, last, ends));
            }
        }
    }
    // Leaves one below the other, every other state in the middle of what follows it.
    let mut row = 0.0;
    let mut open = vec![(0, false)];
    while let Some((state, seen)) = open.pop() {
        let next: Vec<usize> = drawn
            .edges
            .iter()
            .filter(|e| e.0 == state)
            .map(|e| e.1)
            .collect();
        if next.is_empty() {
            drawn.places[state].1 = row;
            row += 1.0;
        } else if seen {
            let sum: f64 = next.iter().map(|&n| drawn.places[n].1).sum();
            drawn.places[state].1 = sum / next.len() as f64;
        } else {
            open.push((state, true));
            open.extend(next.into_iter().rev().map(|n| (n, false)));
        }
    }
    drawn
}

/// The automaton, every state as far right as its longest way.
fn automaton(graph: &Graph) -> Drawn {
    let mut order: Vec<Node> = Vec::new();
    let mut open = vec![(graph.start(), false)];
    let mut seen = BTreeSet::new();
    while let Some((node, done)) = open.pop() {
        if done {
            order.push(node);
        } else if seen.insert(node) {
            open.push((node, true));
            open.extend(graph.edges(node).map(|e| (e.node(), false)));
        }
    }
    order.reverse();
    let number: BTreeMap<Node, usize> = order.iter().enumerate().map(|(i, n)| (*n, i)).collect();
    let mut column = vec![0_usize; order.len()];
    let mut edges = Vec::new();
    for (i, &node) in order.iter().enumerate() {
        for edge in graph.edges(node) {
            let to = number[&edge.node()];
            column[to] = column[to].max(column[i] + 1);
            edges.push((i, to, letter(edge.letter().code()), edge.accepts()));
        }
    }
    let mut filled: BTreeMap<usize, f64> = BTreeMap::new();
    let tallest = column
        .iter()
        .map(|c| column.iter().filter(|d| *d == c).count())
        .max()
        .unwrap_or(1) as f64;
    let places = column.iter().map(|&c| {
        let here = column.iter().filter(|d| **d == c).count() as f64;
        let at = filled.entry(c).or_insert(0.0);
        *at += 1.0;
        (c as f64, (*at - 0.5) * tallest / here - 0.5)
    });
    Drawn {
        places: places.collect(),
        edges,
        ..Drawn::default()
    }
}

/// What may follow a beginning; the empty word where it is a word itself.
fn endings<'a>(words: &'a [String], stem: &str) -> BTreeSet<&'a str> {
    words.iter().filter_map(|w| w.strip_prefix(stem)).collect()
}

/// The states that cannot be told apart from another and after which something follows: the first of
/// them is asked about.
fn twins(words: &[String], stems: &[String]) -> Vec<usize> {
    let of = |i: usize| endings(words, &stems[i]);
    let twin = |&i: &usize| of(i).len() > 1 && (0..stems.len()).any(|j| j != i && of(j) == of(i));
    let found: Vec<usize> = (0..stems.len()).filter(twin).collect();
    let first = found.first().copied();
    found
        .into_iter()
        .filter(|&i| first.is_some_and(|f| of(f) == of(i)))
        .collect()
}

/// An ending that follows one of two beginnings and not the other: there is one that can be written, because
/// a state after which nothing follows is never asked about.
fn telling<'a>(words: &'a [String], one: &str, other: &str) -> Option<&'a str> {
    let (a, b) = (endings(words, one), endings(words, other));
    a.symmetric_difference(&b).find(|e| !e.is_empty()).copied()
}

/// Which states of a drawing stand out, and where a click on a state leads.
#[derive(Default)]
struct Marks<'a> {
    asked: Option<usize>,
    said: Option<usize>,
    link: Option<&'a dyn Fn(usize) -> String>,
}

fn picture(title: &str, drawn: &Drawn, marks: &Marks<'_>) -> Part {
    const ACROSS: f64 = 62.0;
    const DOWN: f64 = 34.0;
    let at = |i: usize| {
        (
            20.0 + drawn.places[i].0 * ACROSS,
            24.0 + drawn.places[i].1 * DOWN,
        )
    };
    let wide = drawn.places.iter().map(|p| p.0).fold(0.0, f64::max) * ACROSS + 40.0;
    let high = drawn.places.iter().map(|p| p.1).fold(0.0, f64::max) * DOWN + 48.0;
    let n = |x: f64| format!("{x:.1}");
    // Several letters between the same two states stand side by side.
    let mut between: BTreeMap<(usize, usize), Vec<(char, bool)>> = BTreeMap::new();
    for &(from, to, letter, ends) in &drawn.edges {
        between.entry((from, to)).or_default().push((letter, ends));
    }
    let inner = html! {
        @for ((from, to), letters) in &between {
            @let ((x1, y1), (x2, y2)) = (at(*from), at(*to));
            @let ends = letters.iter().any(|l| l.1);
            line.ls-edge.ends[ends] x1=(n(x1)) y1=(n(y1)) x2=(n(x2)) y2=(n(y2)) {}
            @let text: String = letters.iter().map(|(c, end)| if *end { format!("{c}•") } else { c.to_string() }).collect::<Vec<_>>().join(" ");
            text.ls-letter x=(n(x1 + (x2 - x1) * 0.55)) y=(n(y1 + (y2 - y1) * 0.55 - 4.0)) text-anchor="middle" { (text) }
        }
        @for i in 0..drawn.places.len() {
            @let (x, y) = at(i);
            @let dot = html! { circle.ls-state.asked[marks.asked == Some(i)].said[marks.said == Some(i)] cx=(n(x)) cy=(n(y)) r=(if marks.link.is_some() { 9 } else { 6 }) {} };
            @match marks.link {
                Some(link) if marks.asked != Some(i) => a href=(link(i)) aria-label=(WORDS.say("lesson-state").with("stem", drawn.stems[i].clone())) {
                    circle.ls-reach cx=(n(x)) cy=(n(y)) r="15" {}
                    (dot)
                },
                _ => (dot),
            }
        }
    };
    let picture = Picture {
        title: title.to_owned(),
        size: (wide.ceil(), high.ceil()),
        inner,
        legend: Vec::new(),
    };
    if marks.link.is_none() && marks.asked.is_none() {
        return drawing(picture, true);
    }
    // What can be clicked is no picture for a screen reader, but a group of links.
    let (wide, high) = picture.size;
    Part::from(html! {
        div.doc-wide tabindex="0" role="region" aria-label=(title) {
            svg viewBox={ "0 0 " (wide) " " (high) } width=(wide) height=(high) { (picture.inner) }
        }
    })
}

/// The large lexicon: words, states of its tree, states of its automaton.
fn large() -> (usize, usize, usize) {
    static LARGE: OnceLock<(usize, usize, usize)> = OnceLock::new();
    *LARGE.get_or_init(|| {
        let Some(lexicon) = Lexicon::embedded("english") else {
            return (0, 0, 0);
        };
        let (mut states, mut before) = (1, Vec::new());
        for word in lexicon.words() {
            let same = word.iter().zip(&before).take_while(|(a, b)| a == b).count();
            states += word.len() - same;
            before = word.to_vec();
        }
        (lexicon.len(), states, lexicon.dawg().node_count())
    })
}

/// Both structures of the first so many words.
pub(super) fn run(_: &App, asked: &Asked, _: &Budget) -> Result<Live, Fault> {
    let all = words(asked)?;
    let count = asked
        .number("added", all.len().min(MOST_WORDS), 1, MOST_WORDS)?
        .min(all.len());
    let added = &all[..count];
    let (tree, graph) = (tree(added), graph(added)?);
    let (large, large_tree, large_dawg) = large();
    let same = twins(added, &tree.stems);
    let given = asked.text(MOVE).and_then(|g| g.parse::<usize>().ok());
    let said = given.filter(|&i| i < tree.stems.len() && same.first() != Some(&i));
    let (one, other) = (same.first().copied(), said.unwrap_or(0));
    let stem = one.map_or("", |i| tree.stems[i].as_str());
    let link = |i: usize| asked.with(MOVE, &i.to_string(), "/lessons/dawg");
    let marks = Marks {
        asked: one,
        said,
        link: Some(&link),
    };
    let guess = Guess::about(picture(&say("lesson-tree"), &tree, &marks).page)
        .right(said.map(|i| same.contains(&i)));
    let list = all.join(" ");
    let show: Vec<&str> = endings(added, stem).into_iter().collect();
    Ok(Live::default()
        .ask(guess)
        .say("asked", stem)
        .say("endings", show.join(", "))
        .say("guess", &tree.stems[other])
        .say(
            "telling",
            telling(added, stem, &tree.stems[other]).unwrap_or_default(),
        )
        .say("words", all.len())
        .say("added", count)
        .say("newest", &added[count - 1])
        .say("tree", tree.places.len())
        .say("dawg", graph.node_count())
        .say("large", large)
        .say("largetree", large_tree)
        .say("largedawg", large_dawg)
        .say(
            "share",
            percent(large_dawg as f64 / large_tree.max(1) as f64),
        )
        .part(
            "form",
            html! {
                (line("words", "lesson-words", "lesson-words-about", &list, 200))
                (slider("added", "lesson-added", count, [1, all.len() as i64, 1]))
            },
        )
        .part(
            "dawg",
            picture(&say("lesson-dawg"), &automaton(&graph), &Marks::default()),
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_pictures_hold_the_same_words() {
        let list: Vec<String> = WORDS_AT_FIRST.split(' ').map(str::to_owned).collect();
        let read = |drawn: &Drawn| {
            let mut found = Vec::new();
            let mut open = vec![(0_usize, String::new())];
            while let Some((at, stem)) = open.pop() {
                for &(_, to, letter, ends) in drawn.edges.iter().filter(|e| e.0 == at) {
                    let word = format!("{stem}{letter}");
                    if ends {
                        found.push(word.clone());
                    }
                    open.push((to, word));
                }
            }
            found.sort();
            found
        };
        let automaton = automaton(&graph(&list).unwrap());
        assert_eq!(read(&tree(&list)), list);
        assert_eq!(read(&automaton), list);
        assert!(automaton.places.len() < tree(&list).places.len());
    }
}
