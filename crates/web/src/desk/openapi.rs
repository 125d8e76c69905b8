//! The description of the verbs for scripts, as `OpenAPI` 3.1.

use axum::Json;
use serde_json::{Map, Value, json};
use wits_desk::{Param, ParamKind, Room, Served, Verb};

use super::ask::ROOMS;

/// `GET /api`
pub(super) async fn show() -> Json<Value> {
    Json(description(&ROOMS))
}

fn description(rooms: &[Room]) -> Value {
    let mut paths = Map::new();
    for room in rooms {
        let served = |verb: &&Verb| verb.served == Served::Everywhere;
        for verb in room.verbs.iter().filter(served) {
            let path = format!("/api/{}/{}", room.id, verb.path());
            paths.insert(path, json!({"post": operation(room, verb)}));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "wits",
            "version": env!("CARGO_PKG_VERSION"),
            "summary": "Match wits with machines",
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": {"Error": error()},
            "responses": {"Refused": {
                "description": "It cannot be done as asked",
                "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
            }},
        },
    })
}

fn operation(room: &Room, verb: &Verb) -> Value {
    let asked = |param: &&Param| !param.kind.is_place();
    let params: Vec<&Param> = verb.params.iter().filter(asked).collect();
    let properties: Map<String, Value> = params
        .iter()
        .map(|param| (param.name.to_owned(), schema(param)))
        .collect();
    let required: Vec<&str> = params
        .iter()
        .filter(|param| param.usage.required)
        .map(|param| param.name)
        .collect();
    let object = json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    });
    json!({
        "operationId": format!("{}_{}", room.id, verb.id.replace([' ', '-'], "_")),
        "tags": [room.id],
        "summary": verb.about,
        "description": verb.examples.join("\n"),
        "requestBody": {"required": true, "content": {"application/json": {"schema": object}}},
        "responses": {
            "200": {
                "description": "What `--json` prints",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            "4XX": {"$ref": "#/components/responses/Refused"},
            "5XX": {"$ref": "#/components/responses/Refused"},
        },
    })
}

fn schema(param: &Param) -> Value {
    let mut one = match &param.kind {
        ParamKind::Int { min, max } => json!({"type": "integer", "minimum": min, "maximum": max}),
        ParamKind::Real { min, max } => json!({"type": "number", "minimum": min, "maximum": max}),
        ParamKind::Choice(words) => json!({"type": "string", "enum": words}),
        ParamKind::Flag => json!({"type": "boolean"}),
        ParamKind::Text | ParamKind::Nested | ParamKind::Output | ParamKind::Kept => {
            json!({"type": "string"})
        }
        ParamKind::File => json!({"anyOf": [
            {"type": "string", "description": "The name of an item"},
            {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"], "additionalProperties": false},
            {"type": "object", "properties": {"base64": {"type": "string", "contentEncoding": "base64"}}, "required": ["base64"], "additionalProperties": false},
        ]}),
    };
    if let Some(default) = &param.default {
        // Numbers and flags as JSON has them, words as they are.
        let typed = serde_json::from_str(default).ok();
        one["default"] = typed.unwrap_or_else(|| Value::from(default.clone()));
    }
    if !param.usage.offers.is_empty() {
        one["examples"] = json!(param.usage.offers);
    }
    if param.usage.many {
        one = json!({"anyOf": [one, {"type": "array", "items": one}]});
    }
    one["description"] = json!(param.about);
    one
}

fn error() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "required": ["error"],
        "properties": {"error": {
            "type": "object",
            "required": ["code", "message", "hint"],
            "properties": {"code": text, "message": text, "hint": text},
        }},
    })
}
