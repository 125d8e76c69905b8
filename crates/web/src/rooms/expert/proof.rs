//! A proof as a tree that folds out.

use maud::{Markup, html};
use wits_expert::explain::{because, verdict_says};
use wits_expert::{Base, WORDS as EXPERT};
use wits_logic::{Proof, Verdict};

use crate::WORDS;

/// Goals shown of one proof, and how deep.
const MOST: usize = 600;
const DEEPEST: usize = 40;

/// The proof with what the independent checker says of it.
pub(super) fn checked(base: Option<&Base>, proof: &Proof, verdict: Option<&Verdict>) -> Markup {
    if proof.nodes.is_empty() {
        return html! { p.muted { (EXPERT.say("proof-too-large")) } };
    }
    html! {
        @if let Some(verdict) = verdict { p.proof-check { (verdict_says(verdict)) } }
        (tree(base, proof))
    }
}

/// The proof, its first levels open.
pub(super) fn tree(base: Option<&Base>, proof: &Proof) -> Markup {
    let mut left = MOST;
    let shown = html! {
        ul.expert-proof {
            @for &root in &proof.roots { (node(base, proof, root, 0, &mut left)) }
        }
    };
    html! {
        (shown)
        @if left == 0 {
            p.muted { (WORDS.say("expert-proof-more").with("count", proof.nodes.len())) }
        }
    }
}

fn node(base: Option<&Base>, proof: &Proof, at: usize, depth: usize, left: &mut usize) -> Markup {
    let Some(node) = proof.nodes.get(at).filter(|_| *left > 0) else {
        return html! {};
    };
    *left -= 1;
    let goal = node.goal.to_string();
    let text: String = if goal.chars().count() > 160 {
        goal.chars().take(159).chain(['…']).collect()
    } else {
        goal
    };
    let says = because(base, node).to_string();
    // A fact is told by its goal already.
    let told = says.contains(text.trim_end_matches('…'));
    let line = html! {
        span.expert-because { (says) }
        @if !told { " " code { (text) } }
    };
    if node.children.is_empty() {
        return html! { li { (line) } };
    }
    html! {
        li {
            details open[depth < 2] {
                summary { (line) }
                @if depth < DEEPEST {
                    ul { @for &child in &node.children { (self::node(base, proof, child, depth + 1, left)) } }
                } @else {
                    p.muted { (WORDS.say("expert-proof-more").with("count", proof.nodes.len())) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use wits_logic::{Machine, Outcome};

    use super::*;

    #[test]
    fn a_long_proof_is_cut_off_and_says_so() {
        let mut m = Machine::new();
        m.consult("n.pl", "n(0). n(N) :- N > 0, M is N - 1, n(M).")
            .unwrap();
        m.record_proofs(true);
        for (size, cut) in [(3, false), (5000, true)] {
            m.query(&format!("n({size}).")).unwrap();
            assert!(matches!(m.solve(), Outcome::Solution(_)));
            let proof = m.proof().unwrap();
            let text = tree(None, &proof).into_string();
            let more = WORDS
                .say("expert-proof-more")
                .with("count", proof.nodes.len());
            assert_eq!(text.contains(&more.to_string()), cut, "{size}");
            assert!(text.contains(&format!("n({size})")));
        }
    }
}
