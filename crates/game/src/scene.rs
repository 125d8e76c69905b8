//! What a position looks like: the one picture that terminal, page and board lens draw.

use serde::{Deserialize, Serialize};

/// A picture of a position: cells, what lies on them, and what a click means.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Scene {
    /// How the cells are laid out.
    pub layout: Layout,
    /// The cells, row by row from the top left.
    pub cells: Vec<Cell>,
    /// What the seat to move can do by clicking.
    pub targets: Vec<Target>,
    /// Things beside the board: racks, boxes, captured pieces.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trays: Vec<Tray>,
    /// One line under the board, such as a score.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub caption: String,
}

/// How the cells of a scene are laid out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// A board of rows, with a name for every column and row (empty names are not drawn).
    Board {
        /// Names of the columns, from the left.
        columns: Vec<String>,
        /// Names of the rows, from the top.
        rows: Vec<String>,
    },
    /// A line that wraps where the page ends: words, numbers.
    #[default]
    Strip,
}

/// One cell of a scene.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// What players call the cell: `b2`, `7`. The screen reader says it.
    pub name: String,
    /// What lies on it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<Token>,
    /// The ground of the cell.
    #[serde(default)]
    pub tint: Tint,
    /// Whether the eye should be drawn here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub light: Option<Light>,
    /// A small note in the corner: a premium, a count.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// A piece, a disc, a tile, a coloured number.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Token {
    /// One or two characters: all that the terminal shows.
    pub glyph: String,
    /// What the screen reader says: `black disc`.
    pub label: String,
    /// The shape the page draws.
    pub shape: Shape,
    /// An index into the data colours; always doubled by shape or glyph.
    pub colour: u16,
}

/// What the page draws for a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Two crossed strokes.
    Cross,
    /// An open circle.
    Ring,
    /// A filled disc, dark.
    Dark,
    /// A filled disc, light.
    Light,
    /// A pawn.
    Pawn,
    /// A square tile that shows its glyph.
    Tile,
    /// Only the glyph.
    Text,
}

/// The ground of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tint {
    /// Paper.
    #[default]
    Plain,
    /// The other colour of a checkered board.
    Shade,
    /// Green cloth: a board of one colour, for discs.
    Felt,
    /// A premium or special cell, the first kind.
    First,
    /// A premium or special cell, the second kind.
    Second,
    /// A premium or special cell, the third kind.
    Third,
    /// A premium or special cell, the fourth kind.
    Fourth,
    /// A gap between cells, drawn narrow.
    Gap,
    /// A cell that cannot be used any more.
    Dead,
}

/// Why a cell is lit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Light {
    /// The last move touched it.
    Last,
    /// It is part of what decided the game.
    Win,
    /// It is part of what is wrong.
    Wrong,
    /// It is worth a look.
    Look,
}

/// Something the seat to move can do with clicks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Target {
    /// The cells to click, in order: one to place, two to move from and to, none for a button.
    pub path: Vec<usize>,
    /// The move this means, as players write it.
    pub text: String,
    /// What a button says; empty where the path says enough.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
}

/// Things beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Tray {
    /// Whose or what.
    pub title: String,
    /// What lies in it.
    pub tokens: Vec<Token>,
}

impl Scene {
    /// An empty board whose columns are lettered from the left and whose rows are numbered from
    /// `first_row` at the top, counting up or down: Othello counts down the page, Hexapawn up.
    pub fn board(columns: usize, rows: usize, top_is_one: bool) -> Scene {
        let column_names: Vec<String> = (0..columns).map(column_name).collect();
        let row_names: Vec<String> = (0..rows)
            .map(|r| (if top_is_one { r + 1 } else { rows - r }).to_string())
            .collect();
        let cells = row_names
            .iter()
            .flat_map(|r| {
                column_names.iter().map(move |c| Cell {
                    name: format!("{c}{r}"),
                    ..Cell::default()
                })
            })
            .collect();
        Scene {
            layout: Layout::Board {
                columns: column_names,
                rows: row_names,
            },
            cells,
            ..Scene::default()
        }
    }

    /// The index of the cell that players call `name`.
    pub fn cell(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }
}

/// `a`, `b`, … `z`, `aa`, `ab`, …
fn column_name(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    match index / 26 {
        0 => letter.to_string(),
        more => format!("{}{letter}", column_name(more - 1)),
    }
}

impl Token {
    /// A token with the words a screen reader says.
    pub fn new(
        shape: Shape,
        glyph: impl Into<String>,
        label: impl Into<String>,
        colour: u16,
    ) -> Token {
        Token {
            glyph: glyph.into(),
            label: label.into(),
            shape,
            colour,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_named_as_players_name_them() {
        let othello = Scene::board(8, 8, true);
        assert_eq!(othello.cells[0].name, "a1");
        assert_eq!(othello.cells[63].name, "h8");
        let hexapawn = Scene::board(3, 3, false);
        assert_eq!(hexapawn.cells[0].name, "a3");
        assert_eq!(hexapawn.cell("a1"), Some(6));
        assert_eq!(column_name(27), "ab");
    }

    #[test]
    fn scenes_survive_json() {
        let mut scene = Scene::board(2, 2, true);
        scene.cells[1].token = Some(Token::new(Shape::Cross, "X", "cross", 0));
        scene.cells[1].light = Some(Light::Last);
        let json = serde_json::to_string(&scene).unwrap();
        assert_eq!(serde_json::from_str::<Scene>(&json).unwrap(), scene);
    }
}
