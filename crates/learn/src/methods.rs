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
        quiet: false,
    }
}

/// What fills missing values.
pub(crate) const IMPUTERS: &[Method] = &[
    Method {
        name: "mean",
        about: "imputer-mean",
        params: &[],
    },
    Method {
        name: "median",
        about: "imputer-median",
        params: &[],
    },
    Method {
        name: "most-frequent",
        about: "imputer-most-frequent",
        params: &[],
    },
    Method {
        name: "knn",
        about: "imputer-knn",
        params: &[param(
            "k",
            "5",
            Allowed::Whole(1, MANY, &[]),
            "imputer-knn-k",
        )],
    },
];

/// What changes the features.
pub(crate) const TRANSFORMERS: &[Method] = &[
    Method {
        name: "passthrough",
        about: "transformer-passthrough",
        params: &[],
    },
    Method {
        name: "standard",
        about: "transformer-standard",
        params: &[],
    },
    Method {
        name: "robust",
        about: "transformer-robust",
        params: &[],
    },
    Method {
        name: "minmax",
        about: "transformer-minmax",
        params: &[],
    },
    Method {
        name: "normalize",
        about: "transformer-normalize",
        params: &[],
    },
    Method {
        name: "kbins",
        about: "transformer-kbins",
        params: &[
            param(
                "bins",
                "5",
                Allowed::Whole(2, 1000, &[]),
                "transformer-kbins-bins",
            ),
            param(
                "strategy",
                "quantile",
                Allowed::Word(&["quantile", "uniform"]),
                "transformer-kbins-strategy",
            ),
            param(
                "quantiles",
                "step",
                Allowed::Word(&["step", "linear"]),
                "transformer-kbins-quantiles",
            ),
            param(
                "encode",
                "onehot",
                Allowed::Word(&["onehot", "ordinal"]),
                "transformer-kbins-encode",
            ),
        ],
    },
    Method {
        name: "variance",
        about: "transformer-variance",
        params: &[param(
            "threshold",
            "0",
            Allowed::Real(0.0, 1e300, &[]),
            "transformer-variance-threshold",
        )],
    },
    Method {
        name: "select",
        about: "transformer-select",
        params: &[param(
            "k",
            "10",
            Allowed::Whole(1, MANY, &[]),
            "transformer-select-k",
        )],
    },
    Method {
        name: "pca",
        about: "transformer-pca",
        params: &[
            param(
                "components",
                "all",
                Allowed::Whole(1, MANY, &["all"]),
                "transformer-pca-components",
            ),
            param(
                "share",
                "1",
                Allowed::Real(0.0, 1.0, &[]),
                "transformer-pca-share",
            ),
        ],
    },
    Method {
        name: "power",
        about: "transformer-power",
        params: &[],
    },
    Method {
        name: "quantile",
        about: "transformer-quantile",
        params: &[
            param(
                "output",
                "uniform",
                Allowed::Word(&["uniform", "normal"]),
                "transformer-quantile-output",
            ),
            param(
                "n_quantiles",
                "50",
                Allowed::Whole(1, MANY, &[]),
                "transformer-quantile-n_quantiles",
            ),
        ],
    },
];

const CRITERION: Param = param(
    "criterion",
    "gini",
    Allowed::Word(&["gini", "entropy"]),
    "trees-criterion",
);
const DEPTH: Param = param(
    "depth",
    "none",
    Allowed::Whole(1, 1000, &["none"]),
    "trees-depth",
);
const MIN_SPLIT: Param = param(
    "min_split",
    "2",
    Allowed::Whole(2, MANY, &[]),
    "trees-min_split",
);
const MIN_LEAF: Param = param(
    "min_leaf",
    "1",
    Allowed::Whole(1, MANY, &[]),
    "trees-min_leaf",
);
const FEATURES: Param = param(
    "features",
    "sqrt",
    Allowed::Whole(1, MANY, &["sqrt", "log2", "all"]),
    "trees-features",
);
const TREES: Param = param(
    "trees",
    "100",
    Allowed::Whole(1, 10_000, &[]),
    "trees-trees",
);

const CALIBRATE: Param = Param {
    name: "calibrate",
    default: "none",
    allowed: Allowed::Word(&["none", "sigmoid", "isotonic"]),
    about: "classifier-calibrate",
    quiet: true,
};

/// What predicts the class.
pub(crate) const CLASSIFIERS: &[Method] = &[
    Method {
        name: "majority",
        about: "classifier-majority",
        params: &[],
    },
    Method {
        name: "naive-bayes",
        about: "classifier-naive-bayes",
        params: &[
            param(
                "smoothing",
                "1e-9",
                Allowed::Real(0.0, 1e6, &[]),
                "classifier-naive-bayes-smoothing",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "tree",
        about: "classifier-tree",
        params: &[
            DEPTH,
            CRITERION,
            param(
                "splitter",
                "best",
                Allowed::Word(&["best", "random"]),
                "classifier-tree-splitter",
            ),
            MIN_SPLIT,
            MIN_LEAF,
            CALIBRATE,
        ],
    },
    Method {
        name: "knn",
        about: "classifier-knn",
        params: &[
            param("k", "5", Allowed::Whole(1, MANY, &[]), "classifier-knn-k"),
            param(
                "weights",
                "uniform",
                Allowed::Word(&["uniform", "distance"]),
                "classifier-knn-weights",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "svc-linear",
        about: "classifier-svc-linear",
        params: &[
            param(
                "c",
                "1",
                Allowed::Real(1e-6, 1e6, &[]),
                "classifier-svc-linear-c",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "svc-rbf",
        about: "classifier-svc-rbf",
        params: &[
            param(
                "c",
                "1",
                Allowed::Real(1e-6, 1e6, &[]),
                "classifier-svc-rbf-c",
            ),
            param(
                "gamma",
                "auto",
                Allowed::Real(1e-12, 1e12, &["auto", "scale"]),
                "classifier-svc-rbf-gamma",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "random-forest",
        about: "classifier-random-forest",
        params: &[
            TREES, DEPTH, CRITERION, FEATURES, MIN_SPLIT, MIN_LEAF, CALIBRATE,
        ],
    },
    Method {
        name: "extra-trees",
        about: "classifier-extra-trees",
        params: &[
            TREES, DEPTH, CRITERION, FEATURES, MIN_SPLIT, MIN_LEAF, CALIBRATE,
        ],
    },
    Method {
        name: "boosting",
        about: "classifier-boosting",
        params: &[
            param(
                "trees",
                "100",
                Allowed::Whole(1, 10_000, &[]),
                "classifier-boosting-trees",
            ),
            param(
                "rate",
                "0.1",
                Allowed::Real(1e-6, 10.0, &[]),
                "classifier-boosting-rate",
            ),
            param(
                "depth",
                "3",
                Allowed::Whole(1, 50, &[]),
                "classifier-boosting-depth",
            ),
            param(
                "share",
                "1",
                Allowed::Real(0.01, 1.0, &[]),
                "classifier-boosting-share",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "logistic",
        about: "classifier-logistic",
        params: &[
            param(
                "c",
                "1",
                Allowed::Real(1e-6, 1e6, &[]),
                "classifier-logistic-c",
            ),
            CALIBRATE,
        ],
    },
    Method {
        name: "lda",
        about: "classifier-lda",
        params: &[CALIBRATE],
    },
    Method {
        name: "qda",
        about: "classifier-qda",
        params: &[
            param(
                "shrink",
                "0",
                Allowed::Real(0.0, 1.0, &[]),
                "classifier-qda-shrink",
            ),
            CALIBRATE,
        ],
    },
];
