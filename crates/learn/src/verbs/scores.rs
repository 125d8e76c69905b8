//! What was measured about a pipeline, as tables.

use wits_desk::{Block, Cell, Picture, Table};
use wits_game::{Figure, Message};

use super::{head, heads};
use crate::draw;
use crate::intake::HeldOut;
use crate::metrics::{Average, Measured, Scores};
use crate::words::WORDS;

/// Accuracy, class by class, and truth by prediction.
pub(super) fn blocks(scores: &Scores, classes: &[String]) -> Vec<Block> {
    let accuracy = WORDS
        .say("accuracy")
        .with("share", Figure::share(scores.accuracy.value))
        .with("low", Figure::share(scores.accuracy.interval[0]))
        .with("high", Figure::share(scores.accuracy.interval[1]))
        .with("rows", Figure::whole(scores.rows));
    let mut all = vec![Block::Says(accuracy)];
    all.push(Block::Table(by_class(scores)));
    all.push(Block::Table(confusion(scores, classes)));
    all.push(Block::Table(further(scores)));
    all
}

/// What came of the rows that were kept aside.
pub(super) fn held_out(found: &HeldOut) -> Block {
    let accuracy = &found.scores.accuracy;
    let says = WORDS
        .say("held-out")
        .with("rows", Figure::whole(found.scores.rows))
        .with("share", Figure::share(accuracy.value))
        .with("low", Figure::share(accuracy.interval[0]))
        .with("high", Figure::share(accuracy.interval[1]));
    Block::Says(says.with("pipeline", found.pipeline.to_string()))
}

/// Truth by prediction, drawn.
pub(super) fn picture(scores: &Scores, classes: &[String], title: &str) -> Block {
    Block::Picture(Picture {
        name: "svg".to_owned(),
        title: head("title-confusion"),
        svg: draw::confusion(classes, &scores.confusion, title),
    })
}

fn by_class(scores: &Scores) -> Table {
    let keys = ["class", "support", "precision", "recall", "f1"];
    let mut table = Table::new("scores", head("title-scores"), heads(&keys));
    for class in &scores.classes {
        let shares = [&class.precision, &class.recall, &class.f1].map(|m| Cell::share(m.value));
        let mut row = vec![Cell::text(&class.class), Cell::whole(class.support)];
        row.extend(shares);
        table = table.row(row);
    }
    let over = |key, average: &Average| {
        let shares = [&average.precision, &average.recall, &average.f1];
        let mut row = vec![Cell::Says(head(key)), Cell::whole(scores.rows)];
        row.extend(shares.map(|m| Cell::share(m.value)));
        row
    };
    table
        .row(over("macro", &scores.plain))
        .row(over("weighted", &scores.weighted))
}

fn confusion(scores: &Scores, classes: &[String]) -> Table {
    let mut table = Table::new("confusion", head("title-confusion"), heads(&["truth"]));
    table.columns.extend(classes.iter().map(Message::plain));
    for (class, row) in classes.iter().zip(&scores.confusion) {
        let mut cells = vec![Cell::text(class)];
        cells.extend(row.iter().map(|&count| Cell::whole(count)));
        table = table.row(cells);
    }
    table
}

/// Measures of the whole, each with its interval.
fn further(scores: &Scores) -> Table {
    let keys = ["measure", "value", "interval"];
    let mut table = Table::new("measures", head("title-measures"), heads(&keys));
    table.folded = true;
    let balanced = &scores.balanced_accuracy;
    table = table.row(vec![
        Cell::Says(head("balanced")),
        Cell::share(balanced.value),
        Cell::shares(balanced.interval),
    ]);
    let number = |name: Cell, m: &Measured| {
        let [low, high] = m.interval.map(|x| Figure::Decimal(x, 3));
        vec![name, Cell::decimal(m.value, 3), Cell::Span(low, high)]
    };
    table = table
        .row(number(Cell::text("κ"), &scores.kappa))
        .row(number(Cell::text("MCC"), &scores.mcc));
    if let Some(loss) = &scores.log_loss {
        table = table.row(number(Cell::Says(head("log-loss")), loss));
    }
    table
}
