//! Response curves: how what a model says of one row follows each of its columns, the others kept
//! as they are.

use serde::Serialize;

use crate::dataset::Dataset;
use crate::error::LearnError;
use crate::matrix::Matrix;
use crate::model::Model;
use crate::words::WORDS;

/// Places on the axis of a number.
const PLACES: usize = 61;

/// What a model says as one column of a row changes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Response {
    /// The column.
    pub column: String,
    /// The texts of the column, where it is one of texts; `at` then counts them from 0.
    pub levels: Option<Vec<String>>,
    /// The values that are tried.
    pub at: Vec<f64>,
    /// What the row itself has, where it has something.
    pub own: Option<f64>,
    /// The probability of each class at each value; 0 or 1 where the classifier has none.
    pub shares: Vec<Vec<f64>>,
}

/// How a model's answer about a row (its features in order) follows each column.
pub fn responses(model: &Model, data: &Dataset, row: &[f64]) -> Result<Vec<Response>, LearnError> {
    let width = data.x.columns();
    if row.len() != width || model.schema.features().len() != width {
        let says = WORDS.say("plan-features").with("width", width);
        return Err(LearnError::BadPlan(says.with("found", row.len())));
    }
    let sources = data.schema.sources.iter().zip(data.schema.spans());
    let each = sources.map(|(source, span)| {
        let own = &row[span.clone()];
        let (at, own, changed): (Vec<f64>, Option<f64>, Vec<Vec<f64>>) = match &source.levels {
            None => {
                let at = places(&data.x.column(span.start));
                let own = (!own[0].is_nan()).then_some(own[0]);
                let changed = at.iter().map(|&v| vec![v]).collect();
                (at, own, changed)
            }
            Some(levels) => {
                let at = (0..levels.len()).map(|k| k as f64).collect();
                let own = own.iter().position(|&v| v > 0.5).map(|k| k as f64);
                let only = |k: usize| {
                    let flag = |l: usize| f64::from(u8::from(l == k));
                    (0..levels.len()).map(flag).collect()
                };
                (at, own, (0..levels.len()).map(only).collect())
            }
        };
        let mut x = Matrix::zeros(changed.len(), width);
        for (i, values) in changed.iter().enumerate() {
            x.row_mut(i).copy_from_slice(row);
            x.row_mut(i)[span.clone()].copy_from_slice(values);
        }
        Response {
            column: source.name.clone(),
            levels: source.levels.clone(),
            at,
            own,
            shares: shares(model, &x),
        }
    });
    Ok(each.collect())
}

fn shares(model: &Model, x: &Matrix) -> Vec<Vec<f64>> {
    if let Some(shares) = model.fitted.probabilities(x) {
        return shares;
    }
    let classes = model.schema.classes.len();
    let sure = |said: u32| {
        let flag = |class: usize| f64::from(u8::from(class == said as usize));
        (0..classes).map(flag).collect()
    };
    model.fitted.predict(x).into_iter().map(sure).collect()
}

/// From the smallest to the largest value; every one where they are few.
fn places(values: &[f64]) -> Vec<f64> {
    let mut known: Vec<f64> = values.iter().copied().filter(|v| !v.is_nan()).collect();
    known.sort_unstable_by(f64::total_cmp);
    known.dedup_by(|a, b| a.total_cmp(b).is_eq());
    let (Some(&low), Some(&high)) = (known.first(), known.last()) else {
        return vec![0.0];
    };
    if known.len() <= 12 {
        return known;
    }
    let step = (high - low) / (PLACES - 1) as f64;
    (0..PLACES).map(|k| low + step * k as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::train;
    use crate::samples::Sample;

    #[test]
    fn a_curve_passes_through_what_the_model_says_of_the_row() {
        let data = Sample::named("balcony").unwrap().dataset();
        let pipeline = "mean + random-forest:trees=20".parse().unwrap();
        let model = train(&data, &pipeline, 3).unwrap();
        let row = data.x.row(7).to_vec();
        let found = responses(&model, &data, &row).unwrap();
        assert_eq!(found.len(), data.schema.sources.len());
        let said = model.predict_one(&row).unwrap().probabilities.unwrap();
        for one in &found {
            assert_eq!(one.at.len(), one.shares.len());
            for shares in &one.shares {
                assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
            // Where the row's own value is among those tried, its own answer is.
            let own = one.own.and_then(|own| {
                let mut at = one.at.iter();
                at.position(|v| v.total_cmp(&own).is_eq())
            });
            if let Some(k) = own {
                assert_eq!(one.shares[k], said, "{}", one.column);
            }
        }
        let kind = found.iter().find(|r| r.column == "kind").unwrap();
        assert!(
            kind.levels
                .as_ref()
                .is_some_and(|l| l.len() == kind.at.len())
        );
        assert!(responses(&model, &data, &row[1..]).is_err());
    }
}
