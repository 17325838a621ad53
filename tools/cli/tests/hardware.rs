//! `tempo test --on` against machines on this computer: an emulated C64 that is asked as an Ultimate is, and some that
//! misbehave.

use std::io::Write;
use std::net::TcpStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use pretty_assertions::assert_eq;
use serde_json::Value;
use tempo_emu::Machine as _;
use tempo_emu::c64::{C64, Model};

use crate::common::{Ran, Scratch};
use crate::send::{Asked, Device, good, run, say};

/// Cycles that the C64 runs for between two requests.
const BETWEEN: u64 = 300_000;

/// `READY.` at the left of the screen.
fn at_prompt() -> C64 {
    let mut machine = C64::new(Model::Pal);
    machine.board.ram_mut()[0x0428..0x042e].copy_from_slice(&[0x12, 0x05, 0x01, 0x04, 0x19, 0x2e]);
    // cli; jmp *
    machine.board.ram_mut()[0xc000..0xc004].copy_from_slice(&[0x58, 0x4c, 0x01, 0xc0]);
    machine.cpu.registers.pc = 0xc000;
    machine
}

fn hex(path: &str, name: &str) -> Option<usize> {
    let text = path.split(['?', '&']).find_map(|part| part.strip_prefix(name))?;
    usize::from_str_radix(text, 16).ok()
}

/// A C64 that is asked as an Ultimate is: memory as the CPU sees it, and never the port.
fn c64() -> Device {
    let machine = Arc::new(Mutex::new(at_prompt()));
    Device::new(move |asked, stream| answer(&mut machine.lock().expect("not poisoned"), asked, stream))
}

fn answer(machine: &mut C64, asked: &Asked, stream: &mut TcpStream) {
    const FINE: &[u8] = br#"{"errors": []}"#;
    let path = asked.path.as_str();
    let route = path.split('?').next().unwrap_or_default();
    match (asked.method.as_str(), route) {
        ("PUT", "/v1/machine:reset") => *machine = at_prompt(),
        ("POST", "/v1/runners:run_prg") => {
            *machine = at_prompt();
            machine.start(&asked.body).expect("a program");
        }
        ("GET", "/v1/machine:readmem") => {
            machine.run_cycles(BETWEEN);
            let at = hex(path, "address=").expect("an address");
            let length = path.split("length=").nth(1).and_then(|text| text.parse().ok()).unwrap_or(256);
            assert!(at + length <= 0x10000, "Memory read exceeds location $FFFF");
            let bytes: Vec<u8> = (at..at + length).map(|at| machine.board.peek(at as u16)).collect();
            return say(stream, 200, &bytes);
        }
        (_, "/v1/machine:writemem") => {
            let at = hex(path, "address=").expect("an address");
            let digits = path.split("data=").nth(1).unwrap_or_default();
            let pairs = digits.as_bytes().chunks(2);
            let short: Vec<u8> = pairs
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).expect("ASCII"), 16).expect("hex"))
                .collect();
            let bytes = if short.is_empty() { &asked.body } else { &short };
            assert!(at + bytes.len() <= 0x10000 && short.len() <= 128, "{path}");
            for (at, &byte) in (at..).zip(bytes).filter(|(at, _)| *at > 1) {
                machine.poke(at as u16, byte);
            }
        }
        _ => return good(asked, stream),
    }
    machine.run_cycles(BETWEEN);
    say(stream, 200, FINE);
}

const SUM: &str = "\
        * = $c000
// A = the sum of X bytes at $fb
sum:    txa
        tay
        lda #0
        cpy #0
        beq done
next:   dey
        clc
        adc ($fb),y
        cpy #0
        bne next
done:   rts
swap:   php
        pha
        tya
        tax
        pla
        tay
        lda #7
        plp
        rts
crash:  brk
hang:   jmp hang
";

