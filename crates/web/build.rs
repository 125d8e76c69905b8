//! Lists the files of `assets/`, of the gallery and of the manual, so that adding one is adding it to the folder.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let root = Path::new(&root);
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    let mut assets = files(&root.join("assets"))?;
    for sheet in assets
        .iter_mut()
        .filter(|path| path.extension().is_some_and(|end| end == "css"))
    {
        let to = Path::new(&out).join(name(sheet, false));
        fs::write(&to, tight(&fs::read_to_string(&*sheet)?))?;
        *sheet = to;
    }
    list(
        &Path::new(&out).join("assets.rs"),
        &assets,
        "include_bytes",
        |path| name(path, false),
    )?;
    let gallery = files(&root.join("gallery"))?;
    list(
        &Path::new(&out).join("gallery.rs"),
        &gallery,
        "include_str",
        |path| name(path, true),
    )?;
    let mut docs = files(&root.join("../../docs"))?;
    docs.retain(|path| path.extension().is_some_and(|end| end == "md"));
    let plan = root.join("../../ARCHITECTURE.md");
    println!("cargo::rerun-if-changed={}", plan.display());
    docs.push(plan);
    list(
        &Path::new(&out).join("docs.rs"),
        &docs,
        "include_str",
        |path| name(path, true),
    )
}

/// The files of a folder in order; the build looks again when one is added.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut all: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|file| Ok(file?.path()))
        .collect::<io::Result<_>>()?;
    all.retain(|path| path.is_file());
    all.sort();
    Ok(all)
}

/// A style sheet without comments, and without the space that only people need. What is quoted stays as it is.
fn tight(sheet: &str) -> String {
    let mut out = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("/*") {
            rest = rest.split_once("*/").map_or("", |(_, after)| after);
        } else if c == '"' {
            let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
            out.push_str(&rest[..end]);
            rest = &rest[end..];
        } else if c.is_whitespace() {
            rest = rest.trim_start();
            let apart = |c: char| !"{};,".contains(c);
            if out.ends_with(apart) && rest.starts_with(apart) && !rest.starts_with("/*") {
                out.push(' ');
            }
        } else {
            if "{};,".contains(c) && out.ends_with(' ') {
                out.pop();
            }
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// What a file is called in addresses.
fn name(path: &Path, stem: bool) -> String {
    let part = if stem {
        path.file_stem()
    } else {
        path.file_name()
    };
    let text = part.unwrap_or_default().to_string_lossy().into_owned();
    if stem { text.to_lowercase() } else { text }
}

/// Writes a list of names with their contents.
fn list(
    to: &Path,
    paths: &[PathBuf],
    include: &str,
    name: impl Fn(&Path) -> String,
) -> io::Result<()> {
    let line = |path: &PathBuf| {
        let (name, path) = (name(path), path.display().to_string());
        format!("    ({name:?}, {include}!({path:?})),\n")
    };
    fs::write(
        to,
        format!("&[\n{}]", paths.iter().map(line).collect::<String>()),
    )
}
