//! Features one by one, each as a short conversation.

use std::cell::RefCell;
use std::rc::Rc;

use pretty_assertions::assert_eq;
use serde_json::{Value, json};
use tempo_assembler::{Files, MemoryFiles};
use tempo_dap::{Host, MemoryHost, Session};

use crate::common::{Client, MAIN};

fn launched(source: &str, mut more: Value) -> Client {
    more["program"] = "main.asm".into();
    Client::launched(&[("main.asm", source)], more)
}

/// Launched and stopped at the entry.
fn standing(source: &str) -> Client {
    let mut client = launched(source, json!({"stopOnEntry": true}));
    client.start();
    client
}

fn step(client: &mut Client, command: &str, granularity: &str) -> (i64, i64) {
    client.ask(command, json!({"threadId": 1, "granularity": granularity}));
    client.wait("stopped");
    let frame = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"][0].clone();
    (frame["line"].as_i64().unwrap_or(0), frame["column"].as_i64().unwrap_or(0))
}

fn watch(client: &mut Client, place: &str, more: Value) {
    let id = client.ask("dataBreakpointInfo", json!({"name": place}))["dataId"].clone();
    let mut point = json!({"dataId": id, "accessType": "write"});
    for (name, value) in more.as_object().into_iter().flatten() {
        point[name] = value.clone();
    }
    let answer = client.ask("setDataBreakpoints", json!({"breakpoints": [point]}));
    assert_eq!(answer["breakpoints"][0]["verified"], true);
}

/// Files that change while the debugger runs.
#[derive(Clone)]
struct Disk(Rc<RefCell<MemoryFiles>>);

impl Host for Disk {
    fn files(&self, _: &str, _: &[String]) -> Box<dyn Files> {
        Box::new(self.0.borrow().clone())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        MemoryHost(self.0.borrow().clone()).read(path)
    }
}