const SUITE: &str = "\
suites {
  suite(\"sum\") {
    assemble(\"sum.asm\")
    test(\"adds\", \"four bytes\") {
      [$fb] = $00 [$fc] = $20
      bytes($2000, 1, 2, 3, 4)
      x = 4
      jsr([sum])
      assert(a == 10)
      assert(c == true)
      jsr([sum])
      assert(a == 0, \"X is still 4, so this is wrong\")
    }
    test(\"swaps\", \"registers and flags go there and back\") {
      a = 1 x = 2 y = 3 c = 1 d = 0
      jsr([swap])
      assert(x == 3)
      assert(y == 1)
      assert(c == true)
    }
    test(\"crashes\", \"a BRK\") { jsr([crash]) }
    test(\"breaks\", \"a BRK that is meant\") { a = 5 jsr([crash], stop_on_rts = false, fail_on_brk = false) assert(a == 5) }
    test(\"counts\", \"cycles\") { x = 0 jsr([sum]) assert(cycles < 50) }
    test(\"property\", \"all\") { forall(n in 0..3) { x = n jsr([sum]) } }
  }
  suite(\"guarded\") {
    assemble(\"sum.asm\")
    guard write($0400..$07ff)
    test(\"guarded\", \"guards\") { x = 0 jsr([sum]) }
  }
}
";

fn scratch() -> Scratch {
    Scratch::new(&[("sum.asm", SUM), ("sum.6502", SUITE), ("secret", "letmein")])
}

/// Ids with their outcomes.
fn outcomes(ran: &Ran) -> Vec<(String, String, Option<String>)> {
    let events = ran.out.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    events
        .filter_map(|event| {
            Some((text(&event["id"])?, text(&event["outcome"])?, text(&event["skipped_because"])))
        })
        .collect()
}

#[test]
fn calls_are_made_on_the_machine_and_judged_here() {
    let (scratch, device) = (scratch(), c64());
    let ran = run(&scratch, &format!("test sum.6502 --format json --on {}", device.address));
    let told = outcomes(&ran);
    let told: Vec<(&str, &str, Option<&str>)> =
        told.iter().map(|(id, outcome, why)| (&id[..], &outcome[..], why.as_deref())).collect();
    assert_eq!(
        told,
        [
            ("adds", "failed", None),
            ("swaps", "passed", None),
            ("crashes", "failed", None),
            ("breaks", "passed", None),
            ("counts", "skipped", Some("needs the emulator: it counts cycles")),
            ("property", "skipped", Some("needs the emulator: a property makes too many calls")),
            ("guarded", "skipped", Some("needs the emulator: guards watch every instruction")),
        ],
        "{}{}",
        ran.out,
        ran.err
    );
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    let paths = device.paths();
    assert_eq!(paths[..2], ["GET /v1/info 0", "PUT /v1/machine:reset 0"]);
    assert_eq!(paths.last().map(String::as_str), Some("PUT /v1/machine:reset 0"), "it is left at its prompt");
    assert!(!paths.iter().any(|path| path.contains("config") || path.contains("files")), "{paths:#?}");
    // The same verdicts as here.
    let here = outcomes(&scratch.tempo("test sum.6502 --format json"));
    for ((id, outcome, _), (other, expected, _)) in
        told.iter().zip(&here).filter(|((_, one, _), _)| *one != "skipped")
    {
        assert_eq!((id, outcome), (&&other[..], &&expected[..]));
    }
    let ran = run(&scratch, &format!("test sum.6502 --test counts --on {}", device.address));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("skipped counts: needs the emulator: it counts cycles\n"), "{}", ran.out);
}

#[test]
fn the_rules_of_chess_are_the_same_there() {
    let device = c64();
    let scratch = Scratch::new(&[]);
    let suite = tempo_testing::fixtures().join("ai_rules.6502");
    let suite = suite.to_str().expect("UTF-8");
    let ran = run(&scratch, &format!("test {suite} --filter *castle* --format json --on {}", device.address));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let there = outcomes(&ran);
    let here = outcomes(&scratch.tempo(&format!("test {suite} --filter *castle* --format json")));
    assert!(there.iter().filter(|(_, outcome, _)| outcome == "passed").count() >= 5, "{there:#?}");
    assert_eq!(there, here);
}

#[test]
fn a_driver_in_the_way_is_noticed() {
    let scratch = scratch();
    scratch.write("over.asm", b"        * = $c000\nover:   inc $0380\n        rts\n");
    scratch.write("over.6502", b"suites { suite(\"s\") { assemble(\"over.asm\") test(\"t\", \"a\") { jsr([over]) assert([$0380] == 1) } } }\n");
    let device = c64();
    let ran = run(&scratch, &format!("test over.6502 --on {}", device.address));
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.out.contains("overwritten the driver at $0380: --driver-at ADDRESS"), "{}", ran.out);
    let ran = run(&scratch, &format!("test over.6502 --driver-at $2000 --on {}", device.address));
    assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
    let ran = run(&scratch, &format!("test over.6502 --driver-at $d000 --on {}", device.address));
    assert!(ran.out.contains("the driver cannot be at $D000"), "{}{}", ran.out, ran.err);
}

#[test]
fn a_routine_that_hangs_fails_its_test_and_no_other() {
    let scratch = scratch();
    let suite = "suites { suite(\"s\") { assemble(\"sum.asm\")\n test(\"hangs\", \"a\") { jsr([hang], max_cycles = 1000) }\n test(\"goes-on\", \"b\") { x = 0 jsr([sum]) assert(a == 0) } } }\n";
    scratch.write("hang.6502", suite.as_bytes());
    let ran = run(&scratch, &format!("test hang.6502 --format json --on {}", c64().address));
    let told = outcomes(&ran);
    let told: Vec<&str> = told.iter().map(|(_, outcome, _)| &outcome[..]).collect();
    assert_eq!(told, ["failed", "passed"], "{}{}", ran.out, ran.err);
}

#[test]
fn what_machines_do_wrong_ends_the_run() {
    let scratch = scratch();
    let says = |device: Device, words: &str, code: i32, part: &str| {
        let ran = run(&scratch, &format!("test sum.6502 {words} --on {}", device.address));
        assert_eq!(ran.code, Some(code), "{part}: {}{}", ran.out, ran.err);
        assert!(ran.err.contains(part), "no `{part}` in {}{}", ran.out, ran.err);
    };
    let closed = |asked: &Asked, stream: &mut TcpStream| match asked.password.as_deref() {
        Some("letmein") => good(asked, stream),
        _ => say(stream, 403, br#"{"errors": ["Forbidden."]}"#),
    };
    says(Device::new(closed), "", 1, "wants a password");
    scratch.write("secret", b"wrong");
    says(Device::new(closed), "--password-file secret", 1, "does not accept the password");
    for (after, how, part) in
        [(6, "closes", "without an answer"), (9, "half", "cut off"), (12, "refuses", "says: Busy")]
    {
        let machine = Arc::new(Mutex::new(at_prompt()));
        let asked_so_far = AtomicUsize::new(0);
        let device = Device::new(move |asked, stream| {
            if asked_so_far.fetch_add(1, Ordering::SeqCst) < after {
                return answer(&mut machine.lock().expect("not poisoned"), asked, stream);
            }
            match how {
                "half" => drop(stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 65534\r\n\r\nabc")),
                "refuses" => say(stream, 423, br#"{"errors": ["Busy"]}"#),
                _ => {}
            }
        });
        says(device, "", 2, part);
    }
    let ran = run(&scratch, "test sum.6502 --on 127.0.0.1:1");
    assert!(ran.code == Some(2) && ran.err.contains("cannot reach 127.0.0.1:1"), "{}", ran.err);
    let ran = run(&scratch, "test sum.6502 --on x --coverage lcov");
    assert!(ran.code == Some(1) && ran.err.contains("cannot be used with"), "{}", ran.err);
}
