//! The table of imputers, transformers and classifiers with their parameters.

use crate::spec::{Allowed, Method, Param};

const MANY: usize = 100_000;

const fn param(
    name: &'static str,
    default: &'static str,
    allowed: Allowed,
    about: &'static str,
) -> Param {
    Param {
        name,
        default,
        allowed,
        about,
    }
}

/// What fills missing values.
pub(crate) const IMPUTERS: &[Method] = &[
    Method {
        name: "mean",
        about: "the column's mean",
        params: &[],
    },
    Method {
        name: "median",
        about: "the column's median",
        params: &[],
    },
    Method {
        name: "most-frequent",
        about: "the column's most frequent value, the smallest of equals",
        params: &[],
    },
    Method {
        name: "knn",
        about: "the mean of the k nearest rows that know the value",
        params: &[param(
            "k",
            "5",
            Allowed::Whole(1, MANY, &[]),
            "how many neighbours",
        )],
    },
];

/// What changes the features.
pub(crate) const TRANSFORMERS: &[Method] = &[
    Method {
        name: "passthrough",
        about: "nothing is changed",
        params: &[],
    },
    Method {
        name: "standard",
        about: "mean 0, standard deviation 1",
        params: &[],
    },
    Method {
        name: "robust",
        about: "median 0, middle half 1 wide",
        params: &[],
    },
    Method {
        name: "minmax",
        about: "smallest 0, largest 1",
        params: &[],
    },
    Method {
        name: "normalize",
        about: "every row has length 1",
        params: &[],
    },
    Method {
        name: "kbins",
        about: "values are sorted into bins",
        params: &[
            param("bins", "5", Allowed::Whole(2, 1000, &[]), "how many bins"),
            param(
                "strategy",
                "quantile",
                Allowed::Word(&["quantile", "uniform"]),
                "bins of equal count or of equal width",
            ),
            param(
                "quantiles",
                "step",
                Allowed::Word(&["step", "linear"]),
                "how an edge between two values is chosen",
            ),
            param(
                "encode",
                "onehot",
                Allowed::Word(&["onehot", "ordinal"]),
                "one column per bin, or the bin's number",
            ),
        ],
    },
    Method {
        name: "variance",
        about: "keeps columns whose variance is above a threshold",
        params: &[param(
            "threshold",
            "0",
            Allowed::Real(0.0, 1e300, &[]),
            "the threshold",
        )],
    },
    Method {
        name: "select",
        about: "keeps the k columns that differ most between classes (ANOVA F)",
        params: &[param(
            "k",
            "10",
            Allowed::Whole(1, MANY, &[]),
            "how many columns",
        )],
    },
    Method {
        name: "pca",
        about: "turns the axes towards the greatest variance",
        params: &[
            param(
                "components",
                "all",
                Allowed::Whole(1, MANY, &["all"]),
                "how many axes are kept",
            ),
            param(
                "share",
                "1",
                Allowed::Real(0.0, 1.0, &[]),
                "keep as few axes as hold this share of the variance",
            ),
        ],
    },
    Method {
        name: "power",
        about: "Yeo and Johnson's power transform, then mean 0, standard deviation 1",
        params: &[],
    },
    Method {
        name: "quantile",
        about: "a value becomes its rank, spread evenly or normally",
        params: &[
            param(
                "output",
                "uniform",
                Allowed::Word(&["uniform", "normal"]),
                "the distribution aimed at",
            ),
            param(
                "n_quantiles",
                "50",
                Allowed::Whole(1, MANY, &[]),
                "landmarks, at most one per row (scikit-learn's own default is 1000)",
            ),
        ],
    },
];

const CRITERION: Param = param(
    "criterion",
    "gini",
    Allowed::Word(&["gini", "entropy"]),
    "how the purity of a node is measured",
);
const DEPTH: Param = param(
    "depth",
    "none",
    Allowed::Whole(1, 1000, &["none"]),
    "the greatest depth",
);
const MIN_SPLIT: Param = param(
    "min_split",
    "2",
    Allowed::Whole(2, MANY, &[]),
    "rows a node needs to be split",
);
const MIN_LEAF: Param = param(
    "min_leaf",
    "1",
    Allowed::Whole(1, MANY, &[]),
    "rows every leaf must have",
);
const FEATURES: Param = param(
    "features",
    "sqrt",
    Allowed::Whole(1, MANY, &["sqrt", "log2", "all"]),
    "columns tried at a split",
);
const TREES: Param = param(
    "trees",
    "100",
    Allowed::Whole(1, 10_000, &[]),
    "how many trees",
);

/// What predicts the class.
pub(crate) const CLASSIFIERS: &[Method] = &[
    Method {
        name: "majority",
        about: "always the most frequent class: what every other method must beat",
        params: &[],
    },
    Method {
        name: "naive-bayes",
        about: "Gaussian naive Bayes",
        params: &[param(
            "smoothing",
            "1e-9",
            Allowed::Real(0.0, 1e6, &[]),
            "share of the largest variance added to every variance",
        )],
    },
    Method {
        name: "tree",
        about: "a decision tree (CART)",
        params: &[
            DEPTH,
            CRITERION,
            param(
                "splitter",
                "best",
                Allowed::Word(&["best", "random"]),
                "the best threshold of a column, or a random one",
            ),
            MIN_SPLIT,
            MIN_LEAF,
        ],
    },
    Method {
        name: "knn",
        about: "a vote of the k nearest rows",
        params: &[
            param(
                "k",
                "5",
                Allowed::Whole(1, MANY, &[]),
                "how many neighbours",
            ),
            param(
                "weights",
                "uniform",
                Allowed::Word(&["uniform", "distance"]),
                "one vote each, or more for the nearer",
            ),
        ],
    },
    Method {
        name: "svc-linear",
        about: "a linear support vector machine, one class against the rest, squared hinge",
        params: &[param(
            "c",
            "1",
            Allowed::Real(1e-6, 1e6, &[]),
            "the price of a mistake",
        )],
    },
    Method {
        name: "svc-rbf",
        about: "a support vector machine with Gaussian kernel, one class against one",
        params: &[
            param(
                "c",
                "1",
                Allowed::Real(1e-6, 1e6, &[]),
                "the price of a mistake",
            ),
            param(
                "gamma",
                "auto",
                Allowed::Real(1e-12, 1e12, &["auto", "scale"]),
                "how narrow the kernel is; `auto` is 1/columns, `scale` divides by the variance too",
            ),
        ],
    },
    Method {
        name: "random-forest",
        about: "many trees, each on a bootstrap sample and few columns per split",
        params: &[TREES, DEPTH, CRITERION, FEATURES, MIN_SPLIT, MIN_LEAF],
    },
    Method {
        name: "extra-trees",
        about: "many trees with random thresholds",
        params: &[TREES, DEPTH, CRITERION, FEATURES, MIN_SPLIT, MIN_LEAF],
    },
    Method {
        name: "boosting",
        about: "gradient boosting: small trees, each correcting those before",
        params: &[
            param(
                "trees",
                "100",
                Allowed::Whole(1, 10_000, &[]),
                "how many rounds",
            ),
            param(
                "rate",
                "0.1",
                Allowed::Real(1e-6, 10.0, &[]),
                "how much of a correction counts",
            ),
            param(
                "depth",
                "3",
                Allowed::Whole(1, 50, &[]),
                "the depth of a small tree",
            ),
            param(
                "share",
                "1",
                Allowed::Real(0.01, 1.0, &[]),
                "the share of rows drawn for each round",
            ),
        ],
    },
];
