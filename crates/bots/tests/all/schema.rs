//! `docs/bots.schema.json`, and as much of JSON Schema (2020-12) as it uses.

use std::path::Path;

use serde_json::Value;

/// The schema.
pub(crate) struct Schema(Value);

/// Reads the schema.
pub(crate) fn schema() -> Schema {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/bots.schema.json");
    let text = std::fs::read_to_string(file).unwrap();
    Schema(serde_json::from_str(&text).unwrap())
}

impl Schema {
    /// Whether a line fits a part of it.
    pub(crate) fn holds(&self, part: &str, value: &Value) -> Result<(), String> {
        self.check(&self.0["$defs"][part], value)
    }

    fn check(&self, schema: &Value, value: &Value) -> Result<(), String> {
        let bad = |what: &str| Err(format!("{what}: {value} against {schema}"));
        for key in schema.as_object().unwrap().keys() {
            let known = [
                "$ref",
                "type",
                "const",
                "required",
                "properties",
                "items",
                "oneOf",
                "anyOf",
                "minimum",
                "maximum",
                "description",
                "minLength",
                "minItems",
                "maxLength",
                "maxItems",
            ];
            assert!(
                known.contains(&key.as_str()),
                "the test does not know `{key}`"
            );
        }
        if let Some(name) = schema["$ref"].as_str() {
            let part = name.rsplit('/').next().unwrap();
            return self.holds(part, value);
        }
        if let Some(wanted) = schema.get("const").filter(|wanted| *wanted != value) {
            return bad(&format!("not {wanted}"));
        }
        let types = match &schema["type"] {
            Value::String(one) => vec![one.clone()],
            Value::Array(all) => all.iter().map(|t| t.as_str().unwrap().to_owned()).collect(),
            _ => Vec::new(),
        };
        let is = |kind: &String| match kind.as_str() {
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            "null" => value.is_null(),
            other => panic!("the test does not know the type {other}"),
        };
        if !types.is_empty() && !types.iter().any(is) {
            return bad("another type");
        }
        let number = value.as_f64();
        if let (Some(least), Some(number)) = (schema["minimum"].as_f64(), number)
            && number < least
        {
            return bad("too small");
        }
        if let (Some(most), Some(number)) = (schema["maximum"].as_f64(), number)
            && number > most
        {
            return bad("too large");
        }
        let size = value.as_str().map(|text| text.chars().count());
        let size = size.or_else(|| value.as_array().map(Vec::len)).unwrap_or(1) as u64;
        let least = schema["minLength"].as_u64().or(schema["minItems"].as_u64());
        if least.is_some_and(|least| size < least) {
            return bad("too short");
        }
        for key in schema["required"].as_array().into_iter().flatten() {
            if value.get(key.as_str().unwrap()).is_none() {
                return bad(&format!("without {key}"));
            }
        }
        for (key, part) in schema["properties"].as_object().into_iter().flatten() {
            if let Some(inner) = value.get(key) {
                self.check(part, inner)?;
            }
        }
        if let (Some(part), Some(list)) = (schema.get("items"), value.as_array()) {
            for inner in list {
                self.check(part, inner)?;
            }
        }
        for (key, wanted) in [("oneOf", 1..=1), ("anyOf", 1..=usize::MAX)] {
            if let Some(all) = schema[key].as_array() {
                let held = all
                    .iter()
                    .filter(|part| self.check(part, value).is_ok())
                    .count();
                if !wanted.contains(&held) {
                    return bad(&format!("{held} of {key}"));
                }
            }
        }
        Ok(())
    }
}
