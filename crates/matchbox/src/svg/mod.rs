//! Pictures as SVG text: pure functions, nothing is read or written.
//!
//! - [`wall`]: all boxes of a machine with their beads;
//! - [`labels`]: pages of A4 with labels to cut out and glue on real boxes;
//! - [`learning_curve`]: what came of a course;
//! - [`growth_chart`]: measured cost against size, with the fitted laws.

mod boxes;
mod curve;
mod growth;
mod pen;

pub use boxes::{BEADS, View, box_picture, labels, wall};
pub use curve::learning_curve;
pub use growth::growth_chart;
