//! The verbs of the learning desk: look at a table, try pipelines on it, keep and use a model.

mod args;
mod bench;

use std::fmt::Write;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

use anyhow::Result;
use serde_json::{Value, json};
use wits_game::csv_line;
use wits_learn::classify::Classifier;
use wits_learn::metrics::Scores;
use wits_learn::{
    Control, Curve, Dataset, Found, GridPlan, GridResult, Kind, LearnError, Model, Nested,
    Pipeline, ReadOptions, ReportPlan, Roles, Run, Score, Table, TableReader, Validation, Warning,
    draw,
};

use self::args::{
    DataArgs, EvaluateArgs, ExploreArgs, FoldArgs, GridArgs, LongArgs, PredictArgs, ReadArgs,
    ReportArgs, TrainArgs, TransformArgs, TuneArgs,
};
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;
use crate::{Answer, matches, stop};

pub(crate) use self::args::Verb;
pub(crate) use self::bench::{Measured, measure};

/// Does what a verb of this room asks.
pub(crate) fn run(verb: Verb, out: &Out) -> Result<Answer> {
    match verb {
        Verb::Explore(args) => explore(&args, out)?,
        Verb::Grid(args) => grid(&args, out)?,
        Verb::Tune(args) => tune(&args, out)?,
        Verb::Train(args) => train(&args, out)?,
        Verb::Evaluate(args) => evaluate(&args, out)?,
        Verb::Predict(args) => predict(&args, out)?,
        Verb::Transform(args) => transform(&args, out)?,
        Verb::Open { run } => open(&run, out)?,
        Verb::Report(args) => report(&args, out)?,
        Verb::Bench { only } => {
            let args = crate::args::BenchArgs {
                room: Some("learn".to_owned()),
                only,
                ..crate::args::BenchArgs::default()
            };
            return crate::bench::run(&args, out);
        }
    }
    Ok(Answer::Yes)
}

/// A sentence of the library as a problem.
fn wrong(error: &LearnError) -> anyhow::Error {
    problem("", error)
}

/// The same about a file.
fn wrong_in(file: &str) -> impl Fn(LearnError) -> anyhow::Error {
    move |error| problem(&format!("`{file}`: "), &error)
}

fn problem(before: &str, error: &LearnError) -> anyhow::Error {
    let usual = match error {
        LearnError::Stopped => "give it more `--time`, or less to do",
        _ => "`wits learn --help` shows examples",
    };
    let hint = error.hint().map_or(usual.to_owned(), |h| h.to_string());
    let message = error.message();
    let code = match error {
        LearnError::NoMethod { .. }
        | LearnError::NoParameter { .. }
        | LearnError::BadValue { .. }
        | LearnError::BadSpec { .. } => "bad-pipeline",
        LearnError::BadModel(_) | LearnError::OtherColumns { .. } => "bad-model",
        LearnError::Stopped => "stopped",
        LearnError::TooLarge { .. } => "too-large",
        _ => "bad-data",
    };
    Problem::new(code, format!("{before}{message}"), hint).into()
}

fn read(source: &str, how: &ReadArgs) -> Result<Table> {
    let options = ReadOptions {
        delimiter: how.delimiter.and_then(|c| u8::try_from(c).ok()),
        missing: how.na.clone(),
        text: how.text.clone(),
        ..ReadOptions::default()
    };
    let mut reader = TableReader::new(options);
    let path = Path::new(source);
    if source == "glass" && !path.exists() {
        reader
            .feed(wits_learn::bench::GLASS.as_bytes())
            .map_err(wrong_in(source))?;
        return reader.finish().map_err(wrong_in(source));
    }
    let unreadable = |e: std::io::Error| Problem::file(path, &e);
    let mut file = std::fs::File::open(path).map_err(unreadable)?;
    let mut piece = vec![0; 1 << 18];
    loop {
        match file.read(&mut piece).map_err(unreadable)? {
            0 => break,
            n => reader.feed(&piece[..n]).map_err(wrong_in(source))?,
        }
    }
    reader.finish().map_err(wrong_in(source))
}

