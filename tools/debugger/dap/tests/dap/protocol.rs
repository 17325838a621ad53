//! The protocol as a client sees it: whole conversations, in memory.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tempo_dap::MemoryHost;

use crate::common::{Client, MAIN};

fn standing_at(line: i64) -> Client {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": line}]));
    assert_eq!(client.start()["reason"], "breakpoint");
    client
}

#[test]
fn a_program_is_stepped_through_and_back() {
    let mut client =
        Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm", "stopOnEntry": true}));
    assert_eq!(client.start()["reason"], "entry");
    assert_eq!(client.line(), 6);
    client.go("next");
    assert_eq!(client.frames(), [("main".to_string(), 7)]);
    // Into the macro, line by line, and out of it.
    client.go("stepIn");
    assert_eq!(client.frames(), [("macro Set(5, $d020)".to_string(), 3), ("main".to_string(), 7)]);
    client.go("next");
    assert_eq!(client.line(), 4);
    client.go("stepOut");
    assert_eq!(client.line(), 8);
    client.go("stepIn");
    assert_eq!(client.frames(), [("sub".to_string(), 12), ("main".to_string(), 8)]);
    client.go("stepOut");
    assert_eq!(client.line(), 9);
    for line in [12, 8, 4, 3, 7, 6] {
        assert_eq!(client.go("stepBack")["reason"], "step");
        assert_eq!(client.line(), line);
    }
    let stopped = client.go("stepBack");
    assert_eq!(
        (stopped["reason"].as_str(), stopped["description"].as_str()),
        (Some("entry"), Some("start of recording"))
    );
}

#[test]
fn a_call_of_a_macro_is_stepped_over() {
    let mut client = standing_at(7);
    assert_eq!(client.frames(), [("main".to_string(), 7)]);
    client.go("next");
    assert_eq!(client.line(), 8);
    client.go("next");
    assert_eq!(client.line(), 9);
    assert_eq!(client.value("[counter]"), "$01 1");
    let mut flat =
        Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm", "macroFrames": false}));
    flat.breakpoints("main.asm", json!([{"line": 4}]));
    flat.start();
    assert_eq!(flat.frames(), [("main".to_string(), 4)]);
}

#[test]
fn breakpoints_say_where_they_are() {
    let two = "*=$1000\n.macro M() {\n  nop\n}\n  M()\n  M()\n// a comment\n\n  rts\n  .byte 1\n";
    let mut client = Client::launched(&[("main.asm", two)], json!({"program": "main.asm"}));
    let found = client.breakpoints("main.asm", json!([{"line": 3}, {"line": 7}, {"line": 40}, {"line": 6}]));
    assert_eq!(found[0]["message"], "2 places: $1000 $1001");
    assert_eq!((&found[1]["verified"], &found[1]["line"]), (&json!(true), &json!(9)));
    assert_eq!(found[2]["verified"], false);
    assert_eq!(found[3]["instructionReference"], "0x1001");
    let other = client.breakpoints("other.asm", json!([{"line": 3}]));
    assert_eq!(other[0]["message"], "this file is not a part of the program");
    let places =
        client.ask("breakpointLocations", json!({"source": {"path": "main.asm"}, "line": 5, "endLine": 6}));
    assert_eq!(places["breakpoints"], json!([{"line": 5, "column": 3}, {"line": 6, "column": 3}]));
}

