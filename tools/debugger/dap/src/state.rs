//! The state of a stopped machine: frames, scopes, variables.

use serde_json::{Value, json};
use tempo_debug::{Debugger, Frame, Input, Role, drive_instructions, drive_state, show_byte};
use tempo_diagnostics::hex_address;
use tempo_emu::c64::Drive1541;
use tempo_emu::hardware::{Chip, Field};

use crate::arguments::{Arguments, reference};
use crate::client::plain_path;
use crate::session::{Answer, Session, THREAD};

/// The thread and the only frame of the drive's CPU.
const DRIVE_THREAD: i64 = 2;
const DRIVE_FRAME: i64 = 0x1541_0000;

/// The target of a `variablesReference`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Handle {
    Registers,
    Flags,
    Locals(u16),
    ZeroPage,
    Stack,
    /// Labels of a namespace.
    Labels(String),
    /// The recording and the place in it.
    Session,
    Chips,
    /// The CPU of a 1541, and what its head does.
    Drive,
    Chip(Chip),
    /// The bits of a chip's register.
    Bits(u16),
    /// Bytes of memory.
    Bytes(u16, usize),
}

const FLAGS: [(&str, u8); 7] =
    [("N", 0x80), ("V", 0x40), ("B", 0x10), ("D", 0x08), ("I", 0x04), ("Z", 0x02), ("C", 0x01)];

impl Session {
    pub(crate) fn handle_for(&mut self, handle: Handle) -> usize {
        if let Some(at) = self.handles.iter().position(|known| *known == handle) {
            return at + 1;
        }
        self.handles.push(handle);
        self.handles.len()
    }

    /// A source as the client knows it.
    pub(crate) fn source_of(&self, path: &str) -> Value {
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let files = self.debugger.iter().flat_map(|debugger| debugger.map.files.iter());
        if let Some(at) = files.clone().position(|file| file.is_built_in && file.path == path) {
            return json!({"name": "built-in library", "sourceReference": at + 1, "presentationHint": "deemphasize"});
        }
        if self.is_recorded
            && let Some(at) = self.texts().position(|(known, _)| known == path)
        {
            return json!({"name": name, "path": path, "sourceReference": at + 1, "origin": "recording"});
        }
        let mut source = json!({"name": name, "path": self.client.path(path)});
        if let Some(checksum) = self.checksums.get(path) {
            source["checksums"] = json!([{"algorithm": "SHA256", "checksum": checksum}]);
        }
        source
    }

    /// The texts that a client can ask for by number: path and text.
    fn texts(&self) -> impl Iterator<Item = (&str, &str)> {
        let files = self.debugger.iter().flat_map(|debugger| debugger.map.files.iter());
        let suite = self.debugger.iter().filter_map(|debugger| debugger.test.as_ref());
        let suite = suite.flat_map(|test| test.source.iter());
        files
            .map(|file| (&file.path[..], file.source.text()))
            .chain(suite.map(|(_, source)| (source.name(), source.text())))
    }

    /// The source of the code at an address.
    pub(crate) fn source_at(&self, address: u16) -> Value {
        let place = self.statement_at(address);
        place.map_or(Value::Null, |(path, _)| self.source_of(path))
    }

    /// Its line there.
    pub(crate) fn line_at(&self, address: u16) -> Option<i64> {
        self.statement_at(address).map(|(_, line)| self.client.line(line))
    }

    fn statement_at(&self, address: u16) -> Option<(&str, u32)> {
        let debugger = self.debugger.as_ref()?;
        let statement = debugger.map.at(address, &|at| debugger.machine().peek(at))?;
        Some((&debugger.map.files[statement.file].path, statement.line))
    }

    pub(crate) fn loaded_sources(&mut self) -> Answer {
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let mut sources: Vec<Value> = (debugger.map.files.iter())
            .filter(|file| !file.is_built_in)
            .map(|file| self.source_of(&file.path))
            .collect();
        sources.extend(
            debugger.test.iter().filter_map(|test| test.suite()).map(|suite| self.source_of(suite.name())),
        );
        Ok(json!({"sources": sources}))
    }

