//! What a person or another program types. Bytes that are no text become `�`, so that whoever reads
//! the line says what is wrong with it, and nobody's game ends by a slip of the keyboard.

use std::io::{self, BufRead, Read};

/// The longest text that is read at once; more than any board or game needs.
const LONGEST: u64 = 100_000;

/// The next line without its end; none where the input ends.
pub(crate) fn line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    if input.read_until(b'\n', &mut bytes)? == 0 {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// All that comes, up to [`LONGEST`] bytes.
pub(crate) fn all(input: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    input.take(LONGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
