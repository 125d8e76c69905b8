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

/// The law `cost = factor * n^exponent` that fits measured points best on a doubly logarithmic page.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PowerLaw {
    /// The exponent: 1 for a linear method, 2 for a quadratic one.
    pub exponent: f64,
    /// The factor.
    pub factor: f64,
    /// The standard error of the exponent; nothing with fewer than three points.
    pub error: Option<f64>,
}

/// Points that no law can be fitted through.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a law needs at least two sizes with a cost above zero")]
pub struct TooFewSamples;

impl PowerLaw {
    /// Least squares on the logarithms. Points whose size or cost is not above zero are left out.
    pub fn fit(samples: &[Sample]) -> Result<PowerLaw, TooFewSamples> {
        let usable = samples
            .iter()
            .filter(|s| s.n > 0.0 && s.cost > 0.0 && s.cost.is_finite());
        let logs: Vec<(f64, f64)> = usable
            .map(|s| (libm::log(s.n), libm::log(s.cost)))
            .collect();
        let count = logs.len() as f64;
        let mean_x = logs.iter().map(|l| l.0).sum::<f64>() / count;
        let mean_y = logs.iter().map(|l| l.1).sum::<f64>() / count;
        let xx: f64 = logs.iter().map(|(x, _)| (x - mean_x) * (x - mean_x)).sum();
        let xy: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
        if logs.len() < 2 || xx <= 1e-12 {
            return Err(TooFewSamples);
        }
        let exponent = xy / xx;
        let start = mean_y - exponent * mean_x;
        let rest: f64 = logs
            .iter()
            .map(|(x, y)| {
                let off = y - start - exponent * x;
                off * off
            })
            .sum();
        let error = (logs.len() > 2).then(|| libm::sqrt(rest / (count - 2.0) / xx));
        Ok(PowerLaw {
            exponent,
            factor: libm::exp(start),
            error,
        })
    }

    /// The cost that the law expects at a size.
    pub fn predict(&self, n: f64) -> f64 {
        self.factor * libm::pow(n, self.exponent)
    }
}

/// One method on the page: its measurements, its law, and what is expected at a larger size.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Growth {
    /// What the method is called.
    pub name: String,
    /// What was measured.
    pub samples: Vec<Sample>,
    /// The fitted law, where there are enough points.
    pub law: Option<PowerLaw>,
    /// The size that is asked about.
    pub target: f64,
    /// What the law expects there.
    pub predicted: Option<f64>,
}

impl Growth {
    /// Fits a law through measurements and asks it about a target size.
    pub fn new(name: impl Into<String>, samples: Vec<Sample>, target: f64) -> Growth {
        let law = PowerLaw::fit(&samples).ok();
        let predicted = law.map(|law| law.predict(target));
        Growth {
            name: name.into(),
            samples,
            law,
            target,
            predicted,
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
    let mut lines = vec![row("n", growths.iter().map(|g| g.name.clone()))];
    for n in sizes {
        let cells = growths.iter().map(|g| {
            let sample = g.samples.iter().find(|s| s.n.total_cmp(&n).is_eq());
            sample.map_or_else(|| "-".to_owned(), |s| amount(s.cost, unit))
        });
        lines.push(row(&n.to_string(), cells));
    }
    lines.push(row(
        "exponent",
        growths.iter().map(|g| {
            g.law
                .map_or_else(|| "-".to_owned(), |law| format!("{:.2}", law.exponent))
        }),
    ));
    if let Some(target) = growths.first().map(|g| g.target) {
        lines.push(row(
            &format!("n = {target}"),
            growths.iter().map(|g| {
                g.predicted.map_or_else(
                    || "-".to_owned(),
                    |cost| format!("about {}", amount(cost, unit)),
                )
            }),
        ));
    }
    lines.join("\n") + "\n"
}

fn row(head: &str, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|cell| format!("{cell:>18}")).collect();
    format!("{head:>14}{}", cells.concat())
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
            let law = PowerLaw::fit(&[sample(10.0), sample(100.0), sample(5000.0)]).unwrap();
            assert!((law.exponent - exponent).abs() < 1e-9, "{law:?}");
            assert!((law.predict(1e6) / sample(1e6).cost - 1.0).abs() < 1e-6);
            assert!(law.error.unwrap() < 1e-9);
        }
        let same = Sample { n: 10.0, cost: 1.0 };
        assert_eq!(PowerLaw::fit(&[same, same]), Err(TooFewSamples));
        assert_eq!(PowerLaw::fit(&[]), Err(TooFewSamples));
    }

    #[test]
    fn measuring_ends_with_patience() {
        let samples = measure([1, 2, 4, 8, 16], 5.0, |n| n as f64);
        assert_eq!(samples.len(), 4);
        let page = table(&[Growth::new("slow", samples, 1e6)], "s");
        assert!(
            page.contains("exponent") && page.contains("1.00") && page.contains("11.6 days"),
            "{page}"
        );
    }
}
