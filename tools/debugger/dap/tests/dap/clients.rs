//! Clients that differ from VS Code: other orders, other ways to count and to write paths, older and unusual arguments.

use pretty_assertions::assert_eq;
use serde_json::{Value, json};

use crate::common::{Client, MAIN};

fn stopped() -> Client {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": 9}]));
    client.start();
    client
}

/// Breakpoints that come before the program wait for it, and keep their numbers.
#[test]
fn breakpoints_may_come_before_the_program() {
    let mut client = Client::new(&[("main.asm", MAIN)]);
    let lines = client.breakpoints("main.asm", json!([{"line": 9}, {"line": 40}]));
    assert_eq!((&lines[0]["verified"], lines[0]["id"].is_u64()), (&json!(false), true));
    let functions = client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "sub"}]}));
    client.ask("setExceptionBreakpoints", json!({"filters": ["jam"]}));
    client.ask("launch", json!({"program": "main.asm"}));
    let (mut known, mut places) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let changed = client.wait("breakpoint")["breakpoint"].clone();
        known.push(changed["id"].clone());
        places.push((changed["verified"].clone(), changed["line"].clone()));
    }
    let sent = [&lines[0]["id"], &lines[1]["id"], &functions["breakpoints"][0]["id"]];
    assert_eq!(known.iter().collect::<Vec<_>>(), sent);
    assert_eq!(places[0], (json!(true), json!(9)));
    assert_eq!(places[1].0, json!(false));
    let stop = client.start();
    assert_eq!((&stop["reason"], &stop["hitBreakpointIds"][0]), (&json!("function breakpoint"), sent[2]));
    assert_eq!(&client.go("continue")["hitBreakpointIds"][0], sent[0]);
}

#[test]
fn breakpoints_keep_their_numbers_over_a_restart() {
    let other = ".macro Other() {\n  nop\n}\n";
    let main = format!("#import \"other.asm\"\n{MAIN}  Other()\n");
    let files = [("main.asm", main.as_str()), ("other.asm", other)];
    let mut client = Client::launched(&files, json!({"program": "main.asm"}));
    let second = client.breakpoints("main.asm", json!([{"line": 10}]))[0]["id"].clone();
    let first = client.breakpoints("other.asm", json!([{"line": 2}]))[0]["id"].clone();
    assert_eq!(client.start()["hitBreakpointIds"][0], second);
    for _ in 0..3 {
        client.ask("restart", json!({}));
        let ids: Vec<Value> = (0..2).map(|_| client.wait("breakpoint")["breakpoint"]["id"].clone()).collect();
        assert_eq!(ids, [second.clone(), first.clone()]);
        assert_eq!(client.wait("stopped")["hitBreakpointIds"][0], second);
    }
}

#[test]
fn lines_and_columns_from_zero_and_uris() {
    let source = "*=$1000\nmain: /*ä€😀*/ nop ; inx\n  rts\n";
    let path = "/tmp/a b#1/grün.asm";
    let mut client = Client::new(&[(path, source)]);
    let (lines, columns) = (json!(false), json!(false));
    client
        .ask("initialize", json!({"linesStartAt1": lines, "columnsStartAt1": columns, "pathFormat": "uri"}));
    client.ask("launch", json!({"program": path}));
    let uri = "file:///tmp/a%20b%231/gr%C3%BCn.asm";
    let places = client.ask("breakpointLocations", json!({"source": {"path": uri}, "line": 1}));
    assert_eq!(places["breakpoints"], json!([{"line": 1, "column": 15}, {"line": 1, "column": 21}]));
    let found = client.breakpoints(uri, json!([{"line": 1, "column": 21}]));
    assert_eq!(
        (&found[0]["line"], &found[0]["column"], &found[0]["instructionReference"]),
        (&json!(1), &json!(21), &json!("0x1001"))
    );
    client.start();
    let frame = client.ask("stackTrace", json!({"threadId": 1}))["stackFrames"][0].clone();
    assert_eq!(
        (&frame["source"]["path"], &frame["line"], &frame["column"]),
        (&json!(uri), &json!(1), &json!(21))
    );
    let text = client.ask("source", json!({"source": {"path": uri}, "sourceReference": 0}));
    assert_eq!(text["content"], source);
    let targets = client.ask("gotoTargets", json!({"source": {"path": uri}, "line": 2}))["targets"].clone();
    assert_eq!((&targets[0]["line"], &targets[0]["id"]), (&json!(2), &json!(0x1002)));
    let names = client.ask("completions", json!({"text": "😀 ma", "column": 5}))["targets"].clone();
    assert_eq!(names[0], json!({"label": "main", "type": "variable", "start": 3, "length": 2}));
}

