//! Arguments of tools: a JSON Schema is the declaration, and calls are held to it. **Nothing else says which arguments
//! a tool has.** Understands the part of the schema language that our tools use.

use serde_json::{Map, Value};
use tempo_diagnostics::{escaped, nearest};

/// Holds arguments to a schema. The error is a sentence for the caller.
pub fn check(schema: &Value, arguments: &Map<String, Value>) -> Result<(), String> {
    check_object(schema, arguments, "")
}

fn check_object(schema: &Value, object: &Map<String, Value>, path: &str) -> Result<(), String> {
    let known = schema["properties"].as_object();
    let known = known.ok_or("the schema of this tool has no properties")?;
    let place = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    for (name, value) in object {
        let Some(rule) = known.get(name) else {
            let names = known.keys().map(String::as_str);
            let help = match nearest(name, names.clone()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names.collect::<Vec<_>>().join(", ")),
            };
            return Err(format!("there is no argument `{}`; {help}", escaped(&place(name))));
        };
        check_value(rule, value, &place(name))?;
    }
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str);
    match required.into_iter().find(|name| !object.contains_key(*name)) {
        Some(name) => Err(format!("the argument `{}` is missing", place(name))),
        None => Ok(()),
    }
}

fn check_value(rule: &Value, value: &Value, path: &str) -> Result<(), String> {
    if let Some(allowed) = rule["enum"].as_array() {
        if allowed.contains(value) {
            return Ok(());
        }
        let words: Vec<&str> = allowed.iter().filter_map(Value::as_str).collect();
        return Err(format!("`{path}` must be one of {}", words.join(", ")));
    }
    match rule["type"].as_str().unwrap_or_default() {
        "string" => {
            let text = value.as_str().ok_or_else(|| format!("`{path}` must be a text"))?;
            let most = rule["maxLength"].as_u64().unwrap_or(u64::MAX);
            let count = text.chars().count() as u64;
            if count > most {
                return Err(format!("`{path}` has {count} characters; the most is {most}"));
            }
            if count == 0 {
                return Err(format!("`{path}` is empty"));
            }
        }
        "integer" => {
            // 3.0 is an integer in JSON Schema.
            let number = value.as_f64().filter(|number| number.fract() == 0.0);
            let number = number.ok_or_else(|| format!("`{path}` must be an integer"))?;
            let low = rule["minimum"].as_f64().unwrap_or(f64::MIN);
            let high = rule["maximum"].as_f64().unwrap_or(f64::MAX);
            if !(low..=high).contains(&number) {
                return Err(format!("`{path}` must be between {low} and {high}"));
            }
        }
        "boolean" if !value.is_boolean() => return Err(format!("`{path}` must be true or false")),
        "array" => {
            let items = value.as_array().ok_or_else(|| format!("`{path}` must be a list"))?;
            let most = rule["maxItems"].as_u64().unwrap_or(u64::MAX);
            if items.len() as u64 > most {
                return Err(format!("`{path}` has {} items; the most is {most}", items.len()));
            }
            for (number, item) in items.iter().enumerate() {
                check_value(&rule["items"], item, &format!("{path}[{number}]"))?;
            }
        }
        "object" => {
            let object = value.as_object().ok_or_else(|| format!("`{path}` must be an object"))?;
            check_object(rule, object, path)?;
        }
        _ => {}
    }
    Ok(())
}

/// The arguments of a call that fits its schema.
#[derive(Debug, Clone, Copy)]
pub struct Arguments<'a>(pub &'a Map<String, Value>);

impl<'a> Arguments<'a> {
    /// A text.
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.0.get(name)?.as_str()
    }

    /// A number, or what it is where it is not given.
    pub fn number(self, name: &str, default: u64) -> u64 {
        self.0.get(name).and_then(Value::as_f64).map_or(default, |number| number as u64)
    }

    /// Whether an argument is given.
    pub fn has(self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// A switch, off if it is not given.
    pub fn flag(self, name: &str) -> bool {
        self.0.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    /// A list of texts.
    pub fn texts(self, name: &str) -> Vec<&'a str> {
        self.0.get(name).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// A list of objects.
    pub fn objects(self, name: &str) -> impl Iterator<Item = Arguments<'a>> {
        let list = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_object).map(Arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;
    use serde_json::json;

    #[test]
    fn arguments_are_held_to_the_schema() {
        let schema = json!({
            "type": "object",
            "properties": {
                "path": { "type": "string", "maxLength": 4 },
                "count": { "type": "integer", "minimum": 1, "maximum": 9 },
                "how": { "enum": ["in", "out"] },
                "at": { "type": "array", "maxItems": 1, "items": {
                    "type": "object",
                    "properties": { "from": { "type": "string" } },
                    "required": ["from"]
                } }
            },
            "required": ["path"]
        });
        let said = |arguments: Value| check(&schema, arguments.as_object().expect("an object"));
        assert_eq!(said(json!({ "path": "a", "count": 9, "how": "in", "at": [{ "from": "x" }] })), Ok(()));
        for (arguments, message) in [
            (json!({}), "the argument `path` is missing"),
            (json!({ "path": 1 }), "`path` must be a text"),
            (json!({ "path": "abcde" }), "`path` has 5 characters; the most is 4"),
            (json!({ "paht": "a" }), "there is no argument `paht`; did you mean `path`?"),
            (json!({ "path": "a", "count": 10 }), "`count` must be between 1 and 9"),
            (json!({ "path": "a", "count": 1.5 }), "`count` must be an integer"),
            (json!({ "path": "a", "how": "up" }), "`how` must be one of in, out"),
            (json!({ "path": "a", "at": [{}] }), "the argument `at[0].from` is missing"),
            (json!({ "path": "a", "at": [{}, {}] }), "`at` has 2 items; the most is 1"),
        ] {
            assert_eq!(said(arguments), Err(message.to_owned()));
        }
    }
}
