//! Breakpoint requests: from what the client names to places of the program, with a reason where there is none.

use serde_json::{Value, json};
use tempo_debug::{Action, Debugger, Exceptions, Hits, Origin, Point, Watch};
use tempo_diagnostics::hex_address;

use crate::arguments::{Arguments, parse_reference, reference};
use crate::client::plain_path;
use crate::session::{Answer, Session};

fn refused(message: impl Into<String>) -> Value {
    json!({"verified": false, "message": message.into()})
}

/// Condition, hit count and message of a breakpoint.
fn furnish(debugger: &Debugger, point: &mut Point, given: Arguments<'_>) -> Result<(), String> {
    if let Some(text) = given.text("condition").filter(|text| !text.trim().is_empty()) {
        let first = if let Watch::Code(addresses) = &point.watch { addresses.first() } else { None };
        let program = match first {
            Some(&at) => debugger.compile_at(text, at),
            None => debugger.compile_in(text, ""),
        };
        point.condition = Some(program.map_err(|err| format!("the condition `{text}`: {err}"))?);
    }
    if let Some(text) = given.text("hitCondition").filter(|text| !text.trim().is_empty()) {
        let hits = Hits::parse(text);
        point.hits =
            Some(hits.ok_or_else(|| format!("the hit count `{text}` is none of 5, == 5, >= 5, > 5, % 3"))?);
    }
    if let Some(text) = given.text("logMessage").filter(|text| !text.is_empty()) {
        let first = if let Watch::Code(addresses) = &point.watch { addresses.first() } else { None };
        point.log = Some(debugger.message(text, first.copied())?);
    }
    Ok(())
}

/// Adds a point, or says why not. One that was there before stays, with its number and its hits: clients send all
/// breakpoints of a file when one of them changes.
fn add(
    debugger: &mut Debugger,
    mut point: Point,
    given: Arguments<'_>,
    old: &mut Vec<Point>,
) -> Result<u32, Value> {
    furnish(debugger, &mut point, given).map_err(refused)?;
    if let Some(at) = old.iter().position(|known| known.is_like(&point)) {
        let known = old.swap_remove(at);
        let id = known.id;
        debugger.points.put_back(known);
        return Ok(id);
    }
    Ok(debugger.add_point(point))
}

impl Session {
    /// Says once if a file is not what was assembled.
    pub(crate) fn say_if_edited(&mut self, path: &str) {
        let Some(debugger) = &self.debugger else { return };
        let Some(file) = debugger.map.file(path).map(|file| &debugger.map.files[file]) else { return };
        let is_edited = self.host.read(path).is_ok_and(|bytes| bytes != file.source.text().as_bytes());
        if is_edited && self.edited.insert(path.to_string()) {
            let text =
                format!("{path} has changed since it was assembled: lines may be off until a restart\n");
            self.output("console", &text);
        }
    }

