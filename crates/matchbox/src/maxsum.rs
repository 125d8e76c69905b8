//! The largest fragment: three ways to one answer, in cubic, quadratic and linear time.
//!
//! Given the changes of an account day by day, find the stretch of days with the largest sum. An
//! empty stretch counts, with sum 0. Sums are kept in 64 bits with a check; where they do not fit
//! the methods say so, and the same code runs in 128 bits.

use serde::Serialize;
use wits_game::{Dice, Seed};

use crate::growth::{Growth, Sample};

/// The largest fragment of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Fragment<N> {
    /// The sum of the fragment.
    pub sum: N,
    /// Index of its first number, from zero; nothing if the fragment is empty.
    pub first: Option<usize>,
    /// Index of its last number, from zero; nothing if the fragment is empty.
    pub last: Option<usize>,
}

/// A sum that does not fit into the number it is kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a sum of these numbers does not fit into {bits} bits, at index {index}; use wider numbers"
)]
pub struct Overflow {
    /// How wide the numbers are.
    pub bits: u32,
    /// The index of the number that was one too many.
    pub index: usize,
}

/// Whole numbers that know when a sum does not fit.
pub trait Summed: Copy + Ord + From<i64> {
    /// How many bits they have.
    const BITS: u32;
    /// The sum, if it fits.
    fn plus(self, other: Self) -> Option<Self>;
    /// The difference, if it fits.
    fn minus(self, other: Self) -> Option<Self>;
}

macro_rules! summed {
    ($($t:ty),*) => { $(impl Summed for $t {
        const BITS: u32 = <$t>::BITS;
        fn plus(self, other: Self) -> Option<Self> { self.checked_add(other) }
        fn minus(self, other: Self) -> Option<Self> { self.checked_sub(other) }
    })* };
}
summed!(i64, i128);

impl<N: Summed> Fragment<N> {
    fn empty() -> Self {
        Fragment {
            sum: N::from(0),
            first: None,
            last: None,
        }
    }

    /// Takes a better fragment; the first of several equally good ones stays.
    fn better(&mut self, sum: N, first: usize, last: usize) {
        if sum > self.sum {
            *self = Fragment {
                sum,
                first: Some(first),
                last: Some(last),
            };
        }
    }
}

/// Which way.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Adds up every fragment from scratch.
    Cubic,
    /// Lengthens each fragment by one number at a time.
    Quadratic,
    /// Balance so far minus the lowest balance before it.
    Linear,
}

impl Method {
    /// All three, slowest first.
    pub const ALL: [Method; 3] = [Method::Cubic, Method::Quadratic, Method::Linear];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Cubic => "cubic",
            Method::Quadratic => "quadratic",
            Method::Linear => "linear",
        }
    }

    /// How many additions it makes for `n` numbers, about.
    pub fn additions(self, n: u64) -> f64 {
        let n = n as f64;
        match self {
            Method::Cubic => n * (n + 1.0) * (n + 2.0) / 6.0,
            Method::Quadratic => n * (n + 1.0) / 2.0,
            Method::Linear => n,
        }
    }

    /// Finds the largest fragment.
    pub fn run<N: Summed>(self, numbers: &[N]) -> Result<Fragment<N>, Overflow> {
        match self {
            Method::Cubic => cubic(numbers),
            Method::Quadratic => quadratic(numbers),
            Method::Linear => linear(numbers),
        }
    }
}

fn add<N: Summed>(sum: N, numbers: &[N], index: usize) -> Result<N, Overflow> {
    sum.plus(numbers[index]).ok_or(Overflow {
        bits: N::BITS,
        index,
    })
}

/// Every beginning, every end, and every number between them: cubic time.
pub fn cubic<N: Summed>(numbers: &[N]) -> Result<Fragment<N>, Overflow> {
    let mut best = Fragment::empty();
    for first in 0..numbers.len() {
        for last in first..numbers.len() {
            let mut sum = N::from(0);
            for index in first..=last {
                sum = add(sum, numbers, index)?;
            }
            best.better(sum, first, last);
        }
    }
    Ok(best)
}

