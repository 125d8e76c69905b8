//! A classification workbench that is fast, exact and honest about its numbers.
//!
//! A file of rows goes in ([`read_table`], or a [`TableReader`] fed piece by piece); a [`Dataset`]
//! is chosen from it; a [`Pipeline`] of imputer, transformers and classifier is written as text and
//! tried. Each thing one can do at the desk is one function that takes values and gives a value
//! which JSON can hold:
//!
//! | verb | function | gives |
//! | --- | --- | --- |
//! | describe | [`describe`] | [`Description`] |
//! | explore | [`explore`], [`draw::first_look`] | [`Exploration`], drawings |
//! | cv | [`cross_validate`] | [`CrossValidated`] |
//! | grid | [`grid`], [`nested`] | [`GridResult`], [`Nested`] |
//! | tune | [`tune`], [`learning_curve`], [`importance`] | [`Curve`], [`Importance`] |
//! | compare | [`compare`] | [`Comparison`] |
//! | curves | [`probability_curves`] | [`ProbabilityCurves`] |
//! | regions | [`regions()`] | [`Regions`] |
//! | response | [`responses`] | [`Response`] |
//! | transform | [`transform()`] | [`Transformed`] |
//! | train | [`train`] | [`Model`] |
//! | evaluate, predict | [`Model::evaluate`], [`Model::predict`] | [`Evaluation`], [`Predictions`] |
//! | report | [`report`] | [`GlassReport`] |
//! | bench | [`bench::workloads`] | work to be timed |
//!
//! The crate neither prints nor opens files nor reads a clock. Long work takes a [`Control`]: a flag
//! that stops it and an ear that hears how far it is. The same seed gives the same numbers whatever
//! the number of threads.
//!
//! ```
//! use wits_learn::{Control, Pipeline, Validation, bench, cross_validate};
//!
//! let data = bench::glass();
//! let pipeline: Pipeline = "knn:k=1 + standard + knn:k=3".parse()?;
//! let found = cross_validate(&data, &pipeline, Validation::folds(5), 0, &Control::quiet())?;
//! assert_eq!(found.folds.len(), 5);
//! assert!(found.mean > found.baseline);
//! # Ok::<(), wits_learn::LearnError>(())
//! ```
#![forbid(unsafe_code)]

pub mod bench;
mod chance;
mod check;
pub mod classify;
mod control;
mod cross;
mod curves;
mod dataset;
mod dense;
mod describe;
pub mod distributions;
pub mod draw;
mod error;
mod expo;
mod export;
mod grid;
pub mod honesty;
pub mod impute;
mod intake;
mod limits;
mod linear;
mod matrix;
mod methods;
pub mod metrics;
mod model;
mod nested;
pub mod numbers;
pub mod numpy;
mod parts;
mod pipeline;
mod python;
mod records;
mod regions;
mod report;
mod respond;
mod run;
mod samples;
mod spec;
mod split;
mod stepwise;
mod table;
pub mod transform;
mod transformed;
mod tune;
pub mod verbs;
mod watch;
mod words;

pub use control::{Cell, Control, Progress, with_threads};
pub use cross::{Answer, Comparison, CrossValidated, compare, cross_validate};
pub use curves::{Bin, ClassCurves, ProbabilityCurves, probability_curves};
pub use dataset::{Dataset, Roles, Schema, Source};
pub use describe::{
    ClassCount, ColumnSummary, Description, Exploration, Statistics, describe, explore,
};
pub use error::{LearnError, TooLarge};
pub use export::rust_source;
pub use grid::{Failure, GridPlan, GridResult, Line, Unfinished, grid};
pub use intake::{HeldOut, Intake};
pub use limits::TableLimits;
pub use matrix::Matrix;
pub use metrics::{Measured, Score};
pub use model::{Evaluation, Model, Prediction, Predictions, train, train_controlled};
pub use nested::{Nested, nested};
pub use pipeline::Fitted;
pub use python::{python_source, python_step};
pub use regions::{Regions, regions};
pub use report::{Claim, GlassReport, Paired, ReportPlan, WINNER, report};
pub use respond::{Response, responses};
pub use run::{Found, Run};
pub use samples::{SAMPLE_NAMES, SAMPLES, Sample};
pub use spec::{Allowed, Kind, Method, Param, Pipeline, Spec, chain_text, methods, read_steps};
pub use split::{Fold, Validation, holdout};
pub use stepwise::{GridWork, NestedWork};
pub use table::{
    Column, ReadOptions, Table, TableReader, Values, Warning, read_table, read_table_within,
};
pub use transformed::{Transformed, transform};
pub use tune::{Curve, Importance, Point, changed, importance, learning_curve, read_values, tune};
pub use watch::{grid_thread, watch_grid};
pub use words::WORDS;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
