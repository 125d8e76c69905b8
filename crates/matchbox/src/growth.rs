//! How fast something grows: a power law through measured points, a forecast, a table.

use serde::Serialize;

/// One measurement: how large, and how long it took or how many steps it was.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Sample {
    /// How large the problem was.
    pub n: f64,
    /// What it cost.
    pub cost: f64,
}

/// A law through measured points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[serde(untagged)]
pub enum Law {
    /// `cost = factor * n^exponent`: a straight line on a doubly logarithmic page.
    Power {
        /// The exponent: 1 for a linear method, 2 for a quadratic one.
        exponent: f64,
        /// The factor.
        factor: f64,
        /// The standard error of the exponent; nothing with fewer than three points.
        error: Option<f64>,
    },
    /// `cost = factor * base^n`: what looking one move deeper costs.
    Exponential {
        /// By how much the cost is multiplied with each step of `n`.
        base: f64,
        /// The factor.
        factor: f64,
        /// The standard error of the logarithm of the base; nothing with fewer than three points.
        error: Option<f64>,
    },
}

/// Which law to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Shape {
    /// A power of the size.
    #[default]
    Power,
    /// A power of a number, with the size as its exponent.
    Exponential,
}

/// Points that no law can be fitted through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a law needs at least two sizes with a cost above zero")]
pub struct TooFewSamples;

impl Law {
    /// Least squares on the logarithms.
    pub fn fit(shape: Shape, samples: &[Sample]) -> Result<Law, TooFewSamples> {
        let (slope, start, error) = line(&points(shape, samples)).ok_or(TooFewSamples)?;
        let factor = libm::exp(start);
        Ok(match shape {
            Shape::Power => Law::Power {
                exponent: slope,
                factor,
                error,
            },
            Shape::Exponential => Law::Exponential {
                base: libm::exp(slope),
                factor,
                error,
            },
        })
    }

    /// The cost that the law expects at a size.
    pub fn predict(&self, n: f64) -> f64 {
        match *self {
            Law::Power {
                exponent, factor, ..
            } => factor * libm::pow(n, exponent),
            Law::Exponential { base, factor, .. } => factor * libm::pow(base, n),
        }
    }

    /// The exponent of a power, or the base of an exponential.
    pub const fn rate(&self) -> f64 {
        match *self {
            Law::Power { exponent, .. } => exponent,
            Law::Exponential { base, .. } => base,
        }
    }
}

impl std::fmt::Display for Law {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Law::Power { exponent, .. } => write!(f, "n^{exponent:.2}"),
            Law::Exponential { base, .. } => write!(f, "{base:.2}^n"),
        }
    }
}

/// What a law expects at a size, and between which costs 95 of 100 measurements there would lie if the law holds: nothing with
/// fewer than three points.
pub fn forecast(shape: Shape, samples: &[Sample], n: f64) -> Option<(f64, [f64; 2])> {
    let points = points(shape, samples);
    let (slope, start, error) = line(&points)?;
    let (error, count, x) = (error?, points.len() as f64, across(shape, n));
    let mean = points.iter().map(|p| p.0).sum::<f64>() / count;
    let xx: f64 = points.iter().map(|p| (p.0 - mean) * (p.0 - mean)).sum();
    let spread = error * libm::sqrt(xx * (1.0 + 1.0 / count) + (x - mean) * (x - mean));
    let (log, wide) = (start + slope * x, student(points.len() - 2) * spread);
    Some((
        libm::exp(log),
        [libm::exp(log - wide), libm::exp(log + wide)],
    ))
}

/// The number that Student's distribution exceeds on either side once in 40 times, by degrees of freedom.
fn student(freedom: usize) -> f64 {
    const TABLE: [f64; 10] = [
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    ];
    TABLE.get(freedom - 1).copied().unwrap_or(2.2)
}

