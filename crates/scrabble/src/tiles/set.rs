//! A set of tiles: an alphabet, how many of each, what they are worth.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use unicode_normalization::UnicodeNormalization;

use super::letter::{Letter, Tile};
use super::parse::BadTileSet;
use super::text::Ladder;

/// One letter as it is printed on tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Face {
    /// The capital form: one or more characters.
    pub upper: String,
    /// The small form, used for a blank that stands for the letter.
    pub lower: String,
    /// How many tiles there are.
    pub count: u8,
    /// What one is worth.
    pub value: u8,
}

/// An alphabet with its tiles. Sets are data: one text file each, see [`TileSet::parse`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TileSet {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) language: String,
    pub(super) blanks: u8,
    pub(super) faces: Vec<Face>,
    pub(super) labels: BTreeMap<String, String>,
    pub(super) ladder: Ladder,
    values: [u8; 64],
}

static SHIPPED: LazyLock<[Arc<TileSet>; 3]> = LazyLock::new(|| {
    [
        include_str!("../../data/tiles/czech.txt"),
        include_str!("../../data/tiles/english.txt"),
        include_str!("../../data/tiles/polish.txt"),
    ]
    .map(|text| Arc::new(TileSet::parse(text).expect("the shipped tile sets are well formed")))
});

impl TileSet {
    /// The shipped sets, by name.
    pub fn shipped() -> &'static [Arc<TileSet>] {
        &*SHIPPED
    }

    /// A shipped set by its name, such as `polish`.
    pub fn named(name: &str) -> Option<Arc<TileSet>> {
        SHIPPED.iter().find(|set| set.name == name).cloned()
    }

    /// The Czech set.
    pub fn czech() -> Arc<TileSet> {
        Arc::clone(&SHIPPED[0])
    }

    /// The English set.
    pub fn english() -> Arc<TileSet> {
        Arc::clone(&SHIPPED[1])
    }

    /// The Polish set.
    pub fn polish() -> Arc<TileSet> {
        Arc::clone(&SHIPPED[2])
    }

    pub(super) fn new(
        head: &BTreeMap<&str, String>,
        blanks: u8,
        faces: Vec<Face>,
        labels: BTreeMap<String, String>,
    ) -> Result<TileSet, BadTileSet> {
        let ladder = Ladder::new(&faces)?;
        let mut values = [0; 64];
        for (face, value) in faces.iter().zip(&mut values[1..]) {
            *value = face.value;
        }
        let said = |key: &str| head.get(key).cloned().unwrap_or_default();
        Ok(TileSet {
            name: said("name"),
            title: said("title"),
            language: said("language"),
            blanks,
            faces,
            labels,
            ladder,
            values,
        })
    }

    /// Its short name, as in specs: `english`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name in its own language.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The code of its language: `en`.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// What a thing on the table is called in this language: `rack`, `bag`, `blank`…; the key
    /// itself where the set does not say.
    pub fn label<'a>(&'a self, key: &'a str) -> &'a str {
        self.labels.get(key).map_or(key, String::as_str)
    }

    /// How many letters the alphabet has. Their codes are 1 to this number.
    pub fn len(&self) -> usize {
        self.faces.len()
    }

    /// Whether there is no letter at all, which never happens.
    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    /// The letters in the order of the alphabet.
    pub fn letters(&self) -> impl DoubleEndedIterator<Item = Letter> + use<> {
        (1..=self.faces.len() as u8).map(Letter)
    }

    /// How a letter is printed, counted and valued.
    pub fn face(&self, letter: Letter) -> &Face {
        &self.faces[letter.index() - 1]
    }

    /// How many blanks there are.
    pub fn blanks(&self) -> u8 {
        self.blanks
    }

    /// How many tiles of a kind there are; see [`Tile::kind`].
    pub fn count(&self, tile: Tile) -> u8 {
        match tile.in_hand().letter() {
            None => self.blanks,
            Some(letter) => self.faces.get(letter.index() - 1).map_or(0, |f| f.count),
        }
    }

    /// What a tile scores: nothing for a blank, whatever it stands for.
    pub fn value(&self, tile: Tile) -> u8 {
        self.values[tile.kind() & 63]
    }

    /// All tiles in order, blanks first: a full bag before it is shaken.
    pub fn bag(&self) -> Vec<Tile> {
        let mut bag = vec![Tile::BLANK; usize::from(self.blanks)];
        for letter in self.letters() {
            let count = usize::from(self.face(letter).count);
            bag.extend(std::iter::repeat_n(Tile::natural(letter), count));
        }
        bag
    }

    /// The vowels as a mask over codes: letters whose first character without its marks is one.
    pub fn vowels(&self) -> u64 {
        let list = if self.language() == "en" {
            "AEIOU"
        } else {
            "AEIOUY"
        };
        self.letters()
            .filter(|&letter| {
                let first = self.face(letter).upper.nfd().next();
                first.is_some_and(|c| list.contains(c))
            })
            .fold(0, |mask, letter| mask | letter.bit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_sets_have_the_published_sums() {
        for (set, letters, points) in [
            (TileSet::english(), 26, 187),
            (TileSet::polish(), 32, 190),
            (TileSet::czech(), 41, 205),
        ] {
            let bag = set.bag();
            assert_eq!(bag.len(), 100, "{}", set.name());
            let sum: u32 = bag.iter().map(|&tile| u32::from(set.value(tile))).sum();
            assert_eq!((set.len(), sum), (letters, points), "{}", set.name());
            assert_eq!(set.blanks(), 2);
        }
    }

    #[test]
    fn things_are_called_by_their_names() {
        assert_eq!(TileSet::czech().label("rack"), "zásobník");
        assert_eq!(TileSet::polish().label("pass"), "pauza");
        assert_eq!(TileSet::english().label("no such thing"), "no such thing");
    }
}