#[test]
fn conditions_hit_counts_and_messages() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    let found = client.breakpoints(
        "main.asm",
        json!([{"line": 9, "condition": "x == 2"}, {"line": 12, "logMessage": "X is {x:d}, {counter}"}, {"line": 8, "hitCondition": "3"},
            {"line": 11, "condition": "lives == 3"}, {"line": 11, "hitCondition": "often"}, {"line": 11, "logMessage": "{"}]),
    );
    assert_eq!(found[3]["message"], "the condition `lives == 3`: `lives` is not known here");
    assert!(found[4]["message"].as_str().is_some_and(|text| text.contains("`often`")));
    assert_eq!((&found[3]["verified"], &found[5]["verified"]), (&json!(false), &json!(false)));
    assert_eq!(client.start()["reason"], "breakpoint");
    assert_eq!((client.line(), client.value("x")), (9, "$02 2".to_string()));
    client.go("continue");
    assert_eq!((client.line(), client.value("x")), (8, "$01 1".to_string()));
    let logged: Vec<&str> = client
        .events
        .iter()
        .filter(|event| event["event"] == "output")
        .filter_map(|event| event["body"]["output"].as_str())
        .collect();
    assert_eq!(logged, ["X is 3, $1012\n", "X is 2, $1012\n"]);
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
    client.wait("terminated");
    assert_eq!(client.refuse("next", json!({"threadId": 1})), "the program has ended");
}

#[test]
fn a_condition_that_fails_while_running_stops_and_says_why() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    client.breakpoints(
        "main.asm",
        json!([{"line": 9, "condition": "1 / [counter] == 1 and 1 / (x - 3) == 1"}]),
    );
    let stopped = client.start();
    assert_eq!(stopped["text"], "the condition cannot be evaluated: division by zero");
}

#[test]
fn data_breakpoints_stop_after_the_write_in_both_directions() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    let info = client.ask("dataBreakpointInfo", json!({"name": "counter"}));
    assert_eq!(
        (info["dataId"].as_str(), info["description"].as_str()),
        (Some("1012-1012"), Some("$1012 (counter)"))
    );
    let outside = client.ask("dataBreakpointInfo", json!({"name": "0xffff", "asAddress": true, "bytes": 2}));
    assert_eq!(outside["dataId"], Value::Null);
    client
        .ask("setDataBreakpoints", json!({"breakpoints": [{"dataId": "1012-1012", "accessType": "write"}]}));
    for value in ["$00 → $01", "$01 → $02", "$02 → $03"] {
        let stopped = if value.starts_with("$00") { client.start() } else { client.go("continue") };
        assert_eq!(stopped["reason"], "data breakpoint");
        assert_eq!(stopped["text"], format!("$1012: {value}, by inc at main.asm:12 (sub)"));
        assert_eq!(client.line(), 13);
    }
    let stopped = client.go("reverseContinue");
    assert_eq!(stopped["text"], "$1012: $01 → $02, by inc at main.asm:12 (sub)");
    assert_eq!(client.value("[counter]"), "$02 2");
    client.go("reverseContinue");
    assert_eq!(client.go("reverseContinue")["reason"], "entry");
}

#[test]
fn functions_instructions_and_exceptions() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    let found = client.ask(
        "setFunctionBreakpoints",
        json!({"breakpoints": [{"name": "su*"}, {"name": "suv"}, {"name": "line 100"}]}),
    );
    assert_eq!(found["breakpoints"][1]["message"], "there is no label `suv`; did you mean `sub`?");
    assert_eq!(found["breakpoints"][2]["message"], "this machine has no raster beam");
    assert_eq!(client.start()["reason"], "function breakpoint");
    client.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    let found = client.ask("setInstructionBreakpoints", json!({"breakpoints": [{"instructionReference": "0x1007", "offset": 3}, {"instructionReference": "0xffff", "offset": 1}]}));
    assert_eq!(found["breakpoints"][1]["verified"], false);
    assert_eq!(client.go("continue")["reason"], "instruction breakpoint");
    assert_eq!(client.value("pc"), "$100A 4106");

    let jam = "*=$1000\n  nop\n  .byte $02\n";
    let mut client = Client::launched(&[("jam.asm", jam)], json!({"program": "jam.asm"}));
    assert_eq!(client.start()["reason"], "exception");
    let info = client.ask("exceptionInfo", json!({"threadId": 1}));
    assert_eq!(info["exceptionId"], "jam");
    let brk = "*=$1000\n  nop\n  brk\n";
    let mut client = Client::launched(&[("brk.asm", brk)], json!({"program": "brk.asm"}));
    assert_eq!(client.start()["text"], "brk at brk.asm:3 ($1001)");
    assert_eq!(client.line(), 3);
    let trap = "*=$1000\nwait: jmp wait\n";
    let mut client = Client::launched(&[("trap.asm", trap)], json!({"program": "trap.asm"}));
    assert_eq!(client.start()["text"], "trap.asm:2 (wait) jumps to itself");
    let uninit = "*=$1000\n  lda $3000\n  rts\n";
    let mut client = Client::launched(&[("u.asm", uninit)], json!({"program": "u.asm"}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["uninit"]}));
    assert_eq!(client.start()["text"], "$3000 is read by u.asm:2 ($1000), and it was never written");
}

