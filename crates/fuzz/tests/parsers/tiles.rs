//! What the crossword room reads.

use wits_scrabble::TileSet;
use wits_scrabble::files::{cgp, gcg};
use wits_scrabble::lexicon::hunspell::Affixes;
use wits_scrabble::lexicon::{Compact, Forms, Pattern};
use wits_scrabble::players::Leaves;

use crate::{Parser, bytes, file, text};

const GCG: &str = "#character-encoding UTF-8\n#player1 ann Ann\n#player2 bo Bo\n>ann: AEINRST 8D RETAIN +14 14\n>bo: ABCDEFG -ABC +0 0\n";
const CGP: &str = "15/15/15/15/15/15/15/15/15/15/15/15/15/15/15 AEINRST/ 0/0 0";
const AFF: &str = "SET UTF-8\nTRY esianrt\nFLAG num\nSFX 1 Y 2\nSFX 1 0 s [^sy]\nSFX 1 y ies y\nPFX 2 Y 1\nPFX 2 0 re .\n";

pub(crate) fn parsers() -> Vec<Parser> {
    let english = || TileSet::named("english").unwrap();
    let tiles = english();
    let (of_gcg, of_cgp, of_leaves, of_pattern, of_rack) = (
        tiles.clone(),
        tiles.clone(),
        tiles.clone(),
        tiles.clone(),
        tiles,
    );
    let mut lexicon = file("crates/scrabble/data/lexicons/english.lex");
    lexicon.truncate(40_000);
    vec![
        text("gcg", 2, &[GCG], move |t| gcg::read(t, &of_gcg).is_ok()),
        text("cgp", 1, &[CGP], move |t| cgp::read(t, &of_cgp).is_ok()),
        text("hunspell-affixes", 2, &[AFF], |t| {
            Affixes::parse(t.as_bytes()).is_ok()
        }),
        bytes(
            "tile-set",
            2,
            vec![
                file("crates/scrabble/data/tiles/english.txt"),
                file("crates/scrabble/data/tiles/czech.txt"),
            ],
            |b| TileSet::parse(&String::from_utf8_lossy(b)).is_ok(),
        ),
        bytes(
            "leaves",
            20,
            vec![file("crates/scrabble/data/leaves/english.txt")],
            move |b| Leaves::read(&String::from_utf8_lossy(b), &of_leaves).is_ok(),
        ),
        // Cut off, so every sample is refused; what is bent must be, too, without a panic.
        bytes("lexicon-file", 20, vec![lexicon], |b| {
            if let Ok(compact) = Compact::open(b) {
                let _ = compact.word(compact.len() as u32 / 2);
            }
            true
        }),
        text("word-pattern", 1, &["?A*E", "QU??"], move |t| {
            Pattern::read(&of_pattern, t).is_ok()
        }),
        text("rack", 1, &["AEINRST", "A?"], move |t| {
            of_rack.read_rack(t).is_ok()
        }),
        text("word-forms", 1, &["nouns"], |t| {
            let _ = t.parse::<Forms>();
            true
        }),
    ]
}