    pub(crate) fn source_text(&mut self, given: Arguments<'_>) -> Answer {
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let reference = given.get("source").number("sourceReference").or(given.number("sourceReference"));
        if let Some(reference) = reference.filter(|&reference| reference > 0) {
            let known = |at: usize| {
                self.is_recorded || debugger.map.files.get(at).is_some_and(|file| file.is_built_in)
            };
            let at = reference as usize - 1;
            let text = self.texts().nth(at).filter(|_| known(at));
            let (_, text) = text.ok_or("this file is not a part of the program")?;
            return Ok(json!({"content": text}));
        }
        let file = debugger.map.file(&plain_path(given.get("source").text("path").unwrap_or("")));
        let file = file.ok_or("this file is not a part of the program")?;
        Ok(json!({"content": debugger.map.files[file].source.text()}))
    }

    /// The CPUs: that of the machine, and that of a whole 1541.
    pub(crate) fn threads(&self) -> Vec<Value> {
        let mut threads = vec![json!({"id": THREAD, "name": "6502"})];
        if self.drive().is_some() {
            threads.push(json!({"id": DRIVE_THREAD, "name": "1541"}));
        }
        threads
    }

    fn drive(&self) -> Option<&Drive1541> {
        self.debugger.as_ref()?.machine().drive()
    }

    /// The instruction at which the drive's CPU is.
    fn drive_frame(&self) -> Value {
        let Some(drive) = self.drive() else { return json!({"stackFrames": [], "totalFrames": 0}) };
        let next = drive_instructions(drive, 1);
        let name = next.iter().map(|(at, text)| format!("${at:04X} {text}")).collect::<String>();
        let frame = json!({
            "id": DRIVE_FRAME, "name": name, "line": 0, "column": 0,
            "presentationHint": "subtle",
        });
        json!({"stackFrames": [frame], "totalFrames": 1})
    }

    pub(crate) fn stack_trace(&mut self, given: Arguments<'_>) -> Answer {
        if given.number("threadId") == Some(DRIVE_THREAD) {
            self.standing()?;
            return Ok(self.drive_frame());
        }
        let debugger = self.standing()?;
        let frames = debugger.frames(self.macro_frames);
        let total = frames.len();
        let first = given.number("startFrame").unwrap_or(0).max(0) as usize;
        let levels =
            given.number("levels").filter(|&levels| levels > 0).map_or(usize::MAX, |levels| levels as usize);
        let shown: Vec<Value> = (frames.iter().enumerate().skip(first).take(levels))
            .map(|(index, frame)| self.frame(index, frame))
            .collect();
        Ok(json!({"stackFrames": shown, "totalFrames": total}))
    }

    fn frame(&self, index: usize, frame: &Frame) -> Value {
        let mut value = json!({"id": index + 1, "name": frame.name, "line": 0, "column": 0});
        if let Some(place) = &frame.place {
            value["source"] = self.source_of(&place.path);
            value["line"] = self.client.line(place.line).into();
            let source = self.debugger.as_ref().and_then(|debugger| {
                debugger.map.file(&place.path).map(|file| &debugger.map.files[file].source)
            });
            value["column"] = self.client.column(source, place.line, place.column).into();
        } else {
            value["presentationHint"] = "subtle".into();
        }
        if let Some(address) = frame.address {
            value["instructionPointerReference"] = reference(address).into();
        }
        value
    }

    pub(crate) fn restart_frame(&mut self, given: Arguments<'_>) -> Answer {
        let debugger = self.standing()?;
        let index = given.number("frameId").unwrap_or(1).max(1) as usize - 1;
        let frames = debugger.frames(false);
        let routines = frames.iter().filter(|frame| frame.address.is_some()).count();
        let depth = debugger.moment().calls.frames.len();
        let wanted = depth.saturating_sub(index.min(routines.saturating_sub(1)));
        let time =
            debugger.frame_start(wanted).ok_or("the beginning of this frame is not in the recording")?;
        self.go(|debugger| Some(debugger.go_to(time)))
    }