#[test]
fn breakpoints_of_old_clients_are_lines() {
    let mut client = Client::launched(&[("main.asm", MAIN)], json!({"program": "main.asm"}));
    let found = client.ask("setBreakpoints", json!({"source": {"path": "main.asm"}, "lines": [9, 12]}));
    assert_eq!(found["breakpoints"][1]["line"], 12);
}

/// VS Code asks for the two kinds of children one after the other.
#[test]
fn children_are_named_or_indexed() {
    let mut client = stopped();
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let mut count = |scope: usize, filter: &str| {
        let reference = &scopes[scope]["variablesReference"];
        let body = client.ask("variables", json!({"variablesReference": reference, "filter": filter}));
        body["variables"].as_array().map_or(0, Vec::len)
    };
    assert_eq!((count(0, "named"), count(0, "indexed")), (8, 0));
    assert_eq!((count(3, "named"), count(3, "indexed")), (0, 256));
}

#[test]
fn values_are_typed_as_they_are_shown() {
    let mut client = stopped();
    let scopes = client.ask("scopes", json!({"frameId": 1}))["scopes"].clone();
    let mut set = |scope: usize, name: &str, value: &str| {
        let reference = &scopes[scope]["variablesReference"];
        let arguments = json!({"variablesReference": reference, "name": name, "value": value});
        let answer = client.send("setVariable", arguments);
        let text = if answer["success"] == true { &answer["body"]["value"] } else { &answer["message"] };
        text.as_str().unwrap_or("").to_string()
    };
    assert_eq!(set(0, "A", "'A'"), "$41 65 'A'");
    assert_eq!(set(0, "X", "$41 65 'A' %01000001"), "$41 65 'A'");
    assert_eq!(set(0, "Y", "counter[0] + 1"), "$02 2");
    assert_eq!(set(0, "PC", "sub"), "$100E 4110");
    assert_eq!(set(1, "C", "1"), "$01 1");
    assert_eq!(set(1, "C", "2"), "a flag is 0 or 1, not 2");
    assert_eq!(set(0, "A", "5 6"), "expected a comparison such as `==`, found `6`");
    assert_eq!(
        client.refuse("setExpression", json!({"expression": "counter,8", "value": "1"})),
        "`counter,8` is not one value"
    );
}

#[test]
fn ranges_can_be_watched() {
    let mut client = stopped();
    let mut info = |name: &str| client.ask("dataBreakpointInfo", json!({"name": name}))["dataId"].clone();
    assert_eq!(info("counter,16"), "1012-1021");
    assert_eq!(info("$d020,2"), "d020-d021");
    assert_eq!(info("[counter].w"), "1012-1013");
    assert_eq!(info("counter,0"), Value::Null);
    assert_eq!(info("a"), Value::Null);
}