#[test]
fn an_edited_source_is_named_once_and_keeps_its_breakpoints() {
    let disk = Disk(Rc::new(RefCell::new([("main.asm", MAIN)].into_iter().collect())));
    let mut client = Client::of(Session::new(Box::new(disk.clone())));
    client.ask("initialize", json!({}));
    client.ask("launch", json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": 9}]));
    disk.0.borrow_mut().insert("main.asm", format!("// a line more\n{MAIN}").into_bytes());
    client.start();
    client.go("continue");
    assert_eq!(client.line(), 9);
    let said = client.events.iter().filter(|event| {
        event["body"]["output"]
            .as_str()
            .is_some_and(|text| text.contains("has changed since it was assembled"))
    });
    assert_eq!(said.count(), 1);
    client.ask("restart", json!({}));
    client.wait("stopped");
    assert_eq!(client.line(), 9, "assembled again, with a line more: the one with `jsr`");
    assert_eq!(client.value("[counter]"), "$00 0");
}

/// The chip writes twice in `inc` and reads the wrong page in `lda table,x`; neither is what the program does.
#[test]
fn dummy_accesses_do_not_count_and_changes_can_be_asked_for() {
    let source =
        "*=$1000\n  ldx #1\n  inc $20\n  lda $20ff,x\n  lda #1\n  sta $20\n  lda #2\n  sta $20\n  rts\n";
    let mut client = standing(source);
    watch(&mut client, "[$20]", json!({}));
    for text in ["$0020: $00 → $01, by inc", "$0020: $01 → $01, by sta", "$0020: $01 → $02, by sta"] {
        let stop = client.go("continue");
        assert!(stop["text"].as_str().is_some_and(|found| found.starts_with(text)), "{stop}");
    }
    let mut client = standing(source);
    watch(&mut client, "[$20]", json!({"onChange": true}));
    client.go("continue");
    assert_eq!(client.go("continue")["text"], "$0020: $01 → $02, by sta at main.asm:8 ($100D)");
    let mut client = standing(source);
    watch(&mut client, "[$2000]", json!({"accessType": "read"}));
    client.ask("continue", json!({"threadId": 1}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
}

#[test]
fn every_variable_can_be_watched() {
    let mut client = standing("*=$1000\nmain: {\n  inc local\n  inc $20\n  rts\nlocal: .byte 0\n}\n");
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let mut id = |scope: usize, name: &str| {
        let reference = &scopes[scope]["variablesReference"];
        client.ask("dataBreakpointInfo", json!({"variablesReference": reference, "name": name}))["dataId"]
            .clone()
    };
    assert_eq!((id(2, "local"), id(3, "$20")), (json!("1006-1006"), json!("0020-0020")));
    assert_eq!((id(4, "$01ff"), id(0, "A")), (json!("01ff-01ff"), Value::Null));
}

#[test]
fn steps_by_statement_and_by_instruction() {
    let source = "*=$1000\nmain: ldx #1 ; inx ; iny\n  jsr sub\n  rts\nsub: nop\n  rts\n";
    let mut client = standing(source);
    assert_eq!(step(&mut client, "next", "statement"), (2, 16));
    assert_eq!(step(&mut client, "next", "statement"), (2, 22));
    assert_eq!(step(&mut client, "stepBack", "statement"), (2, 16));
    assert_eq!(step(&mut client, "next", "line"), (3, 3));
    assert_eq!(step(&mut client, "stepIn", "instruction"), (5, 6));
    assert_eq!(step(&mut client, "stepBack", "instruction"), (3, 3));
    assert_eq!(step(&mut client, "next", "instruction"), (4, 3));
}

#[test]
fn one_of_several_macros_on_a_line_can_be_entered() {
    let source =
        "*=$1000\n.macro One() {\n  inx\n}\n.macro Two(n) {\n  ldy #n\n}\nmain: One() ; Two(3)\n  rts\n";
    let mut client = standing(source);
    let targets = client.ask("stepInTargets", json!({"frameId": 1}))["targets"].clone();
    let labels: Vec<&str> =
        targets.as_array().into_iter().flatten().filter_map(|one| one["label"].as_str()).collect();
    assert_eq!(labels, ["macro One()", "macro Two(3)"]);
    client.ask("stepIn", json!({"threadId": 1, "targetId": targets[1]["id"]}));
    assert_eq!(client.wait("stopped")["reason"], "step");
    assert_eq!(client.frames()[0], ("macro Two(3)".to_string(), 6));
}

#[test]
fn pseudocommands_are_frames() {
    let source = "*=$1000\n.pseudocommand mov a : b {\n  lda a\n  sta b\n}\nmain: mov #5 : $20\n  rts\n";
    let mut client = standing(source);
    client.go("stepIn");
    let frames = client.frames();
    assert_eq!((frames[0].1, frames[1].1), (3, 6));
    assert!(frames[0].0.contains("mov"), "{frames:?}");
    client.go("stepOut");
    assert_eq!(client.line(), 7);
}

#[test]
fn breaks_and_watches_of_the_source() {
    let source = "*=$1000\nmain: lda #1\n  .break\n  sta $20\n  .watch $21\n  sta $21\n  rts\n";
    let mut client = launched(source, json!({}));
    client.start();
    assert_eq!(client.line(), 4);
    assert_eq!(client.go("continue")["text"], "$0021: $00 → $01, by sta at main.asm:6 (main+4) (.watch)");
    let mut client = launched(source, json!({}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["jam"]}));
    client.ask("configurationDone", json!({}));
    assert_eq!(client.wait("exited")["exitCode"], 0);
}

#[test]
fn a_launch_sets_registers_and_memory() {
    let mut files: MemoryFiles = [("main.asm", "*=$1000\n  nop\nstart: rts\n")].into_iter().collect();
    files.insert("table.bin", [7, 8, 9]);
    let mut client = Client::on(MemoryHost(files));
    client.ask("initialize", json!({}));
    client.ask(
        "launch",
        json!({
            "program": "main.asm", "entry": "start", "a": 1, "x": "$02", "y": 3, "sp": "$80", "p": 1,
            "memory": [{"at": "$2000", "file": "table.bin"}], "stopOnEntry": true,
        }),
    );
    client.start();
    assert_eq!(client.line(), 3);
    let wanted = [("a", "$01 1"), ("x", "$02 2"), ("y", "$03 3"), ("c", "$01 1")];
    assert_eq!(wanted.map(|(name, _)| client.value(name)), wanted.map(|(_, value)| value.to_string()));
    assert_eq!(client.value("$2000,4"), "$2000: 07 08 09 00");
    let mut client = Client::new(&[("main.asm", "*=$1000\n  nop\n")]);
    let refused = client.refuse("launch", json!({"program": "main.asm", "a": 256}));
    assert_eq!(refused, "`a` is 256, which is not a byte");
}

#[test]
fn values_can_be_hexadecimal_and_operands_are_hovered() {
    let mut client = standing("*=$1000\nmain: ldx #2\n  lda table,x\n  rts\ntable: .byte 7, 8, 9\n");
    let all = |client: &mut Client, hex: bool| {
        let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
        let arguments =
            json!({"variablesReference": scopes[3]["variablesReference"], "format": {"hex": hex}});
        client.ask("variables", arguments)["variables"][0]["value"].clone()
    };
    assert_eq!((all(&mut client, true), all(&mut client, false)), (json!("$00"), json!("$00 0")));
    client.go("next");
    let hover = client.ask("evaluate", json!({"expression": "table", "context": "hover", "frameId": 1}));
    assert_eq!(hover["result"], "$1006 = $07 7\nlda table,x: $1008 is $09 now");
    let hex = client.ask("evaluate", json!({"expression": "[table]", "format": {"hex": true}}));
    assert_eq!(hex["result"], "$07");
}

#[test]
fn guards_and_changed_code_stop() {
    let suite = "suites {\n  suite(\"s\") {\n    assemble(\"main.asm\")\n    guard write($0400..$0401)\n    test(\"t\", \"\") {\n      jsr([main])\n    }\n  }\n}\n";
    let source = "*=$1000\nmain: inc later+1\nlater: lda #1\n  sta $0400\n  rts\n";
    let files = [("main.asm", source), ("s.6502", suite)];
    let mut client = Client::launched(&files, json!({"suite": "s.6502", "test": "t"}));
    assert_eq!(client.start()["reason"], "exception");
    assert_eq!(client.ask("exceptionInfo", json!({"threadId": 1}))["exceptionId"], "guard");
    let looped = "*=$1000\nmain: ldx #0\nloop: inx\n  inc loop\n  jmp loop\n";
    let mut client = launched(looped, json!({}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["selfmod"]}));
    assert_eq!(client.start()["text"], "code at $1002 is changed by main.asm:4 (loop+1)");
}

/// A timer of the C64 interrupts the loop: entries are exceptions, handlers are frames, and steps do not end in them.
#[test]
fn interrupts_stop_if_asked_and_are_stepped_over() {
    let source = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: sei
  lda #<handler
  sta $0314
  lda #>handler
  sta $0315
  cli
wait: inx
  jsr delay
  jmp wait
delay: ldy #0
more: dey
  bne more
  rts
handler: inc $d020
  jmp $ea31
";
    let mut client = launched(source, json!({"system": "c64"}));
    client.breakpoints("main.asm", json!([{"line": 16}]));
    client.start();
    assert!(client.frames()[0].0.starts_with("[irq] "), "{:?}", client.frames());
    assert!(client.frames().len() > 1);
    client.breakpoints("main.asm", json!([{"line": 10}]));
    client.go("continue");
    client.breakpoints("main.asm", json!([]));
    for _ in 0..60 {
        client.go("next");
        assert!((9..=11).contains(&client.line()), "{:?}", client.frames());
    }
    client.ask("setExceptionBreakpoints", json!({"filters": ["irq"]}));
    assert_eq!(client.go("continue")["reason"], "exception");
    assert_eq!(client.ask("exceptionInfo", json!({"threadId": 1}))["exceptionId"], "irq");
    client.ask("setExceptionBreakpoints", json!({"filters": []}));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "line 100, cycle 20"}]}));
    client.go("continue");
    assert_eq!(client.value("raster"), "$64 100 'd'");
    let cycle: i64 =
        client.value("cycle").split(' ').nth(1).and_then(|text| text.parse().ok()).expect("a cycle");
    assert!((20..30).contains(&cycle), "{cycle}");
}

