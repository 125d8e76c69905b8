//! What every structure of words can do, however it is stored.

use crate::tiles::{LONGEST, Letter, Word};

/// One step from a node along a letter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step<N> {
    /// The letter.
    pub letter: Letter,
    /// Whether a word ends here.
    pub accepts: bool,
    /// Where the step leads.
    pub next: N,
}

/// A finite automaton without cycles: paths from the root to accepting steps are the words.
pub trait Automaton {
    /// A place in it.
    type Node: Copy;

    /// Where every word begins.
    fn root(&self) -> Self::Node;

    /// The steps from a node, in the order of the alphabet.
    fn steps(&self, node: Self::Node) -> impl Iterator<Item = Step<Self::Node>> + '_;

    /// The step along one letter.
    fn step(&self, node: Self::Node, letter: Letter) -> Option<Step<Self::Node>> {
        self.steps(node).find(|step| step.letter == letter)
    }

    /// Follows letters from the root; the last step, if they all lead on.
    fn follow(&self, letters: &[Letter]) -> Option<Step<Self::Node>> {
        let mut here = None;
        for &letter in letters {
            let node = here.map_or(self.root(), |step: Step<Self::Node>| step.next);
            here = Some(self.step(node, letter)?);
        }
        here
    }

    /// Whether it holds a word.
    fn holds(&self, word: &[Letter]) -> bool {
        self.follow(word).is_some_and(|step| step.accepts)
    }

    /// All words in order. Words longer than the board is wide are not shown.
    fn words(&self) -> Words<'_, Self>
    where
        Self: Sized,
    {
        Words::below(self, &[], self.root())
    }
}

/// The words below a node, in order.
pub struct Words<'a, A: Automaton> {
    automaton: &'a A,
    stem: usize,
    path: Vec<Letter>,
    // Steps not yet taken, per depth, last first.
    waiting: Vec<Vec<Step<A::Node>>>,
}

impl<'a, A: Automaton> Words<'a, A> {
    /// The words that go on from a stem which leads to a node. The stem itself is not shown.
    pub fn below(automaton: &'a A, stem: &[Letter], node: A::Node) -> Words<'a, A> {
        let mut words = Words {
            automaton,
            stem: stem.len(),
            path: stem.to_vec(),
            waiting: Vec::new(),
        };
        words.open(node);
        words
    }

    fn open(&mut self, node: A::Node) {
        let mut steps: Vec<_> = self.automaton.steps(node).collect();
        steps.reverse();
        self.waiting.push(steps);
    }
}

impl<A: Automaton> Iterator for Words<'_, A> {
    type Item = Word;

    fn next(&mut self) -> Option<Word> {
        loop {
            let Some(step) = self.waiting.last_mut()?.pop() else {
                self.waiting.pop();
                continue;
            };
            self.path.truncate(self.stem + self.waiting.len() - 1);
            self.path.push(step.letter);
            if self.path.len() < LONGEST {
                self.open(step.next);
            } else {
                self.waiting.push(Vec::new());
            }
            if step.accepts
                && let Ok(word) = Word::new(&self.path)
            {
                return Some(word);
            }
        }
    }
}
