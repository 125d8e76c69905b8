//! Why cross-checks make Scrabble fast: the same search with them and without.

use std::sync::OnceLock;

use maud::html;
use wits_game::{Dice, Seed};
use wits_play::Budget;
use wits_scrabble::generate::{Fit, Fitting, Found, Method};
use wits_scrabble::{Board, Direction, Engine, Field, Hand, Letter, Lexicon, SIDE, TileSet, shown};

use super::asked::{Asked, refused};
use super::charts::drawing;
use super::parts::{Live, line, percent, slider};
use super::picture::Picture;
use crate::pages::say;
use crate::{App, Fault, WORDS};

/// What laying seven tiles adds.
const BONUS: i32 = 50;

/// Lets every letter through: a search that looks across only afterwards.
struct Anything;

impl Fitting for Anything {
    fn fits(&self, _: &[u8], _: &[u8]) -> Fit {
        !1
    }
}

fn engine() -> Option<&'static Engine> {
    static ENGINE: OnceLock<Option<Engine>> = OnceLock::new();
    ENGINE
        .get_or_init(|| Some(Engine::new(Lexicon::clone(&*Lexicon::embedded("english")?))))
        .as_ref()
}

/// A board after some moves of a machine that takes the most points, and the tiles that come next.
fn played(engine: &Engine, moves: usize, seed: u64) -> (Field, Vec<u8>) {
    let mut bag: Vec<u8> = engine
        .tiles()
        .bag()
        .iter()
        .map(|t| t.kind() as u8)
        .collect();
    let mut dice = Dice::new(Seed::new(seed));
    for i in (1..bag.len()).rev() {
        bag.swap(i, dice.below(i + 1));
    }
    let mut field = engine.field(&Board::default());
    let mut hand: Vec<u8> = bag.split_off(bag.len() - 7);
    for _ in 0..moves {
        let plays = engine.plays(&field, &Hand::new(&hand), BONUS);
        let Some((play, _)) = plays
            .iter()
            .max_by_key(|(play, score)| (*score, std::cmp::Reverse(*play)))
        else {
            break;
        };
        for kind in play.taken() {
            if let Some(at) = hand.iter().position(|&k| k == kind) {
                hand.swap_remove(at);
            }
        }
        engine.lay(&mut field, play);
        let left = bag.len().saturating_sub(7 - hand.len());
        hand.extend(bag.split_off(left));
    }
    (field, hand)
}

fn rack(tiles: &TileSet, kinds: &[u8]) -> String {
    let mut all: Vec<String> = kinds
        .iter()
        .map(|&k| Letter::new(k).map_or_else(|| "?".to_owned(), |l| tiles.write_word(&[l])))
        .collect();
    all.sort();
    all.concat()
}

/// What the tiles in the field say: letters, and how many letters fit across.
fn picture(field: &Field, tiles: &TileSet) -> Picture {
    const CELL: usize = 28;
    let letters = tiles.letters().count() as u32;
    let side = (SIDE * CELL) as f64;
    let inner = html! {
        g.ls-scrabble {
            @for square in 0..SIDE * SIDE {
                @let (x, y) = (square % SIDE * CELL, square / SIDE * CELL);
                @let byte = field.board().tile(square);
                @let fit = (field.fit(Direction::Across, square) & !1).count_ones().min(letters);
                @let narrow = byte == 0 && field.anchor(square) && fit < letters;
                rect.ls-cell.tile[byte != 0].narrow[narrow].none[narrow && fit == 0] x=(x) y=(y) width=(CELL) height=(CELL) {}
                @if byte != 0 {
                    text.ls-face x=(x + CELL / 2) y=(y + 20) text-anchor="middle" { @if let Some(l) = Letter::new(shown(byte)) { (tiles.write_word(&[l])) } }
                } @else if narrow {
                    text.ls-fit x=(x + CELL / 2) y=(y + 19) text-anchor="middle" { (fit) }
                }
            }
        }
    };
    Picture {
        title: say("lesson-fits"),
        size: (side, side),
        inner,
        legend: Vec::new(),
    }
}