impl DataArgs {
    fn load(&self) -> Result<(Table, Dataset)> {
        let table = read(&self.data, &self.reading)?;
        let own = self.data == "glass" && !Path::new("glass").exists();
        let ids = match self.ids.as_slice() {
            [] if own => Some(vec!["id".to_owned()]),
            [] => None,
            named => Some(named.to_vec()),
        };
        let target = self.target.clone().or(own.then(|| "class".to_owned()));
        let mut data =
            Dataset::new(&table, &Roles { target, ids }).map_err(wrong_in(&self.data))?;
        if let Some(share) = self.missing {
            data = data.with_missing(share, self.seed);
        }
        Ok((table, data))
    }

    fn rows(&self) -> Result<Dataset> {
        Ok(self.load()?.1)
    }
}

impl FoldArgs {
    fn validation(&self) -> Validation {
        if self.leave_one_out {
            return Validation::LeaveOneOut;
        }
        Validation::Folds {
            folds: self.folds,
            repeats: self.repeats,
            shuffle: self.shuffle,
        }
    }
}

/// Long work with its bar, its threads, its end by Ctrl-C or by the clock; and how long it took.
fn work<T: Send>(
    long: LongArgs,
    job: impl FnOnce(&Control<'_>) -> Result<T, LearnError> + Send,
) -> Result<(T, f64)> {
    let (progress, stop) = (Progress::start(), stop::flag());
    let tell = |at: &wits_learn::Progress| {
        if long.time.is_some_and(|limit| progress.seconds() > limit) {
            stop.store(true, Ordering::Relaxed);
        }
        let note = at.cell.as_ref().map_or(String::new(), |cell| {
            format!("{} + {}: {:.3}", cell.row, cell.column, cell.value)
        });
        progress.show(at.done as u64, at.total as u64, &note);
    };
    let control = Control {
        stop: &stop,
        tell: &tell,
    };
    let found = wits_learn::with_threads(matches::threads(long.threads), || job(&control));
    progress.done();
    let found = found.and_then(|found| found).map_err(|e| wrong(&e))?;
    Ok((found, progress.seconds()))
}

fn pipeline(text: &str) -> Result<Pipeline> {
    text.parse().map_err(|e: LearnError| wrong(&e))
}

fn folder(path: &Path) -> Result<()> {
    std::fs::create_dir_all(path).map_err(|e| Problem::file(path, &e).into())
}

fn keep(path: Option<&PathBuf>, data: &Dataset, found: impl FnOnce() -> Found) -> Result<()> {
    match path {
        Some(path) => write_whole(path, Run::new(data, found()).to_json().as_bytes()),
        None => Ok(()),
    }
}

fn draw_to(path: Option<&PathBuf>, svg: impl FnOnce() -> String) -> Result<()> {
    path.map_or(Ok(()), |path| write_whole(path, svg().as_bytes()))
}

fn per_cent(share: f64) -> String {
    format!("{:.1}%", 100.0 * share)
}

fn between([low, high]: [f64; 2]) -> String {
    format!("{} to {}", per_cent(low), per_cent(high))
}

fn notes(warnings: &[Warning]) -> String {
    warnings.iter().fold(String::new(), |text, warning| {
        text + "note: " + &warning.text + "\n"
    })
}

fn explore(args: &ExploreArgs, out: &Out) -> Result<()> {
    let data = args.data.rows()?;
    let told = wits_learn::explore(&data);
    let mut files = Vec::new();
    if let Some(dir) = &args.out {
        folder(dir)?;
        let pair = args.pair.as_deref().and_then(|pair| pair.split_once(','));
        for drawing in draw::first_look(&data, pair).map_err(|e| wrong(&e))? {
            let path = dir.join(format!("{}.svg", drawing.name));
            write_whole(&path, drawing.svg.as_bytes())?;
            files.push(path.display().to_string());
        }
    }
    let mut value = serde_json::to_value(&told)?;
    value["files"] = json!(files);
    out.tell(&value, || {
        let mut text = format!(
            "{:<20} {:>12} {:>12} {:>9}\n",
            "feature", "F", "p", "outliers"
        );
        for ((feature, anova), outliers) in
            told.features.iter().zip(&told.anova).zip(&told.outliers)
        {
            let _ = match anova {
                Some([f, p]) => writeln!(text, "{feature:<20} {f:>12.3} {p:>12.2e} {outliers:>9}"),
                None => writeln!(
                    text,
                    "{feature:<20} {:>12} {:>12} {outliers:>9}",
                    "constant", ""
                ),
            };
        }
        if let Some((a, b, r)) = &told.closest_pair {
            let _ = writeln!(text, "most correlated: {a} and {b}, {r:.3}");
        }
        files
            .iter()
            .fold(text, |text, file| text + "drawn: " + file + "\n")
    })
}

/// The preset with whatever lists were given in place of its own.
fn plan(args: &GridArgs) -> Result<GridPlan> {
    let mut plan = match args.preset.as_str() {
        "report" => GridPlan::report(),
        _ => GridPlan::quick(),
    };
    // A grid is read as a whole, so lists that were not given are filled with something.
    let list = |given: &'_ [String], usual: &str| -> Vec<String> {
        match given {
            [] => vec![usual.to_owned()],
            given => given.to_vec(),
        }
    };
    let imputers = list(&args.imputers, "mean");
    let transformers = list(&args.transformers, "passthrough");
    let classifiers = list(&args.classifiers, "majority");
    let own = GridPlan::new(&imputers, &transformers, &classifiers).map_err(|e| wrong(&e))?;
    if !args.imputers.is_empty() {
        plan.imputers = own.imputers;
    }
    if !args.transformers.is_empty() {
        plan.transformers = own.transformers;
    }
    if !args.classifiers.is_empty() {
        plan.classifiers = own.classifiers;
    }
    plan.validation = args.folds.validation();
    plan.score = match args.score.as_str() {
        "balanced-accuracy" => Score::BalancedAccuracy,
        "macro-f1" => Score::MacroF1,
        _ => Score::Accuracy,
    };
    plan.seed = args.data.seed;
    Ok(plan)
}

