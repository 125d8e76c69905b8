//! What there is: games, players, parameters.

use std::fmt::Write as _;

use anyhow::Result;
use serde_json::{Value, json};
use wits_play::{Catalog, Param, ParamKind};

use crate::Answer;
use crate::out::Out;

/// `wits games`
pub(crate) fn games(catalog: &Catalog, out: &Out) -> Result<Answer> {
    let games: Vec<Value> = catalog
        .entries()
        .iter()
        .map(|e| json!({"id": e.id(), "title": e.title(), "seats": [e.seats().0, e.seats().1], "about": e.about(),
            "params": e.params().iter().map(param).collect::<Vec<_>>()}))
        .collect();
    out.tell(&json!({ "games": games }), || list(catalog, out))?;
    Ok(Answer::Yes)
}

fn list(catalog: &Catalog, out: &Out) -> String {
    let mut text = String::new();
    for entry in catalog.entries() {
        let _ = writeln!(text, "{:16} {}", out.bold(entry.id()), entry.about());
        write_params(&mut text, entry.params(), out);
    }
    text
}

/// Parameters under the thing that has them, with defaults and what is allowed.
fn write_params(text: &mut String, params: &[Param], out: &Out) {
    for param in params {
        let default = param
            .default
            .as_deref()
            .map_or_else(|| "not given".to_owned(), |d| format!("default {d}"));
        let _ = writeln!(
            text,
            "    {:14} {} ({}; {default})",
            param.name,
            param.about,
            out.faint(&allowed(&param.kind))
        );
    }
}

fn allowed(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Int { min, max } => format!("{min} to {max}"),
        ParamKind::Real { min, max } => format!("{min} to {max}"),
        ParamKind::Choice(words) => words.join(" | "),
        ParamKind::Flag => "true | false".into(),
        ParamKind::Text => "text".into(),
        ParamKind::File | ParamKind::Output | ParamKind::Kept => "a file".into(),
        ParamKind::Nested => "a spec in braces".into(),
    }
}

fn param(param: &Param) -> Value {
    json!({"name": param.name, "default": param.default, "about": param.about, "allowed": allowed(&param.kind)})
}

/// `wits players --markdown`: every game and player with every parameter, as a page of the manual.
pub(crate) fn markdown(catalog: &Catalog, out: &Out) -> Result<Answer> {
    let mut text = String::from(
        "# Games, players and parameters\n\nThis page is what `wits players --markdown` prints; a test compares them. A game or a player is written \
         `name:key=value,key=value`, and everything left out has its default.\n",
    );
    for entry in catalog.entries() {
        let _ = writeln!(
            text,
            "\n## {}: {}\n\n{}.\n",
            entry.id(),
            entry.title(),
            plain(&entry.about().to_string())
        );
        table(&mut text, entry.params());
        for card in entry.players() {
            let _ = writeln!(
                text,
                "\n### `{}` in {}\n\n{}.\n",
                card.id,
                entry.id(),
                plain(&card.about.to_string())
            );
            table(&mut text, &card.params);
        }
    }
    while text.contains("\n\n\n") {
        text = text.replace("\n\n\n", "\n\n");
    }
    let text = text.trim_end().to_owned();
    out.tell(&json!({ "markdown": text }), || text.clone())?;
    Ok(Answer::Yes)
}

/// Text that Markdown leaves alone.
fn plain(text: &str) -> String {
    text.replace('|', "\\|").replace('*', "\\*")
}

fn table(text: &mut String, params: &[Param]) {
    if params.is_empty() {
        return;
    }
    text.push_str("| parameter | allowed | default | what it does |\n| --- | --- | --- | --- |\n");
    for param in params {
        let default = param
            .default
            .as_deref()
            .map_or("–".to_owned(), |d| format!("`{d}`"));
        let _ = writeln!(
            text,
            "| `{}` | {} | {default} | {} |",
            param.name,
            plain(&allowed(&param.kind)),
            plain(&param.about.to_string())
        );
    }
}

/// `wits players GAME`
pub(crate) fn players(catalog: &Catalog, game: &str, out: &Out) -> Result<Answer> {
    let name = game.split(':').next().unwrap_or(game);
    let entry = catalog.entry(name)?;
    let cards = [entry.players(), entry.unlisted()].concat();
    let players: Vec<Value> = cards
        .iter()
        .map(|c| json!({"id": c.id, "about": c.about, "roles": c.roles, "params": c.params.iter().map(param).collect::<Vec<_>>()}))
        .collect();
    out.tell(&json!({ "players": players }), || {
        let mut text = String::new();
        for card in &cards {
            let _ = writeln!(text, "{:16} {}", out.bold(card.id), card.about);
            write_params(&mut text, &card.params, out);
        }
        text
    })?;
    Ok(Answer::Yes)
}

/// `wits completions SHELL`
pub(crate) fn completions(shell: clap_complete::Shell) -> Result<Answer> {
    let mut script = Vec::new();
    clap_complete::generate(
        shell,
        &mut crate::args::command(&crate::rooms::described()),
        "wits",
        &mut script,
    );
    std::io::Write::write_all(&mut std::io::stdout(), &script)?;
    Ok(Answer::Yes)
}