/// The same search twice.
pub(super) fn run(_: &App, asked: &Asked, budget: &Budget) -> Result<Live, Fault> {
    let engine = engine().ok_or_else(Fault::missing)?;
    let tiles = engine.tiles();
    let moves: usize = asked.number("moves", 5, 1, 12)?;
    let seed: u64 = asked.number("seed", 3, 1, 100)?;
    let (field, drawn) = played(engine, moves, seed);
    let typed = asked.text("rack").filter(|t| *t != "-");
    let hand = match typed {
        None => drawn,
        Some(text) => {
            let read = tiles
                .read_rack(text)
                .ok()
                .filter(|r| (1..=7).contains(&r.len()));
            let read = read.ok_or_else(|| {
                refused(
                    "bad-rack",
                    WORDS.say("lesson-bad-rack"),
                    WORDS.say("lesson-bad-rack-hint"),
                )
            })?;
            read.iter().map(|t| t.kind() as u8).collect()
        }
    };
    let hand_of = Hand::new(&hand);
    let lexicon = engine.lexicon();
    // With cross-checks: what comes out is legal.
    let began = budget.elapsed();
    let mut with = Vec::new();
    engine.every_by(
        Method::Dawg,
        &field,
        &hand_of,
        BONUS,
        &mut |found: &Found<'_>| with.push((found.play(), found.score)),
    );
    let with_time = budget.elapsed().saturating_sub(began);
    // Without: every word that fits its own line, and then all words across are looked up.
    let bare = Field::of(field.board(), &Anything, engine.values());
    let began = budget.elapsed();
    let (mut candidates, mut lookups, mut legal) = (0_u64, 0_u64, Vec::new());
    engine.every_by(
        Method::Dawg,
        &bare,
        &hand_of,
        BONUS,
        &mut |found: &Found<'_>| {
            candidates += 1;
            let play = found.play();
            let good = play.words(field.board()).iter().all(|word| {
                lookups += 1;
                lexicon.contains(&word.letters)
            });
            if good {
                legal.push(play);
            }
        },
    );
    let without_time = budget.elapsed().saturating_sub(began);
    legal.sort_unstable();
    legal.dedup();
    let best = with.iter().max_by_key(|(_, score)| *score);
    let mut plays: Vec<_> = with.iter().map(|p| p.0).collect();
    plays.sort_unstable();
    let anchors: Vec<u32> = (0..SIDE * SIDE)
        .filter(|&s| field.board().tile(s) == 0 && field.anchor(s))
        .map(|s| {
            (field.fit(Direction::Across, s) & !1)
                .count_ones()
                .min(tiles.letters().count() as u32)
        })
        .collect();
    let dead = anchors.iter().filter(|&&n| n == 0).count();
    let ms = |t: std::time::Duration| format!("{:.1}", t.as_secs_f64() * 1000.0);
    let text = typed.map_or_else(|| rack(tiles, &hand), str::to_owned);
    Ok(Live::default()
        .say("moves", moves)
        .say("rack", &text)
        .say("anchors", anchors.len())
        .say("dead", dead)
        .say("candidates", candidates)
        .say("lookups", lookups)
        .say("legal", with.len())
        .say(
            "share",
            percent(with.len() as f64 / candidates.max(1) as f64),
        )
        .say("with", ms(with_time))
        .say("without", ms(without_time))
        .say(
            "best",
            best.map_or_else(
                || "–".to_owned(),
                |(play, score)| format!("{} ({score})", play.text(field.board(), tiles)),
            ),
        )
        .say(
            "same",
            say(if plays == legal {
                "lesson-same-plays"
            } else {
                "lesson-other-plays"
            }),
        )
        .part(
            "form",
            html! {
                (slider("moves", "lesson-before", moves, [1, 12, 1]))
                (slider("seed", "lesson-seed", seed, [1, 100, 1]))
                (line("rack", "lesson-rack", "lesson-rack-about", typed.unwrap_or("-"), 7))
            },
        )
        .part("board", drawing(picture(&field, tiles), false)))
}
