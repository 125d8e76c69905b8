//! `moves`: one position on the command line.

use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use wits_scrabble::lexicon::related;
use wits_scrabble::players::Step;
use wits_scrabble::{BadStanding, Engine, Standing, house, report};

use super::library;
use crate::Answer;
use crate::out::Out;
use crate::problem::Problem;

/// A position: a board with racks.
#[derive(Args)]
pub(crate) struct PositionArgs {
    /// The lexicon: `english`, `polish`, `czech`, or a file; the position may name it
    #[arg(long, value_name = "NAME")]
    lexicon: Option<String>,
    /// The position in CGP notation; an empty board where it is left out
    #[arg(long, value_name = "CGP")]
    position: Option<String>,
    /// The tiles of the side to move, `?` for a blank; those of the position where it is left out
    #[arg(long, value_name = "TILES")]
    rack: Option<String>,
}

#[derive(Args)]
pub(crate) struct MovesArgs {
    #[command(flatten)]
    at: PositionArgs,
    /// How many moves to print
    #[arg(long, value_name = "N", default_value_t = 20)]
    top: usize,
    /// Order by points and what the tiles kept are worth, not by points alone
    #[arg(long)]
    equity: bool,
}

/// A sentence for those whose words are judged by another lexicon.
fn other_words(name: &str, ours: &str) -> String {
    format!(
        "`{name}` is not here: words are looked up in `{ours}`; give another with --lexicon FILE"
    )
}

/// The engine of a lexicon by name or file, with everything that makes it fast.
pub(crate) fn engine(name: &str) -> Result<Arc<Engine>> {
    let lexicon = library::lexicon(name, None)?;
    let known = house::known();
    if known.iter().any(|k| k == name) {
        return Ok(house::engine(name, &wits_play::Shelf::new()).map_err(Problem::from)?);
    }
    Ok(house::offer(wits_scrabble::Lexicon::clone(&lexicon)))
}

impl PositionArgs {
    fn given(&self, out: &Out) -> Result<Standing> {
        let named = self.position.as_deref().and_then(Standing::named);
        let ours = named.map(|name| match related(name) {
            // A file of that name comes first.
            Some(other) if !std::path::Path::new(name).exists() => {
                if !other.same {
                    out.note(&other_words(name, other.ours));
                }
                other.ours
            }
            _ => name,
        });
        let name = self.lexicon.as_deref().or(ours).unwrap_or("english");
        let read = Standing::read(
            engine(name)?,
            self.position.as_deref(),
            self.rack.as_deref(),
        );
        Ok(read.map_err(|e| {
            let (code, hint) = match &e {
                BadStanding::Position(_) => (
                    "bad-position",
                    "fifteen rows, then racks, scores and scoreless turns: `15/15/… ABC/DEF 0/0 0`",
                ),
                BadStanding::Rack(_) => (
                    "bad-rack",
                    "a rack holds seven letters of the tile set, `?` for a blank; it shares one set of tiles with the board",
                ),
                BadStanding::NoRack => (
                    "no-rack",
                    "give `--rack AEINRS?`, or write the rack into the position",
                ),
            };
            Problem::new(code, e.to_string(), hint)
        })?)
    }
}

/// `wits scrabble moves`
pub(crate) fn moves(args: &MovesArgs, out: &Out) -> Result<Answer> {
    let given = args.at.given(out)?;
    let mut all = given.rated(usize::MAX);
    let count = all
        .iter()
        .filter(|r| matches!(r.step, Step::Lay(..)))
        .count();
    if !args.equity {
        all.retain(|r| matches!(r.step, Step::Lay(..)));
        // The order of plays breaks ties, as everywhere.
        all.sort_by_key(|r| std::cmp::Reverse(r.score));
    }
    all.truncate(args.top);
    let tiles = given.engine.tiles();
    let list: Vec<_> = all
        .iter()
        .map(|r| report::listed(r, &given.hand, &given.position.board, tiles))
        .collect();
    out.tell(
        &json!({"moves": list, "count": count, "lexicon": given.engine.lexicon().name()}),
        || {
            let mut text = String::new();
            for (n, listed) in list.iter().enumerate() {
                let _ = writeln!(
                    text,
                    "{:3}  {:<22} {:>4}  keeps {:<7} {:>7.2}",
                    n + 1,
                    listed.text,
                    listed.score,
                    listed.leave,
                    listed.equity
                );
            }
            let _ = write!(text, "{count} plays in all");
            text
        },
    )?;
    Ok(if count > 0 { Answer::Yes } else { Answer::No })
}
