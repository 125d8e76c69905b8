//! Saved players: a name, and a person or a machine with its level. Everybody has their own list.

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use wits_play::Spec;
use wits_store::Over;

use super::bad;
use super::room::MACHINES;
use crate::own::Put;
use crate::pages::back;
use crate::routes::{blocking, fields};
use crate::visitor::Visitor;
use crate::{App, Fault, WORDS};

const KIND: &str = "scrabble-players";
/// How many players somebody may keep.
const MOST: usize = 20;
/// The longest name.
pub(super) const LONGEST: usize = 40;

/// A saved player.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Profile {
    /// What the table calls them.
    pub(super) name: String,
    /// `human`, or the spec of a machine.
    pub(super) player: String,
}

/// The players that a visitor has saved.
pub(super) fn kept(app: &App, visitor: Visitor) -> Result<Vec<Profile>, Fault> {
    let blob = app.store.blob(KIND, &visitor.text())?;
    Ok(blob
        .and_then(|blob| serde_json::from_slice(&blob.bytes).ok())
        .unwrap_or_default())
}

/// A name that fits on a table, or why it does not.
pub(super) fn name(text: &str) -> Result<String, Fault> {
    let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() || name.chars().count() > LONGEST || name.chars().any(char::is_control) {
        let why = WORDS.say("scrabble-bad-name").with("most", LONGEST);
        return Err(bad("bad-name", why));
    }
    Ok(name)
}

/// `POST /scrabble/players`: adds a player, changes one of the same name, or takes one away.
pub(super) async fn change(
    State(app): State<App>,
    visitor: Visitor,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, Fault> {
    let work = async {
        let fields = fields(&headers, &body)?;
        let text = |key: &str| fields.get(key).map_or("", |v| v.trim()).to_owned();
        let (name, player) = (name(&text("name"))?, text("player"));
        let remove = fields.contains_key("remove");
        let known = player == "human" || MACHINES.iter().any(|(spec, _)| *spec == player);
        if !remove && (!known || player.parse::<Spec>().is_err()) {
            let why = WORDS.say("scrabble-bad-player").with("player", player);
            return Err(bad("bad-player", why));
        }
        blocking(move || {
            let mut all = kept(&app, visitor)?;
            all.retain(|p| p.name != name);
            if !remove {
                if all.len() >= MOST {
                    let why = WORDS.say("scrabble-many-players").with("most", MOST);
                    return Err(bad("many-players", why));
                }
                all.push(Profile { name, player });
            }
            let bytes = serde_json::to_vec(&all).unwrap_or_default();
            let put = Put {
                kind: KIND,
                name: Some(&visitor.text()),
                title: "",
                bytes,
                over: Over::Anything,
            };
            app.keep(visitor, put).map(drop)
        })
        .await
    };
    work.await.map_err(|f| f.for_reader(&headers))?;
    Ok(back(&headers, visitor, "/scrabble#players"))
}
