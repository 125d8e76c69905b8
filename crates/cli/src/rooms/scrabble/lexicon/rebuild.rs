//! The recipe of the shipped lexicons: from Debian's packages to the files in the source tree.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::Result;
use serde_json::json;
use wits_scrabble::TileSet;
use wits_scrabble::lexicon::{Capitals, Compact, Encoding, Forms, Report, Rules, SHIPPED, Shipped};

use super::super::library;
use super::args::RebuildArgs;
use super::intake::{Source, drops_json, drops_text};
use super::read;
use crate::Answer;
use crate::data;
use crate::out::Out;
use crate::problem::Problem;
use crate::shelf::write_whole;

/// How one lexicon is made.
struct Recipe {
    name: &'static str,
    package: &'static str,
    note: &'static str,
    stop: &'static str,
    unaccent: bool,
}

const RECIPES: [Recipe; 3] = [
    Recipe {
        name: "english",
        package: "scowl",
        note: "Words of SCOWL 2020.12.07 up to size 80, copyright 2000-2011 by Kevin Atkinson and others; UKACD copyright (c) J Ross Beresford 1993-1999. All Rights Reserved. See english.NOTICE.txt.",
        stop: include_str!("../../../../../scrabble/data/lexicons/english.stop.txt"),
        unaccent: true,
    },
    Recipe {
        name: "polish",
        package: "wpolish",
        note: "Words of sjp.pl 2022-03-01, copyright 2008-2018 Polish Alternative Dictionary Editing Team, Apache License 2.0. See polish.NOTICE.txt.",
        stop: include_str!("../../../../../scrabble/data/lexicons/polish.stop.txt"),
        unaccent: false,
    },
    Recipe {
        name: "czech",
        package: "hunspell-cs",
        note: "Forms made from LibreOffice's Czech dictionary 7.5.0, copyright 2003 Pavel Janik, GNU General Public License version 2. See COPYING beside this file.",
        stop: include_str!("../../../../../scrabble/data/lexicons/czech.stop.txt"),
        unaccent: false,
    },
];

const KEEP: &str = include_str!("../../../../../scrabble/data/lexicons/english.keep.txt");

/// The largest SCOWL list that is taken.
const LARGEST: u32 = 80;

pub(super) fn run(args: &RebuildArgs, out: &Out) -> Result<Answer> {
    let known: Vec<&str> = RECIPES.iter().map(|recipe| recipe.name).collect();
    if let Some(strange) = args
        .names
        .iter()
        .find(|name| !known.contains(&name.as_str()))
    {
        let message = format!("there is no recipe for `{strange}`");
        let hint = format!("recipes: {}", known.join(", "));
        return Err(Problem::new("recipe", message, hint).into());
    }
    let wanted = |recipe: &&Recipe| {
        args.names.is_empty() || args.names.iter().any(|name| name == recipe.name)
    };
    let folder = args
        .out
        .clone()
        .unwrap_or_else(|| data::directory(None).join("lexicons"));
    let mut rows = Vec::new();
    let mut text = String::new();
    let mut same = true;
    for recipe in RECIPES.iter().filter(wanted) {
        let (compact, report) = make(recipe, &args.root)?;
        let shipped = Shipped::named(recipe.name).unwrap_or(&SHIPPED[0]);
        let file = folder.join(shipped.file);
        let equal = args.check && equals(&compact, shipped)?;
        same &= equal || !args.check;
        let said = if args.check {
            if equal {
                "equals what is shipped"
            } else {
                "is not what is shipped"
            }
            .to_owned()
        } else {
            std::fs::create_dir_all(&folder).map_err(|e| Problem::file(&folder, &e))?;
            write_whole(&file, compact.bytes())?;
            format!("written to `{}`", file.display())
        };
        let _ = writeln!(
            text,
            "{}: {} words, {} bytes; {said}\n{}",
            out.bold(recipe.name),
            compact.len(),
            compact.bytes().len(),
            drops_text(&report)
        );
        rows.push(json!({
            "name": recipe.name, "words": compact.len(), "bytes": compact.bytes().len(),
            "offered": report.offered, "dropped": drops_json(&report),
            "same": args.check.then_some(equal),
            "file": (!args.check).then(|| file.display().to_string()),
        }));
    }
    out.tell(&json!({ "lexicons": rows }), || text)?;
    Ok(if same { Answer::Yes } else { Answer::No })
}

fn equals(compact: &Compact, shipped: &Shipped) -> Result<bool> {
    let bytes = match (shipped.bytes, library::find(shipped)) {
        (Some(bytes), _) => bytes.to_vec(),
        (None, Some(path)) => read(&path)?,
        (None, None) => return Ok(false),
    };
    Ok(compact.bytes() == bytes)
}

fn make(recipe: &Recipe, root: &Path) -> Result<(Compact, Report)> {
    let tiles = TileSet::named(recipe.name)
        .ok_or_else(|| Problem::new("tiles", "the tile set is missing", "use a whole program"))?;
    let rules = Rules {
        capitals: Capitals::Names,
        unaccent: recipe.unaccent,
        ..Rules::default()
    };
    let mut source = Source::empty(tiles, rules, Encoding::Utf8);
    let missing = |path: &Path| {
        let message = format!("`{}` is not there", path.display());
        let hint = format!(
            "install Debian's package `{0}`, or unpack it (`apt-get download {0}`, `dpkg -x {0}_*.deb DIR`) and give --root DIR",
            recipe.package
        );
        Problem::new("package", message, hint)
    };
    match recipe.name {
        "english" => {
            let folder = root.join("usr/share/dict/scowl");
            for path in scowl(&folder, "words").ok_or_else(|| missing(&folder))? {
                source.add(&path, None)?;
            }
            source.add_text(kept(&folder)?);
        }
        "polish" => {
            let path = root.join("usr/share/dict/polish");
            if !path.exists() {
                return Err(missing(&path).into());
            }
            source.add(&path, None)?;
        }
        _ => {
            let path = root.join("usr/share/hunspell/cs_CZ.dic");
            if !path.exists() {
                return Err(missing(&path).into());
            }
            source.add(&path, None)?;
        }
    }
    source.stop_text(recipe.stop);
    let (lexicon, report) = source.lexicon(recipe.name, Forms::All)?;
    Ok((Compact::new(&lexicon, recipe.note), report))
}

/// The lists of one kind up to the largest size that is taken, in the order of their names.
fn scowl(folder: &Path, kind: &str) -> Option<Vec<PathBuf>> {
    let mut lists: Vec<PathBuf> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let parts = name.rsplit_once('.');
            parts.is_some_and(|(list, size)| {
                list.ends_with(&format!("-{kind}"))
                    && size.parse::<u32>().is_ok_and(|s| s <= LARGEST)
            })
        })
        .collect();
    lists.sort();
    (!lists.is_empty()).then_some(lists)
}

/// What the keep list names, from the lists of abbreviations.
fn kept(folder: &Path) -> Result<String> {
    let named: Vec<&str> = KEEP
        .lines()
        .filter(|line| !line.starts_with('#'))
        .flat_map(str::split_whitespace)
        .collect();
    let mut kept = Vec::new();
    for path in scowl(folder, "abbreviations").unwrap_or_default() {
        let bytes = read(&path)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        kept.extend(
            text.lines()
                .filter(|l| named.contains(l))
                .map(str::to_owned),
        );
    }
    Ok(kept.join("\n"))
}
