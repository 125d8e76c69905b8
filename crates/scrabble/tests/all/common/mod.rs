//! What several tests need.
#![allow(dead_code, reason = "each test file uses its own part")]

use std::io::Read;
use std::path::Path;

/// The word list beside the checkout, if it is there.
#[allow(clippy::print_stderr, reason = "a skipped test says so")]
pub(crate) fn enable() -> Option<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("../shared/data/lexicon/enable.txt.zst");
    let Ok(bytes) = std::fs::read(&path) else {
        assert!(
            std::env::var_os("WITS_REQUIRE_SHARED").is_none(),
            "the common word list is not beside the checkout"
        );
        eprintln!("skipped: no word list beside the checkout");
        return None;
    };
    let mut text = String::new();
    ruzstd::decoding::StreamingDecoder::new(&bytes[..])
        .unwrap()
        .read_to_string(&mut text)
        .unwrap();
    Some(text)
}
