//! The table of tools: a tool is a name, a schema and a function. Lists and calls follow the table.

mod build;
mod cycles;
mod debug;
mod disassemble;
mod help;
mod prove;
mod run;
mod state;
mod symbols;
mod test;
mod why;

use serde_json::{Value, json};

use crate::answer::Answer;
use crate::host::{Host, Token, inside};
use crate::schema::Arguments;
use crate::server::Server;

/// A tool.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    /// At most 200 characters.
    pub description: &'static str,
    /// The properties of the arguments, and the names of those that must be given.
    pub arguments: fn() -> Value,
    pub required: &'static [&'static str],
    /// The properties of the answer.
    pub answer: fn() -> Value,
    pub effect: Effect,
    pub lane: Lane,
    pub run: fn(&Desk<'_>) -> Result<Answer, String>,
}

/// The effect of a tool on files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Nothing is written.
    Reads,
    /// Files are written in the output folder.
    Builds,
}

/// The calls that a call waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// None.
    Free,
    /// Calls of the debugger, which are done in the order of their arrival.
    Debugger,
    /// Every call before it, and every later one waits for it.
    Alone,
}

/// The things that a tool works with.
pub struct Desk<'a> {
    pub server: &'a Server,
    pub host: &'a dyn Host,
    pub arguments: Arguments<'a>,
    pub token: &'a Token,
    /// Reports how far the work is: done, all, a few words.
    pub progress: &'a (dyn Fn(u64, Option<u64>, &str) + Sync),
}

impl Desk<'_> {
    /// The path in an argument, below the root.
    pub fn path(&self, name: &str) -> Result<Option<String>, String> {
        self.arguments.text(name).map(|path| inside(self.host.root(), path)).transpose()
    }
}

/// The order of lists.
pub const TOOLS: &[Tool] = &[
    build::BUILD,
    help::EXPLAIN,
    test::TEST,
    run::RUN,
    cycles::CYCLES,
    prove::PROVE,
    disassemble::DISASSEMBLE,
    symbols::SYMBOLS,
    debug::OPEN,
    debug::GO,
    debug::LOOK,
    why::WHY,
    help::HELP,
];

/// The tool of a name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

impl Tool {
    /// The schema of its arguments.
    pub fn input(&self) -> Value {
        let mut schema = json!({
            "type": "object",
            "properties": (self.arguments)(),
            "additionalProperties": false,
        });
        if !self.required.is_empty() {
            schema["required"] = json!(self.required);
        }
        schema
    }

    fn description(&self) -> Value {
        let mut annotations = json!({ "readOnlyHint": self.effect == Effect::Reads, "openWorldHint": false });
        if self.effect == Effect::Builds {
            annotations["destructiveHint"] = json!(false);
            annotations["idempotentHint"] = json!(true);
        }
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": self.input(),
            "outputSchema": { "type": "object", "properties": (self.answer)() },
            "annotations": annotations,
        })
    }
}

/// All tools, as clients get them.
pub fn list() -> Vec<Value> {
    TOOLS.iter().map(Tool::description).collect()
}

// --- parts of schemas ---------------------------------------------------------------------------------------

/// A text of at most 1,000 characters.
fn text(description: &str) -> Value {
    json!({ "type": "string", "maxLength": 1000, "description": description })
}

/// An integer of a range.
fn number(low: u64, high: u64, description: &str) -> Value {
    json!({ "type": "integer", "minimum": low, "maximum": high, "description": description })
}

/// A list of at most 32 texts.
fn texts(description: &str) -> Value {
    let item = json!({ "type": "string", "maxLength": 1000 });
    json!({ "type": "array", "maxItems": 32, "items": item, "description": description })
}

/// Types of members of an answer, as `name type` in a list. Every answer may also have `truncated`.
fn members(list: &str) -> Value {
    let mut all = serde_json::Map::new();
    for member in list.split(", ") {
        let (name, kind) = member.split_once(' ').unwrap_or((member, "string"));
        all.insert(name.to_owned(), json!({ "type": kind }));
    }
    Value::Object(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_small_and_strict() {
        let list = json!({ "tools": list() });
        let size = list.to_string().len();
        assert!(size <= 12 << 10, "{size} bytes");
        for tool in TOOLS {
            let length = tool.description.chars().count();
            assert!(length <= 200, "{}: {length} characters", tool.name);
            let input = tool.input();
            for name in tool.required {
                assert!(input["properties"].get(*name).is_some(), "{}: {name}", tool.name);
            }
        }
    }
}
