//! Writing the compact format.

use std::collections::{BTreeMap, HashMap, VecDeque};

use super::bits::{BitWriter, width};
use super::code::{Code, Shape};
use super::file::{self, Head, Parts};
use super::{STRIDE, Symbol, Target};
use crate::lexicon::graph::{Edge, Graph, Node};
use crate::lexicon::{Compact, Lexicon};

/// An edge ready to be written: its symbol, and the node that it names.
struct Line {
    symbol: Symbol,
    named: Option<u32>,
}

struct Row {
    below: u32,
    lines: Vec<Line>,
}

impl Compact {
    /// Writes a lexicon in the compact format. The note says where the words come from.
    pub fn new(lexicon: &Lexicon, note: &str) -> Compact {
        let rows = rows(lexicon.dawg());
        let letters = lexicon.tiles().len();
        let mut symbols_often = vec![BTreeMap::new(); letters + 1];
        let mut names_often = vec![BTreeMap::new(); letters + 1];
        let mut sizes_often = BTreeMap::new();
        for row in &rows {
            *sizes_often.entry(width(row.below)).or_insert(0) += 1;
            let mut before = 0;
            for line in &row.lines {
                *symbols_often[before].entry(line.symbol.0).or_insert(0) += 1;
                before = line.symbol.letter().index();
                if let Some(node) = line.named {
                    *names_often[before].entry(node).or_insert(0) += 1;
                }
            }
        }
        let symbols: Vec<Code> = symbols_often.iter().map(Code::new).collect();
        let names: Vec<Code> = names_often.iter().map(Code::new).collect();
        let sizes = Code::new(&sizes_often);

        let mut stream = BitWriter::default();
        let mut places = Vec::new();
        let mut new = 0;
        for (number, row) in rows.iter().enumerate() {
            if number.is_multiple_of(STRIDE) {
                places.push((stream.len() as u32, new));
            }
            let class = width(row.below);
            sizes.put(class, &mut stream);
            stream.put(row.below, class.saturating_sub(1));
            let mut before = 0;
            for line in &row.lines {
                symbols[before].put(line.symbol.0, &mut stream);
                before = line.symbol.letter().index();
                if let Some(node) = line.named {
                    names[before].put(node, &mut stream);
                }
                new += u32::from(line.symbol.target() == Target::New);
            }
        }

        let head = Head {
            name: lexicon.name().to_owned(),
            tiles: lexicon.tiles().name().to_owned(),
            letters: lexicon
                .tiles()
                .letters()
                .map(|l| lexicon.tiles().face(l).upper.clone())
                .collect(),
            note: note.to_owned(),
            words: lexicon.len() as u32,
            hash: lexicon.hash(),
            nodes: rows.len() as u32,
            edges: rows.iter().map(|row| row.lines.len() as u32).sum(),
            stream_bits: stream.len() as u32,
        };
        let mut tables = BitWriter::default();
        for code in symbols.iter().chain([&sizes]) {
            put_shape(&code.shape, &mut tables);
            for &symbol in &code.symbols {
                tables.put(symbol, Symbol::BITS);
            }
        }
        for code in &names {
            put_shape(&code.shape, &mut tables);
        }
        let wide = width(head.nodes);
        let mut numbers = BitWriter::default();
        for &number in names.iter().flat_map(|code| &code.symbols) {
            numbers.put(number, wide);
        }
        let mut places_part = BitWriter::default();
        let mut news = BitWriter::default();
        for (place, new) in places {
            places_part.put(place, file::place_width(head.stream_bits));
            news.put(new, wide);
        }
        let parts = Parts {
            tables: tables.bytes,
            numbers: numbers.bytes,
            places: places_part.bytes,
            news: news.bytes,
            stream: stream.bytes,
        };
        let bytes = file::join(&head, &parts);
        Compact::open(&bytes).expect("what was just written is well formed")
    }
}

fn put_shape(shape: &Shape, to: &mut BitWriter) {
    to.put(shape.counts.len() as u32, 6);
    for &count in &shape.counts {
        // The count's width, then the count.
        let wide = width(count);
        to.put(wide, 5);
        to.put(count, wide);
    }
}

/// The nodes in breadth-first order of first visit.
fn rows(graph: &Graph) -> Vec<Row> {
    let mut below = HashMap::new();
    count(graph, graph.start(), &mut below);
    let mut numbers = HashMap::from([(graph.start(), 0)]);
    let mut waiting = VecDeque::from([graph.start()]);
    let mut rows = Vec::new();
    while let Some(node) = waiting.pop_front() {
        let mut lines = Vec::new();
        for edge in graph.edges(node) {
            let (target, named) = target(edge, &mut numbers, &mut waiting);
            lines.push(Line {
                symbol: Symbol::new(edge, target),
                named,
            });
        }
        rows.push(Row {
            below: below[&node],
            lines,
        });
    }
    rows
}

fn target(
    edge: Edge,
    numbers: &mut HashMap<Node, u32>,
    waiting: &mut VecDeque<Node>,
) -> (Target, Option<u32>) {
    if edge.node().is_leaf() {
        return (Target::Leaf, None);
    }
    let next = numbers.len() as u32;
    if let Some(&number) = numbers.get(&edge.node()) {
        return (Target::Named, Some(number));
    }
    numbers.insert(edge.node(), next);
    waiting.push_back(edge.node());
    (Target::New, None)
}

/// How many words are below each node. Words are at most fifteen letters, so this goes no deeper.
fn count(graph: &Graph, node: Node, known: &mut HashMap<Node, u32>) -> u32 {
    if node.is_leaf() {
        return 0;
    }
    if let Some(&count) = known.get(&node) {
        return count;
    }
    let sum = graph
        .edges(node)
        .map(|edge| u32::from(edge.accepts()) + count(graph, edge.node(), known))
        .sum();
    known.insert(node, sum);
    sum
}
