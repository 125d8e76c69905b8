//! Where the program keeps things.

use std::path::PathBuf;
use std::sync::OnceLock;

static CHOSEN: OnceLock<PathBuf> = OnceLock::new();

/// Says that a command was given `--data`: whatever else this process looks for, lexicons among them, is looked for there, too.
pub(crate) fn choose(folder: PathBuf) {
    let _ = CHOSEN.set(folder);
}

/// The data directory: `--data`, else `WITS_DATA`, else the platform's own place.
pub(crate) fn directory(given: Option<PathBuf>) -> PathBuf {
    let env = |name: &str| {
        std::env::var_os(name)
            .filter(|v| !v.is_empty())
            .map(PathBuf::from)
    };
    given
        .or_else(|| CHOSEN.get().cloned())
        .or_else(|| env("WITS_DATA"))
        .or_else(|| {
            if cfg!(windows) {
                env("APPDATA").map(|d| d.join("wits"))
            } else {
                None
            }
        })
        .or_else(|| {
            let mac = cfg!(target_os = "macos");
            mac.then(|| env("HOME").map(|d| d.join("Library/Application Support/wits")))
                .flatten()
        })
        .or_else(|| env("XDG_DATA_HOME").map(|d| d.join("wits")))
        .or_else(|| env("HOME").map(|d| d.join(".local/share/wits")))
        .unwrap_or_else(|| PathBuf::from("wits-data"))
}