#[test]
fn state_is_shown_and_can_be_changed() {
    let mut client = standing_at(9);
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let names: Vec<&str> =
        scopes.as_array().into_iter().flatten().filter_map(|scope| scope["name"].as_str()).collect();
    assert_eq!(names, ["Registers", "Flags", "Locals", "Zero page", "Stack", "Labels", "Session"]);
    let registers = scopes[0]["variablesReference"].clone();
    let all = client.ask("variables", json!({"variablesReference": registers}))["variables"].clone();
    assert_eq!((all[0]["name"].as_str(), all[0]["value"].as_str()), (Some("A"), Some("$05 5 %00000101")));
    client.ask("setVariable", json!({"variablesReference": registers, "name": "X", "value": "$7f"}));
    assert_eq!(client.value("x"), "$7F 127");
    let page = client.ask(
        "variables",
        json!({"variablesReference": scopes[3]["variablesReference"], "start": 16, "count": 2}),
    );
    assert_eq!(page["variables"].as_array().map(Vec::len), Some(2));
    client.ask(
        "setVariable",
        json!({"variablesReference": scopes[3]["variablesReference"], "name": "$10", "value": "66"}),
    );
    assert_eq!(client.value("[$10]"), "$42 66 'B'");
    client.ask("setExpression", json!({"expression": "[$20].w", "value": "$1234"}));
    assert_eq!(
        (client.value("[$20].w"), client.value("$20,3")),
        ("$1234 4660".to_string(), "$0020: 34 12 00".to_string())
    );
    assert_eq!(client.value("counter"), "$1012 = $01 1");
    assert_eq!(client.value("counter[0] + 1"), "$02 2");
    assert!(
        client.refuse("setExpression", json!({"expression": "a", "value": "256"})).contains("does not fit")
    );
    assert!(client.refuse("evaluate", json!({"expression": "nobody + 1"})).contains("not known"));
    client.wait("memory");
    client.wait("invalidated");
    let names = client.ask("completions", json!({"text": "why cou", "column": 8}))["targets"].clone();
    assert_eq!(names[0]["label"], "counter");
    assert_eq!(client.ask("evaluate", json!({"expression": "y = 9", "context": "repl"}))["result"], "$09 9");
    assert_eq!(client.value("y"), "$09 9");
}

#[test]
fn memory_ends_at_its_end() {
    let mut client = standing_at(9);
    let body = client.ask("readMemory", json!({"memoryReference": "0x1000", "count": 2}));
    assert_eq!((body["address"].as_str(), body["data"].as_str()), (Some("0x1000"), Some("ogM=")));
    let body = client.ask("readMemory", json!({"memoryReference": "0xfffe", "offset": 0, "count": 8}));
    assert_eq!(body["unreadableBytes"], 6);
    let body = client.ask("readMemory", json!({"memoryReference": "0xffff", "offset": 1, "count": 8}));
    assert_eq!((body["data"].as_str(), body["unreadableBytes"].as_i64()), (Some(""), Some(8)));
    client.refuse("writeMemory", json!({"memoryReference": "0xffff", "data": "AAAA"}));
    let body =
        client.ask("writeMemory", json!({"memoryReference": "0xffff", "data": "KioA", "allowPartial": true}));
    assert_eq!(body["bytesWritten"], 1);
    assert_eq!(client.value("[$ffff]"), "$2A 42 '*'");
}

