//! What the desk says.

use wits_game::{Book, Lang};

/// The sentences of the desk, in every language it speaks.
pub static WORDS: Book = Book::new(
    "learn",
    &[
        (Lang::En, include_str!("../texts/en.txt")),
        (Lang::Pl, include_str!("../texts/pl.txt")),
        (Lang::Cs, include_str!("../texts/cs.txt")),
    ],
);

#[cfg(test)]
mod tests {
    use super::*;

    /// Every key that the code says is in the book, and every key of the book is said somewhere.
    #[test]
    fn book_and_code_agree() {
        let mut code = String::new();
        let mut folders = vec![std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    code += &std::fs::read_to_string(path).unwrap();
                }
            }
        }
        for key in WORDS.keys() {
            assert!(code.contains(&format!("\"{key}\"")), "nobody says `{key}`");
        }
        for part in code.split("say(\"").skip(1) {
            let key = part.split('"').next().unwrap_or_default();
            assert!(WORDS.text(Lang::En, key).is_some(), "no text for `{key}`");
        }
    }
}
