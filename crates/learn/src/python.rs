//! A pipeline as Python source for scikit-learn.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::spec::{Kind, Pipeline, Spec};

/// One step: the modules and classes it needs, and the call that makes it.
struct Step {
    imports: Vec<(&'static str, &'static str)>,
    call: String,
}

/// A program that builds the same pipeline of scikit-learn 1.9 and calls it `pipeline`.
///
/// What draws random numbers draws others there, so forests agree in the mean and not row by row;
/// everything else agrees as far as the solvers' tolerances go.
pub fn python_source(pipeline: &Pipeline, seed: u64) -> String {
    let mut steps = vec![step(&pipeline.imputer, seed)];
    steps.extend(pipeline.transformers.iter().map(|spec| step(spec, seed)));
    steps.push(step(&pipeline.classifier, seed));
    let mut imports: BTreeSet<(&str, &str)> = steps
        .iter()
        .flatten()
        .flat_map(|step| step.imports.iter().copied())
        .collect();
    imports.insert(("pipeline", "make_pipeline"));
    let mut out = format!("# {}\n", pipeline.in_full());
    for (module, class) in imports {
        let _ = writeln!(out, "from sklearn.{module} import {class}");
    }
    out += "\npipeline = make_pipeline(\n";
    for step in steps.iter().flatten() {
        let _ = writeln!(out, "    {},", step.call);
    }
    out += ")\n";
    out
}

/// The import and the call of one step, on a line each.
pub fn python_step(spec: &Spec, seed: u64) -> String {
    let Some(step) = step(spec, seed) else {
        return "step = None\n".to_owned();
    };
    let mut out = String::new();
    for (module, class) in step.imports {
        let _ = writeln!(out, "from sklearn.{module} import {class}");
    }
    out + &format!("step = {}\n", step.call)
}

/// The step of scikit-learn, calibrated where that is asked for.
fn step(spec: &Spec, seed: u64) -> Option<Step> {
    let mut step = plain(spec, seed)?;
    if let Some(method @ ("sigmoid" | "isotonic")) = spec.word_if_any("calibrate") {
        let wrapper = "CalibratedClassifierCV";
        step.call = format!("{wrapper}({}, method=\"{method}\", cv=5)", step.call);
        step.imports.push(("calibration", wrapper));
    }
    Some(step)
}

