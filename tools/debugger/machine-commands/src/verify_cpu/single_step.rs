//! The JSON of the SingleStepTests projects: an array of cases, each with the state before and after and
//! the bus cycles.

use serde::Deserialize;
use tempo_emu::vectors::{BusCycle, Kind, OpcodeCase};
use tempo_emu::{Registers, Status};

#[derive(Deserialize)]
struct Case {
    name: String,
    initial: State,
    #[serde(rename = "final")]
    after: State,
    cycles: Vec<(u16, u8, Direction)>,
}

#[derive(Deserialize)]
struct State {
    pc: u16,
    s: u8,
    a: u8,
    x: u8,
    y: u8,
    p: u8,
    ram: Vec<(u16, u8)>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Direction {
    Read,
    Write,
}

/// Reads the cases of a file. The error begins with a line number.
pub fn parse(text: &str) -> Result<Vec<OpcodeCase>, String> {
    let cases: Vec<Case> = serde_json::from_str(text)
        .map_err(|err| format!("{}: not the JSON of SingleStepTests: {err}", err.line()))?;
    cases.into_iter().map(convert).collect()
}

fn convert(case: Case) -> Result<OpcodeCase, String> {
    let opcode = case.initial.ram.iter().find(|(addr, _)| *addr == case.initial.pc);
    let Some(&(_, opcode)) = opcode else {
        return Err(format!("1: case {:?} has no opcode: its ram does not hold the byte at pc", case.name));
    };
    let cycle = |(addr, value, direction)| {
        let kind = match direction {
            Direction::Read => Kind::Read,
            Direction::Write => Kind::Write,
        };
        BusCycle { addr, value, kind }
    };
    Ok(OpcodeCase {
        opcode,
        before: registers(&case.initial),
        after: registers(&case.after),
        memory: case.initial.ram,
        memory_after: case.after.ram,
        cycles: case.cycles.into_iter().map(cycle).collect(),
        name: case.name,
    })
}

fn registers(state: &State) -> Registers {
    let State { pc, s, a, x, y, p, .. } = *state;
    Registers { pc, s, a, x, y, p: Status::from_byte(p) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: &str = r#"[{ "name": "ea 1 2",
        "initial": { "pc": 512, "s": 1, "a": 2, "x": 3, "y": 4, "p": 108, "ram": [[512, 234], [513, 1]] },
        "final": { "pc": 513, "s": 1, "a": 2, "x": 3, "y": 4, "p": 108, "ram": [[512, 234], [513, 1]] },
        "cycles": [[512, 234, "read"], [513, 1, "read"]] }]"#;

    #[test]
    fn a_case_runs_as_recorded() {
        let cases = parse(CASE).expect("a case");
        let outcome = tempo_emu::vectors::Bench::new().run::<tempo_emu::Nmos>(&cases[0]);
        assert!(cases[0].state_matches(&outcome) && cases[0].bus_matches(&outcome));
        assert_eq!((cases.len(), cases[0].opcode), (1, 0xea));
    }

    #[test]
    fn a_wrong_case_is_named() {
        let err = parse(&CASE.replace("[512, 234], [513, 1]", "")).expect_err("no opcode");
        assert_eq!(err, "1: case \"ea 1 2\" has no opcode: its ram does not hold the byte at pc");
        let err = parse("[\n{ \"name\": 1 }]").expect_err("not a case");
        assert!(err.starts_with("2: not the JSON of SingleStepTests"), "{err}");
    }
}
