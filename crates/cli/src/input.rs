//! What a person or another program types. Bytes that are no text become `�`, so that whoever reads
//! the line says what is wrong with it, and nobody's game ends by a slip of the keyboard.

use std::io::{self, BufRead, Read};

use crate::problem::Problem;

/// The longest text that is read at once; more than any board or game needs.
const LONGEST: u64 = 100_000;

/// The next line without its end; none where the input ends.
pub(crate) fn line(input: &mut impl BufRead) -> Result<Option<String>, Problem> {
    let mut bytes = Vec::new();
    if input
        .read_until(b'\n', &mut bytes)
        .map_err(|e| unread(&e))?
        == 0
    {
        return Ok(None);
    }
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// All that comes, up to [`LONGEST`] bytes.
pub(crate) fn all(input: &mut impl Read) -> Result<String, Problem> {
    let mut bytes = Vec::new();
    let mut input = input.take(LONGEST);
    input.read_to_end(&mut bytes).map_err(|e| unread(&e))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn unread(error: &io::Error) -> Problem {
    let message = format!("the input cannot be read: {error}");
    let hint = "type it, or send a file or what another program prints";
    Problem::new("input", message, hint)
}
