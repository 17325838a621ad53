//! Fixtures and their index: each file on both engines, and each row of the index with its rule left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempo_enochian::{ActionError, Die, GameResult, Position, Rulebook, Session, Setup};

use super::plain::{self, Plain};

#[derive(Clone)]
struct Fixture {
    path: PathBuf,
    name: String,
    json: Value,
}

/// An engine's answer to a fixture.
#[derive(Debug, Default, PartialEq)]
struct Findings {
    moves: Option<String>,
    after: Option<Vec<String>>,
    throw: Option<String>,
    result: Option<String>,
    refused: Option<BTreeMap<String, String>>,
}

fn folder() -> PathBuf {
    tempo_testing::fixtures().join("enochian")
}

fn load() -> Vec<Fixture> {
    tempo_testing::files_with_extension(&folder().join("fixtures"), "json")
        .into_iter()
        .map(|path| {
            let text = tempo_testing::text(&path);
            let json = serde_json::from_str(&text).unwrap_or_else(|err| panic!("{}: {err}", path.display()));
            let name = tempo_testing::stem(&path);
            Fixture { path, name, json }
        })
        .collect()
}

pub fn trials() -> Vec<Trial> {
    let fixtures = load();
    let mut trials = Vec::new();
    for fixture in &fixtures {
        let own = fixture.clone();
        trials.push(Trial::test(format!("fixture {}", fixture.name), move || run_engine(&own)));
        if !tempo_testing::updating() {
            let own = fixture.clone();
            trials.push(Trial::test(format!("fixture on the plain engine {}", fixture.name), move || {
                run_plain(&own)
            }));
        }
    }
    for row in rows() {
        let all = fixtures.clone();
        trials.push(Trial::test(format!("rule left out {}", row.id), move || fails_without(&row.id, &all)));
    }
    trials.push(Trial::test("index names every fixture and reading", move || check_index(&fixtures)));
    trials
}

fn run_engine(fixture: &Fixture) -> Result<(), Failed> {
    let found = engine(fixture)?;
    if tempo_testing::updating() {
        return Ok(tempo_testing::compare(&fixture.path, &write(&fixture.json, &found))?);
    }
    compare(&expected(fixture), &found)
}

fn run_plain(fixture: &Fixture) -> Result<(), Failed> {
    let mut wanted = expected(fixture);
    wanted.refused = None; // the plain engine gives no reasons
    compare(&wanted, &on_plain(fixture, ""))
}

fn compare(expected: &Findings, found: &Findings) -> Result<(), Failed> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{}", pretty_assertions::Comparison::new(expected, found)).into())
}

/// A rule is shown to matter when a fixture that names it comes out otherwise without it.
fn fails_without(id: &str, fixtures: &[Fixture]) -> Result<(), Failed> {
    let mut own = fixtures.iter().filter(|fixture| covers(fixture).contains(&id)).peekable();
    if own.peek().is_none() {
        return Err(format!("no fixture covers {id}").into());
    }
    let mut sound = Vec::new();
    for fixture in own {
        if on_plain(fixture, id) == on_plain(fixture, "") {
            sound.push(fixture.name.as_str());
        } else {
            return Ok(());
        }
    }
    Err(format!("leaving out {id} goes unnoticed by {}", sound.join(", ")).into())
}

fn covers(fixture: &Fixture) -> Vec<&str> {
    let list = fixture.json["covers"].as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter().filter_map(Value::as_str).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default()
        .iter()
        .filter_map(|v| Some(v.as_str()?.to_owned()))
        .collect()
}

fn expected(fixture: &Fixture) -> Findings {
    let json = &fixture.json;
    Findings {
        moves: json["moves"].as_str().map(str::to_owned),
        after: json.get("after").map(strings),
        throw: json["throw"].as_str().map(str::to_owned),
        result: json["result"].as_str().map(str::to_owned),
        refused: json.get("refused").map(|map| serde_json::from_value(map.clone()).expect("texts")),
    }
}

