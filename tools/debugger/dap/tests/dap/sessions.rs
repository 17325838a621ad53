//! Random sessions: requests in any order are answered, and questions leave no trace. The requests that change something
//! are sent to a fresh session again, without the questions; in the end both must show the same machine.

use serde_json::{Value, json};
use tempo_testing::fuzz::Target;
use tempo_testing::tries;

use super::common::Client;

/// A program without an end. Every way round passes `main`, where a breakpoint always is.
const PROGRAM: &str = "\
*=$1000
.macro Store(value, to) {
  lda #value
  sta to
}
main: inc count
  ldx #2
loop: Store(7, $2000)
  jsr outer
  dex
  bne loop
  jmp main
outer: pha
  jsr inner
  pla
  rts
inner: lda count
  sta $2010,x
  rts
count: .byte 0
";

/// The line of `main`.
const MAIN: u8 = 6;
const LINES: u8 = 19;

/// A request that is part of a session.
enum Step {
    /// One that moves or changes the machine.
    Act(&'static str, Value),
    /// One that sets a register.
    Register(&'static str, u8),
    /// One that only asks.
    Ask(&'static str, Value),
}

/// Three bytes are a request.
fn step([kind, first, second]: [u8; 3]) -> Step {
    let thread = json!({"threadId": 1});
    let at = format!("0x{:02x}{first:02x}", second & 0x3f);
    let word = ["a", "[count]", "main + x", "[$2000].w", "count", "1 +", "?", "nothing", "$", "c == 1"]
        [usize::from(first) % 10];
    match kind % 20 {
        0 => Step::Act("next", thread),
        1 => Step::Act("stepIn", thread),
        2 => Step::Act("stepOut", thread),
        3 => Step::Act("continue", thread),
        4 => Step::Act("stepBack", thread),
        5 => Step::Act("reverseContinue", thread),
        6 => {
            let lines = [MAIN, first % LINES + 1, second % LINES + 1].map(|line| json!({"line": line}));
            Step::Act("setBreakpoints", json!({"source": {"path": "main.asm"}, "breakpoints": lines}))
        }
        7 => Step::Register(["A", "X", "Y"][usize::from(first) % 3], second),
        8 => {
            let place = format!("0x20{first:02x}");
            let data = ["AA==", "/w==", "KioA"][usize::from(second) % 3];
            Step::Act("writeMemory", json!({"memoryReference": place, "data": data}))
        }
        9 => Step::Act("stepIn", json!({"threadId": 1, "granularity": "instruction"})),
        10 => Step::Ask("evaluate", json!({"expression": word, "context": "watch"})),
        11 => Step::Ask("evaluate", json!({"expression": word, "context": "hover"})),
        12 => Step::Ask("stackTrace", json!({"threadId": 1, "startFrame": first % 4, "levels": second % 4})),
        13 => Step::Ask("variables", json!({"variablesReference": first, "start": second, "count": 3})),
        14 => Step::Ask(
            "readMemory",
            json!({"memoryReference": at, "count": first, "offset": i64::from(second) - 128}),
        ),
        15 => Step::Ask(
            "disassemble",
            json!({"memoryReference": at, "instructionCount": first, "instructionOffset": i64::from(second) - 128}),
        ),
        16 => Step::Ask("completions", json!({"text": word, "column": first % 12})),
        17 => Step::Ask("scopes", json!({"frameId": first})),
        18 => Step::Ask("breakpointLocations", json!({"source": {"path": "main.asm"}, "line": first})),
        _ => Step::Ask("nonsense", json!([first, {"x": second}])),
    }
}

fn launched() -> Client {
    let mut client = Client::launched(&[("main.asm", PROGRAM)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": MAIN}]));
    client.start();
    client
}

/// Sends a request; one that moves is waited for.
fn act(client: &mut Client, command: &str, arguments: Value) {
    client.events.clear();
    let response = client.send(command, arguments);
    let moves = !matches!(command, "setBreakpoints" | "writeMemory" | "setVariable");
    if moves && response["success"] == true {
        client.wait("stopped");
    }
}

fn register(client: &mut Client, name: &str, value: u8) {
    let frame = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"][0]["id"].clone();
    let scopes = client.ask("scopes", json!({"frameId": frame}));
    let registers =
        scopes["scopes"].as_array().into_iter().flatten().find(|scope| scope["name"] == "Registers");
    let reference = registers.expect("a scope of registers")["variablesReference"].clone();
    act(
        client,
        "setVariable",
        json!({"variablesReference": reference, "name": name, "value": value.to_string()}),
    );
}

/// Everything a user sees of the machine.
fn picture(client: &mut Client) -> Vec<String> {
    let mut all: Vec<String> = client.frames().iter().map(|(name, line)| format!("{name}:{line}")).collect();
    all.extend(
        ["a", "x", "y", "c", "z", "n", "[count]"].map(|name| format!("{name}={}", client.value(name))),
    );
    for (place, count) in [("0x0100", 256), ("0x1000", 64), ("0x2000", 256)] {
        all.push(
            client.ask("readMemory", json!({"memoryReference": place, "count": count}))["data"].to_string(),
        );
    }
    all
}

#[test]
fn questions_do_not_change_a_session() {
    let check = |input: &[u8]| {
        let (mut whole, mut bare) = (launched(), launched());
        for &bytes in input.as_chunks::<3>().0.iter().take(80) {
            match step(bytes) {
                Step::Act(command, arguments) => {
                    act(&mut whole, command, arguments.clone());
                    act(&mut bare, command, arguments);
                }
                Step::Register(name, value) => {
                    register(&mut whole, name, value);
                    register(&mut bare, name, value);
                }
                Step::Ask(command, arguments) => {
                    whole.send(command, arguments);
                }
            }
        }
        let (asked, silent) = (picture(&mut whole), picture(&mut bare));
        (asked != silent).then(|| format!("with questions {asked:#?}\nwithout {silent:#?}"))
    };
    let every: Vec<u8> = (0..20_u8).flat_map(|kind| [kind, kind * 7, kind.wrapping_mul(31)]).collect();
    let back: Vec<u8> = [3, 3, 1, 1, 10, 4, 14, 5, 13, 7, 0, 15, 6, 3, 5, 12, 8, 2, 4]
        .iter()
        .flat_map(|&kind: &u8| [kind, kind + 1, kind * 5])
        .collect();
    let words: &[&[u8]] = &[b"\x03\0\0", b"\x04\0\0", b"\x05\0\0", b"\x01\0\0", b"\x02\0\0", b"\x07\x01\x05"];
    let target = Target { name: "dap-sessions", seeds: vec![every, back], words, check: &check };
    match target.run(tries(100)) {
        Ok(tried) => eprintln!("dap-sessions: {tried} sessions"),
        Err(message) => panic!("{message}"),
    }
}
