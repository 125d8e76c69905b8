//! A trained tree or forest as Rust source without dependencies.

use std::fmt::Write as _;

use crate::classify::{Classifier, Node, Tree};
use crate::error::LearnError;
use crate::impute::Imputer;
use crate::model::Model;
use crate::numbers::place_of_max;
use crate::transform::Transformer;
use crate::words::WORDS;

/// Rust source with `pub fn classify(row: &[f64; N]) -> &'static str`, equal to the model answer
/// for answer. Gaps are NaN and filled as the model fills them.
///
/// # Errors
/// For other classifiers, transformers that are more than scaling, and the neighbour imputer.
pub fn rust_source(model: &Model) -> Result<String, LearnError> {
    let cannot = |what| {
        let says = WORDS.say("plan-source");
        let says = says.with("pipeline", model.pipeline.to_string());
        LearnError::BadPlan(says.with("what", what))
    };
    let trees: Vec<&Tree> = match &model.fitted.classifier {
        Classifier::Tree(tree) => vec![tree],
        Classifier::Forest(forest) => forest.trees.iter().collect(),
        _ => return Err(cannot(WORDS.say("source-not-trees"))),
    };
    let Imputer::Constant { values } = &model.fitted.imputer else {
        return Err(cannot(WORDS.say("source-imputer")));
    };
    let n = values.len();
    let classes = &model.schema.classes;
    let mut out = String::new();
    let mut line = |text: &str| {
        out.push_str(text);
        out.push('\n');
    };
    line(&format!(
        "//! Trained by wits {}: {}",
        model.made_with, model.pipeline
    ));
    line("");
    line("/// The classes.");
    line(&format!(
        "pub const CLASSES: [&str; {}] = {classes:?};",
        classes.len()
    ));
    line("/// The features, in the order `classify` takes them.");
    line(&format!(
        "pub const FEATURES: [&str; {n}] = {:?};",
        model.schema.features()
    ));
    line("");
    line("/// The class of a sample; a missing value is NaN.");
    line(&format!(
        "pub fn classify(row: &[f64; {n}]) -> &'static str {{"
    ));
    line(&format!("    const FILL: [f64; {n}] = {values:?};"));
    line("    let mut x = *row;");
    line("    for (v, fill) in x.iter_mut().zip(FILL) {");
    line("        if v.is_nan() {");
    line("            *v = fill;");
    line("        }");
    line("    }");
    for step in &model.fitted.transformers {
        match step {
            Transformer::Passthrough => {}
            Transformer::Scale(scale) => {
                line(&format!("    let centre: [f64; {n}] = {:?};", scale.centre));
                line(&format!("    let width: [f64; {n}] = {:?};", scale.width));
                line("    for ((v, c), w) in x.iter_mut().zip(centre).zip(width) {");
                line("        *v = (*v - c) / w;");
                line("    }");
            }
            _ => return Err(cannot(WORDS.say("source-transformer"))),
        }
    }
    let k = classes.len();
    if trees.len() == 1 {
        line("    CLASSES[tree_0(&x)]");
        line("}");
    } else {
        line(&format!("    let mut votes = [0.0f64; {k}];"));
        line(&format!(
            "    let trees: [fn(&[f64; {n}]) -> [f64; {k}]; {}] = [{}];",
            trees.len(),
            (0..trees.len())
                .map(|t| format!("tree_{t}"))
                .collect::<Vec<_>>()
                .join(", ")
        ));
        line("    for tree in trees {");
        line("        for (v, s) in votes.iter_mut().zip(tree(&x)) {");
        line("            *v += s;");
        line("        }");
        line("    }");
        line("    let mut best = 0;");
        line(&format!("    for class in 1..{k} {{"));
        line("        if votes[class] > votes[best] {");
        line("            best = class;");
        line("        }");
        line("    }");
        line("    CLASSES[best]");
        line("}");
    }
    let single = trees.len() == 1;
    for (t, tree) in trees.iter().enumerate() {
        let answer = if single {
            "usize".to_owned()
        } else {
            format!("[f64; {k}]")
        };
        let _ = write!(out, "\nfn tree_{t}(x: &[f64; {n}]) -> {answer} {{\n");
        branch(tree, 0, 1, single, &mut out);
        out.push_str("}\n");
    }
    Ok(out)
}

fn branch(tree: &Tree, node: usize, depth: usize, single: bool, out: &mut String) {
    let pad = "    ".repeat(depth);
    match tree.node(node) {
        Node::Leaf => {
            let counts = tree.counts(node);
            let all = f64::from(counts.iter().sum::<u32>());
            let shares: Vec<f64> = counts.iter().map(|&c| f64::from(c) / all).collect();
            let _ = if single {
                writeln!(out, "{pad}{}", place_of_max(&shares))
            } else {
                writeln!(out, "{pad}{shares:?}")
            };
        }
        Node::Ask {
            column,
            threshold,
            left,
            right,
        } => {
            let _ = writeln!(out, "{pad}if x[{column}] <= {threshold:?} {{");
            branch(tree, left, depth + 1, single, out);
            let _ = writeln!(out, "{pad}}} else {{");
            branch(tree, right, depth + 1, single, out);
            let _ = writeln!(out, "{pad}}}");
        }
    }
}
