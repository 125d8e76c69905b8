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
        .map(|name| (strsim::osa_distance(&text, &name.to_lowercase()), name))
        .filter(|&(d, name)| {
            d <= 1 + name.chars().count() / 3 || (text.len() >= 3 && name.starts_with(&text))
        })
        .min_by_key(|&(d, _)| d)
        .map(|(_, name)| name)
}