    pub(crate) fn scopes(&mut self, given: Arguments<'_>) -> Answer {
        if given.number("frameId") == Some(DRIVE_FRAME) {
            self.standing()?;
            let reference = self.handle_for(Handle::Drive);
            return Ok(
                json!({"scopes": [{"name": "1541", "variablesReference": reference, "expensive": false}]}),
            );
        }
        let debugger = self.standing()?;
        let index = given.number("frameId").unwrap_or(1).max(1) as usize - 1;
        let frames = debugger.frames(self.macro_frames);
        let pc =
            frames.get(index).and_then(|frame| frame.address).unwrap_or(debugger.machine().registers().pc);
        let has_chips = debugger.machine().computer().is_some();
        let mut handles = vec![
            ("Registers", Handle::Registers),
            ("Flags", Handle::Flags),
            ("Locals", Handle::Locals(pc)),
            ("Zero page", Handle::ZeroPage),
            ("Stack", Handle::Stack),
            ("Labels", Handle::Labels(String::new())),
        ];
        if has_chips {
            handles.push(("Chips", Handle::Chips));
        }
        handles.push(("Session", Handle::Session));
        let mut scopes = Vec::new();
        for (name, handle) in handles {
            let is_long = matches!(handle, Handle::ZeroPage | Handle::Labels(_) | Handle::Stack);
            let reference = self.handle_for(handle.clone());
            let mut scope = json!({"name": name, "variablesReference": reference, "expensive": is_long});
            match handle {
                Handle::Registers => scope["presentationHint"] = "registers".into(),
                Handle::Locals(_) => scope["presentationHint"] = "locals".into(),
                Handle::ZeroPage => scope["indexedVariables"] = 256.into(),
                _ => {}
            }
            scopes.push(scope);
        }
        Ok(json!({"scopes": scopes}))
    }

    pub(crate) fn variables(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let number = given.number("variablesReference").unwrap_or(0);
        let handle = usize::try_from(number - 1).ok().and_then(|at| self.handles.get(at)).cloned();
        let handle = handle.ok_or("these variables are of an earlier stop")?;
        let is_hex = given.get("format").flag("hex");
        let is_indexed = matches!(handle, Handle::ZeroPage | Handle::Bytes(..));
        let mut all = match given.text("filter") {
            Some("indexed") if !is_indexed => Vec::new(),
            Some("named") if is_indexed => Vec::new(),
            _ => self.list(&handle, is_hex)?,
        };
        let start = given.number("start").unwrap_or(0).max(0) as usize;
        let count =
            given.number("count").filter(|&count| count > 0).map_or(usize::MAX, |count| count as usize);
        if start > 0 || count < all.len() {
            all = all.into_iter().skip(start).take(count).collect();
        }
        Ok(json!({"variables": all}))
    }

