//! `tempo judge`: says whether an agent's answer is legal, and what comes of it.

use clap::Parser;
use tempo_chess::agent::{State, Strictness, Verdict, judge, parse_document};
use tempo_chess::{Code, Fault};
use tempo_host::Exit;
use tempo_json::Value;

use crate::chess::wire::{self, Feed, Reply};

/// Judge an agent's answer to a chess game state
///
/// Reads {"state": …, "answer": "…"} on standard input, the answer being the agent's raw text, and prints the
/// verdict: `ok` or the code of the first check that fails, where in the answer, why, and the state
/// after it. docs/agent-protocol.md lists the checks in their order.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo judge < asked.json
  {\"verdict\":\"ok\",\"pointer\":null,\"message\":\"white plays e4\",\"state\":{…},\"result\":null}

  tempo judge --jsonl < game.jsonl | jq -r .verdict | sort | uniq -c

`state` is unchanged if the answer is refused. `result` is null while the game goes on, else \
{\"winner\":\"white\"|\"black\"|null,\"reason\":\"checkmate\"|…}.

Exit codes: 0 judged, whatever the verdict; with --exit-code 1 if a verdict is not ok; 2 faulty input. With \
--jsonl a fault is that line's answer.")]
pub struct Args {
    /// Judge one object a line until the input ends
    #[arg(long)]
    jsonl: bool,

    /// Refuse a move without the `promotion` key
    #[arg(long)]
    strict: bool,

    /// End with 1 if an answer is refused
    #[arg(long)]
    exit_code: bool,
}

pub fn run(args: Args) -> Exit {
    let feed = if args.jsonl { Feed::Lines } else { Feed::Single };
    let strictness = if args.strict { Strictness::Strict } else { Strictness::Lenient };
    wire::serve(feed, |bytes| {
        Ok(match read(bytes) {
            Ok((state, answer)) => {
                let judged = judge(&state, &answer, strictness);
                let failed = args.exit_code && judged.verdict != Verdict::Ok;
                Reply::Text { json: judged.to_json(), failed }
            }
            Err(fault) => Reply::Fault(fault),
        })
    })
}

fn read(bytes: &[u8]) -> Result<(State, String), Fault> {
    let document = parse_document(bytes)?;
    let root = &document.root;
    if !matches!(root.value, Value::Object(_)) {
        let message = format!("expected an object with `state` and `answer`, found {}", root.describe());
        return Err(Fault::at_value(Code::WrongType, "", message));
    }
    let field = |name: &str| {
        let missing = || Fault::at_value(Code::MissingField, "", format!("the field `{name}` is missing"));
        root.get(name).ok_or_else(missing)
    };
    let (state, answer) = (field("state")?, field("answer")?);
    let Some(text) = answer.text() else {
        let message = format!("the answer's raw text goes in a string, found {}", answer.describe());
        return Err(Fault::at_value(Code::WrongType, "/answer", message));
    };
    Ok((State::read(state, "/state")?, text.to_string()))
}