fn engine(fixture: &Fixture) -> Result<Findings, Failed> {
    let json = &fixture.json;
    let position = match json["array"].as_str() {
        Some(id) => Rulebook::embedded().find(id)?.position(),
        None => {
            let text = json["position"].to_string();
            Position::from_json(text.as_bytes(), &Setup::base()).map_err(|faults| format!("{faults:?}"))?
        }
    };
    let mut found = Findings::default();
    if json.get("moves").is_some() {
        found.moves = Some(position.legal_move_texts().join(" "));
    }
    if json.get("result").is_some() {
        found.result = Some(result_text(position.result()));
    }
    if json.get("refused").is_some() {
        let mut refused = BTreeMap::new();
        for text in json["refused"].as_object().expect("a map").keys() {
            let err = position.parse_move(text).err().ok_or(format!("{text} is legal"))?;
            refused.insert(text.clone(), err.to_string());
        }
        found.refused = Some(refused);
    }
    if json.get("script").is_some() {
        found.after = Some(engine_script(position.clone(), &strings(&json["script"])));
    }
    if let Some(dice) = json.get("dice") {
        let mut setup = (**position.setup()).clone();
        if let Some(retries) = dice["retries"].as_u64() {
            setup.retries = retries as u32;
        }
        let text = json["position"].to_string();
        let mut position =
            Position::from_json(text.as_bytes(), &setup).map_err(|faults| format!("{faults:?}"))?;
        let stream: Vec<u64> =
            dice["stream"].as_array().expect("faces").iter().filter_map(Value::as_u64).collect();
        let mut faces = stream.iter().map(|&face| Die::new(face).expect("a face"));
        let throw = position.throw_with(|| faces.next().expect("enough rolls in the stream"));
        let rolls = throw.rolls.iter().map(|die| u64::from(die.face())).collect();
        found.throw = Some(throw_text(rolls, throw.is_playable));
    }
    Ok(found)
}

fn throw_text(rolls: Vec<u64>, is_playable: bool) -> String {
    let faces: Vec<String> = rolls.iter().map(u64::to_string).collect();
    format!("{} {}", faces.join(" "), if is_playable { "playable" } else { "lost" })
}

/// In scripts two players sit at the table, so that a team speaks for both its armies.
fn engine_script(position: Position, steps: &[String]) -> Vec<String> {
    let mut session = Session::new(position, Rulebook::embedded().two_players.clone(), None);
    let mut lines = Vec::new();
    for step in steps {
        let line = match session.act(step) {
            Ok(()) if session.pending().is_some() => format!("{} is asked", session.acting()),
            Ok(()) => summary(session.position(), session.result()),
            Err(ActionError::Move(_)) => "refused".into(),
            Err(ActionError::Exchange(_)) => "refused no-exchange".into(),
            Err(err) => {
                let text = err.to_string();
                let code = text.rsplit('[').next().unwrap_or("").trim_end_matches(']');
                format!("refused {}", code.split(':').next().unwrap_or(""))
            }
        };
        lines.push(format!("{step}: {line}"));
    }
    lines
}

/// The text form without camps and order, with the result.
pub fn summary(position: &Position, result: Option<GameResult>) -> String {
    let text = position.to_text();
    let mut parts: Vec<String> = Vec::new();
    for section in text.split("; ").filter(|section| !section.starts_with("order ")) {
        match (section.split_once('('), section.split_once(')')) {
            (Some((army, _)), Some((_, pieces))) => parts.push(format!("{army}{pieces}")),
            _ => parts.push(section.to_owned()),
        }
    }
    if result.is_some() {
        parts.push(format!("result {}", result_text(result)));
    }
    parts.join("; ")
}

fn result_text(result: Option<GameResult>) -> String {
    match result {
        None => "none".into(),
        Some(GameResult::Win { team, reason }) => format!("win {team} {}", reason.word()),
        Some(GameResult::Draw { reason }) => format!("draw {}", reason.word()),
    }
}