/// How far a parabola through the points leaves their line at `x`, in logarithms of the cost; nothing where the points do not bend more than by
/// accident (the test of Student for the square, at 95 of 100).
fn bend(points: &[(f64, f64)], x: f64) -> Option<f64> {
    let (slope, start, _) = line(points)?;
    let count = points.len() as f64;
    let freedom = points.len().checked_sub(3).filter(|&left| left > 0)?;
    let mean = points.iter().map(|p| p.0).sum::<f64>() / count;
    let moment = |power: f64| {
        let each = points.iter().map(|p| libm::pow(p.0 - mean, power));
        each.sum::<f64>()
    };
    let (second, third) = (moment(2.0), moment(3.0));
    // The square less its own line: fitting it leaves the line through the points as it is.
    let square = |x: f64| {
        let u = x - mean;
        u * u - second / count - third / second * u
    };
    let off = |p: &(f64, f64)| p.1 - start - slope * p.0;
    let squares: f64 = points.iter().map(|p| square(p.0) * square(p.0)).sum();
    let both: f64 = points.iter().map(|p| square(p.0) * off(p)).sum();
    let rest: f64 = points.iter().map(|p| off(p) * off(p)).sum();
    let factor = both / squares;
    let left = f64::max(rest - factor * both, 0.0);
    let error = libm::sqrt(left / freedom as f64 / squares);
    (factor.abs() > student(freedom) * error).then(|| (factor * square(x)).abs())
}

fn across(shape: Shape, n: f64) -> f64 {
    match shape {
        Shape::Power => libm::log(n),
        Shape::Exponential => n,
    }
}

/// The measurements as points that a law turns into a line. Those whose size or cost is not above zero are left out.
fn points(shape: Shape, samples: &[Sample]) -> Vec<(f64, f64)> {
    let usable = samples
        .iter()
        .filter(|s| s.n > 0.0 && s.cost > 0.0 && s.cost.is_finite());
    usable
        .map(|s| (across(shape, s.n), libm::log(s.cost)))
        .collect()
}

/// The line of least squares: slope, height at zero, standard error of the slope.
fn line(points: &[(f64, f64)]) -> Option<(f64, f64, Option<f64>)> {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let xx: f64 = points
        .iter()
        .map(|(x, _)| (x - mean_x) * (x - mean_x))
        .sum();
    let xy: f64 = points
        .iter()
        .map(|(x, y)| (x - mean_x) * (y - mean_y))
        .sum();
    if points.len() < 2 || xx <= 1e-12 {
        return None;
    }
    let slope = xy / xx;
    let start = mean_y - slope * mean_x;
    let off = |(x, y): &(f64, f64)| y - start - slope * x;
    let rest: f64 = points.iter().map(|p| off(p) * off(p)).sum();
    let error = (points.len() > 2).then(|| libm::sqrt(rest / (count - 2.0) / xx));
    Some((slope, start, error))
}

/// One method on the page: its measurements, its law, and what is expected at a larger size.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Growth {
    /// What the method is called.
    pub name: String,
    /// What was measured.
    pub samples: Vec<Sample>,
    /// The fitted law, where there are enough points.
    pub law: Option<Law>,
    /// The size that is asked about.
    pub target: f64,
    /// What the law expects there; nothing where the points are too few or too far from the law to say.
    pub predicted: Option<f64>,
    /// Between which costs 95 of 100 measurements there would lie.
    pub between: Option<[f64; 2]>,
}

/// A forecast whose ends are further apart than this says nothing.
const WIDEST: f64 = 100.0;

/// Where the measurements bend so much that a parabola and the law are further apart than this, the law does not hold.
const MOST_BENT: f64 = 10.0;

impl Growth {
    /// Fits a power law through measurements and asks it about a target size.
    pub fn new(name: impl Into<String>, samples: Vec<Sample>, target: f64) -> Growth {
        Growth::shaped(Shape::Power, name, samples, target)
    }

    /// Fits a law of some shape through measurements and asks it about a target size.
    pub fn shaped(
        shape: Shape,
        name: impl Into<String>,
        samples: Vec<Sample>,
        target: f64,
    ) -> Growth {
        let law = Law::fit(shape, &samples).ok();
        let bent = bend(&points(shape, &samples), across(shape, target));
        let straight = bent.is_none_or(|bent| bent <= libm::log(MOST_BENT));
        let known = forecast(shape, &samples, target)
            .filter(|(_, [low, high])| straight && high.is_finite() && high / low <= WIDEST);
        Growth {
            name: name.into(),
            samples,
            law,
            target,
            predicted: known.map(|(cost, _)| cost),
            between: known.map(|(_, between)| between),
        }
    }
}

/// Measures a method at growing sizes until one step takes longer than `patience`.
///
/// The method says for each size what it cost: seconds of a clock that the caller reads, nodes,
/// comparisons. `next` asks for the sizes in turn.
pub fn measure(
    sizes: impl IntoIterator<Item = u64>,
    patience: f64,
    mut cost: impl FnMut(u64) -> f64,
) -> Vec<Sample> {
    let mut samples = Vec::new();
    for n in sizes {
        let cost = cost(n);
        samples.push(Sample { n: n as f64, cost });
        if cost > patience {
            break;
        }
    }
    samples
}