    pub(crate) fn set_breakpoints(&mut self, arguments: &Value) -> Answer {
        let given = Arguments(arguments);
        let path = given.get("source").text("path").or(given.get("source").text("name"));
        let path = plain_path(path.ok_or("the source has no path")?);
        let client = self.client;
        self.say_if_edited(&path);
        let Some(debugger) = &mut self.debugger else { return Err("nothing is loaded".to_string()) };
        let wanted: Vec<Value> = match given.0.get("breakpoints") {
            Some(_) => given.list("breakpoints").map(|one| one.0.clone()).collect(),
            // From before there were conditions.
            None => given.list("lines").map(|line| json!({"line": line.0})).collect(),
        };
        if let Some(offsets) = text_lines(debugger, &path) {
            let mut old = debugger.points.take_out(|point| matches!(point.watch, Watch::Text(_)));
            let answers: Vec<Value> = wanted
                .iter()
                .map(|one| {
                    let given = Arguments(one);
                    let line = i64::from(client.own_line(given.number("line").unwrap_or(0)));
                    let near = offsets
                        .iter()
                        .filter(|(_, at)| *at >= line && *at <= line + 10)
                        .map(|(_, at)| *at)
                        .min();
                    let Some(at) = near else {
                        return refused("this test has no statement on this line or near it");
                    };
                    let here: Vec<u32> =
                        offsets.iter().filter(|(_, other)| *other == at).map(|(offset, _)| *offset).collect();
                    let point = Point::new(Origin::Line, Watch::Text(here));
                    match add(debugger, point, given, &mut old) {
                        Ok(id) => json!({"id": id, "verified": true, "line": at - 1 + client.first_line}),
                        Err(answer) => answer,
                    }
                })
                .collect();
            return Ok(json!({"breakpoints": answers}));
        }
        let Some(file) = debugger.map.file(&path) else {
            let answers: Vec<Value> =
                wanted.iter().map(|_| refused("this file is not a part of the program")).collect();
            return Ok(json!({"breakpoints": answers}));
        };
        let mut old = debugger.points.take_out(|point| {
            let is_here = point.line.is_none_or(|(known, _)| known == file);
            point.origin == Origin::Line && is_here && !matches!(point.watch, Watch::Text(_))
        });
        let answers: Vec<Value> = wanted
            .iter()
            .map(|one| {
                let given = Arguments(one);
                let line = client.own_line(given.number("line").unwrap_or(0));
                let column = given.number("column").map(|column| {
                    client.own_column(&debugger.map.files[file].source, line, column)
                });
                let places = column.and_then(|column| debugger.map.places_on(file, line, Some(column)));
                let Some(places) = places.or_else(|| debugger.map.line_places(file, line, None)) else {
                    return refused("there is no code on this line or the ten after it in its block");
                };
                let mut point = Point::new(Origin::Line, Watch::Code(places.addresses.clone()));
                point.line = Some((file, places.line));
                match add(debugger, point, given, &mut old) {
                    Err(answer) => answer,
                    Ok(id) => {
                        let mut answer = json!({
                            "id": id, "verified": true,
                            "line": client.line(places.line),
                            "column": client.column(Some(&debugger.map.files[file].source), places.line, places.column),
                            "instructionReference": reference(places.addresses[0]),
                        });
                        if places.addresses.len() > 1 {
                            let list: Vec<String> =
                                places.addresses.iter().take(12).map(|&at| hex_address(at)).collect();
                            let more = if places.addresses.len() > 12 { " …" } else { "" };
                            answer["message"] =
                                format!("{} places: {}{more}", places.addresses.len(), list.join(" ")).into();
                        }
                        answer
                    }
                }
            })
            .collect();
        Ok(json!({"breakpoints": answers}))
    }

    pub(crate) fn set_functions(&mut self, arguments: &Value) -> Answer {
        let is_vice = self.vice.is_some();
        let Some(debugger) = &mut self.debugger else { return Err("nothing is loaded".to_string()) };
        let mut old = debugger.points.take_out(|point| point.origin == Origin::Function);
        let answers: Vec<Value> = Arguments(arguments)
            .list("breakpoints")
            .map(|given| {
                let name = given.text("name").unwrap_or("").trim().to_string();
                let kind = if is_vice { tempo_emu::System::C64Pal } else { debugger.machine().kind() };
                let watch = match Watch::parse_raster(&name, kind.timing()) {
                    Some(Ok(watch)) => watch,
                    Some(Err(problem)) => return refused(problem),
                    None => {
                        let addresses = labels(debugger, &name);
                        if addresses.is_empty() {
                            let near = tempo_diagnostics::nearest(
                                &name,
                                debugger.names.iter().map(|one| one.path.as_str()),
                            );
                            return refused(match near {
                                Some(near) => format!("there is no label `{name}`; did you mean `{near}`?"),
                                None => format!("there is no label `{name}`"),
                            });
                        }
                        Watch::Code(addresses)
                    }
                };
                let first = if let Watch::Code(all) = &watch { all.first().copied() } else { None };
                let mut point = Point::new(Origin::Function, watch);
                point.name = name;
                match add(debugger, point, given, &mut old) {
                    Err(answer) => answer,
                    Ok(id) => {
                        let mut answer = json!({"id": id, "verified": true});
                        if let Some(address) = first {
                            answer["instructionReference"] = reference(address).into();
                        }
                        answer
                    }
                }
            })
            .collect();
        Ok(json!({"breakpoints": answers}))
    }