    fn list(&mut self, handle: &Handle, is_hex: bool) -> Result<Vec<Value>, String> {
        let debugger = self.debugger.as_ref().ok_or("nothing is loaded")?;
        let registers = *debugger.machine().registers();
        let shown = |byte: u8| if is_hex { format!("${byte:02X}") } else { show_byte(byte) };
        let byte_at = |name: String, address: u16, path: Option<String>| {
            let evaluate = path.map_or_else(|| format!("[${address:04X}]"), |path| format!("[{path}]"));
            json!({
                "name": name, "value": shown(debugger.machine().peek(address)), "type": "byte",
                "evaluateName": evaluate, "memoryReference": reference(address), "variablesReference": 0,
            })
        };
        Ok(match handle {
            Handle::Registers => {
                let byte = |name: &str, value: u8| {
                    json!({"name": name, "value": format!("{} %{value:08b}", shown(value)), "evaluateName": name.to_lowercase(), "variablesReference": 0})
                };
                let mut all = vec![
                    byte("A", registers.a),
                    byte("X", registers.x),
                    byte("Y", registers.y),
                    json!({
                        "name": "SP", "value": format!("{} %{:08b}", shown(registers.s), registers.s), "evaluateName": "sp",
                        "memoryReference": reference(0x0100 + u16::from(registers.s)), "variablesReference": 0,
                    }),
                    json!({"name": "P", "value": format!("${:02X} {}", registers.p.byte(), registers.p), "evaluateName": "p", "variablesReference": 0}),
                    json!({
                        "name": "PC", "value": format!("${:04X} {}", registers.pc, debugger.names.describe(registers.pc)),
                        "evaluateName": "pc", "memoryReference": reference(registers.pc), "variablesReference": 0,
                    }),
                    json!({"name": "cycles", "value": debugger.machine().cycles().to_string(), "evaluateName": "cycles", "variablesReference": 0}),
                    json!({"name": "stopwatch", "value": debugger.machine().stopwatch().to_string(), "evaluateName": "stopwatch", "variablesReference": 0}),
                ];
                if let Some((line, cycle)) = debugger.machine().beam() {
                    all.push(json!({"name": "raster", "value": format!("line {line}, cycle {cycle}"), "evaluateName": "raster", "variablesReference": 0}));
                }
                all
            }
            Handle::Drive => {
                let drive = debugger.machine().drive().ok_or("there is no whole 1541")?;
                let row = |name: &str, value: String| json!({"name": name, "value": value, "variablesReference": 0});
                let registers = drive.registers();
                let mut all = vec![
                    row("A", shown(registers.a)),
                    row("X", shown(registers.x)),
                    row("Y", shown(registers.y)),
                    row("SP", shown(registers.s)),
                    row("P", format!("${:02X} {}", registers.p.byte(), registers.p)),
                    row("PC", format!("${:04X}", registers.pc)),
                    row("cycles", drive.cycles().to_string()),
                ];
                all.extend(drive_state(drive).map(|(name, value)| row(name, value)));
                all
            }
            Handle::Session => {
                let (first, last) = debugger.recording();
                let row = |name: &str, value: String| json!({"name": name, "value": value, "variablesReference": 0});
                vec![
                    row("since the last stop", format!("{} cycles", debugger.cycles_since_stop())),
                    row("time", debugger.time().to_string()),
                    row("recorded", format!("time {first} to {last}")),
                ]
            }
            Handle::Flags => FLAGS
                .map(|(name, mask)| {
                    let on = u8::from(registers.p.byte() & mask != 0);
                    json!({"name": name, "value": on.to_string(), "evaluateName": name.to_lowercase(), "variablesReference": 0})
                })
                .to_vec(),
            Handle::Locals(pc) => {
                let peek = |at: u16| debugger.machine().peek(at);
                let mut all: Vec<Value> = Vec::new();
                for (name, text, number) in debugger.map.arguments(*pc, &peek) {
                    if all.iter().any(|known| known["name"] == name) {
                        // An inner macro hides it.
                        continue;
                    }
                    let shown = number.map_or_else(|| text.to_string(), tempo_debug::show_number);
                    let mut value = json!({"name": name, "value": shown, "type": "argument", "variablesReference": 0});
                    if let Some(address) = number.and_then(|number| u16::try_from(number).ok()) {
                        value["evaluateName"] = name.into();
                        value["memoryReference"] = reference(address).into();
                    }
                    all.push(value);
                }
                for (name, path, address, width) in locals(debugger, *pc) {
                    let mut value = byte_at(name, address, Some(path.clone()));
                    if width == 2 {
                        let word = u16::from_le_bytes([peek(address), peek(address.wrapping_add(1))]);
                        value["value"] = if is_hex { hex_address(word) } else { format!("${word:04X} {word}") }.into();
                        value["type"] = "word".into();
                        value["evaluateName"] = format!("[{path}].w").into();
                    }
                    all.push(value);
                }
                all
            }
            Handle::ZeroPage => {
                let mut named = Vec::new();
                let mut plain = Vec::new();
                for address in 0..=0xff_u16 {
                    match debugger.names.at(address) {
                        Some(name) => named.push(byte_at(format!("${address:02X} {name}"), address, Some(name.to_string()))),
                        None => plain.push(byte_at(format!("${address:02X}"), address, None)),
                    }
                }
                named.extend(plain);
                named
            }
            Handle::Stack => {
                let calls = &debugger.moment().calls.frames;
                (u16::from(registers.s) + 1..=0xff)
                    .map(|low| {
                        let address = 0x0100 + low;
                        let mut value = byte_at(hex_address(address), address, None);
                        if let Some(role) = calls.iter().find_map(|call| call.role(low as u8)) {
                            let meaning = match role {
                                Role::Status => "P of the interrupted code".to_string(),
                                Role::Return(to) => format!("return to {}", debugger.names.describe(to)),
                            };
                            value["value"] = format!("{} {meaning}", shown(debugger.machine().peek(address))).into();
                        }
                        value
                    })
                    .collect()
            }
            Handle::Labels(prefix) => {
                let mut inner: Vec<String> = Vec::new();
                let mut here = Vec::new();
                for name in debugger.names.iter() {
                    let rest = match prefix.as_str() {
                        "" => name.path.as_str(),
                        prefix => match name.path.strip_prefix(prefix).and_then(|rest| rest.strip_prefix('.')) {
                            Some(rest) => rest,
                            None => continue,
                        },
                    };
                    match rest.split_once('.') {
                        Some((scope, _)) if !inner.iter().any(|known| known == scope) => inner.push(scope.to_string()),
                        Some(_) => {}
                        None => here.push((rest.to_string(), name.clone())),
                    }
                }
                let mut all: Vec<Value> = Vec::new();
                for (short, name) in here {
                    match u16::try_from(name.value).ok().filter(|_| name.is_label) {
                        Some(address) => {
                            let mut value = byte_at(short, address, Some(name.path.clone()));
                            value["value"] = format!("${address:04X}: {}", shown(debugger.machine().peek(address))).into();
                            all.push(value);
                        }
                        None => all.push(json!({"name": short, "value": tempo_debug::show_number(name.value), "variablesReference": 0})),
                    }
                }
                for scope in inner {
                    let path = if prefix.is_empty() { scope.clone() } else { format!("{prefix}.{scope}") };
                    let number = self.handle_for(Handle::Labels(path));
                    all.push(json!({"name": format!("{scope}."), "value": "", "variablesReference": number}));
                }
                all
            }
            Handle::Chips => {
                let mut all = Vec::new();
                for &chip in debugger.machine().kind().hardware().chips {
                    let Chip { name, first, count } = chip;
                    let number = self.handle_for(Handle::Chip(chip));
                    all.push(json!({"name": name, "value": hex_address(first), "memoryReference": reference(first), "variablesReference": number, "namedVariables": count}));
                }
                all
            }
            Handle::Chip(Chip { first, count, .. }) => {
                let mut all = Vec::new();
                for address in *first..first + count {
                    let value = register(debugger, address);
                    let hardware = debugger.machine().kind().hardware();
                    let place = hardware.named(address);
                    let text = place.map_or(String::new(), |place| format!(" {}", place.text));
                    let fields = hardware.fields(address).len();
                    all.push(json!({
                        "name": format!("${address:04X}{text}"), "value": format!("{} %{value:08b}", shown(value)),
                        "evaluateName": format!("[${address:04X}]"), "memoryReference": reference(address),
                        "variablesReference": 0, "namedVariables": fields,
                    }));
                }
                for value in &mut all {
                    if value["namedVariables"] != 0
                        && let Some(address) = value["memoryReference"].as_str().and_then(tempo_debug::parse_number)
                    {
                        value["variablesReference"] = self.handle_for(Handle::Bits(address as u16)).into();
                    }
                }
                all
            }
            Handle::Bits(address) => {
                let byte = register(debugger, *address);
                let fields = debugger.machine().kind().hardware().fields(*address);
                let row = |field: &Field| {
                    json!({"name": field.name, "value": field.of(byte).to_string(), "variablesReference": 0})
                };
                fields.iter().map(row).collect()
            }
            Handle::Bytes(address, count) => (0..*count)
                .map(|offset| {
                    let at = address.wrapping_add(offset as u16);
                    byte_at(format!("[{offset}]"), at, None)
                })
                .collect(),
        })
    }