#[test]
fn sources_are_listed_and_served() {
    let files = [
        ("main.asm", "#import \"more.asm\"\n*=$1000\n  Nothing()\n  rts\n"),
        ("more.asm", ".macro Nothing() {\n  nop\n}\n"),
    ];
    let mut client = Client::launched(&files, json!({"program": "main.asm"}));
    let sources = client.ask("loadedSources", json!({}))["sources"].clone();
    let names: Vec<&str> =
        sources.as_array().into_iter().flatten().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["main.asm", "more.asm"]);
    let text = client.ask("source", json!({"source": sources[1], "sourceReference": 0}));
    assert_eq!(text["content"], files[1].1);
    assert_eq!(
        client.refuse("source", json!({"sourceReference": 77})),
        "this file is not a part of the program"
    );
}

/// Cycles from one place to another: the stopwatch is set to 0 at the first, and a log point shows it at the second.
#[test]
fn the_stopwatch_can_be_set() {
    let source = "*=$1000\nmain: ldx #3\nloop: dex\n  bne loop\n  sta $0400\n  rts\n";
    let mut client = launched(source, json!({}));
    client.breakpoints("main.asm", json!([{"line": 3}]));
    client.start();
    assert_eq!(client.value("stopwatch"), client.value("cycles"));
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let set =
        json!({"variablesReference": scopes[0]["variablesReference"], "name": "stopwatch", "value": "0"});
    assert_eq!(client.ask("setVariable", set)["value"], "0");
    assert_eq!(client.value("stopwatch"), "0");
    // Three turns of dex and bne, the last branch not taken.
    client.breakpoints("main.asm", json!([{"line": 5, "condition": "stopwatch == 14"}]));
    assert_eq!(client.go("continue")["reason"], "breakpoint");
    assert_eq!(client.value("stopwatch"), "14");
    client.go("stepBack");
    assert_eq!(client.value("stopwatch"), "12");
    // Before it was set it counted from the start.
    client.breakpoints("main.asm", json!([]));
    client.go("reverseContinue");
    assert_eq!(client.value("stopwatch"), client.value("cycles"));
}

