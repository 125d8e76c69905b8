//! Sets of words, and the automata that hold them.

mod automaton;
mod builder;
mod compact;
mod encoding;
mod gaddag;
mod graph;
pub mod hunspell;
mod kwg;
mod names;
mod pruned;
mod search;
mod shipped;
mod sieve;
mod sizes;
mod thesis;
mod trie;
mod words;

pub use automaton::{Automaton, Step, Words};
pub use builder::{Builder, Unbuildable};
pub use compact::{BadLexicon, Compact, Spot};
pub use encoding::{Encoding, NotText, UnknownEncoding};
pub use gaddag::Gaddag;
pub use graph::{Edge, Edges, Graph, Node};
pub use kwg::{BadKwg, NotKwg, kwg, read_kwg};
pub(crate) use kwg::{numbers, words_below};
pub use names::{Relation, related};
pub use search::{Found, Pattern, Use, anagrams, beginning};
pub use shipped::{SHIPPED, Shipped};
pub use sieve::{BadForms, Capitals, Dropped, Forms, Reason, Report, Rules, Sieve};
pub use sizes::{Size, sizes};
pub use thesis::{DoesNotFit, Thesis};
pub use trie::Trie;
pub use words::{BadWords, Lexicon};