fn on_plain(fixture: &Fixture, without: &str) -> Findings {
    let json = &fixture.json;
    let start = || match json["array"].as_str() {
        Some(id) => plain::array(id, without),
        None => Plain::from_json(&json["position"], without),
    };
    let mut found = Findings::default();
    if json.get("moves").is_some() {
        found.moves = Some(start().moves().join(" "));
    }
    if json.get("result").is_some() {
        found.result = Some(start().result().unwrap_or("none".into()));
    }
    if json.get("script").is_some() {
        found.after = Some(plain::run_script(&mut start(), &strings(&json["script"])));
    }
    if let Some(dice) = json.get("dice") {
        let stream: Vec<u64> =
            dice["stream"].as_array().expect("faces").iter().filter_map(Value::as_u64).collect();
        let (rolls, playable) = plain::throw(&mut start(), &stream, dice["retries"].as_u64().unwrap_or(3));
        found.throw = Some(throw_text(rolls, playable));
    }
    found
}

/// The fixture with new expectations, in a fixed order of fields.
fn write(json: &Value, found: &Findings) -> String {
    let mut fields: Vec<(&str, String)> =
        vec![("about", json["about"].to_string()), ("covers", inline(&json["covers"]))];
    for key in ["array", "position", "script", "dice"] {
        match (key, json.get(key)) {
            (_, None) => {}
            ("position", Some(position)) => fields.push((key, write_position(position))),
            (_, Some(value)) => fields.push((key, inline(value))),
        }
    }
    let quote = |text: &str| Value::from(text).to_string();
    let mut lines = |key, open: char, items: Vec<String>, close: char| {
        fields.push((key, format!("{open}\n    {}\n  {close}", items.join(",\n    "))));
    };
    if let Some(after) = &found.after {
        lines("after", '[', after.iter().map(|line| quote(line)).collect(), ']');
    }
    if let Some(refused) = &found.refused {
        lines(
            "refused",
            '{',
            refused.iter().map(|(text, why)| format!("{}: {}", quote(text), quote(why))).collect(),
            '}',
        );
    }
    for (key, value) in [("moves", &found.moves), ("throw", &found.throw), ("result", &found.result)] {
        if let Some(value) = value {
            fields.push((key, quote(value)));
        }
    }
    let lines: Vec<String> = fields.iter().map(|(key, value)| format!("  \"{key}\": {value}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn write_position(position: &Value) -> String {
    let order = ["turn_order", "armies", "pieces", "to_move", "frozen", "prisoners", "commanders", "die"];
    let fields =
        order.iter().filter_map(|key| Some(format!("    \"{key}\": {}", inline(position.get(key)?))));
    format!("{{\n{}\n  }}", fields.collect::<Vec<_>>().join(",\n"))
}

/// JSON in one line with a space after commas and colons.
fn inline(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let fields: Vec<String> =
                map.iter().map(|(key, value)| format!("\"{key}\": {}", inline(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => other.to_string(),
    }
}

struct Row {
    id: String,
    rule: String,
}

fn index_path() -> PathBuf {
    folder().join("README.md")
}

fn rows() -> Vec<Row> {
    let text = tempo_testing::text(&index_path());
    let cells =
        |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    text.lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| Id "))
        .map(cells)
        .map(|cells| Row { id: cells[0].clone(), rule: cells[1].clone() })
        .collect()
}

fn check_index(fixtures: &[Fixture]) -> Result<(), Failed> {
    let rows = rows();
    for reading in 1..=24 {
        let id = format!("N{reading}");
        if !rows.iter().any(|row| row.id == id) {
            return Err(format!("the index has no row for reading {id}").into());
        }
    }
    for fixture in fixtures {
        for id in covers(fixture) {
            if !rows.iter().any(|row| row.id == id) {
                return Err(format!("{} covers {id}, which the index does not have", fixture.name).into());
            }
        }
        if covers(fixture).is_empty() {
            return Err(format!("{} covers nothing", fixture.name).into());
        }
    }
    let mut table = String::from("| Id | Rule | Fixtures |\n|---|---|---|\n");
    for row in &rows {
        let own = fixtures.iter().filter(|fixture| covers(fixture).contains(&row.id.as_str()));
        let names: Vec<String> =
            own.map(|fixture| format!("[{0}](fixtures/{0}.json)", fixture.name)).collect();
        let _ = writeln!(table, "| {} | {} | {} |", row.id, row.rule, names.join(", "));
    }
    let text = tempo_testing::text(&index_path());
    let head = text.split("| Id |").next().unwrap_or("");
    Ok(tempo_testing::compare(&index_path(), &format!("{head}{table}"))?)
}