#[test]
fn a_timer_that_raises_nmi_stops_if_asked() {
    let source = "\
*=$0801
.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start: lda #<handler
  sta $0318
  lda #>handler
  sta $0319
  lda #$40
  sta $dd04
  lda #0
  sta $dd05
  lda #$81
  sta $dd0d
  sta $dd0e
wait: jmp wait
handler: bit $dd0d
  rti
";
    let mut client = launched(source, json!({"system": "c64"}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["nmi"]}));
    assert_eq!(client.start()["reason"], "exception");
    assert_eq!(client.ask("exceptionInfo", json!({"threadId": 1}))["exceptionId"], "nmi");
}

/// A person's own character ROM, seen where the processor port shows it.
#[test]
fn a_launch_takes_roms() {
    let font = "A".repeat(0x1000);
    let source = "*=$1000\nmain: sei\n  lda #$33\n  sta $01\n  nop\n";
    let files = [("main.asm", source), ("font.bin", font.as_str())];
    let rom = json!({"characters": "font.bin"});
    let mut client = Client::launched(
        &files,
        json!({"program": "main.asm", "system": "c64", "entry": "main", "rom": rom}),
    );
    client.breakpoints("main.asm", json!([{"line": 5}]));
    client.start();
    assert_eq!(client.value("[$d000]"), "$41 65 'A'");
    let mut client = Client::new(&files);
    let refused = json!({"program": "main.asm", "system": "c64", "rom": {"kernal": "none.bin"}});
    assert!(client.refuse("launch", refused).contains("none.bin"));
}

/// An interrupt and `brk` push the status below the address to go back to; `jsr` pushes the address alone.
#[test]
fn the_stack_tells_return_addresses_from_the_status() {
    let source = "*=$1000\nmain: jsr sub\n  rts\nsub: brk\n  .byte 0\n  rts\nhandler: pha\n  pla\n  rti\n\
                  *=$fffe\n  .word handler\n";
    let mut client = standing(source);
    client.breakpoints("main.asm", json!([{"line": 8}]));
    client.go("continue");
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let reference = &scopes[4]["variablesReference"];
    let rows = client.ask("variables", json!({"variablesReference": reference}))["variables"].clone();
    let shown: Vec<String> = rows
        .as_array()
        .into_iter()
        .flatten()
        .map(|row| {
            let value = row["value"].as_str().unwrap_or("");
            let meaning = value.find("return").or(value.find("P of")).map_or("", |at| &value[at..]);
            format!("{} {meaning}", row["name"].as_str().unwrap_or(""))
        })
        .collect();
    let (pushed, rest) = shown.split_at(6);
    assert_eq!(
        pushed,
        [
            "$01F6 ",
            "$01F7 P of the interrupted code",
            "$01F8 return to sub+2",
            "$01F9 return to sub+2",
            "$01FA return to main+3",
            "$01FB return to main+3",
        ]
    );
    assert!(rest.iter().all(|row| row.ends_with(' ')), "{rest:?}");
}