/// Every beginning and every end, each sum from the one before: quadratic time.
pub fn quadratic<N: Summed>(numbers: &[N]) -> Result<Fragment<N>, Overflow> {
    let mut best = Fragment::empty();
    for first in 0..numbers.len() {
        let mut sum = N::from(0);
        for last in first..numbers.len() {
            sum = add(sum, numbers, last)?;
            best.better(sum, first, last);
        }
    }
    Ok(best)
}

/// The balance up to each number, less the lowest balance before it: linear time.
///
/// The printed program of the article counts from one and needs a zero before the first number; here
/// the lowest balance begins with that of the empty list, so no fragment is missed.
pub fn linear<N: Summed>(numbers: &[N]) -> Result<Fragment<N>, Overflow> {
    let mut best = Fragment::empty();
    let (mut balance, mut lowest, mut after_lowest) = (N::from(0), N::from(0), 0);
    for index in 0..numbers.len() {
        balance = add(balance, numbers, index)?;
        let sum = balance.minus(lowest).ok_or(Overflow {
            bits: N::BITS,
            index,
        })?;
        best.better(sum, after_lowest, index);
        if balance < lowest {
            lowest = balance;
            after_lowest = index + 1;
        }
    }
    Ok(best)
}

/// The answer in 64 bits where it fits, otherwise in 128: what happened, and what avoids it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Careful {
    /// The fragment. 128 bits hold any sum of up to 2^63 numbers of 64 bits.
    pub fragment: Fragment<i128>,
    /// Where 64 bits were not enough.
    pub overflow: Option<Overflow>,
    /// What 64 bits without a check would have said.
    pub unchecked: i64,
}

/// Runs a method in 64 bits, and again in 128 if a sum did not fit.
pub fn careful(method: Method, numbers: &[i64]) -> Careful {
    let overflow = match method.run(numbers) {
        Ok(Fragment { sum, first, last }) => {
            let fragment = Fragment {
                sum: i128::from(sum),
                first,
                last,
            };
            return Careful {
                fragment,
                overflow: None,
                unchecked: sum,
            };
        }
        Err(overflow) => overflow,
    };
    let wide: Vec<i128> = numbers.iter().map(|&n| i128::from(n)).collect();
    let fragment = method
        .run(&wide)
        .expect("128 bits hold the sum of any list in memory");
    Careful {
        fragment,
        overflow: Some(overflow),
        unchecked: unchecked(numbers),
    }
}

/// The linear method with sums that wrap around, as a careless program has them.
fn unchecked(numbers: &[i64]) -> i64 {
    let (mut best, mut balance, mut lowest) = (0i64, 0i64, 0i64);
    for &n in numbers {
        balance = balance.wrapping_add(n);
        best = best.max(balance.wrapping_sub(lowest));
        lowest = lowest.min(balance);
    }
    best
}

/// Seeded numbers from `-most` to `most`.
pub fn random_numbers(count: usize, most: u32, seed: Seed) -> Vec<i64> {
    let mut dice = Dice::new(seed);
    let width = 2 * most as usize + 1;
    (0..count)
        .map(|_| dice.below(width) as i64 - i64::from(most))
        .collect()
}

/// Numbers whose true answer does not fit into 64 bits.
pub fn overflowing_numbers() -> Vec<i64> {
    vec![i64::MAX - 5, 3, -7, i64::MAX - 11, 20]
}

/// Seconds of each method, as scripts read them; nothing for a method that was only predicted.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Seconds {
    /// Cubic.
    pub cubic: Option<f64>,
    /// Quadratic.
    pub quadratic: Option<f64>,
    /// Linear.
    pub linear: Option<f64>,
}

/// A race of the three methods on the same numbers, in the words that scripts read.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Race {
    /// How many numbers.
    pub n: usize,
    /// The answer of each method that was run, slowest method first.
    pub answers: Vec<i128>,
    /// Where the fragment begins, from zero.
    pub first: Option<usize>,
    /// Where it ends, from zero.
    pub last: Option<usize>,
    /// What was measured at this size.
    pub seconds: Seconds,
    /// Growth of each method over several sizes, with what it would take for the target size.
    pub growth: Vec<Growth>,
    /// Whether 64 bits were not enough.
    pub overflow: bool,
}

