//! Which name did they mean?

/// The nearest of the names, if any is near enough to be a slip of the finger.
///
/// ```
/// assert_eq!(wits_desk::nearest("alfabeta", ["minimax", "alphabeta"]), Some("alphabeta"));
/// assert_eq!(wits_desk::nearest("zzz", ["minimax", "alphabeta"]), None);
/// ```
pub fn nearest<'a>(text: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let text = text.to_lowercase();
    names
        .into_iter()
        .map(|name| (distance(&text, &name.to_lowercase()), name))
        .filter(|&(d, name)| {
            d <= 1 + name.chars().count() / 3 || (text.len() >= 3 && name.starts_with(&text))
        })
        .min_by_key(|&(d, _)| d)
        .map(|(_, name)| name)
}

/// How many letters must be put in, left out or changed (Levenshtein 1965), swaps counting one.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let same = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + same);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (a, b, d) in [
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("ab", "ba", 1),
            ("x", "x", 0),
        ] {
            assert_eq!(distance(a, b), d, "{a} {b}");
        }
    }
}