fn grid(args: &GridArgs, out: &Out) -> Result<()> {
    let (plan, data) = (plan(args)?, args.data.rows()?);
    let (mut result, seconds) = work(args.long, |control| wits_learn::grid(&data, &plan, control))?;
    result.seconds = Some(seconds);
    let nested = if args.nested {
        let job = |control: &Control<'_>| {
            wits_learn::nested(&data, &plan, args.folds.validation(), control)
        };
        Some(work(args.long, job)?.0)
    } else {
        None
    };
    if let Some(dir) = &args.out {
        folder(dir)?;
        bars(dir, &result)?;
    }
    if let Some(path) = &args.watch {
        let thread = wits_learn::grid_thread(&result, &args.data.data);
        write_whole(path, thread.text().as_bytes())?;
    }
    keep(args.save.as_ref(), &data, || Found::Grid {
        result: Box::new(result.clone()),
        nested: nested.clone(),
    })?;
    tell_grid(&result, nested.as_ref(), out)
}

fn bars(dir: &Path, result: &GridResult) -> Result<()> {
    for (name, kind) in [
        ("imputers", Kind::Imputer),
        ("transformers", Kind::Transformer),
        ("classifiers", Kind::Classifier),
    ] {
        let svg = draw::method_bars(result, kind);
        write_whole(&dir.join(format!("{name}.svg")), svg.as_bytes())?;
    }
    Ok(())
}

