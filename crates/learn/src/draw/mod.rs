//! Drawings as SVG: each stands alone, follows the reader's light or dark setting, and doubles
//! every colour by a shape or a label.

mod canvas;
mod data;
mod results;
mod tree;

pub use data::{box_plots, correlation_map, densities, scatter_matrix, transformed_views};
pub use results::{confusion, curve, importances, method_bars};
pub use tree::tree;

use serde::Serialize;

use crate::dataset::Dataset;
use crate::error::LearnError;

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

/// The names of the drawings for a first look, in order: the report's figures 1 to 4 and 6.
pub const FIRST_LOOK: [&str; 5] = [
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
        "boxes" => ("Box plots of every feature", box_plots(data)),
        "scatter" => ("Every pair of features", scatter_matrix(data)),
        "correlation" => ("Correlations", correlation_map(data)),
        "densities" => ("Densities per class", densities(data)),
        "transformed" => {
            let svg = transformed_views(data, pair, &VIEWS)?;
            ("Two features before and after", svg)
        }
        _ => return Ok(None),
    };
    Ok(Some(Drawing {
        name: name.to_owned(),
        title: title.to_owned(),
        svg,
    }))
}

/// All drawings for a first look at data.
pub fn first_look(data: &Dataset, pair: Option<(&str, &str)>) -> Result<Vec<Drawing>, LearnError> {
    let drawn = FIRST_LOOK.map(|name| first_look_at(data, name, pair));
    drawn.into_iter().filter_map(Result::transpose).collect()
}
