//! `analyse`: every move of a game beside the best.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use wits_play::{Match, Record};
use wits_scrabble::files::gcg::{self, Sheet};
use wits_scrabble::files::transcript;
use wits_scrabble::report::{Judgement, analyse};
use wits_scrabble::{Engine, Settings, TileSet, house};

use super::positions::engine;
use crate::Answer;
use crate::out::{Out, Progress};
use crate::problem::Problem;
use crate::shelf::write_whole;

#[derive(Args)]
pub(crate) struct AnalyseArgs {
    /// Score sheets (GCG), or folders of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The lexicon: `english`, `polish`, `czech`, or a file; else the one that a sheet names, else `english`
    #[arg(long, value_name = "NAME")]
    lexicon: Option<String>,
    /// Draw the losses of each game into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct GcgArgs {
    /// The record of a game (`wits play --save`)
    #[arg(value_name = "RECORD")]
    record: PathBuf,
    /// Where the score sheet goes; printed where it is left out
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// All sheets below the given names, in order.
fn sheets(files: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in files {
        if path.is_dir() {
            let mut inside: Vec<PathBuf> = std::fs::read_dir(path)
                .map_err(|e| Problem::file(path, &e))?
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|p| p.extension().is_some_and(|e| e.eq_ignore_ascii_case("gcg")))
                .collect();
            inside.sort();
            found.extend(inside);
        } else {
            found.push(path.clone());
        }
    }
    if found.is_empty() {
        let hint = "name a file, or a folder with files that end in `.gcg`";
        return Err(Problem::new("no-sheets", "there is no score sheet", hint).into());
    }
    Ok(found)
}

/// The lexicon that a sheet is judged by: the one asked for, the one it names or that stands for it, or the one whose tiles it
/// was played with; and what is to be said about it.
fn judge_of(
    args: &AnalyseArgs,
    text: &str,
    wrong: &dyn Fn(gcg::BadGcg) -> Problem,
) -> Result<(std::sync::Arc<Engine>, Option<String>)> {
    if let Some(name) = &args.lexicon {
        return Ok((engine(name)?, None));
    }
    let named = gcg::named(text);
    if let Some((name, Some(related))) = named {
        let note = (!related.same).then(|| other_words(name, related.ours));
        return Ok((engine(related.ours)?, note));
    }
    let (tiles, _) = gcg::guess(text, TileSet::shipped()).map_err(wrong)?;
    let ours = tiles.name();
    let note = match named {
        Some((name, None)) => Some(other_words(name, ours)),
        _ if ours == "english" => None,
        _ => Some(format!(
            "the sheet names no lexicon; its tiles are those of `{ours}`"
        )),
    };
    Ok((engine(ours)?, note))
}

/// A sentence for those whose words are judged by another lexicon.
pub(super) fn other_words(name: &str, ours: &str) -> String {
    format!(
        "`{name}` is not here: words are looked up in `{ours}`; give another with --lexicon FILE"
    )
}

/// `wits scrabble analyse`
pub(crate) fn run(args: &AnalyseArgs, out: &Out) -> Result<Answer> {
    let files = sheets(&args.files)?;
    let progress = Progress::start();
    let mut games = Vec::new();
    let mut said = String::new();
    for (done, path) in files.iter().enumerate() {
        progress.show(done as u64, files.len() as u64, &path.display().to_string());
        let bytes = std::fs::read(path).map_err(|e| Problem::file(path, &e))?;
        let wrong = |e: gcg::BadGcg| {
            let message = format!("`{}`, {e}", path.display());
            Problem::new("bad-sheet", message, "mend the line; nothing was changed")
        };
        let text = gcg::decode(&bytes).map_err(wrong)?;
        let (engine, note) = judge_of(args, &text, &wrong)?;
        let sheet = gcg::read(&text, engine.tiles()).map_err(wrong)?;
        let settings = Settings::usual(engine.tiles().language());
        let judged = analyse(&engine, &house::leaves(engine.tiles()), &settings, &sheet);
        let slips = sheet.slips(engine.values(), settings.bingo);
        if let Some(folder) = &args.svg {
            std::fs::create_dir_all(folder).map_err(|e| Problem::file(folder, &e))?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            write_whole(
                &folder.join(format!("{name}.svg")),
                draw(&sheet, &judged).as_bytes(),
            )?;
        }
        let mut game = as_json(path, &sheet, &judged, &slips);
        if let Some(note) = &note {
            game["note"] = json!(note);
        }
        games.push(game);
        tell(&mut said, path, &sheet, &judged, &slips, out);
        if let Some(note) = note {
            let _ = writeln!(said, "  {note}");
        }
    }
    progress.done();
    out.tell(&json!({ "games": games }), || said)?;
    Ok(Answer::Yes)
}

/// What each player lost: the sum, the turns, the bingos missed.
fn sums(sheet: &Sheet, judged: &[Judgement]) -> Vec<(String, f64, usize, usize)> {
    sheet
        .players
        .iter()
        .enumerate()
        .map(|(player, (_, name))| {
            let own: Vec<&Judgement> = judged.iter().filter(|j| j.player == player).collect();
            let loss = own.iter().map(|j| j.loss).sum();
            let missed = own.iter().filter(|j| j.missed_bingo.is_some()).count();
            (name.clone(), loss, own.len(), missed)
        })
        .collect()
}