/// What a race may spend and is asked about.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RaceRules {
    /// A method that is expected to take longer than this many seconds is predicted, not run.
    pub patience: f64,
    /// The size that the forecast is for.
    pub target: f64,
}

impl Default for RaceRules {
    fn default() -> RaceRules {
        RaceRules {
            patience: 2.0,
            target: 1e6,
        }
    }
}

/// Runs the three methods on growing beginnings of the same numbers. `clock` reads a clock in seconds.
pub fn race(numbers: &[i64], rules: RaceRules, clock: &mut dyn FnMut() -> f64) -> Race {
    race_with(numbers, rules, &mut |method, part| {
        timed(method, part, clock)
    })
}

/// How long a method takes for some numbers: the best of several runs, because whatever else the
/// computer does can only make a run longer.
fn timed(method: Method, numbers: &[i64], clock: &mut dyn FnMut() -> f64) -> (Careful, f64) {
    let begin = clock();
    let (mut best, mut batch, mut runs) = (f64::INFINITY, 1u32, 0u32);
    loop {
        runs += 1;
        let start = clock();
        let mut answer = careful(method, std::hint::black_box(numbers));
        for _ in 1..batch {
            answer = careful(method, std::hint::black_box(numbers));
        }
        let end = clock();
        best = f64::min(best, (end - start) / f64::from(batch));
        // One run alone says nothing about what else the computer did meanwhile.
        if (end - begin > 5e-3 && runs >= 3) || batch > 1 << 20 {
            return (answer, best);
        }
        // A batch is long enough to be told from the tick of a clock.
        if end - start < 2e-4 {
            batch *= 2;
        }
    }
}

/// What one run of a method costs: its answer, and seconds or whatever else is counted.
pub type Cost<'a> = dyn FnMut(Method, &[i64]) -> (Careful, f64) + 'a;

/// The same race with any measure of cost.
pub fn race_with(numbers: &[i64], rules: RaceRules, cost: &mut Cost<'_>) -> Race {
    let mut race = Race {
        n: numbers.len(),
        answers: Vec::new(),
        first: None,
        last: None,
        seconds: Seconds::default(),
        growth: Vec::new(),
        overflow: false,
    };
    for method in Method::ALL {
        let (samples, answer) = measured(method, numbers, rules, cost);
        if let Some((careful, seconds)) = answer {
            race.answers.push(careful.fragment.sum);
            (race.first, race.last) = (careful.fragment.first, careful.fragment.last);
            race.overflow |= careful.overflow.is_some();
            match method {
                Method::Cubic => race.seconds.cubic = Some(seconds),
                Method::Quadratic => race.seconds.quadratic = Some(seconds),
                Method::Linear => race.seconds.linear = Some(seconds),
            }
        }
        race.growth
            .push(Growth::new(method.name(), samples, rules.target));
    }
    race
}

/// The measurements of one method, and its answer and cost for the whole list if it was run.
type Measured = (Vec<Sample>, Option<(Careful, f64)>);

/// Measures one method at growing sizes while it is fast enough, and on the whole list if that is, too.
fn measured(method: Method, numbers: &[i64], rules: RaceRules, cost: &mut Cost<'_>) -> Measured {
    let mut samples: Vec<Sample> = Vec::new();
    let expected = |from: &Sample, n: usize| {
        from.cost * method.additions(n as u64) / method.additions(from.n as u64)
    };
    let mut size = 64;
    while size < numbers.len() {
        let (_, seconds) = cost(method, &numbers[..size]);
        let sample = Sample {
            n: size as f64,
            cost: seconds,
        };
        samples.push(sample);
        size *= 2;
        if expected(&sample, size) > rules.patience / 4.0 {
            break;
        }
    }
    if samples
        .last()
        .is_some_and(|last| expected(last, numbers.len()) > rules.patience)
    {
        return (samples, None);
    }
    let (answer, seconds) = cost(method, numbers);
    if !numbers.is_empty() {
        samples.push(Sample {
            n: numbers.len() as f64,
            cost: seconds,
        });
    }
    (samples, Some((answer, seconds)))
}
