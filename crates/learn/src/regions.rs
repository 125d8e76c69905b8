//! Decision regions: what a pipeline says over the plane of two features.

use serde::Serialize;

use crate::control::Control;
use crate::cross::cross_validate;
use crate::dataset::Dataset;
use crate::draw::pair_of;
use crate::error::LearnError;
use crate::matrix::Matrix;
use crate::metrics::Measured;
use crate::pipeline::Fitted;
use crate::spec::Pipeline;
use crate::split::Validation;

/// Fields from side to side.
const SIDE: usize = 120;

/// What a pipeline that was trained on two features alone says of every place of their plane.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Regions {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The two features: across and upwards.
    pub features: [String; 2],
    /// From where to where the plane reaches, for each.
    pub ranges: [[f64; 2]; 2],
    /// The classes.
    pub classes: Vec<String>,
    /// The class of every field, row by row from the bottom, as a place among the classes.
    pub fields: Vec<Vec<u32>>,
    /// How often the two features suffice: the accuracy in cross-validation.
    pub accuracy: Measured,
    /// The accuracy of always naming the most frequent class.
    pub baseline: f64,
    #[serde(skip)]
    pub(crate) rows: Dataset,
}

/// Trains a pipeline on two features and asks it about their plane. Without a pair the two features
/// that differ most between the classes are taken.
pub fn regions(
    data: &Dataset,
    pipeline: &Pipeline,
    pair: Option<(&str, &str)>,
    validation: Validation,
    seed: u64,
    control: &Control<'_>,
) -> Result<Regions, LearnError> {
    let (a, b) = pair_of(data, pair)?;
    let rows = data.pick_features(&[a, b]);
    let classes = rows.classes().len();
    let checked = cross_validate(&rows, pipeline, validation, seed, control)?;
    control.go_on()?;
    let fitted = Fitted::fit_until(pipeline, &rows.x, &rows.y, classes, seed, control.stop)?;
    let ranges = [0, 1].map(|j| range(&rows.x.column(j)));
    let at = |[low, high]: [f64; 2], k: usize| low + (high - low) * (k as f64 + 0.5) / SIDE as f64;
    let plane = (0..SIDE * SIDE).flat_map(|k| [at(ranges[0], k % SIDE), at(ranges[1], k / SIDE)]);
    let plane = Matrix::new(SIDE * SIDE, 2, plane.collect());
    let said = fitted.predict_unless_stopped(&plane, control.stop)?;
    Ok(Regions {
        pipeline: pipeline.clone(),
        features: [data.features()[a].clone(), data.features()[b].clone()],
        ranges,
        classes: data.classes().to_vec(),
        fields: said.chunks(SIDE).map(<[u32]>::to_vec).collect(),
        accuracy: Measured {
            value: checked.mean,
            interval: checked.interval,
        },
        baseline: checked.baseline,
        rows,
    })
}

/// The range of known values with a little air; one without width gets some.
fn range(values: &[f64]) -> [f64; 2] {
    let known = || values.iter().copied().filter(|v| !v.is_nan());
    let low = known().fold(f64::INFINITY, f64::min);
    let high = known().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return [0.0, 1.0];
    }
    let air = if high > low { (high - low) * 0.05 } else { 0.5 };
    [low - air, high + air]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Sample;

    /// One threshold of one feature: every field on its one side has one class.
    #[test]
    fn a_stump_cuts_the_plane_once() {
        let iris = Sample::named("iris").unwrap().dataset();
        let stump: Pipeline = "tree:depth=1".parse().unwrap();
        let pair = Some(("petal_length", "petal_width"));
        let quiet = Control::quiet();
        let found = regions(&iris, &stump, pair, Validation::folds(5), 0, &quiet).unwrap();
        assert_eq!(found.features, ["petal_length", "petal_width"]);
        let mut seen: Vec<u32> = found.fields.concat();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 2);
        // It asks about one feature, so either every row or every column is of one class.
        let even = |line: Vec<u32>| line.iter().all(|&c| c == line[0]);
        let rows = found.fields.iter().all(|row| even(row.clone()));
        let columns = (0..SIDE).all(|k| even(found.fields.iter().map(|row| row[k]).collect()));
        assert!(rows != columns);
        assert!(found.accuracy.value > 0.6 && found.accuracy.value < 0.7);
        assert!(
            regions(
                &iris,
                &stump,
                Some(("x", "y")),
                Validation::folds(5),
                0,
                &quiet
            )
            .is_err()
        );
    }
}
