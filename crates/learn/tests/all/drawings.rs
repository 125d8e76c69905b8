//! Drawings: nothing is clipped, large tables are small files, texts are counted and not measured.

use std::fmt::Write as _;

use wits_learn::{
    Control, Dataset, Matrix, Pipeline, ReadOptions, Roles, Sample, Validation, draw, grid,
    importance, probability_curves, read_table, regions, responses, train,
};
use wits_learn::{GridPlan, Kind, bench};

/// Long names everywhere, numbers and texts, gaps, three classes.
fn awkward() -> Dataset {
    let mut text = String::from(
        "the first measurement of the western laboratory,alcalinity_of_ash,od280_od315_of_diluted_wines,colour of the label on the bottle,verdict of the committee\n",
    );
    for i in 0..90 {
        let class = ["acceptable with reservations", "declined", "x"][i % 3];
        let colour = [
            "dark burgundy red",
            "white",
            "",
            "a very long name of a colour indeed",
        ][i % 4];
        let gap = if i % 11 == 0 {
            "?".to_owned()
        } else {
            format!("{}.5", i % 13)
        };
        let drift = i % 3 * 4 + i % 5;
        writeln!(text, "{drift},{gap},{},{colour},{class}", i * 7 % 31).unwrap();
    }
    let table = read_table(text.as_bytes(), &ReadOptions::default()).unwrap();
    let roles = Roles {
        target: Some("verdict of the committee".to_owned()),
        ids: None,
    };
    Dataset::new(&table, &roles).unwrap()
}

fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let from = tag.find(&format!(" {name}=\""))? + name.len() + 3;
    let rest = &tag[from..];
    Some(&rest[..rest.find('"')?])
}

fn number(tag: &str, name: &str) -> Option<f64> {
    attribute(tag, name).and_then(|v| v.parse().ok())
}

/// A text, its size and the ends of its base line.
type Placed<'a> = (&'a str, f64, [(f64, f64); 2]);

/// Every text of an SVG with its size and the ends of its base line, by a modest estimate of its width.
fn texts(svg: &str) -> Vec<Placed<'_>> {
    let mut all = Vec::new();
    for part in svg.split("<text").skip(1) {
        let (tag, rest) = part.split_once('>').unwrap();
        let text = &rest[..rest.find('<').unwrap()];
        let class = attribute(tag, "class").unwrap_or("");
        let size = if class.split(' ').any(|c| c == "s") {
            10.0
        } else if class == "t" {
            16.0
        } else {
            12.0
        };
        let long = 0.5 * size * text.chars().count() as f64;
        let (x, y) = (number(tag, "x").unwrap(), number(tag, "y").unwrap());
        let (before, after) = match attribute(tag, "text-anchor") {
            Some("end") => (long, 0.0),
            Some("middle") => (long / 2.0, long / 2.0),
            _ => (0.0, long),
        };
        // Along the line of writing, and down from it by a turn to the left.
        let turn: f64 = attribute(tag, "transform")
            .and_then(|t| t.strip_prefix("rotate(")?.split(' ').next()?.parse().ok())
            .unwrap_or(0.0);
        let (sin, cos) = turn.to_radians().sin_cos();
        let ends = [-before, after].map(|along| (x + along * cos, y + along * sin));
        all.push((text, size, ends));
    }
    all
}

/// Every text of an SVG lies inside its view box.
fn nothing_is_clipped(what: &str, svg: &str) {
    let head = &svg[..svg.find('>').unwrap()];
    let (width, height) = (
        number(head, "width").unwrap(),
        number(head, "height").unwrap(),
    );
    let texts = texts(svg);
    for &(text, _, ends) in &texts {
        for (px, py) in ends {
            let inside = (-1.0..=width + 1.0).contains(&px) && (0.0..=height + 1.0).contains(&py);
            assert!(
                inside,
                "{what}: `{text}` reaches ({px}, {py}) of {width} x {height}"
            );
        }
    }
    assert!(!texts.is_empty(), "{what} has texts");
}

/// No two texts of an SVG that lie or stand cover each other.
fn no_texts_touch(what: &str, svg: &str) {
    let texts = texts(svg);
    let boxes = texts.iter().map(|&(text, size, [from, to])| {
        // Letters reach from the base line up, or to the left of one that stands.
        let (low, high) = if (from.0 - to.0).abs() < 0.01 {
            ((from.0 - size, to.1), (from.0, from.1))
        } else {
            ((from.0, from.1 - size), (to.0, to.1))
        };
        (text, low, high)
    });
    let boxes: Vec<_> = boxes.collect();
    for (k, (one, low, high)) in boxes.iter().enumerate() {
        for (other, from, to) in &boxes[..k] {
            let apart = high.0 <= from.0 || to.0 <= low.0 || high.1 <= from.1 || to.1 <= low.1;
            assert!(apart, "{what}: `{one}` covers `{other}`");
        }
    }
}

/// What an axis shows once stood between the title and its highest tick.
#[test]
fn the_name_of_an_axis_touches_neither_title_nor_ticks() {
    let iris = Sample::named("iris").unwrap().dataset();
    let (folds, quiet) = (Validation::folds(3), Control::quiet());
    let pipeline: Pipeline = "standard + naive-bayes".parse().unwrap();
    let found = probability_curves(&iris, &pipeline, folds, 0, &quiet).unwrap();
    no_texts_touch("roc", &draw::roc(&found));
    no_texts_touch("precision-recall", &draw::precision_recall(&found));
    no_texts_touch("calibration", &draw::calibration(&found));
    let found = regions(&iris, &pipeline, None, folds, 0, &quiet).unwrap();
    no_texts_touch("regions", &draw::regions(&found));
}