/// A table of several methods: one line per size, one column per method, then exponent and forecast.
pub fn table(growths: &[Growth], unit: &str) -> String {
    let mut sizes: Vec<f64> = growths
        .iter()
        .flat_map(|g| g.samples.iter().map(|s| s.n))
        .collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let none = || "-".to_owned();
    let mut rows = vec![row("n", growths.iter().map(|g| g.name.clone()))];
    for n in sizes {
        let cells = growths.iter().map(|g| {
            let sample = g.samples.iter().find(|s| s.n.total_cmp(&n).is_eq());
            sample.map_or_else(none, |s| amount(s.cost, unit))
        });
        rows.push(row(&n.to_string(), cells));
    }
    let laws = growths
        .iter()
        .map(|g| g.law.map_or_else(none, |law| law.to_string()));
    rows.push(row("law", laws));
    if let Some(target) = growths.first().map(|g| g.target) {
        let about = |cost| format!("about {}", amount(cost, unit));
        let costs = growths
            .iter()
            .map(|g| g.predicted.map_or_else(|| "no law fits".to_owned(), about));
        rows.push(row(&format!("n = {target}"), costs));
        // A unit that is spelled out stands in the line above already.
        let bare = |cost| {
            let text = amount(cost, unit);
            text.trim_end_matches(&format!(" {unit}")).to_owned()
        };
        let ends = |[low, high]: [f64; 2]| match unit {
            "s" => format!("{} to {}", amount(low, unit), amount(high, unit)),
            _ => format!("{} to {}", bare(low), bare(high)),
        };
        let between = growths.iter().map(|g| g.between.map_or_else(none, ends));
        rows.push(row("95 %", between));
    }
    aligned(&rows)
}

fn row(head: &str, cells: impl Iterator<Item = String>) -> Vec<String> {
    std::iter::once(head.to_owned()).chain(cells).collect()
}

/// Columns to the right, each as wide as its longest cell and two blanks, or wider.
fn aligned(rows: &[Vec<String>]) -> String {
    let mut out = String::new();
    for cells in rows {
        for (column, cell) in cells.iter().enumerate() {
            let widths = rows
                .iter()
                .filter_map(|row| Some(row.get(column)?.chars().count()));
            let least = if column == 0 { 14 } else { 26 };
            let longest = widths.max().unwrap_or(0);
            let blanks = least.max(longest + 2) - cell.chars().count();
            out.extend(std::iter::repeat_n(' ', blanks));
            out.push_str(cell);
        }
        out.push('\n');
    }
    out
}