/// Names of a frame further out, and what a number under the mouse stands for.
#[test]
fn expressions_are_evaluated_in_their_frame() {
    let source =
        "*=$1000\nmain: {\n  jsr sub\n  rts\nlocal: .byte 7\n}\nsub: {\n  nop\n  rts\nlocal: .byte 9\n}\n";
    let mut client = Client::launched(&[("main.asm", source)], json!({"program": "main.asm"}));
    client.breakpoints("main.asm", json!([{"line": 8}]));
    client.start();
    let mut value = |frame: i64, expression: &str, context: &str| {
        let arguments = json!({"expression": expression, "context": context, "frameId": frame});
        client.ask("evaluate", arguments)["result"].as_str().unwrap_or("").to_string()
    };
    assert_eq!(
        (value(1, "[local]", "watch"), value(2, "[local]", "watch")),
        ("$09 9".into(), "$07 7".into())
    );
    assert_eq!(value(1, "$1004", "hover"), "$1004 4100\n[$1004] is $07 7 now");
    assert_eq!(value(1, "cycles", "watch"), "6");
}

#[test]
fn a_moment_is_gone_to_by_its_time() {
    let mut client = stopped();
    let why = client.ask("tempo/why", json!({"expression": "[counter]"}));
    assert_eq!((&why["line"], &why["source"]["name"]), (&json!(12), &json!("main.asm")));
    // What an answer names can be asked for in turn.
    let flag = client.ask("tempo/why", json!({"expression": "Z"}));
    assert_eq!(client.ask("tempo/why", json!({"expression": "flag Z"})), flag);
    client.ask("tempo/at", json!({"time": why["time"]}));
    client.wait("stopped");
    assert_eq!((client.line(), client.value("[counter]")), (12, "$00 0".to_string()));
    let moment = client.ask("evaluate", json!({"expression": "at 0", "context": "repl"}));
    let text = moment["result"].as_str().expect("a stop");
    assert!(text.starts_with("main.asm:6 main: ldx #3 | "), "{text}");
    client.wait("stopped");
    assert_eq!(client.line(), 6);
    assert!(client.refuse("tempo/at", json!({})).contains("`time`"));
    let refused = client.refuse("tempo/at", json!({"time": 99_999_999_999_u64}));
    assert!(refused.starts_with("time 99999999999 is not recorded: that is 0 to "), "{refused}");
    assert_eq!(client.refuse("evaluate", json!({"expression": "at 99999999999"})), refused);
}

/// The client may say goodbye in any way and at any time, also twice.
#[test]
fn goodbyes_are_answered_in_every_state() {
    let endless = "*=$1000\nagain: nop\n  jmp again\n";
    for command in ["terminate", "disconnect"] {
        for stage in 0..4 {
            let mut client = Client::new(&[("e.asm", endless)]);
            if stage > 0 {
                client.ask("launch", json!({"program": "e.asm", "stopOnEntry": stage == 3}));
            }
            if stage > 1 {
                client.ask("configurationDone", json!({}));
                client.session.work();
            }
            client.ask(command, json!({"restart": false, "terminateDebuggee": true}));
            client.ask(command, json!({}));
            client.ask("disconnect", json!({}));
            assert!(client.session.is_over() && !client.session.is_running());
        }
    }
}

/// One that is set in a pause waits for the beam from there on, whatever lines it has passed before.
#[test]
fn a_raster_line_may_be_set_in_a_pause() {
    let source = "*=$0801\n.byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0\nstart: inc $fb\n  jmp start\n";
    let mut client =
        Client::launched(&[("main.asm", source)], json!({"program": "main.asm", "system": "c64"}));
    client.breakpoints("main.asm", json!([{"line": 3, "condition": "x == 77"}]));
    client.ask("configurationDone", json!({}));
    for _ in 0..3 {
        client.session.work();
    }
    client.ask("pause", json!({"threadId": 1}));
    client.wait("stopped");
    client.ask("setFunctionBreakpoints", json!({"breakpoints": [{"name": "line 100"}]}));
    for _ in 0..2 {
        assert_eq!(client.go("continue")["reason"], "function breakpoint");
        assert_eq!(client.value("raster"), "$64 100 'd'");
    }
}