#[test]
fn disassembly_counts_rows_from_the_reference() {
    let mut client = standing_at(9);
    let rows = |client: &mut Client, at: &str, offset: i64, count: i64| {
        let body = client.ask(
            "disassemble",
            json!({"memoryReference": at, "instructionOffset": offset, "instructionCount": count}),
        );
        body["instructions"].as_array().cloned().unwrap_or_default()
    };
    let all = rows(&mut client, "0x100a", -200, 400);
    assert_eq!(all.len(), 400);
    assert_eq!(all[200]["address"], "0x100a");
    assert_eq!(all[199]["address"], "0x1007");
    assert_eq!((all[200]["instruction"].as_str(), all[200]["line"].as_i64()), (Some("dex"), Some(9)));
    let start = rows(&mut client, "0x0000", -3, 5);
    assert_eq!(start[0]["presentationHint"], "invalid");
    assert_eq!(start[3]["address"], "0x0000");
    let end = rows(&mut client, "0xffff", 0, 3);
    assert_eq!(
        (end[0]["address"].as_str(), end[2]["presentationHint"].as_str()),
        (Some("0xffff"), Some("invalid"))
    );
    let data = rows(&mut client, "0x1012", 0, 1);
    assert_eq!(data[0]["instruction"], ".byte $01");
}

#[test]
fn who_wrote_this_and_when_it_was_true() {
    let mut client = standing_at(11);
    let why = client.value("why [counter]");
    assert!(why.starts_with("$1012 = $03: inc counter at main.asm:12 (sub), cycle "), "{why}");
    assert!(why.contains("called from main.asm:8 (loop+5)"), "{why}");
    assert!(why.contains("used $1012 = $02"), "{why}");
    assert!(client.value("why a").starts_with("A = $05: lda #$05 at main.asm:3"));
    assert!(client.value("why z").starts_with("flag Z = $01: dex at main.asm:9"));
    assert_eq!(client.value("why $3000"), "$3000: not written since the start");
    let body = client.ask("evaluate", json!({"expression": "last x == 3", "context": "repl"}));
    assert!(body["result"].as_str().is_some_and(|text| text.starts_with("main.asm:9 dex | ")), "{body}");
    client.wait("stopped");
    assert_eq!((client.value("x"), client.line()), ("$03 3".to_string(), 9));
}

#[test]
fn the_past_can_be_changed_and_then_has_no_future() {
    let mut client = standing_at(11);
    client.breakpoints("main.asm", json!([{"line": 9}]));
    client.go("reverseContinue");
    client.ask("setExpression", json!({"expression": "[counter]", "value": "$40"}));
    assert!(client.events.iter().any(|event| {
        event["body"]["output"].as_str().is_some_and(|text| text.contains("future was dropped"))
    }));
    client.breakpoints("main.asm", json!([{"line": 11}]));
    client.go("continue");
    assert_eq!(client.value("[counter]"), "$40 64 '@'");
    assert_eq!(client.value("why [counter]"), "$1012 = $40: stored by the user at time 84");
}

#[test]
fn goto_restart_and_coverage() {
    let mut client = standing_at(12);
    let targets =
        client.ask("gotoTargets", json!({"source": {"path": "main.asm"}, "line": 9}))["targets"].clone();
    client.ask("goto", json!({"threadId": 1, "targetId": targets[0]["id"]}));
    assert_eq!(
        (client.wait("stopped")["reason"].as_str().map(str::to_string), client.line()),
        (Some("goto".to_string()), 9)
    );
    client.ask("restart", json!({}));
    assert_eq!(client.wait("stopped")["reason"], "breakpoint");
    assert_eq!(client.line(), 12);
    let files = client.ask("tempo/coverage", json!({}))["files"].clone();
    assert_eq!(files[0]["lines"][0], json!({"line": 3, "count": 1, "branches": []}));
    client.ask("restartFrame", json!({"frameId": 1}));
    client.wait("stopped");
    assert_eq!(client.line(), 12);
}