/// A cost for a reader: seconds become minutes, days or years where that is easier to grasp.
pub fn amount(cost: f64, unit: &str) -> String {
    if unit != "s" {
        return if cost < 1e6 {
            format!("{cost:.0} {unit}")
        } else {
            format!("{cost:.2e} {unit}")
        };
    }
    match cost {
        c if c < 1e-3 => format!("{:.1} us", c * 1e6),
        c if c < 1.0 => format!("{:.1} ms", c * 1e3),
        c if c < 120.0 => format!("{c:.1} s"),
        c if c < 7200.0 => format!("{:.1} min", c / 60.0),
        c if c < 172_800.0 => format!("{:.1} h", c / 3600.0),
        c if c < 63_115_200.0 => format!("{:.1} days", c / 86_400.0),
        c => format!("{:.1} years", c / 31_557_600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn laws_are_found_again() {
        for (factor, exponent) in [(2.0, 1.0), (1e-9, 3.0), (0.5, 1.585)] {
            let sample = |n: f64| Sample {
                n,
                cost: factor * libm::pow(n, exponent),
            };
            let points = [sample(10.0), sample(100.0), sample(5000.0)];
            let law = Law::fit(Shape::Power, &points).unwrap();
            assert!((law.rate() - exponent).abs() < 1e-9, "{law:?}");
            assert!((law.predict(1e6) / sample(1e6).cost - 1.0).abs() < 1e-6);
        }
        let same = Sample { n: 10.0, cost: 1.0 };
        assert_eq!(Law::fit(Shape::Power, &[same, same]), Err(TooFewSamples));
        assert_eq!(Law::fit(Shape::Power, &[]), Err(TooFewSamples));
    }

    /// The forecast of a textbook's line (x = 1..5, y = 2.1, 3.9, 6.2, 7.8, 10.1) at x = 6, worked by hand: 11.99 and the interval
    /// 11.99 ± 3.182 * 0.1889 * sqrt(1 + 1/5 + 9/10).
    #[test]
    fn forecasts_have_the_interval_of_the_textbooks() {
        let ys = [2.1, 3.9, 6.2, 7.8, 10.1];
        let sample = |(n, y): (usize, &f64)| Sample {
            n: (n + 1) as f64,
            cost: libm::exp(*y),
        };
        let samples: Vec<Sample> = ys.iter().enumerate().map(sample).collect();
        let (cost, [low, high]) = forecast(Shape::Exponential, &samples, 6.0).unwrap();
        let wide = 3.182 * 0.188_856 * libm::sqrt(2.1);
        assert!((libm::log(cost) - 11.99).abs() < 1e-6, "{cost}");
        assert!((libm::log(high) - 11.99 - wide).abs() < 1e-3, "{high}");
        assert!((11.99 - libm::log(low) - wide).abs() < 1e-3, "{low}");
    }

    #[test]
    fn nothing_is_said_where_no_law_fits() {
        let costs = [(1.0, 5.0), (2.0, 1.0), (4.0, 9.0), (8.0, 2.0)];
        let samples = costs.map(|(n, cost)| Sample { n, cost }).to_vec();
        let wild = Growth::new("wild", samples, 1e6);
        assert_eq!((wild.predicted, wild.between), (None, None));
        assert!(table(&[wild], "s").contains("no law fits"));
    }

    /// A tree that ends: each level deeper multiplies by less. The line through all depths is no law, and the parabola shows it.
    #[test]
    fn nothing_is_foretold_where_the_measurements_bend() {
        let sizes = [
            5.0, 21.0, 87.0, 367.0, 1537.0, 6085.0, 22_769.0, 76_475.0, 232_183.0, 601_511.0,
            1.32e6,
        ];
        let sample = |(i, &cost): (usize, &f64)| Sample {
            n: (i + 1) as f64,
            cost,
        };
        let samples: Vec<Sample> = sizes.iter().enumerate().map(sample).collect();
        let trees =
            |samples: Vec<Sample>| Growth::shaped(Shape::Exponential, "trees", samples, 20.0);
        assert_eq!(trees(samples.clone()).predicted, None);
        // The first levels, and any law with a little noise, are straight enough.
        assert!(trees(samples[..4].to_vec()).predicted.is_some());
        let noisy = (1..=12).map(|n| {
            let noise = if n % 3 == 0 { 1.1 } else { 0.95 };
            let n = f64::from(n);
            let cost = 4.0 * libm::pow(2.5, n) * noise;
            Sample { n, cost }
        });
        assert!(trees(noisy.collect()).predicted.is_some());
    }

    #[test]
    fn columns_are_as_wide_as_what_they_hold() {
        let long = "1".repeat(30);
        let rows = [
            row("n", ["a".to_owned(), "b".to_owned()].into_iter()),
            row("10", ["12345".to_owned(), long.clone()].into_iter()),
        ];
        let page = aligned(&rows);
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[0].len(), 14 + 26 + 32);
        assert_eq!(lines[1].len(), lines[0].len());
        assert!(lines[1].ends_with(&format!("12345  {long}")));
    }

    #[test]
    fn exponential_laws_are_found_again() {
        let sample = |n: f64| Sample {
            n,
            cost: 3.0 * libm::pow(2.5, n),
        };
        let law = Law::fit(Shape::Exponential, &[sample(1.0), sample(4.0), sample(6.0)]).unwrap();
        assert!(
            (law.rate() - 2.5).abs() < 1e-9 && law.to_string() == "2.50^n",
            "{law:?}"
        );
        assert!((law.predict(10.0) / sample(10.0).cost - 1.0).abs() < 1e-9);
    }

    #[test]
    fn measuring_ends_with_patience() {
        let samples = measure([1, 2, 4, 8, 16], 5.0, |n| n as f64);
        assert_eq!(samples.len(), 4);
        let page = table(&[Growth::new("slow", samples, 1e6)], "s");
        assert!(
            page.contains("n^1.00") && page.contains("11.6 days"),
            "{page}"
        );
    }
}
