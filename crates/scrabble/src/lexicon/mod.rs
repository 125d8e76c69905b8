//! Sets of words, and the automata that hold them.

mod automaton;
mod builder;
mod gaddag;
mod graph;
mod words;

pub use automaton::{Automaton, Step, Words};
pub use builder::{Builder, Unbuildable};
pub use gaddag::Gaddag;
pub use graph::{Edge, Edges, Graph, Node};
pub use words::{BadWords, Lexicon};