    pub(crate) fn set_instructions(&mut self, arguments: &Value) -> Answer {
        let Some(debugger) = &mut self.debugger else { return Err("nothing is loaded".to_string()) };
        let mut old = debugger.points.take_out(|point| point.origin == Origin::Instruction);
        let answers: Vec<Value> = Arguments(arguments)
            .list("breakpoints")
            .map(|given| {
                let offset = given.number("offset").unwrap_or(0);
                let address =
                    given.text("instructionReference").and_then(|text| parse_reference(text, offset));
                let Some(address) = address.and_then(|at| u16::try_from(at).ok()) else {
                    return refused("this is not an address of the machine");
                };
                let point = Point::new(Origin::Instruction, Watch::Code(vec![address]));
                match add(debugger, point, given, &mut old) {
                    Err(answer) => answer,
                    Ok(id) => json!({"id": id, "verified": true, "instructionReference": reference(address)}),
                }
            })
            .collect();
        Ok(json!({"breakpoints": answers}))
    }

    pub(crate) fn set_data(&mut self, arguments: &Value) -> Answer {
        let Some(debugger) = &mut self.debugger else { return Err("nothing is loaded".to_string()) };
        let mut old = debugger.points.take_out(|point| point.origin == Origin::Data);
        let answers: Vec<Value> = Arguments(arguments)
            .list("breakpoints")
            .map(|given| {
                let id = given.text("dataId").unwrap_or("");
                let range = id.split_once('-').and_then(|(first, last)| {
                    Some((u16::from_str_radix(first, 16).ok()?, u16::from_str_radix(last, 16).ok()?))
                });
                let Some((first, last)) = range.filter(|(first, last)| first <= last) else {
                    return refused("this is not a place in memory");
                };
                let (read, write) = match given.text("accessType").unwrap_or("write") {
                    "read" => (true, false),
                    "readWrite" => (true, true),
                    _ => (false, true),
                };
                let on_change = given.flag("onChange");
                let point = Point::new(Origin::Data, Watch::Data { first, last, read, write, on_change });
                match add(debugger, point, given, &mut old) {
                    Err(answer) => answer,
                    Ok(id) => json!({"id": id, "verified": true}),
                }
            })
            .collect();
        Ok(json!({"breakpoints": answers}))
    }

    pub(crate) fn data_info(&mut self, given: Arguments<'_>) -> Answer {
        let name = given.text("name").unwrap_or("").trim();
        let bytes = given.number("bytes").unwrap_or(1).clamp(1, 0x10000);
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let place = if given.flag("asAddress") {
            tempo_debug::parse_number(name).map(|at| (at, bytes))
        } else {
            let parent = given.number("variablesReference").unwrap_or(0);
            let found = self.variable_place(parent, name);
            let found = found.or_else(|| debugger.place_of(name));
            found.map(|(at, width)| (i64::from(at), bytes.max(width as i64)))
        };
        let Some((first, count)) = place else {
            return Ok(json!({"dataId": null, "description": format!("`{name}` is not in memory")}));
        };
        if first < 0 || first + count > 0x10000 {
            return Ok(json!({"dataId": null, "description": "that is outside of memory"}));
        }
        let last = first + count - 1;
        let label = debugger.names.at(first as u16).map_or(String::new(), |label| format!(" ({label})"));
        let range = if count == 1 { hex_address(first) } else { format!("${first:04X}-${last:04X}") };
        Ok(json!({
            "dataId": format!("{first:04x}-{last:04x}"),
            "description": format!("{range}{label}"),
            "accessTypes": ["read", "write", "readWrite"],
            "canPersist": true,
        }))
    }

    pub(crate) fn set_exceptions(&mut self, arguments: &Value) -> Answer {
        let given = Arguments(arguments);
        let mut names = given.texts("filters");
        names.extend(given.list("filterOptions").filter_map(|one| one.text("filterId").map(str::to_string)));
        let Some(debugger) = &mut self.debugger else { return Err("nothing is loaded".to_string()) };
        let mut exceptions = Exceptions::none();
        let mut answers = Vec::new();
        for name in &names {
            match tempo_debug::Exception::from_id(name) {
                Some(exception) => {
                    exceptions = exceptions.with(exception);
                    answers.push(json!({"verified": true}));
                }
                None => answers.push(refused(format!("there is no exception `{name}`"))),
            }
        }
        debugger.exceptions = exceptions;
        Ok(json!({"breakpoints": answers}))
    }