#[test]
fn a_test_of_a_suite_stops_where_it_fails_with_its_past() {
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"main.asm\")\n    test(\"count\", \"three\") {\n      [counter] = 1\n      x = 9\n      jsr([main])\n      assert([counter] == 3, \"three calls\")\n    }\n    test(\"good\", \"\") {\n      jsr([sub])\n    }\n  }\n}\n";
    let files = [("main.asm", MAIN), ("s.6502", suite)];
    let mut client = Client::launched(&files, json!({"suite": "s.6502", "test": "count"}));
    let stopped = client.start();
    assert_eq!(stopped["reason"], "exception");
    assert_eq!(client.ask("exceptionInfo", json!({"threadId": 1}))["exceptionId"], "assert");
    assert_eq!(client.frames(), [("[test] count".to_string(), 8)]);
    let why = client.value("why [counter]");
    assert!(why.starts_with("$1012 = $04: inc counter at main.asm:12"), "{why}");
    // Back into the code that did it, and to the statement of the test that began it.
    client.breakpoints("main.asm", json!([{"line": 12}]));
    client.go("reverseContinue");
    assert_eq!(
        client.frames(),
        [("sub".to_string(), 12), ("main".to_string(), 8), ("[test] count".to_string(), 7)]
    );
    client.breakpoints("main.asm", json!([]));
    client.breakpoints("s.6502", json!([{"line": 6}]));
    client.go("reverseContinue");
    assert_eq!(client.frames(), [("[test] count".to_string(), 6)]);
    assert_eq!(client.value("why [counter]"), "$1012 = $01: stored by the test at time 1");
    client.go("next");
    assert_eq!(client.line(), 7);
    client.go("stepIn");
    assert_eq!(client.frames()[0], ("main".to_string(), 6));
    client.go("stepOut");
    assert_eq!(client.frames(), [("[test] count".to_string(), 8)]);

    let mut client =
        Client::launched(&files, json!({"suite": "s.6502", "test": "good", "stopOnEntry": true}));
    client.start();
    assert_eq!(client.line(), 11);
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
    let mut client = Client::new(&files);
    assert_eq!(
        client.refuse("launch", json!({"suite": "s.6502", "test": "coun"})),
        "s.6502 has no test `coun`; did you mean `count`?"
    );
}

#[test]
fn a_program_file_has_names_or_only_addresses() {
    let mut files = MemoryHost::default().0;
    files.insert("game.prg", [0x00, 0x10, 0xa9, 0x07, 0x8d, 0x20, 0xd0, 0x60]);
    files.insert("game.sym", ".label start=$1000\n.label border=$d020\n");
    let mut client = Client::on(MemoryHost(files));
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "game.prg", "symbols": "game.sym", "stopOnEntry": true}));
    client.start();
    let frames = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"].clone();
    assert_eq!(
        (frames[0]["name"].as_str(), frames[0]["presentationHint"].as_str()),
        (Some("start"), Some("subtle"))
    );
    client.go("next");
    client.go("next");
    assert_eq!(client.value("border"), "$D020 = $07 7");
}

#[test]
fn a_c64_has_chips_and_a_beam() {
    let source = "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\nstart: inc $d020\n  jmp start\n";
    let mut client =
        Client::launched(&[("main.asm", source)], json!({"program": "main.asm", "system": "c64"}));
    let found = client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "line 100"}]}));
    assert_eq!(found["breakpoints"][0]["verified"], true);
    client.start();
    assert_eq!(client.value("raster"), "$64 100 'd'");
    let again = client.value("cycles");
    client.go("continue");
    assert_eq!(client.value("raster"), "$64 100 'd'");
    client.go("reverseContinue");
    assert_eq!(client.value("cycles"), again);
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let chips =
        client.ask("variables", json!({"variablesReference": scopes[6]["variablesReference"]}))["variables"]
            .clone();
    assert_eq!(chips[0]["name"], "VIC");
}