#[test]
fn nothing_is_clipped_however_long_the_names_are() {
    let (data, quiet) = (awkward(), Control::quiet());
    for drawn in draw::first_look(&data, None).unwrap() {
        nothing_is_clipped(&drawn.name, &drawn.svg);
    }
    let tree = train(&data, &"mean + tree:depth=3".parse().unwrap(), 0).unwrap();
    let wits_learn::classify::Classifier::Tree(fitted) = &tree.fitted.classifier else {
        panic!("a tree");
    };
    let names = data.features();
    let svg = draw::tree(fitted, &names, data.classes(), 5);
    nothing_is_clipped("tree", &svg);
    let pipeline: Pipeline = "mean + standard + naive-bayes".parse().unwrap();
    let folds = Validation::folds(3);
    let found = probability_curves(&data, &pipeline, folds, 0, &quiet).unwrap();
    nothing_is_clipped("roc", &draw::roc(&found));
    for banded in [draw::roc(&found), draw::precision_recall(&found)] {
        assert_eq!(
            banded.matches("<polygon").count(),
            3,
            "an interval for each class"
        );
    }
    nothing_is_clipped("precision-recall", &draw::precision_recall(&found));
    nothing_is_clipped("calibration", &draw::calibration(&found));
    let list = importance(&data, &pipeline, folds, 2, 0, &quiet).unwrap();
    nothing_is_clipped("importance", &draw::importances(&list));
    let found = regions(&data, &pipeline, None, folds, 0, &quiet).unwrap();
    nothing_is_clipped("regions", &draw::regions(&found));
    let model = train(&data, &pipeline, 0).unwrap();
    let found = responses(&model, &data, data.x.row(3)).unwrap();
    nothing_is_clipped("responses", &draw::responses(&found, data.classes()));
    let plan = GridPlan::new(
        &["mean", "knn:k=3"],
        &["passthrough", "quantile:output=normal,n_quantiles=40"],
        &["naive-bayes:smoothing=0.000000001", "majority"],
    );
    let found = grid(&data, &plan.unwrap(), &quiet).unwrap();
    for kind in [Kind::Imputer, Kind::Transformer, Kind::Classifier] {
        nothing_is_clipped("bars", &draw::method_bars(&found, kind));
    }
    let counts = vec![vec![9; 3]; 3];
    let title = "Confusion of a pipeline with a rather long title that goes on";
    nothing_is_clipped(
        "confusion",
        &draw::confusion(data.classes(), &counts, title),
    );
}

/// A comma in a name once parted it: no regions could be drawn on that column.
#[test]
fn a_pair_is_named_though_names_hold_commas() {
    let text = "\"width, cm\",height,\"depth, cm\",class\n5,2,3,a\n3,1,4,b\n5,4,1,a\n";
    let table = read_table(text.as_bytes(), &ReadOptions::default()).unwrap();
    let data = Dataset::new(&table, &Roles::default()).unwrap();
    for (text, places) in [
        ("width, cm,height", (0, 1)),
        ("height,width, cm", (1, 0)),
        ("width, cm,depth, cm", (0, 2)),
    ] {
        let named = draw::named_pair(&data, text);
        assert_eq!(draw::pair_of(&data, Some(named)).unwrap(), places, "{text}");
    }
    for wrong in ["width", "width, cm", "height,nothing"] {
        let named = draw::named_pair(&data, wrong);
        assert!(draw::pair_of(&data, Some(named)).is_err(), "{wrong}");
    }
}

/// 22 MB once.
#[test]
fn a_scatter_of_eighteen_thousand_rows_is_a_picture() {
    let (x, y) = bench::sample(18_000, 30, 3, 1);
    let data = Dataset::made_up(x, y);
    let svg = draw::scatter_matrix(&data);
    assert!(svg.contains("data:image/png;base64,"));
    assert!(svg.len() < 2_000_000, "{} bytes", svg.len());
    let views = draw::first_look_at(&data, "transformed", None).unwrap();
    let views = views.unwrap().svg;
    assert!(views.len() < 1_000_000, "{} bytes", views.len());
    let boxes = draw::box_plots(&data);
    assert!(boxes.len() < 600_000, "{} bytes", boxes.len());
    // Few points stay shapes.
    let glass = draw::scatter_matrix(&bench::glass());
    assert!(!glass.contains("<image") && glass.contains("<path"));
}

#[test]
fn texts_are_bars_and_gaps_are_mapped() {
    let data = Sample::named("balcony").unwrap().dataset();
    let boxes = draw::box_plots(&data);
    assert!(boxes.contains("lavender: ") && !boxes.contains("kind=lavender"));
    let densities = draw::densities(&data);
    assert!(densities.contains("yes, lavender: ") && !densities.contains("kind=lavender"));
    let map = draw::missing_map(&data);
    let missing = data.missing_by_source();
    for (source, count) in data.schema.sources.iter().zip(&missing) {
        assert!(
            map.contains(&format!("{}: {count} of 361 rows", source.name)),
            "{}",
            source.name
        );
    }
    assert!(missing.iter().sum::<usize>() == data.missing() && data.missing() > 50);
    // A text that became five features is missing once.
    let wall = data
        .schema
        .sources
        .iter()
        .position(|s| s.name == "wall")
        .unwrap();
    let spans = data.schema.spans();
    assert_eq!(spans[wall].len(), 4);
    assert!(missing[wall] > 0 && missing[wall] < 40);
    let gone = data.with_missing(1.0, 1);
    assert_eq!(gone.missing(), 361 * data.schema.sources.len());
    let whole = Dataset::made_up(Matrix::zeros(4, 2), vec![0, 1, 0, 1]);
    assert!(draw::missing_map(&whole).contains("Nothing is missing"));
}
