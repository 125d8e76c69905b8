//! Drawings as SVG: each stands alone, follows the reader's light or dark setting, and doubles
//! every colour by a shape or a label.

mod canvas;
mod categories;
mod data;
mod gaps;
mod raster;
mod regions;
mod respond;
mod results;
mod scatter;
mod shares;
mod tree;

pub use data::{box_plots, correlation_map, densities};
pub use gaps::missing_map;
pub use regions::{picture_of_regions, regions};
pub use respond::responses;
pub use results::{confusion, curve, importances, method_bars};
pub use scatter::{named_pair, pair_of, scatter_matrix, transformed_views};
pub use shares::{calibration, precision_recall, roc};
pub use tree::tree;

use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;

use crate::control::NEVER;
use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::words::WORDS;

/// A named drawing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Drawing {
    /// A file name without ending.
    pub name: String,
    /// What it shows.
    pub title: String,
    /// The SVG text.
    pub svg: String,
}

/// Transformations shown side by side when exploring, as in the report's figure 6.
const VIEWS: [&str; 8] = [
    "passthrough",
    "standard",
    "normalize",
    "kbins:bins=3,encode=ordinal",
    "pca",
    "robust",
    "power",
    "quantile:output=uniform",
];

/// A word on a drawing, in the language that is spoken.
fn words(key: &'static str) -> String {
    WORDS.say(key).to_string()
}

/// The names of the drawings for a first look, in order: where values are missing, then the
/// report's figures 1 to 4 and 6.
pub const FIRST_LOOK: [&str; 6] = [
    "gaps",
    "boxes",
    "scatter",
    "correlation",
    "densities",
    "transformed",
];

/// One drawing of [`FIRST_LOOK`]; nothing for another name.
///
/// `pair` names the two features of the transformed views; the two that differ most between
/// classes if none are named.
pub fn first_look_at(
    data: &Dataset,
    name: &str,
    pair: Option<(&str, &str)>,
) -> Result<Option<Drawing>, LearnError> {
    let (title, svg) = match name {
        "gaps" => ("draw-gaps", missing_map(data)),
        "boxes" => ("draw-boxes", box_plots(data)),
        "scatter" => ("draw-scatter", scatter_matrix(data)),
        "correlation" => ("draw-correlations", correlation_map(data)),
        "densities" => ("draw-densities", densities(data)),
        "transformed" => {
            let svg = transformed_views(data, pair, &VIEWS)?;
            ("draw-transformed", svg)
        }
        _ => return Ok(None),
    };
    Ok(Some(Drawing {
        name: name.to_owned(),
        title: words(title),
        svg,
    }))
}

/// All drawings for a first look at data.
pub fn first_look(data: &Dataset, pair: Option<(&str, &str)>) -> Result<Vec<Drawing>, LearnError> {
    first_look_until(data, pair, &NEVER)
}

/// The same, unless somebody raises the flag.
pub(crate) fn first_look_until(
    data: &Dataset,
    pair: Option<(&str, &str)>,
    stop: &AtomicBool,
) -> Result<Vec<Drawing>, LearnError> {
    let mut all = Vec::with_capacity(FIRST_LOOK.len());
    for name in FIRST_LOOK {
        if stop.load(Ordering::Relaxed) {
            return Err(LearnError::Stopped);
        }
        all.extend(first_look_at(data, name, pair)?);
    }
    Ok(all)
}
