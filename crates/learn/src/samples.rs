//! Tables that come with the program. Where they come from and under which licence stands beside
//! them, in `data/learn/NOTICE.md`.

use crate::dataset::{Dataset, Roles};
use crate::table::{ReadOptions, Table, read_table};

/// A table that comes with the program.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Its name at every door.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
    /// The class column; guessed where none is named, as with any file.
    target: Option<&'static str>,
    /// The column that numbers the rows.
    id: Option<&'static str>,
}

/// All of them. The first is the one that examples use.
pub const SAMPLES: [Sample; 4] = [
    Sample {
        name: "glass",
        text: include_str!("../../../data/learn/glass.csv"),
        target: Some("class"),
        id: Some("id"),
    },
    Sample {
        name: "iris",
        text: include_str!("../../../data/learn/iris.csv"),
        target: Some("species"),
        id: None,
    },
    Sample {
        name: "wine",
        text: include_str!("../../../data/learn/wine.csv"),
        target: Some("cultivar"),
        id: None,
    },
    // Guessing is part of what this one shows.
    Sample {
        name: "balcony",
        text: include_str!("../../../data/learn/balcony.csv"),
        target: None,
        id: None,
    },
];

/// The names of [`SAMPLES`].
pub const SAMPLE_NAMES: [&str; SAMPLES.len()] = ["glass", "iris", "wine", "balcony"];

impl Sample {
    /// The sample of a name.
    pub fn named(name: &str) -> Option<&'static Sample> {
        SAMPLES.iter().find(|sample| sample.name == name)
    }

    /// What is known about its columns, for what nobody named.
    pub fn fill_in(&self, roles: &mut Roles) {
        if roles.target.is_none() {
            roles.target = self.target.map(str::to_owned);
        }
        if roles.ids.is_none() && self.target.is_some() {
            roles.ids = Some(self.id.map(str::to_owned).into_iter().collect());
        }
    }

    /// The table.
    pub fn table(&self) -> Table {
        read_table(self.text.as_bytes(), &ReadOptions::default())
            .expect("the shipped files are well formed")
    }

    /// Its rows and classes.
    pub fn dataset(&self) -> Dataset {
        let mut roles = Roles::default();
        self.fill_in(&mut roles);
        Dataset::new(&self.table(), &roles).expect("the shipped files have classes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sample_is_read_with_its_classes() {
        let told = [
            ("glass", 214, 9, 6),
            ("iris", 150, 4, 3),
            ("wine", 178, 13, 3),
            ("balcony", 361, 21, 2),
        ];
        assert_eq!(SAMPLES.map(|s| s.name), SAMPLE_NAMES);
        for (sample, (name, rows, features, classes)) in SAMPLES.iter().zip(told) {
            let data = sample.dataset();
            let found = (data.y.len(), data.x.columns(), data.classes().len());
            assert_eq!(
                (sample.name, found),
                (name, (rows, features, classes)),
                "{name}"
            );
        }
    }

    /// The untidy one has what untidy files have, and its class column is found by its name.
    #[test]
    fn the_untidy_sample_is_untidy() {
        let data = Sample::named("balcony").unwrap().dataset();
        assert_eq!(data.schema.target, "survived");
        assert_eq!(data.left_out, ["plant"]);
        let keys: Vec<&str> = data.warnings.iter().map(|w| w.key.as_str()).collect();
        for key in ["target-guessed", "id-column", "no-class", "constant-column"] {
            assert!(keys.contains(&key), "{key} in {keys:?}");
        }
        assert!(data.missing() > 50);
    }
}