    /// The place in memory of a variable.
    pub(crate) fn variable_place(&self, parent: i64, name: &str) -> Option<(u16, usize)> {
        let handle = usize::try_from(parent - 1).ok().and_then(|at| self.handles.get(at))?;
        let debugger = self.debugger.as_ref()?;
        match handle {
            Handle::Registers
            | Handle::Flags
            | Handle::Session
            | Handle::Chips
            | Handle::Drive
            | Handle::Bits(_) => None,
            Handle::Locals(pc) => locals(debugger, *pc)
                .into_iter()
                .find(|(local, _, _, _)| local == name)
                .map(|(_, _, at, width)| (at, width)),
            Handle::Labels(prefix) => {
                let path = if prefix.is_empty() { name.to_string() } else { format!("{prefix}.{name}") };
                debugger.names.get(&path, "").and_then(|value| u16::try_from(value).ok()).map(|at| (at, 1))
            }
            Handle::Bytes(address, _) => {
                let offset: u16 = name.trim_matches(['[', ']']).parse().ok()?;
                Some((address.wrapping_add(offset), 1))
            }
            Handle::ZeroPage | Handle::Stack | Handle::Chip(_) => {
                let word = name.split_whitespace().next()?;
                tempo_debug::parse_number(word).and_then(|at| u16::try_from(at).ok()).map(|at| (at, 1))
            }
        }
    }