    pub(crate) fn breakpoint_locations(&mut self, given: Arguments<'_>) -> Answer {
        let path = plain_path(given.get("source").text("path").unwrap_or(""));
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let client = self.client;
        let line = client.own_line(given.number("line").unwrap_or(0));
        let last = given.number("endLine").map_or(line, |last| client.own_line(last));
        let mut found = Vec::new();
        if let Some(file) = debugger.map.file(&path) {
            let source = &debugger.map.files[file].source;
            for line in line..=last.min(line.saturating_add(10_000)) {
                for column in debugger.map.columns(file, line) {
                    let column = client.column(Some(source), line, column);
                    found.push(json!({"line": client.line(line), "column": column}));
                }
            }
        }
        Ok(json!({"breakpoints": found}))
    }

    pub(crate) fn goto_targets(&mut self, given: Arguments<'_>) -> Answer {
        let path = plain_path(given.get("source").text("path").unwrap_or(""));
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let line = self.client.own_line(given.number("line").unwrap_or(0));
        let file = debugger.map.file(&path).ok_or("this file is not a part of the program")?;
        let places = debugger.map.line_places(file, line, None);
        let places = places.ok_or("there is no code on this line")?;
        let shown = self.client.line(places.line);
        let targets: Vec<Value> = (places.addresses.iter())
            .map(|&at| {
                json!({"id": at, "label": debugger.place(at), "line": shown, "instructionPointerReference": reference(at)})
            })
            .collect();
        Ok(json!({"targets": targets}))
    }

    /// The macros that are called on the line where the machine is stopped.
    pub(crate) fn step_in_targets(&mut self) -> Answer {
        let debugger = self.standing()?;
        let Some(place) = debugger.top_place() else { return Ok(json!({"targets": []})) };
        let file = debugger.map.file(&place.path);
        let pc = debugger.machine().registers().pc;
        let calls = debugger.map.expansions.iter().filter(|one| {
            !one.is_loop
                && Some(one.file) == file
                && one.line == place.line
                && one.first.is_some_and(|at| at >= pc)
        });
        let targets: Vec<Value> = calls
            .take(50)
            .map(|one| json!({"id": one.first, "label": one.name, "line": self.client.line(one.line)}))
            .collect();
        Ok(json!({"targets": targets}))
    }
}

/// The addresses of a label; with `*` at the end, of all labels that begin so.
fn labels(debugger: &Debugger, name: &str) -> Vec<u16> {
    let mut found: Vec<u16> = match name.strip_suffix('*') {
        Some(prefix) => (debugger.names.iter())
            .filter(|one| one.is_label && one.path.starts_with(prefix))
            .filter_map(|one| u16::try_from(one.value).ok())
            .collect(),
        None => {
            debugger.names.get(name, "").and_then(|value| u16::try_from(value).ok()).into_iter().collect()
        }
    };
    if found.is_empty() {
        found.extend(tempo_debug::parse_number(name).and_then(|value| u16::try_from(value).ok()));
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// The statements of the test that is debugged in a suite, by offset and line; `None` if the file is not a suite of it.
fn text_lines(debugger: &Debugger, path: &str) -> Option<Vec<(u32, i64)>> {
    let test = debugger.test.as_ref()?;
    let ends = |file: &str| {
        let (file, path) = (file.replace('\\', "/"), path.replace('\\', "/"));
        path == file
            || path.ends_with(&format!("/{}", file.trim_start_matches("./")))
            || file.ends_with(&format!("/{path}"))
    };
    let mut found = Vec::new();
    let mut is_suite = test.suite().is_some_and(|suite| ends(suite.name()));
    for action in test.actions.iter() {
        if let Action::Statement(span) = action {
            let at = test.location(*span);
            if ends(&at.file) {
                is_suite = true;
                found.push((span.start, i64::from(at.line)));
            }
        }
    }
    is_suite.then_some(found)
}
