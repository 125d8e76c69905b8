//! The manual on the site: the files of `docs/`, as they are in the repository.

use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use maud::{Markup, PreEscaped, html};
use wits_game::Lang;

use crate::markdown::{Rendered, render};
use crate::pages::{frame, page, say};
use crate::visitor::Visitor;
use crate::{App, Fault};

/// A page: its name in addresses, and its text.
type File = (&'static str, &'static str);

/// Every page by name; the build script lists them.
const FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/docs.rs"));

/// Pages that are not about a room, in the order in which they are best read.
const FIRST: [&str; 10] = [
    "manual",
    "commands",
    "players",
    "scripts",
    "formats",
    "running",
    "security",
    "performance",
    "add-a-game",
    "architecture",
];

/// The addresses of the manual.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/docs", get(list))
        .route("/docs/{name}", get(show))
}

/// Where a link of a page leads on the site: other pages by their names, nothing else but addresses
/// of the site and of the web.
fn link(to: &str) -> String {
    if to.starts_with('#') || to.starts_with('/') || to.starts_with("https://") {
        return to.to_owned();
    }
    let (file, part) = to.split_once('#').unwrap_or((to, ""));
    let name = file.rsplit('/').next().unwrap_or(file);
    let Some(name) = name.strip_suffix(".md") else {
        return String::new();
    };
    let part = if part.is_empty() {
        String::new()
    } else {
        format!("#{part}")
    };
    format!("/docs/{}{part}", name.to_lowercase())
}

fn rendered(text: &str) -> Rendered {
    render(text, &|_| None, &link, &say("docs-wide"))
}

/// The title of a page.
fn title(text: &str) -> &str {
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_start_matches('#')
        .trim()
}

/// General pages first, then the rooms.
fn ordered() -> (Vec<File>, Vec<File>) {
    let named = |name: &&str| FILES.iter().find(|f| f.0 == *name).copied();
    let first = FIRST.iter().filter_map(named).collect();
    let rest = FILES.iter().filter(|f| !FIRST.contains(&f.0)).copied();
    (first, rest.collect())
}

/// `GET /docs`
async fn list(visitor: Visitor) -> Response {
    let (first, rooms) = ordered();
    let heading = say("manual");
    let cards = |list: &[File]| -> Markup {
        html! {
            ul.docs-list {
                @for (name, text) in list {
                    li {
                        a href={ "/docs/" (name) } { (title(text)) }
                        @let parts: Vec<_> = rendered(text).headings.into_iter().filter(|h| h.level == 2).collect();
                        @if !parts.is_empty() {
                            ul { @for part in &parts { li { a href={ "/docs/" (name) "#" (part.anchor) } { (part.text) } } } }
                        }
                    }
                }
            }
        }
    };
    let body = html! {
        main.doc #main {
            h1 { (heading) }
            p.lead { (say("docs-lead")) }
            h2 { (say("docs-house")) }
            div lang="en" { (cards(&first)) }
            h2 { (say("docs-rooms")) }
            div lang="en" { (cards(&rooms)) }
        }
    };
    page(visitor, frame(&heading, &[], &body))
}

/// `GET /docs/NAME`
async fn show(
    Path(name): Path<String>,
    visitor: Visitor,
    headers: HeaderMap,
) -> Result<Response, Fault> {
    let found = FILES.iter().find(|f| f.0 == name);
    let (_, text) = found.ok_or_else(|| Fault::missing().for_reader(&headers))?;
    let shown = rendered(text);
    let parts: Vec<_> = shown.headings.iter().filter(|h| h.level == 2).collect();
    let body = html! {
        main.doc #main {
            nav.lesson-place aria-label=(say("manual")) {
                a href="/docs" { (say("manual")) } " · " a href="/glossary" { (say("glossary")) }
                @if Lang::spoken() != Lang::En { " · " (say("docs-english")) }
            }
            @if parts.len() > 1 {
                details.panel.doc-parts {
                    summary { (say("docs-parts")) }
                    ul { @for part in &parts { li { a href={ "#" (part.anchor) } { (part.text) } } } }
                }
            }
            article lang="en" { (PreEscaped(&shown.html)) }
        }
    };
    Ok(page(visitor, frame(title(text), &[], &body)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_has_a_title_and_every_link_leads_somewhere() {
        assert!(FILES.len() > 10);
        for (name, text) in FILES {
            assert!(text.starts_with("# "), "{name}");
            let html = rendered(text).html;
            for target in html
                .split("href=\"")
                .skip(1)
                .filter_map(|r| r.split('"').next())
            {
                assert!(!target.is_empty(), "a link of {name} leads nowhere");
                let Some(rest) = target.strip_prefix("/docs/") else {
                    continue;
                };
                let (page, part) = rest.split_once('#').unwrap_or((rest, ""));
                let there = FILES.iter().find(|f| f.0 == page);
                let there = there.unwrap_or_else(|| panic!("{name} links to {target}"));
                let known = rendered(there.1).headings.iter().any(|h| h.anchor == part);
                assert!(part.is_empty() || known, "{name} links to {target}");
            }
        }
    }

    #[test]
    fn links_stay_on_the_site() {
        assert_eq!(link("othello.md#moves"), "/docs/othello#moves");
        assert_eq!(link("../ARCHITECTURE.md"), "/docs/architecture");
        assert_eq!(link("/lessons"), "/lessons");
        assert_eq!(link("javascript:alert(1)"), "");
    }
}
