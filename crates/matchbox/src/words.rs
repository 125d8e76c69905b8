//! Small helpers for what people read.

/// At most a line of what somebody typed, for a message.
pub(crate) fn shown(text: &str) -> String {
    let short: String = text.chars().take(40).collect();
    if short.len() < text.len() {
        format!("{short}…")
    } else {
        short
    }
}
