//! `help` and `explain`: the manual, a few lines at a time.

use serde_json::{Value, json};
use tempo_diagnostics::escaped;

use super::{Desk, Effect, Lane, Tool, members, number, text};
use crate::answer::{Answer, page};
use crate::{book, resources};

pub const HELP: Tool = Tool {
    name: "help",
    title: "Search the manual",
    description: "Searches the manual: the assembler's dialect, the test language, C64 registers ($D011, VIC), opcodes (lda), projects, debugging, proving, errors.",
    arguments: || json!({ "query": text("words"), "limit": number(1, 20, "[5]") }),
    required: &["query"],
    answer: || members("hits array"),
    effect: Effect::Reads,
    lane: Lane::Free,
    run: help,
};

pub const EXPLAIN: Tool = Tool {
    name: "explain",
    title: "Explain an error",
    description: "Answers what an error or warning code means, such as E0301, with an example and the remedy.",
    arguments: || json!({ "code": text("E0301, W0101") }),
    required: &["code"],
    answer: || members("code string, title string, text string"),
    effect: Effect::Reads,
    lane: Lane::Free,
    run: explain,
};

fn help(desk: &Desk<'_>) -> Result<Answer, String> {
    let query = desk.arguments.text("query").unwrap_or_default();
    let limit = desk.arguments.number("limit", 5) as usize;
    let mut hits: Vec<(String, String, String)> = Vec::new();
    // An opcode or a register is meant exactly.
    let word = query.trim();
    if let Some(text) = resources::opcode(word) {
        hits.push((word.to_lowercase(), format!("tempo://opcodes/{}", word.to_lowercase()), text));
    }
    if let Some((name, text)) = resources::hardware(word) {
        hits.push((name.clone(), format!("tempo://c64/{name}"), text));
    }
    hits.extend(book::search(query).into_iter().map(|hit| {
        let place = format!("tempo://book/{}#L{}", hit.section.page.name, hit.section.line);
        (hit.section.title.to_owned(), place, hit.excerpt)
    }));
    let (listed, more) = page(hits, 0, limit);
    let mut answer = Answer::default();
    let data: Vec<Value> = listed
        .iter()
        .map(|(title, place, excerpt)| json!({ "title": title, "where": place, "excerpt": excerpt }))
        .collect();
    answer.set("hits", json!(data));
    for (title, place, excerpt) in &listed {
        answer.line(format!("{title} ({place})"));
        answer.lines(excerpt.lines().map(|line| format!("  {line}")));
    }
    if listed.is_empty() {
        answer.line("nothing fits. Use fewer or other words; resources/list has the pages");
    }
    if more > 0 {
        answer.line(format!("… {more} more"));
        answer.set("truncated", json!(true));
    }
    Ok(answer)
}

fn explain(desk: &Desk<'_>) -> Result<Answer, String> {
    let code = desk.arguments.text("code").unwrap_or_default();
    let code = code.trim().trim_matches(['[', ']']).to_ascii_uppercase();
    let Some(entry) = book::entries().find(|entry| entry.code == code) else {
        let help = match book::similar_code(&code) {
            Some(near) => format!("did you mean {near}?"),
            None => "codes are E and W with four digits".to_owned(),
        };
        return Err(format!("there is no code `{}`; {help} `help` searches the manual", escaped(&code)));
    };
    let mut answer = Answer::new(json!({ "code": entry.code, "title": entry.title, "text": entry.text }));
    answer.line(format!("{}: {}", entry.code, entry.title));
    answer.line(entry.text);
    Ok(answer)
}
