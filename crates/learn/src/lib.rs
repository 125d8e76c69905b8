//! temp
#![forbid(unsafe_code)]
mod chance;
pub mod classify;
mod dataset;
pub mod distributions;
mod error;
pub mod impute;
mod linear;
mod matrix;
mod methods;
pub mod numbers;
mod pipeline;
mod spec;
mod split;
mod table;
pub mod transform;
pub use dataset::{Dataset, Roles, Schema, Source};
pub use error::LearnError;
pub use matrix::Matrix;
pub use pipeline::Fitted;
pub use spec::{Allowed, Kind, Method, Param, Pipeline, Spec, chain_text, methods, read_steps};
pub use split::{Fold, Validation, holdout};
pub use table::{Column, ReadOptions, Table, TableReader, Values, Warning, read_table};
