//! Comma-separated values as spreadsheets read them: the one writer of all rooms.

/// One line, with its line end. Fields that need it are quoted, and a text that a spreadsheet would
/// take for a formula gets an apostrophe before it; numbers stay numbers.
///
/// ```
/// use wits_game::csv_line;
/// assert_eq!(csv_line(["a", "b,c", "d\"e"]), "a,\"b,c\",\"d\"\"e\"\n");
/// assert_eq!(csv_line(["-3.5", "=1+1"]), "-3.5,'=1+1\n");
/// ```
pub fn csv_line<T: AsRef<str>>(fields: impl IntoIterator<Item = T>) -> String {
    let mut line = String::new();
    for (at, field) in fields.into_iter().enumerate() {
        if at > 0 {
            line.push(',');
        }
        let field = field.as_ref();
        let (mark, quote) = (mark(field), field.contains([',', '"', '\n', '\r']));
        if quote {
            line.push('"');
        }
        line.push_str(mark);
        if quote {
            line.push_str(&field.replace('"', "\"\""));
            line.push('"');
        } else {
            line.push_str(field);
        }
    }
    line.push('\n');
    line
}

/// What goes before a field: an apostrophe where a program could run it (OWASP, "CSV injection").
fn mark(field: &str) -> &'static str {
    let formula = field.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let number = field.parse::<f64>().is_ok_and(f64::is_finite);
    if formula && !number { "'" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_texts_and_numbers_stay() {
        for (field, written) in [
            ("=SUM(A1)", "'=SUM(A1)"),
            ("+48 71", "'+48 71"),
            ("-x", "'-x"),
            ("@me", "'@me"),
            ("\tx", "'\tx"),
            ("\rx", "\"'\rx\""),
            ("=A1,B1", "\"'=A1,B1\""),
            ("-", "'-"),
            ("-inf", "'-inf"),
            ("-3.5", "-3.5"),
            ("+1e-7", "+1e-7"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(csv_line([field]), format!("{written}\n"));
        }
    }
}