/// Cycles since the last stop are not a register: they belong to the session.
#[test]
fn the_session_has_its_own_scope() {
    let mut client = standing(MAIN);
    client.go("next");
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let mut names = |scope: &Value| {
        let rows = client.ask("variables", json!({"variablesReference": scope["variablesReference"]}));
        let rows = rows["variables"].as_array().cloned().unwrap_or_default();
        rows.iter()
            .map(|row| format!("{}: {}", row["name"], row["value"]).replace('"', ""))
            .collect::<Vec<_>>()
    };
    assert!(!names(&scopes[0]).iter().any(|row| row.contains("stop:")));
    let session = scopes.as_array().and_then(|all| all.last()).expect("a scope");
    assert_eq!(session["name"], "Session");
    assert_eq!(names(session), ["since the last stop: 2 cycles", "time: 2", "recorded: time 0 to 2"]);
}

/// Rows as far back as memory goes: each start is tried once, whatever the distance.
#[test]
fn disassembly_goes_back_through_all_of_memory() {
    let mut client = standing(MAIN);
    let rows = client.ask(
        "disassemble",
        json!({"memoryReference": "0xfff0", "instructionOffset": -65_536, "instructionCount": 16}),
    );
    assert_eq!(rows["instructions"].as_array().map(Vec::len), Some(16));
    let far = client.ask(
        "disassemble",
        json!({"memoryReference": "0xfff0", "instructionOffset": -20_000, "instructionCount": 16_384}),
    );
    assert_eq!(far["instructions"].as_array().map(Vec::len), Some(16_384));
}

/// A question is refused as soon as a `cancel` for it has come, before it or in the middle of its rows; a request that
/// changes something is not.
#[test]
fn a_question_can_be_cancelled_while_it_waits_and_while_it_runs() {
    let mut client = standing(MAIN);
    let rows = json!({"memoryReference": "0xfff0", "instructionOffset": -1_000, "instructionCount": 2_000});
    let mut asked = 0;
    client.send_unless("disassemble", rows.clone(), &mut || {
        asked += 1;
        false
    });
    // Once before it begins, then for every row.
    assert!(asked > 2_000, "{asked}");
    for patience in [0, 1, 500, asked - 1] {
        let mut left = patience;
        let answer = client.send_unless("disassemble", rows.clone(), &mut || {
            left -= 1;
            left < 0
        });
        assert_eq!(
            (&answer["success"], &answer["message"]),
            (&json!(false), &json!("cancelled")),
            "{patience}"
        );
        assert_eq!(left, -1, "nothing is asked or done after that");
    }
    let set = json!({"expression": "a", "value": "7"});
    assert_eq!(client.send_unless("setExpression", set, &mut || true)["success"], true);
    assert_eq!(client.value("a"), "$07 7");
}

#[test]
fn a_cancel_is_for_the_request_that_it_names() {
    let request = json!({"seq": 7, "type": "request", "command": "disassemble"});
    let cancel =
        |arguments: Value| json!({"seq": 8, "type": "request", "command": "cancel", "arguments": arguments});
    assert!(tempo_dap::cancels(&cancel(json!({"requestId": 7})), &request));
    assert!(!tempo_dap::cancels(&cancel(json!({"requestId": 6})), &request));
    assert!(!tempo_dap::cancels(&cancel(json!({"progressId": "7"})), &request));
    assert!(!tempo_dap::cancels(&cancel(json!({})), &json!({"type": "request"})));
    assert!(!tempo_dap::cancels(&request, &request));
}

/// Breakpoints of the console are not the client's: its own lists do not replace them, and a restart keeps them.
#[test]
fn breakpoints_of_the_console_stay() {
    let mut client = standing(MAIN);
    let command = |client: &mut Client, text: &str| {
        let body = client.ask("evaluate", json!({"expression": text, "context": "repl"}));
        body["result"].as_str().unwrap_or("").to_string()
    };
    assert_eq!(command(&mut client, "break sub"), "breakpoint 1 at sub");
    client.breakpoints("main.asm", json!([{"line": 9}]));
    client.ask("setFunctionBreakpoints", json!({"breakpoints": []}));
    assert_eq!(command(&mut client, "points"), "  1 sub\n  2 main.asm:9");
    assert_eq!(
        client.refuse("evaluate", json!({"expression": "delete 2", "context": "repl"})),
        "breakpoint 2 was set in the editor; remove it there"
    );
    client.ask("restart", json!({}));
    client.wait("stopped");
    assert_eq!(client.go("continue")["reason"], "breakpoint");
    assert_eq!(client.line(), 12);
    assert_eq!(command(&mut client, "delete"), "");
    assert_eq!(client.go("continue")["hitBreakpointIds"], json!([2]));
}