#[test]
fn bad_input_is_answered() {
    let mut client = Client::new(&[("bad.asm", "*=$1000\n  lda #nobody\n"), ("empty.asm", "\n")]);
    let message = client.refuse("launch", json!({"program": "bad.asm"}));
    assert!(message.starts_with("bad.asm:2:8: error: "), "{message}");
    assert!(client.refuse("launch", json!({"program": "none.asm"})).contains("none.asm"));
    assert_eq!(client.refuse("launch", json!({"program": "empty.asm"})), "the source makes no bytes");
    assert_eq!(client.refuse("launch", json!({})), "neither `program` nor `suite` is given");
    assert!(
        client
            .refuse("launch", json!({"program": "bad.asm", "system": "amiga"}))
            .contains("no system `amiga`")
    );
    assert_eq!(client.refuse("flyToTheMoon", json!({})), "`flyToTheMoon` is not a request of this debugger");
    for command in [
        "continue",
        "next",
        "stackTrace",
        "scopes",
        "variables",
        "evaluate",
        "readMemory",
        "disassemble",
        "stepBack",
        "restart",
        "configurationDone",
        "setBreakpoints",
        "exceptionInfo",
        "tempo/coverage",
    ] {
        assert!(!client.refuse(command, json!({})).is_empty());
    }
    // While it runs, questions are refused, and a client may leave.
    let endless = "*=$1000\nagain: nop\n  jmp again\n";
    let mut client = Client::launched(&[("e.asm", endless)], json!({"program": "e.asm"}));
    client.ask("configurationDone", json!({}));
    client.session.work();
    assert_eq!(client.refuse("stackTrace", json!({})), "the machine is running");
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.wait("stopped")["reason"], "pause");
    client.ask("continue", json!({"threadId": 1}));
    client.ask("disconnect", json!({}));
    assert!(client.session.is_over() && !client.session.is_running());
}

#[test]
fn limits_and_runs_without_a_debugger() {
    let endless = "*=$1000\nagain: nop\n  jmp again\n";
    let mut client = Client::launched(&[("e.asm", endless)], json!({"program": "e.asm", "maxCycles": 1000}));
    assert_eq!(client.start()["text"], "1000 cycles are used up");
    let mut client = Client::launched(
        &[("main.asm", MAIN)],
        json!({"program": "main.asm", "noDebug": true, "stopOnEntry": true}),
    );
    client.breakpoints("main.asm", json!([{"line": 9}]));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
}

/// Names and values of a scope.
fn scope(client: &mut Client, name: &str) -> Vec<Value> {
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let scope = scopes.as_array().into_iter().flatten().find(|scope| scope["name"] == name).cloned();
    let reference = scope.expect("the scope")["variablesReference"].clone();
    children(client, &reference)
}

fn children(client: &mut Client, reference: &Value) -> Vec<Value> {
    let body = client.ask("variables", json!({"variablesReference": reference}));
    body["variables"].as_array().cloned().unwrap_or_default()
}

fn shown(variables: &[Value]) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap_or("").to_string();
    variables.iter().map(|one| (text(&one["name"]), text(&one["value"]))).collect()
}

