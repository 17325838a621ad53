//! `tempo agent`: a chess player that speaks the JSON protocol.

use clap::{Parser, value_parser};
use serde::Serialize;
use tempo_chess::agent::{self, Answer, State};
use tempo_host::{Exit, output};

use crate::chess::engine::{self, Budget, Engine, EngineError, EngineName};
use crate::chess::wire::{self, Feed, Reply};

/// Answer a chess game state with one move or action, as JSON
///
/// Reads a state on standard input and prints exactly one object: a legal move, or a draw claim, a draw
/// offer or a resignation. docs/agent-protocol.md has the fields and the fault codes.
#[derive(Debug, Parser)]
#[command(after_long_help = "\
Examples:
  tempo agent < state.json
  {\"from\":\"e2\",\"to\":\"e4\",\"promotion\":null}

  tempo agent --jsonl --nodes 1000 < states.jsonl     # one answer a line, flushed
  tempo agent --list < state.json                     # every legal answer

The answer depends on the state and --nodes alone. Asked when the game is over it answers \
{\"action\":\"none\",\"reason\":\"checkmate\"}; with --strict it prints nothing then. A faulty state is answered by \
{\"error\":{\"code\":…,\"pointer\":…,\"message\":…}}.

Exit codes: 0 answered, 2 faulty state. With --jsonl a fault is that line's answer and the exit code is 0.")]
pub struct Args {
    /// Serve one state a line until the input ends
    #[arg(long)]
    jsonl: bool,

    /// Who picks the move: the reference rules, or the 6502 program in the emulator
    #[arg(long, value_enum, default_value_t, value_name = "NAME")]
    engine: EngineName,

    /// How many positions to look at before answering
    #[arg(long, value_name = "N", default_value_t = 50_000, value_parser = value_parser!(u64).range(1..))]
    nodes: u64,

    /// Print every legal answer instead of one
    #[arg(long)]
    list: bool,

    /// Print nothing when the game is over; an empty line with --jsonl
    #[arg(long)]
    strict: bool,
}

/// Every legal answer to a state.
#[derive(Serialize)]
struct List {
    moves: Vec<Answer>,
    actions: Vec<Answer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_over: Option<&'static str>,
}

pub fn run(args: Args) -> Exit {
    let mut engine = match engine::open(args.engine, None) {
        Ok(engine) => engine,
        Err(err) => return output::complain(err),
    };
    let feed = if args.jsonl { Feed::Lines } else { Feed::Single };
    wire::serve(feed, |bytes| {
        let state = match State::parse(bytes) {
            Ok(state) => state,
            Err(fault) => return Ok(Reply::Fault(fault)),
        };
        if args.list { Ok(list(&state)) } else { answer(&args, &state, &mut *engine) }
    })
}

fn answer(args: &Args, state: &State, engine: &mut dyn Engine) -> Result<Reply, EngineError> {
    let answer = agent::choose(state, |state| {
        engine.set_up(state.board(), state.past())?;
        engine.best_move(Budget { nodes: args.nodes })
    })?;
    Ok(match answer {
        Answer::Nothing(_) if args.strict => Reply::Silence,
        answer => Reply::Text { json: answer.to_json(), failed: false },
    })
}

fn list(state: &State) -> Reply {
    let (moves, actions) = agent::legal_answers(state);
    let game_over = state.game().ending().map(|ending| ending.reason());
    let list = List { moves, actions, game_over };
    Reply::Text { json: serde_json::to_string(&list).expect("a list is plain data"), failed: false }
}