/// The step itself; nothing for `passthrough`.
fn plain(spec: &Spec, seed: u64) -> Option<Step> {
    let make = |module, class: &'static str, arguments: String| Step {
        imports: vec![(module, class)],
        call: format!("{class}({arguments})"),
    };
    let seed = format!("random_state={}", seed % (1 << 32));
    let or_none = |name: &str| {
        spec.whole_or_word(name)
            .map_or("None".to_owned(), |n| n.to_string())
    };
    let tree = || {
        let min = (spec.whole("min_split"), spec.whole("min_leaf"));
        format!(
            "criterion=\"{}\", max_depth={}, min_samples_split={}, min_samples_leaf={}, {seed}",
            spec.word("criterion"),
            or_none("depth"),
            min.0,
            min.1
        )
    };
    let forest = || {
        let features = match spec.whole_or_word("features") {
            Ok(n) => n.to_string(),
            Err("all") => "None".to_owned(),
            Err(word) => format!("\"{word}\""),
        };
        let trees = spec.whole("trees");
        format!("n_estimators={trees}, max_features={features}, {}", tree())
    };
    let imputer = |strategy: &str| {
        // A column without values is kept, as here, and not dropped.
        let kept = "keep_empty_features=True";
        make(
            "impute",
            "SimpleImputer",
            format!("strategy=\"{strategy}\", {kept}"),
        )
    };
    Some(match (spec.kind(), spec.name()) {
        (Kind::Imputer, "mean") => imputer("mean"),
        (Kind::Imputer, "median") => imputer("median"),
        (Kind::Imputer, "most-frequent") => imputer("most_frequent"),
        (Kind::Imputer, _) => make(
            "impute",
            "KNNImputer",
            format!("n_neighbors={}, keep_empty_features=True", spec.whole("k")),
        ),
        (Kind::Transformer, "passthrough") => return None,
        (Kind::Transformer, "standard") => make("preprocessing", "StandardScaler", String::new()),
        (Kind::Transformer, "robust") => make("preprocessing", "RobustScaler", String::new()),
        (Kind::Transformer, "minmax") => make("preprocessing", "MinMaxScaler", String::new()),
        (Kind::Transformer, "normalize") => make("preprocessing", "Normalizer", String::new()),
        (Kind::Transformer, "kbins") => {
            let encode = match spec.word("encode") {
                "onehot" => "onehot-dense",
                other => other,
            };
            let method = match spec.word("quantiles") {
                "step" => "averaged_inverted_cdf",
                other => other,
            };
            let strategy = spec.word("strategy");
            let method = if strategy == "quantile" {
                format!(", quantile_method=\"{method}\"")
            } else {
                String::new()
            };
            let bins = spec.whole("bins");
            make(
                "preprocessing",
                "KBinsDiscretizer",
                format!(
                    "n_bins={bins}, encode=\"{encode}\", strategy=\"{strategy}\"{method}, subsample=None"
                ),
            )
        }
        (Kind::Transformer, "variance") => make(
            "feature_selection",
            "VarianceThreshold",
            format!("threshold={}", spec.real("threshold")),
        ),
        (Kind::Transformer, "select") => make(
            "feature_selection",
            "SelectKBest",
            format!("k={}", spec.whole("k")),
        ),
        (Kind::Transformer, "pca") => {
            let components = match spec.whole_or_word("components") {
                Ok(n) => n.to_string(),
                Err(_) if spec.real("share") < 1.0 => spec.real("share").to_string(),
                Err(_) => "None".to_owned(),
            };
            make("decomposition", "PCA", format!("n_components={components}"))
        }
        (Kind::Transformer, "power") => make("preprocessing", "PowerTransformer", String::new()),
        (Kind::Transformer, _) => make(
            "preprocessing",
            "QuantileTransformer",
            format!(
                "n_quantiles={}, output_distribution=\"{}\", subsample=None",
                spec.whole("n_quantiles"),
                spec.word("output")
            ),
        ),
        (Kind::Classifier, "majority") => {
            make("dummy", "DummyClassifier", "strategy=\"prior\"".to_owned())
        }
        (Kind::Classifier, "naive-bayes") => make(
            "naive_bayes",
            "GaussianNB",
            format!("var_smoothing={}", spec.real("smoothing")),
        ),
        (Kind::Classifier, "tree") => make(
            "tree",
            "DecisionTreeClassifier",
            format!("splitter=\"{}\", {}", spec.word("splitter"), tree()),
        ),
        (Kind::Classifier, "knn") => make(
            "neighbors",
            "KNeighborsClassifier",
            format!(
                "n_neighbors={}, weights=\"{}\"",
                spec.whole("k"),
                spec.word("weights")
            ),
        ),
        (Kind::Classifier, "svc-linear") => {
            make("svm", "LinearSVC", format!("C={}, {seed}", spec.real("c")))
        }
        (Kind::Classifier, "svc-rbf") => {
            let gamma = match spec.real_or_word("gamma") {
                Ok(gamma) => gamma.to_string(),
                Err(word) => format!("\"{word}\""),
            };
            make("svm", "SVC", format!("C={}, gamma={gamma}", spec.real("c")))
        }
        (Kind::Classifier, "random-forest") => make("ensemble", "RandomForestClassifier", forest()),
        (Kind::Classifier, "extra-trees") => make("ensemble", "ExtraTreesClassifier", forest()),
        (Kind::Classifier, "logistic") => make(
            "linear_model",
            "LogisticRegression",
            format!("C={}, max_iter=1000", spec.real("c")),
        ),
        (Kind::Classifier, "lda") => make(
            "discriminant_analysis",
            "LinearDiscriminantAnalysis",
            String::new(),
        ),
        (Kind::Classifier, "qda") => make(
            "discriminant_analysis",
            "QuadraticDiscriminantAnalysis",
            format!("reg_param={}", spec.real("shrink")),
        ),
        (Kind::Classifier, _) => make(
            "ensemble",
            "GradientBoostingClassifier",
            format!(
                "n_estimators={}, learning_rate={}, max_depth={}, subsample={}, {seed}",
                spec.whole("trees"),
                spec.real("rate"),
                spec.whole("depth"),
                spec.real("share")
            ),
        ),
    })
}