    pub(crate) fn set_variable(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let name = given.text("name").unwrap_or("").to_string();
        let value = given.text("value").unwrap_or("").to_string();
        let parent = given.number("variablesReference").unwrap_or(0);
        if let Some(&Handle::Bits(address)) =
            usize::try_from(parent - 1).ok().and_then(|at| self.handles.get(at))
        {
            return self.set_bits(address, &name, &value);
        }
        let place = self.variable_place(parent, &name);
        match place {
            Some((address, width)) => {
                let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
                let number = debugger.typed(&value)?;
                if !(0..1_i64 << (8 * width)).contains(&number) {
                    return Err(
                        format!("{number} does not fit in {width} bytes").replace("1 bytes", "one byte")
                    );
                }
                let bytes = number.to_le_bytes()[..width].to_vec();
                let dropped = debugger.change(Input::Poke(address, bytes));
                self.changed(Some((address, width)), dropped);
                Ok(json!({"value": tempo_debug::show_number(number), "memoryReference": reference(address)}))
            }
            None => self.assign(&name, &value),
        }
    }

    /// Sets named bits of a chip's register.
    fn set_bits(&mut self, address: u16, name: &str, value: &str) -> Answer {
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        let fields = debugger.machine().kind().hardware().fields(address);
        let field = fields.iter().find(|field| field.name == name).ok_or("there are no such bits")?;
        let number = debugger.typed(value)?;
        let bits = u8::try_from(number).ok().filter(|&bits| bits <= field.mask() >> field.first);
        let bits = bits.ok_or_else(|| format!("{number} does not fit in these bits"))?;
        let byte = register(debugger, address);
        let byte = byte & !field.mask() | bits << field.first;
        let dropped = debugger.change(Input::Poke(address, vec![byte]));
        self.changed(Some((address, 1)), dropped);
        Ok(json!({"value": bits.to_string()}))
    }

    pub(crate) fn set_expression(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let expression = given.text("expression").unwrap_or("").to_string();
        let value = given.text("value").unwrap_or("").to_string();
        self.assign(&expression, &value)
    }

    fn assign(&mut self, name: &str, value: &str) -> Answer {
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        let place = debugger.place_of(name);
        let (shown, dropped) = debugger.assign(name, value)?;
        self.changed(place, dropped);
        Ok(json!({"value": shown}))
    }

    pub(crate) fn exception_info(&mut self) -> Answer {
        let debugger = self.standing()?;
        let stop = debugger.last_stop();
        let tempo_debug::Reason::Exception(exception) = stop.reason else {
            return Err("the machine does not stand at an exception".to_string());
        };
        let calls: Vec<String> = debugger
            .frames(self.macro_frames)
            .iter()
            .map(|frame| match &frame.place {
                Some(place) => format!("{} at {}:{}", frame.name, place.path, place.line),
                None => frame.name.clone(),
            })
            .collect();
        Ok(json!({
            "exceptionId": exception.id(), "description": stop.text, "breakMode": "always",
            "details": {"message": stop.text, "typeName": exception.label(), "stackTrace": calls.join("\n"), "fullTypeName": exception.id(), "threadId": THREAD},
        }))
    }
}

/// Labels of the scope at an address: inside the routine, and the routine's own; with the width of what is there.
/// The register of a chip, whatever the CPU sees there.
fn register(debugger: &Debugger, address: u16) -> u8 {
    debugger.machine().computer().map_or(0, |machine| machine.peek_register(address))
}

fn locals(debugger: &Debugger, pc: u16) -> Vec<(String, String, u16, usize)> {
    let scope = debugger.names.scope_at(pc).to_string();
    let outer = scope.split('.').next().unwrap_or("");
    let mut found = Vec::new();
    for name in debugger.names.iter().filter(|name| name.is_label) {
        let Ok(address) = u16::try_from(name.value) else { continue };
        let is_inside =
            !outer.is_empty() && name.path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'));
        if is_inside {
            let short = name.path[outer.len() + 1..].to_string();
            let width = if debugger.map.is_word(address) { 2 } else { 1 };
            found.push((short, name.path.clone(), address, width));
        }
    }
    found
}
