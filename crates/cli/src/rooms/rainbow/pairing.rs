//! The two arguments for Breaker: pairings and the potential.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_rainbow::pairing::{Found, Pairing, find};
use wits_rainbow::{Side, Terms};

use super::{budget, wrong};
use crate::Answer;
use crate::args::seconds;
use crate::out::Out;
use crate::problem::Problem;

#[derive(Args)]
pub(crate) struct PairingArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u64,
    /// How long the progressions are
    #[arg(long, value_name = "K")]
    k: u64,
    /// Check these pairs instead, such as "1-2 3-4"; numbers without a partner are paired in order
    #[arg(long, value_name = "PAIRS")]
    pairs: Option<String>,
    /// Seconds it may take
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time: Option<f64>,
}

#[derive(Args, Clone, Copy)]
pub(crate) struct PotentialArgs {
    /// How many numbers
    #[arg(long, value_name = "N")]
    n: u64,
    /// How long a rainbow is
    #[arg(long, value_name = "K")]
    k: u64,
    /// Who moves first: maker or breaker
    #[arg(long, value_name = "SIDE", default_value_t = Side::Maker)]
    first: Side,
}

/// `1-2 3-4` as pairs.
fn read_pairs(text: &str) -> Result<Vec<(u32, u32)>> {
    let bad = |word: &str| {
        let hint = "write two numbers with a hyphen and pairs with blanks, such as \"1-2 3-4\"";
        Problem::new("bad-pair", format!("`{word}` is not a pair"), hint)
    };
    let pair = |word: &str| -> Result<(u32, u32)> {
        let (a, b) = word.split_once('-').ok_or_else(|| bad(word))?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| bad(word));
        Ok((number(a)?, number(b)?))
    };
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(pair)
        .collect()
}

pub(super) fn pairing(args: &PairingArgs, out: &Out) -> Result<Answer> {
    let terms = Terms::new(args.n, args.k, args.k, Side::Maker).map_err(wrong)?;
    let (n, k) = (terms.n(), terms.k());
    let found = match &args.pairs {
        Some(text) => Found::Pairing {
            pairing: Pairing::complete(n, k, read_pairs(text)?),
            nodes: 0,
        },
        None => find(n, k, &budget(args.time)),
    };
    match found {
        Found::Pairing { pairing, nodes } => {
            let covered = pairing.check();
            let value = json!({
                "n": n, "k": k, "pairs": pairing.pairs, "spare": pairing.spare,
                "progressions": wits_rainbow::series_count(n, k),
                "checked": covered.is_ok(), "why": covered.as_ref().err().map(ToString::to_string), "nodes": nodes,
            });
            out.tell(&value, || match &covered {
                Err(why) => format!("no pairing: {why}"),
                Ok(count) => {
                    let pairs: Vec<String> =
                        pairing.pairs.iter().map(|(a, b)| format!("{a}-{b}")).collect();
                    let mut text = pairs.join(" ");
                    if let Some(spare) = pairing.spare {
                        let _ = write!(text, ", {spare} left over");
                    }
                    let first = if n.is_multiple_of(2) { Side::Maker } else { Side::Breaker };
                    let _ = write!(
                        text,
                        "\nchecked: each of the {count} progressions of {k} contains a pair, so Breaker wins when {first} moves first"
                    );
                    text
                }
            })?;
            Ok(if covered.is_ok() {
                Answer::Yes
            } else {
                Answer::No
            })
        }
        Found::None { nodes, on } => {
            let value = json!({
                "n": n, "k": k, "pairs": null, "spare": null,
                "progressions": wits_rainbow::series_count(n, k), "checked": false,
                "proved": true, "on": on, "nodes": nodes,
            });
            out.tell(&value, || {
                format!("no pairing: {on} numbers cannot be paired for progressions of {k} ({nodes} positions of the search)")
            })?;
            Ok(Answer::No)
        }
        Found::Unknown { nodes } => {
            let value = json!({
                "n": n, "k": k, "pairs": null, "spare": null,
                "progressions": wits_rainbow::series_count(n, k), "checked": false,
                "proved": false, "nodes": nodes,
            });
            out.tell(&value, || {
                format!("not known: {nodes} positions of the search were not enough; the search takes up to 64 numbers and 256 progressions")
            })?;
            Ok(Answer::No)
        }
    }
}

pub(super) fn potential(args: PotentialArgs, out: &Out) -> Result<Answer> {
    let terms = Terms::new(args.n, args.k, args.k, args.first).map_err(wrong)?;
    let sum = wits_rainbow::potential::potential(&terms);
    out.tell(&sum, || {
        let verdict = if sum.decides {
            "so one colour is enough for Breaker"
        } else {
            "so this argument does not decide"
        };
        let relation = if sum.decides { "below" } else { "not below" };
        format!(
            "{} progressions, {} halves of {} numbers or one more: {}/2^{} = {:.4}, {relation} {}, {verdict}",
            sum.progressions, sum.halves, sum.half, sum.numerator, sum.power, sum.sum, sum.bound
        )
    })?;
    Ok(if sum.decides { Answer::Yes } else { Answer::No })
}
