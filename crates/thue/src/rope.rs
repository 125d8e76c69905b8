//! A sequence that takes insertions anywhere in logarithmic time.
//!
//! A tree in which every leaf holds a few hundred elements in a row and every inner node knows how many lie below each of its
//! children, so that the element at an index is found by walking down once.

/// A sequence with insertion by index.
///
/// ```
/// use wits_thue::rope::Rope;
/// let mut rope = Rope::new();
/// for i in 0..1000 {
///     rope.insert(i / 2, i);
/// }
/// assert_eq!(rope.len(), 1000);
/// assert_eq!(rope.get(0), Some(&1));
/// ```
#[derive(Clone, Debug)]
pub struct Rope<T> {
    root: Node<T>,
    length: usize,
}

#[derive(Clone, Debug)]
enum Node<T> {
    Leaf(Vec<T>),
    Inner {
        counts: Vec<usize>,
        children: Vec<Node<T>>,
    },
}

/// How many elements a leaf holds before it is split.
const LEAF: usize = 512;
/// How many children an inner node has before it is split.
const WIDTH: usize = 32;

impl<T> Default for Rope<T> {
    fn default() -> Self {
        Rope::new()
    }
}

impl<T> Rope<T> {
    /// An empty sequence.
    pub fn new() -> Rope<T> {
        Rope {
            root: Node::Leaf(Vec::new()),
            length: 0,
        }
    }

    /// How many elements there are.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The element at an index.
    ///
    /// # Complexity
    /// Logarithmic.
    pub fn get(&self, index: usize) -> Option<&T> {
        let (mut node, mut rest) = (&self.root, index);
        loop {
            match node {
                Node::Leaf(elements) => return elements.get(rest),
                Node::Inner { counts, children } => {
                    node = &children[descend(counts, &mut rest, false)?];
                }
            }
        }
    }

    /// Puts an element before the one at an index, or at the end.
    ///
    /// # Panics
    /// When the index is beyond the end.
    ///
    /// # Complexity
    /// Logarithmic.
    pub fn insert(&mut self, index: usize, element: T) {
        assert!(
            index <= self.length,
            "there is no gap {index} among {} elements",
            self.length
        );
        if let Some((count, right)) = self.root.insert(index, element) {
            let old = std::mem::replace(&mut self.root, Node::Leaf(Vec::new()));
            let counts = vec![self.length + 1 - count, count];
            self.root = Node::Inner {
                counts,
                children: vec![old, right],
            };
        }
        self.length += 1;
    }

    /// Tells every element in order.
    pub fn each(&self, mut tell: impl FnMut(&T)) {
        fn walk<T>(node: &Node<T>, tell: &mut impl FnMut(&T)) {
            match node {
                Node::Leaf(elements) => elements.iter().for_each(tell),
                Node::Inner { children, .. } => children.iter().for_each(|child| walk(child, tell)),
            }
        }
        walk(&self.root, &mut tell);
    }
}

/// The child that holds an index, which becomes the index inside the child. At a border an insertion
/// belongs to the end of the left child.
fn descend(counts: &[usize], rest: &mut usize, insertion: bool) -> Option<usize> {
    for (i, &count) in counts.iter().enumerate() {
        if *rest < count || (insertion && *rest == count) {
            return Some(i);
        }
        *rest -= count;
    }
    None
}

impl<T> Node<T> {
    /// Inserts, and gives back the right half with its count where the node had to be split.
    fn insert(&mut self, index: usize, element: T) -> Option<(usize, Node<T>)> {
        match self {
            Node::Leaf(elements) => {
                elements.insert(index, element);
                if elements.len() <= LEAF {
                    return None;
                }
                let mut right = Vec::with_capacity(LEAF + 1);
                right.extend(elements.drain(LEAF / 2..));
                Some((right.len(), Node::Leaf(right)))
            }
            Node::Inner { counts, children } => {
                let mut rest = index;
                let at = descend(counts, &mut rest, true).expect("the index is inside");
                let split = children[at].insert(rest, element);
                counts[at] += 1;
                let (count, right) = split?;
                counts[at] -= count;
                counts.insert(at + 1, count);
                children.insert(at + 1, right);
                if children.len() <= WIDTH {
                    return None;
                }
                let (counts, children) =
                    (counts.split_off(WIDTH / 2), children.split_off(WIDTH / 2));
                Some((counts.iter().sum(), Node::Inner { counts, children }))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wits_game::{Dice, Seed};

    use super::*;

    #[test]
    fn a_plain_list_agrees() {
        let mut dice = Dice::new(Seed::new(3));
        let (mut rope, mut list) = (Rope::new(), Vec::new());
        for i in 0..40_000 {
            let at = match i % 3 {
                0 => dice.below(list.len() + 1),
                1 => list.len(),
                _ => 0,
            };
            rope.insert(at, i);
            list.insert(at, i);
            let probe = dice.below(list.len() + 1);
            assert_eq!(rope.get(probe), list.get(probe));
        }
        let mut all = Vec::new();
        rope.each(|&e| all.push(e));
        assert_eq!(all, list);
    }
}