/// A run that a console command starts ends with a line in the console.
#[test]
fn runs_of_the_console_tell_their_stop() {
    let mut client = standing(MAIN);
    client.events.clear();
    client.ask("evaluate", json!({"expression": "break sub", "context": "repl"}));
    assert_eq!(client.ask("evaluate", json!({"expression": "continue", "context": "repl"}))["result"], "");
    let said = client.wait("output")["output"].as_str().unwrap_or("").to_string();
    assert!(said.starts_with("breakpoint 1: sub; main.asm:12 sub: inc counter | "), "{said}");
    assert_eq!(client.wait("stopped")["reason"], "breakpoint");
    // The client's own runs do not.
    client.go("continue");
    assert!(!client.events.iter().any(|event| event["event"] == "output"), "{:?}", client.events);
    client.ask("evaluate", json!({"expression": "delete", "context": "repl"}));
    client.ask("continue", json!({"threadId": 1}));
    client.wait("exited");
    let refused = client.refuse("evaluate", json!({"expression": "next", "context": "repl"}));
    assert_eq!(refused, "the program has ended");
}

/// A source, the ROM of a drive and nothing else.
struct WithDrive(MemoryFiles, Vec<u8>);

impl Host for WithDrive {
    fn files(&self, _: &str, _: &[String]) -> Box<dyn Files> {
        Box::new(self.0.clone())
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == "drive.rom" { Ok(self.1.clone()) } else { MemoryHost(self.0.clone()).read(path) }
    }
}

#[test]
fn the_cpu_of_a_drive_is_a_second_thread_and_goes_back_with_the_first() {
    let rom = tempo_testing::root().join("asm/drive/drive.asm");
    let output = tempo_assembler::assemble(
        &tempo_assembler::DiskFiles::default(),
        rom.to_str().expect("a path"),
        &tempo_assembler::Options::default(),
    );
    let rom = output.prg().expect("bytes").split_off(2);
    let source = "BasicUpstart2(main)\nmain: inc $d020\n  jmp main\n";
    let host = WithDrive([("main.asm", source)].into_iter().collect(), rom);
    let mut client = Client::of(Session::new(Box::new(host)));
    client.ask("initialize", json!({}));
    let words = json!({"program": "main.asm", "system": "c64", "driveRom": "drive.rom", "stopOnEntry": true});
    client.ask("launch", words);
    client.start();
    let threads = client.ask("threads", json!({}))["threads"].clone();
    assert_eq!(threads, json!([{"id": 1, "name": "6502"}, {"id": 2, "name": "1541"}]));
    let drive = |client: &mut Client| {
        let trace = client.ask("stackTrace", json!({"threadId": 2}));
        assert_eq!(trace["totalFrames"], 1);
        let frame = trace["stackFrames"][0]["id"].clone();
        let scopes = client.ask("scopes", json!({"frameId": frame}));
        let reference = scopes["scopes"][0]["variablesReference"].clone();
        client.ask("variables", json!({"variablesReference": reference}))["variables"].clone()
    };
    let cycles = |all: &Value| {
        let row = all.as_array().expect("rows").iter().find(|row| row["name"] == "cycles");
        row.expect("cycles")["value"].as_str().expect("a text").parse::<u64>().expect("a number")
    };
    let before = drive(&mut client);
    for _ in 0..20 {
        step(&mut client, "next", "instruction");
    }
    let after = drive(&mut client);
    // 10 times `inc` and `jmp`: 90 cycles of the C64, 91.3 of the drive.
    assert!((89..=93).contains(&(cycles(&after) - cycles(&before))), "{before}, {after}");
    for _ in 0..20 {
        step(&mut client, "stepBack", "instruction");
    }
    assert_eq!(drive(&mut client), before);
}
