//! A decision tree, drawn.

use super::canvas::{Canvas, colour, fit, short, widest};
use super::words;
use crate::classify::{Node, Tree};
use crate::words::WORDS;

/// Draws a tree from the root down to `depth`: each question, how many rows reach it, and the
/// classes among them as a striped bar.
pub fn tree(tree: &Tree, features: &[String], classes: &[String], depth: usize) -> String {
    let mut places = Vec::new();
    let mut leaves = 0.0;
    place(tree, 0, 0, depth, &mut leaves, &mut places);
    let label = |node: usize| label(tree, node, features, classes);
    let labels: Vec<String> = places.iter().map(|p| label(p.0)).collect();
    let (wide, tall) = (f64::max(150.0, widest(&labels, 12.0) + 16.0), 92.0);
    let deepest = places.iter().map(|p| p.2).max().unwrap_or(0);
    let mut c = Canvas::new(
        40.0 + wide * f64::max(leaves, 2.0),
        60.0 + tall * (deepest as f64 + 1.0),
        &words("draw-tree"),
    );
    c.legend(20.0, 24.0, classes);
    let middle = |x: f64| 20.0 + wide * (x + 0.5);
    let top = |level: usize| 40.0 + tall * level as f64;
    let find = |node: usize| places.iter().find(|p| p.0 == node);
    for &(node, x, level) in &places {
        if let Node::Ask { left, right, .. } = tree.node(node) {
            for (child, word) in [(left, words("draw-yes")), (right, words("draw-no"))] {
                if let Some(&(_, cx, cl)) = find(child) {
                    c.line(
                        (middle(x), top(level) + 58.0),
                        (middle(cx), top(cl)),
                        "axis",
                    );
                    c.text(
                        f64::midpoint(middle(x), middle(cx)),
                        top(cl) - 12.0,
                        "middle",
                        "s",
                        &word,
                    );
                }
            }
        }
        let counts = tree.counts(node);
        let rows: u32 = counts.iter().sum();
        let (left, width) = (middle(x) - 65.0, 130.0);
        c.text(middle(x), top(level) + 14.0, "middle", "", &label(node));
        let mut at = left;
        for (class, &n) in counts.iter().enumerate() {
            let part = width * f64::from(n) / f64::from(rows.max(1));
            if n > 0 {
                c.rect(
                    at,
                    top(level) + 20.0,
                    (part, 14.0),
                    colour(class),
                    &WORDS
                        .say("draw-class-rows")
                        .with("class", &classes[class])
                        .with("rows", n)
                        .to_string(),
                );
                if part > 14.0 {
                    c.mark(at + part / 2.0, top(level) + 42.0, class, 3.0);
                }
            }
            at += part;
        }
        c.text(
            middle(x),
            top(level) + 58.0,
            "middle",
            "s n",
            &WORDS.say("draw-rows").with("rows", rows).to_string(),
        );
    }
    c.finish()
}

/// A question, or the class of a leaf.
fn label(tree: &Tree, node: usize, features: &[String], classes: &[String]) -> String {
    match tree.node(node) {
        Node::Ask {
            column, threshold, ..
        } => format!(
            "{} ≤ {}?",
            fit(&features[column], 220.0, 12.0),
            short(threshold)
        ),
        Node::Leaf => {
            let counts = tree.counts(node);
            let most = counts.iter().copied().max().unwrap_or(0);
            let class = counts.iter().position(|&n| n == most).unwrap_or(0);
            let class = fit(&classes[class], 220.0, 12.0);
            WORDS.say("draw-class").with("class", class).to_string()
        }
    }
}

/// Leaves side by side, parents over the middle of their children.
fn place(
    tree: &Tree,
    node: usize,
    level: usize,
    depth: usize,
    leaves: &mut f64,
    places: &mut Vec<(usize, f64, usize)>,
) -> f64 {
    let x = match tree.node(node) {
        Node::Ask { left, right, .. } if level < depth => {
            let a = place(tree, left, level + 1, depth, leaves, places);
            let b = place(tree, right, level + 1, depth, leaves, places);
            f64::midpoint(a, b)
        }
        _ => {
            *leaves += 1.0;
            *leaves - 1.0
        }
    };
    places.push((node, x, level));
    x
}