fn tell_grid(result: &GridResult, nested: Option<&Nested>, out: &Out) -> Result<()> {
    let mut value = serde_json::to_value(result)?;
    value["nested"] = serde_json::to_value(nested)?;
    out.tell(&value, || {
        let mut text = format!("{:>4} {:>7} {:>6}  {:<18} pipeline\n", "", "mean", "sd", "95% interval");
        for (at, line) in result.pipelines.iter().enumerate().take(30) {
            let tie = if line.indistinguishable { "=" } else { " " };
            let _ = writeln!(
                text,
                "{:>3}{tie} {:>7} {:>6}  {:<18} {}",
                at + 1,
                per_cent(line.mean),
                per_cent(line.sd),
                between(line.interval),
                line.pipeline()
            );
        }
        if result.pipelines.len() > 30 {
            let _ = writeln!(text, "     … and {} more", result.pipelines.len() - 30);
        }
        let _ = writeln!(
            text,
            "{} of {} pipelines (=) cannot be told from the best; always naming the most frequent class gives {}",
            result.indistinguishable,
            result.pipelines.len(),
            per_cent(result.baseline)
        );
        if let Some(nested) = nested {
            let _ = writeln!(
                text,
                "nested cross-validation: {} ({}); the winner's own score flatters it by {:.1} points",
                per_cent(nested.mean),
                between(nested.interval),
                100.0 * nested.optimism
            );
        }
        for failure in &result.failed {
            let _ = writeln!(text, "not fitted: {}: {}", failure.pipeline, failure.why);
        }
        if let Some(seconds) = result.seconds {
            let _ = writeln!(text, "{seconds:.2} s");
        }
        text + &notes(&result.warnings)
    })
}

fn tune(args: &TuneArgs, out: &Out) -> Result<()> {
    let (start, data) = (pipeline(&args.pipeline)?, args.data.rows()?);
    let (validation, seed) = (args.folds.validation(), args.data.seed);
    if args.importance {
        let (list, seconds) = work(args.long, |control| {
            wits_learn::importance(&data, &start, validation, 5, seed, control)
        })?;
        draw_to(args.svg.as_ref(), || draw::importances(&list))?;
        let value = json!({"pipeline": start, "importance": list, "seconds": seconds});
        return out.tell(&value, || {
            list.iter().fold(
                "accuracy lost when the feature is shuffled\n".to_owned(),
                |text, one| {
                    let (drop, interval) = (per_cent(one.drop), between(one.interval));
                    text + &format!("{:<20} {drop:>7}  {interval}\n", one.feature)
                },
            )
        });
    }
    let (mut curve, seconds) = if let (Some(name), Some(values)) = (&args.parameter, &args.values) {
        let values = wits_learn::read_values(values).map_err(|e| wrong(&e))?;
        work(args.long, |control| {
            wits_learn::tune(&data, &start, name, &values, validation, seed, control)
        })?
    } else {
        let shares = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];
        work(args.long, |control| {
            wits_learn::learning_curve(&data, &start, &shares, validation, seed, control)
        })?
    };
    curve.seconds = Some(seconds);
    draw_to(args.svg.as_ref(), || draw::curve(&curve))?;
    keep(args.save.as_ref(), &data, || Found::Tune(curve.clone()))?;
    tell_curve(&curve, out)
}

fn tell_curve(curve: &Curve, out: &Out) -> Result<()> {
    out.tell(curve, || {
        let mut text = format!("{} and {}\n", curve.pipeline, curve.axis);
        for (at, point) in curve.points.iter().enumerate() {
            let mark = match (at == curve.best, point.indistinguishable) {
                (true, _) => "*",
                (false, true) => "=",
                (false, false) => " ",
            };
            let _ = writeln!(
                text,
                "{mark} {:>12} {:>7}  {}",
                point.value,
                per_cent(point.mean),
                between(point.interval)
            );
        }
        text + "* is the best, = cannot be told from it\n"
    })
}

