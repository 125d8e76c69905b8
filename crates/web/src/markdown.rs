//! Markdown as HTML: for the manual and for lessons. Raw HTML is shown as text, never as markup.

use pulldown_cmark::{
    CodeBlockKind, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html,
};

/// A heading of a text: how deep it is, its anchor, its words.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    /// 1 for the title.
    pub(crate) level: u8,
    /// What a link to it ends with.
    pub(crate) anchor: String,
    /// Its words.
    pub(crate) text: String,
}

/// A text as HTML, with its headings.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rendered {
    /// The HTML.
    pub(crate) html: String,
    /// The headings in order.
    pub(crate) headings: Vec<Heading>,
}

/// The anchor of a heading, as the usual places that show Markdown make it.
pub(crate) fn anchor(text: &str) -> String {
    let kept = text.chars().filter_map(|c| match c {
        c if c.is_alphanumeric() => Some(c.to_lowercase().collect::<String>()),
        ' ' | '-' => Some("-".to_owned()),
        _ => None,
    });
    kept.collect()
}

/// Renders a text. `fill` gives what stands for `{name}`, `link` where a link leads; `region` names
/// tables and listings that may be wider than the page.
pub(crate) fn render(
    text: &str,
    fill: &dyn Fn(&str) -> Option<String>,
    link: &dyn Fn(&str) -> String,
    region: &str,
) -> Rendered {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let mut events: Vec<Event<'_>> = Vec::new();
    let mut headings: Vec<Heading> = Vec::new();
    let mut open: Option<usize> = None;
    let mut regions = 0;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading {
                level,
                classes,
                attrs,
                ..
            }) => {
                open = Some(events.len());
                headings.push(Heading {
                    level: depth(level),
                    anchor: String::new(),
                    text: String::new(),
                });
                events.push(Event::Start(Tag::Heading {
                    level,
                    id: None,
                    classes,
                    attrs,
                }));
            }
            Event::End(TagEnd::Heading(level)) => {
                if let (Some(at), Some(heading)) = (open.take(), headings.last_mut()) {
                    heading.anchor = anchor(&heading.text);
                    if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                        *id = Some(CowStr::from(heading.anchor.clone()));
                    }
                }
                events.push(Event::End(TagEnd::Heading(level)));
            }
            Event::Text(words) => {
                let words = filled(&words, fill);
                if let (Some(_), Some(heading)) = (open, headings.last_mut()) {
                    heading.text.push_str(&words);
                }
                events.push(Event::Text(words.into()));
            }
            Event::Code(words) => {
                let words = filled(&words, fill);
                if let (Some(_), Some(heading)) = (open, headings.last_mut()) {
                    heading.text.push_str(&words);
                }
                events.push(Event::Code(words.into()));
            }
            // What looks like markup was meant as words.
            Event::Html(words) | Event::InlineHtml(words) => events.push(Event::Text(words)),
            Event::Start(mut tag @ (Tag::Link { .. } | Tag::Image { .. })) => {
                if let Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } = &mut tag {
                    *dest_url = CowStr::from(link(dest_url));
                }
                events.push(Event::Start(tag));
            }
            Event::Start(Tag::Table(alignment)) => {
                events.push(Event::Html(
                    wide("div", "doc-wide", region, &mut regions).into(),
                ));
                events.push(Event::Start(Tag::Table(alignment)));
            }
            Event::End(TagEnd::Table) => {
                events.push(Event::End(TagEnd::Table));
                events.push(Event::Html("</div>\n".into()));
            }
            Event::Start(Tag::CodeBlock(kind)) => {
                let kind = match &kind {
                    CodeBlockKind::Fenced(name) if name.starts_with("console") => "console",
                    _ => "code",
                };
                events.push(Event::Html(wide("pre", kind, region, &mut regions).into()));
            }
            Event::End(TagEnd::CodeBlock) => events.push(Event::Html("</pre>\n".into())),
            other => events.push(other),
        }
    }
    let mut out = String::with_capacity(text.len() * 2);
    html::push_html(&mut out, events.into_iter());
    Rendered {
        html: allowed(&out),
        headings,
    }
}

/// The HTML without what pages of this house may not have: styles in attributes, which the browser
/// refuses, and headings of columns that say nothing. Words cannot look like either, since quotes and
/// brackets in them are escaped.
fn allowed(html: &str) -> String {
    let mut html = html.replace("<th></th>", "<td></td>");
    for side in ["left", "center", "right"] {
        let (style, class) = (
            format!(" style=\"text-align: {side}\""),
            format!(" class=\"{side}\""),
        );
        html = html.replace(&style, &class);
        html = html.replace(&format!("<th{class}></th>"), "<td></td>");
    }
    html
}

fn depth(level: HeadingLevel) -> u8 {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// The beginning of something that scrolls by itself and so must be reachable by keyboard.
/// Each has a name of its own, so that they can be told apart by ear.
fn wide(tag: &str, class: &str, region: &str, regions: &mut u32) -> String {
    *regions += 1;
    let label = region
        .replace('&', "&amp;")
        .replace('"', "&quot;")
        .replace('<', "&lt;");
    format!(
        "<{tag} class=\"{class}\" tabindex=\"0\" role=\"region\" aria-label=\"{label} {regions}\">"
    )
}

/// The text with every `{name}` that is known in its place.
pub(crate) fn filled(text: &str, fill: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('{') {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('}').map(|end| at + end);
        if let Some((end, value)) = end.and_then(|end| Some((end, fill(&rest[at + 1..end])?))) {
            out.push_str(&value);
            rest = &rest[end + 1..];
        } else {
            out.push('{');
            rest = &rest[at + 1..];
        }
    }
    out + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Rendered {
        render(
            text,
            &|name| (name == "n").then(|| "<5>".to_owned()),
            &str::to_owned,
            "wide",
        )
    }

    #[test]
    fn markup_in_the_text_and_in_values_stays_text() {
        let html = plain("a <script>x</script> **{n}** {m}\n\n<div onclick='x'>y</div>\n").html;
        assert!(
            !html.contains("<script") && !html.contains("<div onclick"),
            "{html}"
        );
        assert!(html.contains("<strong>&lt;5&gt;</strong> {m}"), "{html}");
    }

    #[test]
    fn columns_are_aligned_without_styles() {
        let html = plain("| a | | b |\n| --- | --- | ---: |\n| 1 | 2 | 3 |\n").html;
        assert!(!html.contains("style"), "{html}");
        assert!(html.contains("<td class=\"right\">3</td>"), "{html}");
        assert!(
            html.contains("<th>a</th><td></td><th class=\"right\">b</th>"),
            "{html}"
        );
    }

    #[test]
    fn headings_have_anchors() {
        let text = plain("# One\n\n## Two `words`, here\n");
        assert!(
            text.html.contains("<h2 id=\"two-words-here\">"),
            "{}",
            text.html
        );
        assert_eq!(text.headings[1].text, "Two words, here");
    }

    #[test]
    fn a_bad_link_is_no_link_to_a_script() {
        let html = render(
            "[x](javascript:alert(1))",
            &|_| None,
            &|to| {
                if to.starts_with("http") || to.starts_with('/') {
                    to.to_owned()
                } else {
                    String::new()
                }
            },
            "wide",
        )
        .html;
        assert!(html.contains("href=\"\""), "{html}");
    }
}
