//! What a word with its gaps looks like.

use wits_game::{Cell, Layout, Light, Scene, Shape, Target, Tint, Token, Tray};

use super::{Insertion, Phase, Position};
use crate::WORDS;
use crate::words::Repetition;

/// The picture: gap, symbol, gap, symbol, … gap. Gap `g` is cell `2g`, symbol `i` is cell `2i + 1`.
pub(super) fn scene(game: &Insertion, position: &Position) -> Scene {
    let free = !matches!(position.phase, Phase::Repeated(_));
    let fits = if free {
        game.all_fits(&position.word)
    } else {
        Vec::new()
    };
    let palette = palette(game.symbols);
    let mut cells = Vec::with_capacity(2 * position.word.len() + 1);
    for gap in 0..=position.word.len() {
        cells.push(gap_cell(
            gap,
            fits.get(gap).map(|fit| fit.count_ones()),
            position,
        ));
        if let Some(&symbol) = position.word.get(gap) {
            cells.push(symbol_cell(
                gap,
                &palette.tokens[usize::from(symbol)],
                position,
            ));
        }
    }
    let caption = WORDS
        .say("caption")
        .with("points", position.points())
        .with("most", game.max_moves)
        .with("length", position.word.len())
        .with("symbols", game.symbols)
        .with("kind", WORDS.say(kind(game)));
    Scene {
        layout: Layout::Strip,
        cells,
        targets: targets(game, position),
        trays: vec![palette],
        caption: caption.to_string(),
    }
}

fn kind(game: &Insertion) -> &'static str {
    match game.variant {
        crate::Variant::Square => "kind-square",
        crate::Variant::Overlap => "kind-overlap",
        crate::Variant::OverlapThesis => "kind-overlap-thesis",
        crate::Variant::Cube => "kind-cube",
        crate::Variant::AbelianSquare => "kind-abelian-square",
    }
}

fn gap_cell(gap: usize, fitting: Option<u32>, position: &Position) -> Cell {
    let chosen = position.gap() == Some(gap);
    Cell {
        name: gap.to_string(),
        token: None,
        tint: if fitting == Some(0) {
            Tint::Dead
        } else {
            Tint::Gap
        },
        light: chosen.then_some(if matches!(position.phase, Phase::Stuck(_)) {
            Light::Wrong
        } else {
            Light::Look
        }),
        note: fitting.map(|count| count.to_string()).unwrap_or_default(),
    }
}

fn symbol_cell(at: usize, token: &Token, position: &Position) -> Cell {
    let half = match position.phase {
        Phase::Repeated(found) => half(found, at),
        _ => None,
    };
    Cell {
        name: format!("s{at}"),
        token: Some(token.clone()),
        tint: half.unwrap_or_default(),
        light: half.map(|_| Light::Wrong),
        note: String::new(),
    }
}

/// Which half of a repetition a letter is in; an overlap's last letter belongs to the second.
pub(super) fn half(found: Repetition, at: usize) -> Option<Tint> {
    if at < found.start || at >= found.end() {
        None
    } else if at < found.start + found.period {
        Some(Tint::First)
    } else {
        Some(Tint::Second)
    }
}

/// A symbol as a coloured tile that shows its number.
pub(super) fn token(symbol: u8) -> Token {
    let label = WORDS.say("symbol").with("symbol", symbol);
    Token::new(
        Shape::Tile,
        symbol.to_string(),
        label.to_string(),
        u16::from(symbol),
    )
}

/// All symbols of the alphabet.
pub(super) fn palette(symbols: usize) -> Tray {
    Tray {
        title: WORDS.say("palette").to_string(),
        tokens: (0..symbols as u8).map(token).collect(),
    }
}

fn targets(game: &Insertion, position: &Position) -> Vec<Target> {
    match position.phase {
        Phase::Build => (0..=position.word.len())
            .map(|gap| Target {
                path: vec![2 * gap],
                text: gap.to_string(),
                label: String::new(),
            })
            .collect(),
        Phase::Paint(gap) => {
            let fit = game.fits(&position.word, gap as usize);
            let button = |symbol: usize| {
                let key = if fit >> symbol & 1 == 1 {
                    "button"
                } else {
                    "button-repeats"
                };
                Target {
                    path: Vec::new(),
                    text: symbol.to_string(),
                    label: WORDS.say(key).with("symbol", symbol).to_string(),
                }
            };
            (0..game.symbols).map(button).collect()
        }
        _ => Vec::new(),
    }
}