fn train(args: &TrainArgs, out: &Out) -> Result<()> {
    let (pipeline, data) = (pipeline(&args.pipeline)?, args.data.rows()?);
    let seed = args.data.seed;
    let (model, seconds) = work(args.long, |control| {
        wits_learn::train_controlled(&data, &pipeline, seed, control)
    })?;
    // Whatever cannot be made is said before any file is written.
    let source = match &args.rust {
        Some(path) => Some((
            path,
            wits_learn::rust_source(&model).map_err(|e| wrong(&e))?,
        )),
        None => None,
    };
    let drawing = match (&args.tree, &model.fitted.classifier) {
        (None, _) => None,
        (Some(path), Classifier::Tree(tree)) => Some((
            path,
            draw::tree(tree, &model.schema.features(), &model.schema.classes, 5),
        )),
        (Some(_), _) => {
            let message = format!("`{pipeline}` is not one tree, so there is no tree to draw");
            let hint = "train a `tree`, such as `mean + tree:depth=4`";
            return Err(Problem::new("no-tree", message, hint).into());
        }
    };
    write_whole(&args.out, model.to_json().as_bytes())?;
    for (path, text) in source.into_iter().chain(drawing) {
        write_whole(path, text.as_bytes())?;
    }
    let value = json!({
        "model": args.out, "pipeline": model.pipeline, "rows": model.rows, "classes": model.schema.classes,
        "features": model.schema.features(), "seed": seed, "seconds": seconds, "warnings": data.warnings,
    });
    out.tell(&value, || {
        format!(
            "{pipeline}, trained on {} rows in {seconds:.2} s, is in {}\n{}",
            model.rows,
            args.out.display(),
            notes(&data.warnings)
        )
    })
}

fn load_model(args: &PredictArgs) -> Result<(Model, Table)> {
    let name = args.model.display().to_string();
    let text = std::fs::read_to_string(&args.model).map_err(|e| Problem::file(&args.model, &e))?;
    let model = Model::from_json(&text).map_err(wrong_in(&name))?;
    Ok((model, read(&args.data, &args.reading)?))
}

fn tell_scores(scores: &Scores, classes: &[String]) -> String {
    let mut text = format!(
        "accuracy {} ({}) on {} rows\n{:<16} {:>8} {:>10} {:>8} {:>8}\n",
        per_cent(scores.accuracy.value),
        between(scores.accuracy.interval),
        scores.rows,
        "class",
        "support",
        "precision",
        "recall",
        "F1"
    );
    for class in &scores.classes {
        let _ = writeln!(
            text,
            "{:<16} {:>8} {:>10} {:>8} {:>8}",
            class.class,
            class.support,
            per_cent(class.precision.value),
            per_cent(class.recall.value),
            per_cent(class.f1.value)
        );
    }
    let _ = writeln!(
        text,
        "confusion (rows are the truth): {}",
        classes.join(" ")
    );
    for (class, row) in classes.iter().zip(&scores.confusion) {
        let _ = write!(text, "{class:<16}");
        for count in row {
            let _ = write!(text, " {count:>5}");
        }
        text.push('\n');
    }
    text
}

fn evaluate(args: &EvaluateArgs, out: &Out) -> Result<()> {
    let (model, table) = load_model(&args.used)?;
    let told = model.evaluate(&table).map_err(wrong_in(&args.used.data))?;
    draw_to(args.svg.as_ref(), || {
        draw::confusion(&told.classes, &told.scores.confusion, "Confusion")
    })?;
    out.tell(&told, || {
        format!(
            "{}\n{}{}",
            told.pipeline,
            tell_scores(&told.scores, &told.classes),
            notes(&told.warnings)
        )
    })
}

fn predict(args: &PredictArgs, out: &Out) -> Result<()> {
    let (model, table) = load_model(args)?;
    let told = model.predict(&table).map_err(wrong_in(&args.data))?;
    out.tell(&told, || {
        let head = ["row", "class"].into_iter();
        let mut text = csv_line(head.chain(told.classes.iter().map(String::as_str)));
        for row in &told.rows {
            let shares = row.probabilities.iter().flatten();
            let mut cells = vec![row.row.to_string(), row.class.clone()];
            cells.extend(shares.map(|share| format!("{share:.4}")));
            text += &csv_line(cells);
        }
        text
    })
}

