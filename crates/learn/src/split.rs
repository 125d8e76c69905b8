//! Dealing rows into training and test parts.

use serde::{Deserialize, Serialize};

use crate::chance::{Dice, For, dice};
use crate::error::LearnError;

/// Rows to learn from and rows to be asked about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fold {
    /// Training rows.
    pub train: Vec<usize>,
    /// Test rows.
    pub test: Vec<usize>,
}

/// How rows are dealt for cross-validation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Validation {
    /// Stratified folds, in file order or shuffled, perhaps repeated with other shuffles.
    Folds {
        /// How many folds.
        folds: usize,
        /// How often all of it is repeated (more than once means shuffled).
        repeats: usize,
        /// Shuffled by the seed rather than in file order.
        shuffle: bool,
    },
    /// Every row is a test part of its own.
    LeaveOneOut,
}

impl Validation {
    /// Stratified folds in file order.
    pub fn folds(folds: usize) -> Validation {
        Validation::Folds {
            folds,
            repeats: 1,
            shuffle: false,
        }
    }

    /// The parts for rows of these classes.
    pub fn deal(self, y: &[u32], seed: u64) -> Result<Vec<Fold>, LearnError> {
        match self {
            Validation::LeaveOneOut => Ok((0..y.len())
                .map(|i| Fold {
                    train: (0..y.len()).filter(|&j| j != i).collect(),
                    test: vec![i],
                })
                .collect()),
            Validation::Folds {
                folds,
                repeats,
                shuffle,
            } => {
                let mut all = Vec::with_capacity(folds * repeats);
                for repeat in 0..repeats.max(1) {
                    let dice =
                        (shuffle || repeats > 1).then(|| dice(seed, For::Split, repeat as u64));
                    all.extend(stratified(y, folds, dice)?);
                }
                Ok(all)
            }
        }
    }
}

/// Stratified folds: every fold gets its share of every class. Without dice each class is dealt
/// in stretches of file order, exactly as scikit-learn's unshuffled `StratifiedKFold` does.
fn stratified(y: &[u32], folds: usize, mut dice: Option<Dice>) -> Result<Vec<Fold>, LearnError> {
    if folds < 2 {
        return Err(LearnError::TooFewFolds(folds));
    }
    // Classes in order of first appearance: the order decides which folds get the odd rows.
    let mut appearance: Vec<u32> = Vec::new();
    let codes: Vec<usize> = y
        .iter()
        .map(|c| {
            appearance.iter().position(|a| a == c).unwrap_or_else(|| {
                appearance.push(*c);
                appearance.len() - 1
            })
        })
        .collect();
    let mut sizes = vec![0; appearance.len()];
    for &c in &codes {
        sizes[c] += 1;
    }
    let largest = sizes.iter().copied().max().unwrap_or(0);
    if folds > largest {
        return Err(LearnError::TooManyFolds {
            folds,
            rows: y.len(),
            largest,
        });
    }
    let mut ordered = codes.clone();
    ordered.sort_unstable();
    let mut share = vec![vec![0; appearance.len()]; folds];
    for (i, &c) in ordered.iter().enumerate() {
        share[i % folds][c] += 1;
    }
    let mut home = vec![0; y.len()];
    for class in 0..appearance.len() {
        let shares = share.iter().map(|fold| fold[class]).enumerate();
        let mut deal: Vec<usize> = shares
            .flat_map(|(fold, rows)| std::iter::repeat_n(fold, rows))
            .collect();
        if let Some(dice) = &mut dice {
            dice.shuffle(&mut deal);
        }
        let members = (0..y.len()).filter(|&i| codes[i] == class);
        members.zip(deal).for_each(|(i, f)| home[i] = f);
    }
    Ok((0..folds)
        .map(|f| Fold {
            train: (0..y.len()).filter(|&i| home[i] != f).collect(),
            test: (0..y.len()).filter(|&i| home[i] == f).collect(),
        })
        .collect())
}

/// One stratified split into a training and a test part, both shuffled.
pub fn holdout(y: &[u32], test_share: f64, seed: u64) -> Result<Fold, LearnError> {
    let classes = y.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
    let mut sizes = vec![0usize; classes];
    for &c in y {
        sizes[c as usize] += 1;
    }
    let n = y.len();
    let test = (test_share * n as f64).ceil() as usize;
    let present = sizes.iter().filter(|&&s| s > 0).count();
    if !(0.0..1.0).contains(&test_share)
        || test < present
        || n - test < present
        || sizes.contains(&1)
    {
        return Err(LearnError::BadSplit {
            share: test_share,
            rows: n,
            classes: present,
        });
    }
    let mut dice = dice(seed, For::Split, 0);
    let train_sizes = proportional(&sizes, n - test, &mut dice);
    let mut fold = Fold {
        train: Vec::new(),
        test: Vec::new(),
    };
    for (class, &train) in train_sizes.iter().enumerate() {
        let mut members: Vec<usize> = (0..n).filter(|&i| y[i] as usize == class).collect();
        dice.shuffle(&mut members);
        let rest = members.split_off(train);
        fold.train.extend(members);
        fold.test.extend(rest);
    }
    dice.shuffle(&mut fold.train);
    dice.shuffle(&mut fold.test);
    Ok(fold)
}

