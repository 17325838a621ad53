//! The JSON schema and the checker say the same about shapes: on the shipped games, and on thousands
//! of broken ones. The evaluator knows the keywords the schema uses and refuses any other.

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempo_gamespec::{check, library};
use tempo_random::Random;

use super::fuzz::mutate;

/// Codes for shapes, which the schema must see too; names and cross-references are beyond it.
const SHAPES: [&str; 14] = [
    "wrong-type",
    "missing-field",
    "empty-list",
    "zero-step",
    "direction-invalid",
    "unknown-state",
    "unknown-action",
    "action-state-mismatch",
    "bad-times",
    "bad-duration",
    "unknown-modifier",
    "unknown-side-effect",
    "unknown-condition-type",
    "unknown-extension",
];

pub fn trials() -> Vec<Trial> {
    vec![
        Trial::test("schema/shipped-games-fit", || {
            let schema: Value = serde_json::from_str(library::SCHEMA)?;
            for shipped in library::SHIPPED {
                let spec: Value = serde_json::from_str(shipped.text)?;
                fits(&schema, &schema, &spec, "").map_err(|err| format!("{}: {err}", shipped.name))?;
            }
            Ok(())
        }),
        Trial::test("schema/agrees-with-the-checker", agrees),
    ]
}

fn agrees() -> Result<(), Failed> {
    let schema: Value = serde_json::from_str(library::SCHEMA)?;
    let odd = [
        json!(null),
        json!(-1),
        json!(0),
        json!(1.5),
        json!("X"),
        json!([]),
        json!({}),
        json!([0, 0]),
        json!([[1]]),
    ];
    let bases: Vec<Value> = library::SHIPPED
        .iter()
        .map(|shipped| serde_json::from_str(shipped.text))
        .collect::<Result<_, _>>()?;
    let (mut refused, mut accepted) = (0, 0);
    for seed in 0..3000 {
        let mut random = Random::new(seed + 123);
        let mut spec = bases[random.index(bases.len())].clone();
        mutate(&mut spec, &mut random, &odd);
        let report = check(spec.to_string().as_bytes());
        let verdict = fits(&schema, &schema, &spec, "");
        let shape = report.faults.iter().find(|finding| SHAPES.contains(&finding.code.as_str()));
        match (&verdict, shape) {
            (Ok(()), Some(finding)) => {
                return Err(
                    format!("seed {seed}: the schema accepts what the checker calls {}", finding).into()
                );
            }
            (Err(err), _) if report.faults.is_empty() => {
                return Err(format!("seed {seed}: the checker accepts what the schema refuses: {err}").into());
            }
            (Err(_), _) => refused += 1,
            (Ok(()), _) => accepted += 1,
        }
    }
    if refused < 500 || accepted < 100 {
        return Err(format!("{refused} refused and {accepted} accepted are too few for a test").into());
    }
    Ok(())
}

fn fits(root: &Value, schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let members = schema.as_object().ok_or("a schema is an object")?;
    for (keyword, rule) in members {
        let good = match keyword.as_str() {
            "$schema" | "title" | "$defs" | "then" => true,
            "$ref" => {
                let pointer =
                    rule.as_str().and_then(|text| text.strip_prefix('#')).ok_or("a local reference")?;
                fits(root, root.pointer(pointer).ok_or("a definition")?, value, at)?;
                true
            }
            "type" => match rule.as_str().unwrap_or_default() {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
                other => return Err(format!("unknown type {other}")),
            },
            "required" => value.as_object().is_none_or(|object| {
                rule.as_array().is_some_and(|keys| {
                    keys.iter().all(|key| object.contains_key(key.as_str().unwrap_or("")))
                })
            }),
            "properties" => {
                for (key, schema) in rule.as_object().ok_or("properties")? {
                    if let Some(member) = value.get(key) {
                        fits(root, schema, member, &format!("{at}/{key}"))?;
                    }
                }
                true
            }
            "additionalProperties" => {
                for (key, member) in value.as_object().into_iter().flatten() {
                    fits(root, rule, member, &format!("{at}/{key}"))?;
                }
                true
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    fits(root, rule, item, &format!("{at}/{i}"))?;
                }
                true
            }
            "minItems" => {
                value.as_array().is_none_or(|items| items.len() as u64 >= rule.as_u64().unwrap_or(0))
            }
            "maxItems" => {
                value.as_array().is_none_or(|items| items.len() as u64 <= rule.as_u64().unwrap_or(0))
            }
            "minLength" => value.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap_or(0)),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap_or(0.0)),
            "const" => value == rule,
            "enum" => rule.as_array().is_some_and(|values| values.contains(value)),
            "oneOf" => {
                let all = rule.as_array().ok_or("oneOf")?;
                all.iter().filter(|schema| fits(root, schema, value, at).is_ok()).count() == 1
            }
            "allOf" => {
                for schema in rule.as_array().ok_or("allOf")? {
                    fits(root, schema, value, at)?;
                }
                true
            }
            "not" => fits(root, rule, value, at).is_err(),
            "if" => {
                if fits(root, rule, value, at).is_ok() {
                    fits(root, &members["then"], value, at)?;
                }
                true
            }
            other => return Err(format!("unknown keyword {other}")),
        };
        if !good {
            return Err(format!("{at}: {keyword} {rule}"));
        }
    }
    Ok(())
}