fn transform(args: &TransformArgs, out: &Out) -> Result<()> {
    let data = args.data.rows()?;
    let (imputer, chain) = wits_learn::read_steps(&args.with).map_err(|e| wrong(&e))?;
    let told = wits_learn::transform(&data, imputer.as_ref(), &chain)
        .map_err(wrong_in(&args.data.data))?;
    out.tell(&told, || {
        let mut text = csv_line(&told.columns);
        for row in &told.rows {
            text += &csv_line(row.iter().map(ToString::to_string));
        }
        text
    })
}

fn open(path: &Path, out: &Out) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|e| Problem::file(path, &e))?;
    let run = Run::from_json(&text).map_err(wrong_in(&path.display().to_string()))?;
    out.say(format!(
        "made by wits {} on {} rows ({} missing values), data {}",
        run.made_with, run.rows, run.missing, run.data
    ))?;
    match &run.found {
        Found::Grid { result, nested } => tell_grid(result, nested.as_ref(), out),
        Found::Cv(found) => {
            let blocks = wits_learn::verbs::cv_blocks(found, &run.schema.classes);
            out.tell(found, || crate::desk::text(&blocks, out))
        }
        Found::Tune(curve) => tell_curve(curve, out),
        Found::Compare(found) => {
            let blocks = wits_learn::verbs::comparison_blocks(found);
            out.tell(found, || crate::desk::text(&blocks, out))
        }
    }
}

fn report(args: &ReportArgs, out: &Out) -> Result<()> {
    let plan = ReportPlan {
        seeds: args.seeds,
        nested: !args.no_nested,
        curves: !args.no_curves,
        seed: args.seed,
    };
    let (mut told, seconds) = work(args.long, |control| wits_learn::report(&plan, control))?;
    told.seconds = Some(seconds);
    if let Some(dir) = &args.out {
        folder(dir)?;
        let mut drawings = draw::first_look(&wits_learn::bench::glass(), None)
            .map_err(|e| wrong(&e))?
            .into_iter()
            .map(|drawing| (drawing.name, drawing.svg))
            .collect::<Vec<_>>();
        for (at, curve) in told.curves.iter().enumerate() {
            drawings.push((format!("curve-{}", at + 1), draw::curve(curve)));
        }
        for (name, scores) in [
            ("with-gaps", &told.test_with_gaps),
            ("whole", &told.test_whole),
        ] {
            let svg = draw::confusion(&told.classes, &scores.confusion, name);
            drawings.push((format!("confusion-{name}"), svg));
        }
        for (name, svg) in drawings {
            write_whole(&dir.join(format!("{name}.svg")), svg.as_bytes())?;
        }
        bars(dir, &told.grid)?;
    }
    let value: Value = serde_json::to_value(&told)?;
    out.tell(&value, || {
        if args.table {
            return claims_table(&told);
        }
        let mut text = String::new();
        for claim in &told.claims {
            let _ = writeln!(
                text,
                "report: {}\nfound:  {}\n        {}\n",
                claim.report, claim.found, claim.verdict
            );
        }
        for slip in &told.slips {
            let _ = writeln!(text, "slip:   {slip}");
        }
        let _ = writeln!(text, "{seconds:.1} s");
        text
    })
}

/// The report's statements as README shows them.
fn claims_table(told: &wits_learn::GlassReport) -> String {
    let mut text = "| the report says | found here | |\n| --- | --- | --- |\n".to_owned();
    for claim in &told.claims {
        let _ = writeln!(
            text,
            "| {} | {} | {} |",
            claim.report, claim.found, claim.verdict
        );
    }
    text
}
