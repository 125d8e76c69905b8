//! Lists the files of `assets/`, so that adding one is adding it to the folder.

use std::path::Path;
use std::{env, fs};

fn main() -> std::io::Result<()> {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let folder = Path::new(&root).join("assets");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = fs::read_dir(&folder)?
        .map(|file| Ok(file?.file_name().to_string_lossy().into_owned()))
        .collect::<std::io::Result<_>>()?;
    names.sort();
    let line = |name: &String| {
        let path = folder.join(name).display().to_string();
        format!(
            "    ({name:?}, include_bytes!({path:?})),
"
        )
    };
    let list = format!("&[\n{}]", names.iter().map(line).collect::<String>());
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("assets.rs"), list)
}
