//! The JSON schema of `tempo.toml`, for editors: made from the table of keys.

use serde_json::{Map, Value, json};
use tempo_emu::System;
use tempo_formats::assets::PARTS;

use crate::assets::{ASSET, KEYS, TARGETS};
use crate::keys::{Kind, SECTIONS, Setting};
use crate::release::{BANK_KEYS, CARTRIDGE_KEYS, DISK_KEYS, OUTPUT_KEYS, PACK_FORMATS, TARGET, TARGET_KEYS};

/// Every word that means a machine: the names in front, then their other spellings.
fn machines() -> Vec<String> {
    let names = System::ALL.iter().map(|system| system.name());
    let aliases = System::ALL.iter().flat_map(|system| system.aliases()).copied();
    let plain: Vec<&str> = names.chain(aliases).collect();
    let underscored = plain.iter().filter(|word| word.contains('-')).map(|word| word.replace('-', "_"));
    plain.iter().map(|word| (*word).to_owned()).chain(underscored).collect()
}

/// The schema, as `docs/tempo.schema.json` has it.
pub fn schema() -> Value {
    let mut sections = Map::new();
    for (section, about) in SECTIONS {
        let mut keys: Map<String, Value> =
            Setting::of(section).map(|setting| (setting.key().name.to_owned(), key(setting))).collect();
        if *section == "build" {
            keys.extend(outputs());
        }
        let table = json!({
            "type": "object",
            "description": about,
            "additionalProperties": false,
            "properties": keys,
        });
        sections.insert((*section).to_owned(), table);
    }
    sections.insert(ASSET.to_owned(), assets());
    sections.insert(TARGET.to_owned(), targets());
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "tempo.toml",
        "description": "The settings of a Tempo project",
        "type": "object",
        "additionalProperties": false,
        "properties": sections,
    })
}

/// `[[asset]]`
fn assets() -> Value {
    let path = json!({"type": "string", "minLength": 1});
    let mut keys = Map::new();
    for (name, about) in KEYS {
        let mut value = match *name {
            "as" => json!({"type": "string", "enum": TARGETS}),
            "multicolour" => json!({"type": "boolean"}),
            "shared" => json!({"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 15}}),
            _ => path.clone(),
        };
        value["description"] = (*about).into();
        keys.insert((*name).to_owned(), value);
    }
    for part in PARTS {
        let mut value = path.clone();
        value["description"] = format!("{}: the file to write", part.about).into();
        keys.insert(part.option.to_owned(), value);
    }
    json!({
        "type": "array",
        "description": "Graphics files, and the parts of them that a build writes",
        "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["file"],
            "properties": keys,
        },
    })
}

/// A table with these keys and their values.
fn table(keys: &[(&str, &str)], value: impl Fn(&str) -> Value) -> Value {
    let described = |(name, about): &(&str, &str)| {
        let mut value = value(name);
        value["description"] = (*about).into();
        ((*name).to_owned(), value)
    };
    let properties: Map<String, Value> = keys.iter().map(described).collect();
    json!({"type": "object", "additionalProperties": false, "properties": properties})
}

/// The parts of a release.
fn outputs() -> Map<String, Value> {
    let text = json!({"type": "string"});
    let path = json!({"type": "string", "minLength": 1});
    let disk = table(DISK_KEYS, |key| match key {
        "files" => json!({"type": "array", "items": path}),
        "id" => json!({"type": "string", "minLength": 2, "maxLength": 2}),
        _ => text.clone(),
    });
    let bank = || {
        let mut bank = table(BANK_KEYS, |key| match key {
            "bank" => json!({"type": "integer", "minimum": 0, "maximum": 127}),
            _ => path.clone(),
        });
        bank["required"] = json!(["bank"]);
        bank
    };
    let types: Vec<&str> = tempo_formats::crt::Kind::ALL.iter().map(|kind| kind.word()).collect();
    let mut cartridge = table(CARTRIDGE_KEYS, |key| match key {
        "type" => json!({"type": "string", "enum": types}),
        "banks" => json!({"type": "array", "items": bank()}),
        _ => text.clone(),
    });
    cartridge["required"] = json!(["type"]);
    let formats: Vec<Value> = [true.into(), false.into()]
        .into_iter()
        .chain(PACK_FORMATS.iter().map(|&format| format.into()))
        .collect();
    let values = |key: &str| match key {
        "pack" => json!({"enum": formats, "default": false}),
        "d64" => json!({"anyOf": [{"type": "boolean"}, disk]}),
        _ => cartridge.clone(),
    };
    let Value::Object(mut whole) = table(OUTPUT_KEYS, values) else { unreachable!("a table is an object") };
    match whole.remove("properties") {
        Some(Value::Object(keys)) => keys,
        _ => unreachable!("a table has properties"),
    }
}

/// `[[target]]`
fn targets() -> Value {
    let of_build = |key: &str| {
        let setting = Setting::of("build").find(|setting| setting.key().name == key);
        let mut value = setting.map(self::key).unwrap_or_default();
        if let Some(value) = value.as_object_mut() {
            value.remove("default");
        }
        value
    };
    let mut target = table(TARGET_KEYS, |key| match key {
        "defines" | "vars" => of_build(key),
        _ => json!({"type": "string", "minLength": 1}),
    });
    let keys = target["properties"].as_object_mut().expect("a table has properties");
    keys.extend(outputs());
    target["required"] = json!(["main"]);
    json!({
        "type": "array",
        "description": "Further programs of the project",
        "items": target,
    })
}

fn key(setting: Setting) -> Value {
    let key = setting.key();
    let text = json!({"type": "string"});
    let path = json!({"type": "string", "minLength": 1});
    let list = |items: Value| json!({"type": "array", "items": items});
    let mut value = match key.kind {
        Kind::Path => path,
        Kind::Paths => list(path),
        Kind::Names => list(json!({"type": "string", "pattern": "^[\\p{L}_][\\p{L}_0-9]*$"})),
        Kind::Words => list(text),
        Kind::Codes => {
            list(json!({"type": "string", "pattern": "^([Aa][Ll][Ll]|[Ww][0-9]{4}(,[Ww][0-9]{4})*)$"}))
        }
        Kind::System => json!({"type": "string", "enum": machines()}),
        Kind::Choices(words) => list(json!({"type": "string", "enum": words})),
        Kind::Number(most) => json!({"type": "integer", "minimum": 0, "maximum": most}),
        Kind::Values => {
            json!({"type": "object", "additionalProperties": {"type": ["string", "number", "boolean"]}})
        }
        Kind::Texts => json!({"type": "object", "additionalProperties": path}),
    };
    value["description"] = format!("{}. Flag: {}", key.about, key.flag).into();
    value["default"] = match key.kind {
        Kind::Number(_) => key.default[0].parse::<u64>().expect("the default is a number").into(),
        kind if kind.is_single() => key.default[0].into(),
        kind if kind.is_table() => json!({}),
        _ => json!(key.default),
    };
    value
}