#[test]
fn locals_are_arguments_labels_and_words() {
    let source = "*=$1000\n.macro Outer(base, to) {\n  Inner(base + 1, to)\n}\n.macro Inner(value, to) {\n  lda #value\n  sta to\n}\nmain: {\n  Outer(4, $2000)\n  .for (var i = 2; i < 4; i++) {\n    ldx #i\n  }\n  rts\ncount: .byte 7\nplace: .word $1234\n}\n";
    let mut client = Client::launched(&[("main.asm", source)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": 6, "condition": "value == 5"}, {"line": 12}]));
    client.start();
    let names: Vec<String> = client.frames().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["macro Inner(base + 1, to)", "macro Outer(4, $2000)", "main"]);
    let locals = scope(&mut client, "Locals");
    let wanted = [
        ("value", "$05 5"),
        ("to", "$2000 8192"),
        ("base", "$04 4"),
        ("count", "$07 7"),
        ("place", "$1234 4660"),
    ];
    assert_eq!(shown(&locals), wanted.map(|(name, value)| (name.to_string(), value.to_string())));
    assert_eq!(client.value("value + base"), "$09 9");
    let reference = client.ask("scopes", json!({"frameId": 1}))["scopes"][2]["variablesReference"].clone();
    client.ask("setVariable", json!({"variablesReference": reference, "name": "place", "value": "$abcd"}));
    assert_eq!(client.value("[place].w"), "$ABCD 43981");
    client.go("continue");
    assert_eq!(client.frames()[0].0, ".for i=2");
    client.go("continue");
    assert_eq!(client.frames()[0].0, ".for i=3");
}

#[test]
fn chips_are_shown_by_register_and_bit() {
    let source = "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\nstart: inc $d020\n  jmp start\n";
    let mut client = Client::launched(
        &[("main.asm", source)],
        json!({"program": "main.asm", "system": "c64", "stopOnEntry": true}),
    );
    client.start();
    let chips = scope(&mut client, "Chips");
    let vic = children(&mut client, &chips[0]["variablesReference"]);
    assert_eq!(vic[0x11]["name"], "$D011 control 1");
    let bits = children(&mut client, &vic[0x11]["variablesReference"]);
    assert_eq!(
        shown(&bits)[..3],
        [("vertical scroll", "3"), ("25 rows", "1"), ("display on", "1")]
            .map(|(name, value)| (name.to_string(), value.to_string()))
    );
    let reference = vic[0x11]["variablesReference"].clone();
    client.ask(
        "setVariable",
        json!({"variablesReference": reference, "name": "vertical scroll", "value": "5"}),
    );
    let again = children(&mut client, &reference);
    assert_eq!(shown(&again)[0].1, "5");
    let refused = client
        .refuse("setVariable", json!({"variablesReference": reference, "name": "25 rows", "value": "2"}));
    assert_eq!(refused, "2 does not fit in these bits");
}

#[test]
fn a_program_can_stop_at_its_end() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm", "stopAt": "rts"}));
    assert_eq!(client.start()["text"], "the program returns here");
    assert_eq!(client.line(), 11);
    client.go("stepBack");
    assert_eq!(client.line(), 10);
    assert_eq!(client.go("continue")["text"], "the program returns here");
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
    let source = "*=$1000\nmain: lda #1\n  brk\n  nop\n  rts\n";
    let mut client = Client::launched(&[("b.asm", source)], json!({"program": "b.asm", "stopAt": "brk"}));
    let stopped = client.start();
    assert_eq!((&stopped["reason"], client.line()), (&json!("exception"), 3));
    let mut client = Client::new(&[("b.asm", source)]);
    assert!(
        client.refuse("launch", json!({"program": "b.asm", "stopAt": "noon"})).contains("\"rts\" or \"brk\"")
    );
}

#[test]
fn sources_have_checksums_and_breakpoints_stay_in_their_block() {
    let source =
        "*=$1000\nmain: jsr sub\n  rts\nsub: {\n  inc $20\n  rts\n  // the end of the block\n}\nafter: nop\n";
    let mut client = Client::launched(&[("main.asm", source)], json!({"program": "main.asm"}));
    let found = client.breakpoints("main.asm", json!([{"line": 4}, {"line": 7}, {"line": 8}, {"line": 9}]));
    let verified: Vec<_> = (0..4).map(|at| found[at]["verified"].as_bool()).collect();
    assert_eq!(verified, [Some(true), Some(false), Some(false), Some(true)]);
    assert_eq!(found[0]["line"], 5);
    client.start();
    let frames = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"].clone();
    let checksum = &frames[0]["source"]["checksums"][0];
    assert_eq!(
        (&checksum["algorithm"], checksum["checksum"].as_str().map(str::len)),
        (&json!("SHA256"), Some(64))
    );
}

