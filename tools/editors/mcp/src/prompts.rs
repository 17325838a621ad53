//! Prompts: three tasks that people give to an agent, with the tools that do them well.

use serde_json::{Map, Value, json};
use tempo_diagnostics::{escaped, shortened};

/// A prompt.
struct Prompt {
    name: &'static str,
    title: &'static str,
    /// The name of its argument, and what it is.
    argument: (&'static str, &'static str),
    /// `{}` is the argument.
    text: &'static str,
}

const PROMPTS: &[Prompt] = &[
    Prompt {
        name: "fix-test",
        title: "Fix a failing test",
        argument: ("test", "the id of the test"),
        text: "The test `{}` fails. Call `test` with it, open it with `debug_open` and ask `debug_why` for the wrong register, \
               flag or address; follow the chain to the source line that is wrong. Change as few lines of the source as \
               possible and nothing in the suite, then call `test` for the whole project.",
    },
    Prompt {
        name: "explain-routine",
        title: "Explain a routine",
        argument: ("label", "its label"),
        text: "Explain the routine `{}`: what goes in, what comes out, which registers and memory it changes, and what it \
               costs. Use `symbols`, `disassemble` and `cycles`, and check each claim with `prove` or `run` where you can.",
    },
    Prompt {
        name: "port-to-tempo",
        title: "Port a source",
        argument: ("file", "its path"),
        text: "Port `{}` to Tempo, whose language is Kick Assembler's. Call `build` for it, `explain` for codes that are new \
               to you, and `help` with \"from other assemblers\"; fix the first error of each round. When it assembles, \
               write a .6502 suite for its routines (`help` with \"test language\") and run it with `test`.",
    },
];

/// All prompts.
pub fn list() -> Vec<Value> {
    let describe = |prompt: &Prompt| {
        let (name, description) = prompt.argument;
        json!({
            "name": prompt.name,
            "title": prompt.title,
            "arguments": [{ "name": name, "description": description, "required": true }],
        })
    };
    PROMPTS.iter().map(describe).collect()
}

/// A prompt with its argument filled in, or why there is none.
pub fn get(name: &str, arguments: &Map<String, Value>) -> Result<Value, String> {
    let prompt = PROMPTS.iter().find(|prompt| prompt.name == name);
    let prompt = prompt.ok_or_else(|| {
        let known: Vec<&str> = PROMPTS.iter().map(|prompt| prompt.name).collect();
        format!("unknown prompt: there are {}", known.join(", "))
    })?;
    let argument = prompt.argument.0;
    let given = arguments.get(argument).and_then(Value::as_str);
    let given = given.ok_or_else(|| format!("the prompt needs the argument `{argument}`, a text"))?;
    let given = shortened(given, 200);
    let text = prompt.text.replace("{}", &escaped(&given));
    Ok(json!({
        "description": prompt.title,
        "messages": [{ "role": "user", "content": { "type": "text", "text": text } }],
    }))
}
