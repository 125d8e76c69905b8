//! From a table to the rows that are learned from, and those that are kept aside.

use serde::{Deserialize, Serialize};

use crate::control::Control;
use crate::dataset::{Dataset, Roles};
use crate::error::LearnError;
use crate::metrics::{Scores, measure};
use crate::pipeline::Fitted;
use crate::spec::Pipeline;
use crate::split::{holdout, sample};
use crate::table::{Table, Warning};
use crate::words::WORDS;

/// Which rows are learned from. The steps are taken in the order of the fields.
#[derive(Clone, Debug, Default)]
pub struct Intake {
    /// Class and label columns.
    pub roles: Roles,
    /// Of more rows than this a stratified sample is taken; 0 takes all.
    pub most: usize,
    /// The chance of a value to be removed.
    pub missing: f64,
    /// The share of rows that is kept aside.
    pub holdout: f64,
    /// Where all chance comes from.
    pub seed: u64,
}

impl Intake {
    /// The rows to learn from and, where some are kept aside, those.
    pub fn of(&self, table: &Table) -> Result<(Dataset, Option<Dataset>), LearnError> {
        let mut data = Dataset::new(table, &self.roles)?;
        let all = data.y.len();
        if self.most > 0 && all > self.most {
            data = data.pick(&sample(&data.y, self.most, self.seed));
            let says = WORDS.say("warn-sampled").with("rows", data.y.len());
            data.warnings.push(Warning::new(&says.with("all", all)));
        }
        if self.missing > 0.0 {
            data = data.with_missing(self.missing, self.seed);
        }
        if self.holdout <= 0.0 {
            return Ok((data, None));
        }
        let mut fold = holdout(&data.y, self.holdout, self.seed)?;
        // In the order of the file, so that folds are dealt as without it.
        fold.train.sort_unstable();
        fold.test.sort_unstable();
        let held = data.pick(&fold.test);
        data = data.pick(&fold.train);
        let says = WORDS.say("warn-held-out").with("rows", held.y.len());
        data.warnings
            .push(Warning::new(&says.with("all", held.y.len() + data.y.len())));
        Ok((data, Some(held)))
    }
}

/// How a pipeline that was trained on all other rows fares on those that were kept aside.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeldOut {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// Everything measured on the rows kept aside.
    pub scores: Scores,
}

impl HeldOut {
    /// Trains a pipeline on some rows and asks it about others.
    pub fn check(
        train: &Dataset,
        held: &Dataset,
        pipeline: &Pipeline,
        seed: u64,
        control: &Control<'_>,
    ) -> Result<HeldOut, LearnError> {
        let classes = train.classes();
        let fitted = Fitted::fit_until(
            pipeline,
            &train.x,
            &train.y,
            classes.len(),
            seed,
            control.stop,
        )?;
        let (predicted, shares) = fitted.answers_unless_stopped(&held.x, control.stop)?;
        let scores = measure(&held.y, &predicted, shares.as_deref(), classes, seed);
        Ok(HeldOut {
            pipeline: pipeline.clone(),
            scores,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::samples::Sample;

    #[test]
    fn rows_kept_aside_are_not_learned_from() {
        let sample = Sample::named("iris").unwrap();
        let intake = Intake {
            holdout: 0.2,
            seed: 4,
            ..Intake::default()
        };
        let (data, held) = intake.of(&sample.table()).unwrap();
        let held = held.unwrap();
        assert_eq!((data.counts(), held.counts()), (vec![40; 3], vec![10; 3]));
        let mut all = [data.rows.clone(), held.rows.clone()].concat();
        assert!(data.rows.is_sorted() && held.rows.is_sorted());
        all.sort_unstable();
        assert_eq!(all, (1..=150).collect::<Vec<_>>());
        assert!(data.warnings.iter().any(|w| w.key == "held-out"));
        let pipeline = "standard + knn:k=1".parse().unwrap();
        let quiet = Control::quiet();
        let found = HeldOut::check(&data, &held, &pipeline, 0, &quiet).unwrap();
        assert_eq!(found.scores.rows, 30);
        // A neighbour that is the row itself would always be right.
        let own = HeldOut::check(&held, &held, &pipeline, 0, &quiet).unwrap();
        assert!((own.scores.accuracy.value - 1.0).abs() < 1e-12);
        assert!(found.scores.accuracy.value < 1.0);
    }

    #[test]
    fn a_sample_keeps_the_shares_of_the_classes_and_is_said() {
        let (x, y) = crate::bench::sample(5_000, 4, 2, 1);
        // One class in fifty.
        let y: Vec<u32> = (0..y.len()).map(|i| u32::from(i % 50 == 0)).collect();
        let mut text = String::from("a,b,c,d,class\n");
        for (i, class) in y.iter().enumerate() {
            for v in x.row(i) {
                write!(text, "{v:.3},").unwrap();
            }
            writeln!(text, "{class}").unwrap();
        }
        let table = crate::read_table(text.as_bytes(), &crate::ReadOptions::default()).unwrap();
        let intake = Intake {
            most: 1_000,
            ..Intake::default()
        };
        let (data, held) = intake.of(&table).unwrap();
        assert!(held.is_none());
        assert_eq!(data.counts(), [980, 20]);
        assert!(data.rows.is_sorted());
        let said = data.warnings.iter().find(|w| w.key == "sampled").unwrap();
        assert!(
            said.text.contains("1,000") || said.text.contains("1000"),
            "{}",
            said.text
        );
    }
}