/// A stratified sample of about so many rows, in their order. Of every class at least two rows are
/// taken, or the one there is, so that none is lost.
pub(crate) fn sample(y: &[u32], rows: usize, seed: u64) -> Vec<usize> {
    let classes = y.iter().map(|&c| c as usize + 1).max().unwrap_or(0);
    let mut members = vec![Vec::new(); classes];
    for (i, &c) in y.iter().enumerate() {
        members[c as usize].push(i);
    }
    let sizes: Vec<usize> = members.iter().map(Vec::len).collect();
    let mut dice = dice(seed, For::Sample, 2);
    let given = proportional(&sizes, rows.min(y.len()), &mut dice);
    let mut picked = Vec::with_capacity(rows);
    for (mut members, given) in members.into_iter().zip(given) {
        dice.shuffle(&mut members);
        members.truncate(given.max(2));
        picked.extend(members);
    }
    picked.sort_unstable();
    picked
}

/// Divides a number of draws over groups in proportion: the whole parts first, then the largest
/// remainders, ties by lot.
fn proportional(sizes: &[usize], draws: usize, dice: &mut Dice) -> Vec<usize> {
    let all: usize = sizes.iter().sum();
    let exact: Vec<f64> = sizes
        .iter()
        .map(|&s| s as f64 * draws as f64 / all as f64)
        .collect();
    let mut given: Vec<usize> = exact.iter().map(|e| e.floor() as usize).collect();
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    dice.shuffle(&mut order);
    order.sort_by(|&a, &b| exact[b].fract().total_cmp(&exact[a].fract()));
    let open = draws - given.iter().sum::<usize>();
    order.iter().take(open).for_each(|&g| given[g] += 1);
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_tested_once_and_shares_are_kept() {
        let y: Vec<u32> = (0..97)
            .map(|i| u32::from(i % 7 == 0) + u32::from(i % 3 == 0))
            .collect();
        for shuffle in [false, true] {
            let plan = Validation::Folds {
                folds: 5,
                repeats: 1,
                shuffle,
            };
            let folds = plan.deal(&y, 3).unwrap();
            let mut seen: Vec<usize> = folds.iter().flat_map(|f| f.test.clone()).collect();
            seen.sort_unstable();
            assert_eq!(seen, (0..97).collect::<Vec<_>>());
            for class in 0..3 {
                let sizes: Vec<usize> = folds
                    .iter()
                    .map(|f| f.test.iter().filter(|&&i| y[i] == class).count())
                    .collect();
                assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() <= 1);
            }
        }
    }

    #[test]
    fn repeats_differ_and_seeds_repeat() {
        let y: Vec<u32> = (0..40).map(|i| i % 2).collect();
        let plan = Validation::Folds {
            folds: 4,
            repeats: 3,
            shuffle: true,
        };
        let a = plan.deal(&y, 1).unwrap();
        assert_eq!(a.len(), 12);
        assert_ne!(a[0], a[4]);
        assert_eq!(a, plan.deal(&y, 1).unwrap());
        assert_ne!(a, plan.deal(&y, 2).unwrap());
    }

    #[test]
    fn too_many_folds_are_refused() {
        let y = [0, 0, 0, 1, 1];
        assert!(
            Validation::folds(4)
                .deal(&y, 0)
                .unwrap_err()
                .to_string()
                .contains("at most 3 folds, or bring more rows")
        );
        assert!(Validation::folds(1).deal(&y, 0).is_err());
        assert_eq!(Validation::LeaveOneOut.deal(&y, 0).unwrap().len(), 5);
    }

    #[test]
    fn a_holdout_keeps_shares() {
        let y: Vec<u32> = [(0, 70), (1, 76), (2, 17), (3, 13), (4, 9), (5, 29)]
            .iter()
            .flat_map(|&(c, n)| std::iter::repeat_n(c, n))
            .collect();
        let fold = holdout(&y, 0.3, 1).unwrap();
        assert_eq!((fold.train.len(), fold.test.len()), (149, 65));
        let sizes: Vec<usize> = (0..6)
            .map(|c| fold.test.iter().filter(|&&i| y[i] == c).count())
            .collect();
        // The report's own test part has these sizes.
        assert_eq!(sizes, [21, 23, 5, 4, 3, 9]);
        assert!(holdout(&y, 0.001, 1).is_err() && holdout(&y, 1.5, 1).is_err());
    }
}
