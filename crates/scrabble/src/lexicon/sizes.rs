//! How much room each structure takes for the same words.

use serde::Serialize;

use super::builder::Unbuildable;
use super::compact::Compact;
use super::gaddag::Gaddag;
use super::thesis::Thesis;
use super::trie::Trie;
use super::words::Lexicon;

/// One structure's figures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Size {
    /// A short word for scripts.
    pub structure: &'static str,
    /// What it is.
    pub about: &'static str,
    /// How many nodes it has, where it has nodes.
    pub nodes: Option<usize>,
    /// How many bytes it takes.
    pub bytes: usize,
    /// Whether the list fits into it; the thesis's format has a limit.
    pub fits: bool,
    /// What there is to say of it.
    pub note: String,
}

/// The structures for one lexicon, from the largest idea to the smallest file; with the GADDAG, which
/// takes seconds for millions of words, where it is asked for.
pub fn sizes(lexicon: &Lexicon, gaddag: bool) -> Result<Vec<Size>, Unbuildable> {
    let row = |structure, about, nodes, bytes| Size {
        structure,
        about,
        nodes,
        bytes,
        fits: true,
        note: String::new(),
    };
    let letters: usize = lexicon.words().map(|word| word.len() + 1).sum();
    let mut rows = vec![row(
        "list",
        "one letter a byte, one word a line",
        None,
        letters,
    )];
    let trie = Trie::new(lexicon)?;
    let (nodes, bytes) = (trie.nodes(), trie.declared_bytes());
    rows.push(row(
        "uss",
        "the thesis's trie, a pointer for every letter",
        Some(nodes),
        bytes,
    ));
    rows.push(row(
        "trie",
        "the same trie, only edges that exist",
        Some(nodes),
        trie.bytes(),
    ));
    drop(trie);
    if gaddag {
        let gaddag = Gaddag::build(lexicon)?;
        let graph = gaddag.graph();
        let nodes = graph.node_count();
        rows.push(row(
            "gaddag",
            "from every letter outwards",
            Some(nodes),
            graph.bytes(),
        ));
    }
    let dawg = lexicon.dawg();
    let nodes = dawg.node_count();
    rows.push(row(
        "dawg",
        "endings shared, four bytes an edge",
        Some(nodes),
        dawg.bytes(),
    ));
    let about = "the thesis's bytes, 18-bit jumps";
    rows.push(match Thesis::new(dawg) {
        Ok(thesis) => row("thesis", about, Some(thesis.nodes()), thesis.bytes().len()),
        Err(error) => Size {
            fits: false,
            note: error.to_string(),
            ..row("thesis", about, Some(error.nodes), error.bytes)
        },
    });
    let compact = Compact::new(lexicon, "");
    let about = "our own: asked as it is, with ranks";
    rows.push(row("compact", about, Some(nodes), compact.memory()));
    Ok(rows)
}