fn as_json(path: &Path, sheet: &Sheet, judged: &[Judgement], slips: &[(usize, String)]) -> Value {
    let players: Vec<Value> = sums(sheet, judged)
        .into_iter()
        .map(|(name, loss, turns, missed)| json!({"name": name, "loss": loss, "turns": turns, "missed_bingos": missed}))
        .collect();
    let slips: Vec<Value> = slips
        .iter()
        .map(|(line, why)| json!({"line": line, "why": why}))
        .collect();
    json!({"file": path.display().to_string(), "players": players, "turns": judged, "slips": slips})
}

fn tell(
    said: &mut String,
    path: &Path,
    sheet: &Sheet,
    judged: &[Judgement],
    slips: &[(usize, String)],
    out: &Out,
) {
    let _ = writeln!(said, "{}", out.bold(&path.display().to_string()));
    for j in judged {
        let name = sheet.players.get(j.player).map_or("?", |p| p.0.as_str());
        let rest = if j.withdrawn {
            format!(
                "taken back; the best was {} ({})",
                j.best.text, j.best.score
            )
        } else if !j.phonies.is_empty() {
            format!("not in the lexicon: {}", j.phonies.join(", "))
        } else if j.loss < 0.005 {
            "the best".to_owned()
        } else {
            format!(
                "{:6.2} less than {} ({})",
                j.loss, j.best.text, j.best.score
            )
        };
        let missed = j
            .missed_bingo
            .as_ref()
            .map_or(String::new(), |m| format!("; missed {m}"));
        let _ = writeln!(
            said,
            "  {name:<12} {:<8} {:<20} {:>4}  {rest}{missed}",
            j.rack, j.played.text, j.played.score
        );
    }
    for (name, loss, turns, missed) in sums(sheet, judged) {
        let each = loss / turns.max(1) as f64;
        let _ = writeln!(
            said,
            "  {name}: lost {loss:.1} points in {turns} turns ({each:.1} a turn), missed {missed} bingos"
        );
    }
    for (line, why) in slips {
        let _ = writeln!(said, "  line {line}: {why}");
    }
}

/// Bars of what each turn lost, the players apart.
fn draw(sheet: &Sheet, judged: &[Judgement]) -> String {
    let most = judged.iter().map(|j| j.loss).fold(10.0, f64::max);
    let (width, step) = (60.0 + 18.0 * judged.len() as f64, 18.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} 200\" role=\"img\"><title>points lost in each turn</title>\n"
    );
    for (n, j) in judged.iter().enumerate() {
        let (x, height) = (40.0 + step * n as f64, 140.0 * j.loss / most);
        let tone = ["#1b6ca8", "#b5483a", "#3c7d3c", "#7a5195"][j.player % 4];
        let name = sheet.players.get(j.player).map_or("?", |p| p.1.as_str());
        let title = escape(&format!(
            "{name}: {} lost {:.1}; best {}",
            j.played.text, j.loss, j.best.text
        ));
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"14\" height=\"{:.1}\" fill=\"{tone}\"><title>{title}</title></rect>",
            160.0 - height,
            height.max(1.0)
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"36\" y1=\"160\" x2=\"{width}\" y2=\"160\" stroke=\"currentColor\"/>"
    );
    let _ = writeln!(
        svg,
        "<text x=\"4\" y=\"26\" font-size=\"11\" fill=\"currentColor\">{most:.0}</text>"
    );
    svg.push_str("</svg>\n");
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('"', "&quot;")
}

/// `wits scrabble gcg`
pub(crate) fn export(args: &GcgArgs, out: &Out) -> Result<Answer> {
    let text =
        std::fs::read_to_string(&args.record).map_err(|e| Problem::file(&args.record, &e))?;
    let record = Record::read(&text).map_err(Problem::from)?;
    let spec: wits_play::Spec = record.header.game.parse().map_err(Problem::from)?;
    if spec.name != "scrabble" {
        let message = format!("the record is of `{}`", spec.name);
        return Err(Problem::new(
            "other-game",
            message,
            "give the record of a game of `scrabble`",
        )
        .into());
    }
    let game = wits_scrabble::game(&spec, &wits_play::Shelf::new()).map_err(Problem::from)?;
    let game = std::sync::Arc::new(game);
    let table = Match::replay(std::sync::Arc::clone(&game), &record).map_err(Problem::from)?;
    let start = match &record.header.start {
        Some(text) => wits_game::Game::position(&*game, text).map_err(Problem::from)?,
        None => wits_game::Game::start(&*game),
    };
    let sheet = transcript(&game, &start, table.events(), &record.header.players);
    let text = gcg::write(&sheet, game.engine().tiles());
    if let Some(path) = &args.out {
        write_whole(path, text.as_bytes())?;
    }
    let file = args.out.as_ref().map(|p| p.display().to_string());
    out.tell(&json!({"gcg": text, "file": file}), || match &file {
        Some(file) => format!("the score sheet is in `{file}`"),
        None => text.clone(),
    })?;
    Ok(Answer::Yes)
}