#[test]
fn hit_counts_outlive_a_change_of_other_breakpoints() {
    let mut client =
        Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm", "stopOnEntry": true}));
    let first = client.breakpoints("main.asm", json!([{"line": 12, "hitCondition": "3"}, {"line": 9}]));
    client.start();
    client.go("continue");
    assert_eq!(client.line(), 9);
    let again = client.breakpoints("main.asm", json!([{"line": 12, "hitCondition": "3"}]));
    assert_eq!(again[0]["id"], first[0]["id"]);
    client.go("continue");
    assert_eq!((client.line(), client.value("[counter]")), (12, "$02 2".to_string()));
    // The same in both directions.
    client.breakpoints("main.asm", json!([{"line": 12, "hitCondition": ">= 2"}]));
    assert_eq!(client.go("reverseContinue")["reason"], "breakpoint");
    assert_eq!(client.value("[counter]"), "$01 1");
    assert_eq!(client.go("reverseContinue")["reason"], "entry");
}

/// Code that is copied over other code: the bytes in memory tell whose line it is.
#[test]
fn breakpoints_hold_in_code_that_shares_its_address() {
    let source = "*=$1000\nmain: ldx #1\ncopy: lda second,x\n  sta $2000,x\n  dex\n  bpl copy\n  jsr $2000\n  ldx #1\nmore: lda third,x\n  sta $2000,x\n  dex\n  bpl more\n  jsr $2000\n  rts\nsecond:\n.pseudopc $2000 {\n  inx\n  rts\n}\nthird:\n.pseudopc $2000 {\n  iny\n  rts\n}\n";
    let mut client = Client::launched(&[("main.asm", source)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": 22}]));
    client.start();
    assert_eq!((client.line(), client.frames()[1].1), (22, 13));
}

#[test]
fn breaks_of_the_source_stop_in_tests_too() {
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"b.asm\")\n    test(\"t\", \"\") {\n      jsr([main])\n      assert(a == 2, \"two\")\n    }\n  }\n}\n";
    let source = "*=$1000\nmain: lda #1\n  .break \"a == 1\"\n  lda #2\n  rts\n";
    let files = [("b.asm", source), ("s.6502", suite)];
    let mut client = Client::launched(&files, json!({"suite": "s.6502", "test": "t"}));
    assert_eq!(client.start()["reason"], "breakpoint");
    assert_eq!(client.line(), 4);
    // The return that ends the call of a test is a return.
    client.ask("setExceptionBreakpoints", json!({"filters": ["stack", "assert"]}));
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
}

#[test]
fn a_long_way_back_can_be_paused() {
    let endless = "*=$1000\nagain: inx\n  jmp again\nnever: nop\n";
    let mut client =
        Client::launched(&[("e.asm", endless)], json!({"program": "e.asm", "stopOnEntry": true}));
    client.start();
    client.ask("continue", json!({"threadId": 1}));
    client.session.work();
    client.ask("pause", json!({"threadId": 1}));
    client.wait("stopped");
    let before: u64 = client.ask("evaluate", json!({"expression": "cycles", "context": "watch"}))["result"]
        .as_str()
        .and_then(|text| text.split(' ').next_back()?.parse().ok())
        .expect("cycles");
    client.breakpoints("e.asm", json!([{"line": 4}]));
    client.ask("reverseContinue", json!({"threadId": 1}));
    client.session.work();
    client.ask("pause", json!({"threadId": 1}));
    assert_eq!(client.wait("stopped")["reason"], "pause");
    let after: u64 =
        client.value("cycles").split(' ').next_back().and_then(|text| text.parse().ok()).expect("cycles");
    assert!(0 < after && after < before, "{after} {before}");
}
