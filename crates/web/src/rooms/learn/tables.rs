//! What is on the desk as files to keep: the table itself, and the numbers behind each picture.

use std::sync::Arc;

use axum::extract::{Extension, Path, Query, State};
use axum::http::HeaderMap;
use axum::response::Response;
use wits_learn::verbs::{description_blocks, exploration_blocks};
use wits_learn::{Dataset, Statistics, describe, explore};

use super::asked::Asked;
use super::files::{self, Desk, Subject};
use super::look::HEAD;
use crate::desk;
use crate::keep::{CSV, csv_line, download};
use crate::routes::blocking;
use crate::{App, Fault};

/// `GET /learn/data/NAME/file`: the file as it came.
pub(super) async fn file(
    State(app): State<App>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let read = blocking(move || {
        let (label, bytes) = files::bytes(&app.store, &name)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let title = label.title.trim_end_matches(".csv");
        Ok(download(CSV, &format!("{title}.csv"), text))
    });
    read.await.map_err(|f| f.for_reader(&headers))
}

/// `GET /learn/data/NAME/table/WHAT`
pub(super) async fn table(
    State(app): State<App>,
    Extension(own): Extension<Arc<Desk>>,
    Path((name, what)): Path<(String, String)>,
    Query(pairs): Query<Vec<(String, String)>>,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let made = blocking(move || {
        let subject = Subject::open(&own, &app.store, &name, &Asked(pairs))?;
        let text = match what.as_str() {
            "classes" => classes(&subject.data),
            "rows" => rows(&subject.data),
            what => {
                let told = describe(&subject.opened.table, &subject.data, HEAD);
                let mut blocks = description_blocks(&told);
                blocks.extend(exploration_blocks(&explore(&subject.data)));
                return desk::keep(&blocks, what);
            }
        };
        Ok(download(CSV, &format!("{what}.csv"), text))
    });
    made.await.map_err(|f| f.for_reader(&headers))
}

/// Statistics in the order of their headings.
fn numbers(of: Option<Statistics>) -> Vec<String> {
    let list = of.map(|s| [s.mean, s.sd, s.min, s.q25, s.median, s.q75, s.max]);
    list.map_or_else(
        || vec![String::new(); 7],
        |list| list.iter().map(ToString::to_string).collect(),
    )
}

const HEADINGS: [&str; 7] = ["mean", "sd", "min", "q25", "median", "q75", "max"];

/// The statistics of a feature in each class.
pub(super) fn by_class(data: &Dataset, feature: usize) -> Vec<(usize, Option<Statistics>)> {
    let column = data.x.column(feature);
    let of = |class: usize| -> Vec<f64> {
        let own = column.iter().zip(&data.y);
        own.filter(|(v, c)| **c as usize == class && !v.is_nan())
            .map(|(v, _)| *v)
            .collect()
    };
    let each = (0..data.classes().len()).map(of);
    each.map(|v| (v.len(), Statistics::of(&v))).collect()
}

fn classes(data: &Dataset) -> String {
    let first = ["feature", "class", "count"];
    let mut out = csv_line([&first[..], &HEADINGS].concat());
    for (j, feature) in data.features().iter().enumerate() {
        for (class, (count, told)) in data.classes().iter().zip(by_class(data, j)) {
            let mut line = vec![feature.clone(), class.clone(), count.to_string()];
            line.extend(numbers(told));
            out += &csv_line(&line);
        }
    }
    out
}

/// The rows as pipelines see them.
fn rows(data: &Dataset) -> String {
    let mut head = vec!["row".to_owned()];
    head.extend(data.features());
    head.push(data.schema.target.clone());
    let mut out = csv_line(&head);
    for (i, row) in data.rows.iter().enumerate() {
        let mut line = vec![row.to_string()];
        let cell = |v: &f64| {
            if v.is_nan() {
                String::new()
            } else {
                v.to_string()
            }
        };
        line.extend(data.x.row(i).iter().map(cell));
        line.push(data.classes()[data.y[i] as usize].clone());
        out += &csv_line(&line);
    }
    out
}
