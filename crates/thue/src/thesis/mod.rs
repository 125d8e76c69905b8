//! The thesis's program again: its configuration file, its console game, its tables and figures.

mod console;
mod figure;
mod overall;
mod properties;
mod tables;

pub use console::{Console, Need};
pub use figure::Chart;
pub use overall::{BadGrid, Cell, Grid, Played};
pub use properties::{BadProperties, Mode, Properties};
pub use tables::{Experiment, Figure, Length, Ratio, Short, Tables, Trials, tables};
