//! Resources: pages of the book, opcodes, registers of the C64, and the project.

use serde_json::{Value, json};
use tempo_diagnostics::hex_address;
use tempo_emu::System;
use tempo_isa::{Cpu, Mnemonic};

use crate::book;
use crate::host::Host;
use crate::sources::shown;

/// Files that the project's description lists.
const MOST_FILES: usize = 200;

/// Resources with a fixed name.
pub fn list() -> Vec<Value> {
    let project = json!({
        "uri": "tempo://project",
        "name": "project",
        "description": "Main source, sources, suites and settings",
        "mimeType": "application/json",
    });
    let pages = book::PAGES.iter().map(|page| {
        json!({
            "uri": format!("tempo://book/{}", page.name),
            "name": page.name,
            "title": page.title(),
            "mimeType": "text/markdown",
            "size": page.text.len(),
        })
    });
    std::iter::once(project).chain(pages).collect()
}

/// Resources with a part to fill in.
pub fn templates() -> Vec<Value> {
    let template = |uri: &str, name: &str, description: &str, mime: &str| json!({ "uriTemplate": uri, "name": name, "description": description, "mimeType": mime });
    vec![
        template("tempo://book/{page}", "page", "A page of the manual", "text/markdown"),
        template("tempo://opcodes/{mnemonic}", "opcode", "All forms of an instruction", "text/plain"),
        template(
            "tempo://c64/{address}",
            "register",
            "A register or KERNAL entry, as d011 or name",
            "text/plain",
        ),
    ]
}

/// The content of a resource.
pub fn read(host: &dyn Host, uri: &str) -> Option<Value> {
    let (mime, text) = content(host, uri)?;
    Some(json!({ "contents": [{ "uri": uri, "mimeType": mime, "text": text }] }))
}

fn content(host: &dyn Host, uri: &str) -> Option<(&'static str, String)> {
    let path = uri.strip_prefix("tempo://")?;
    if path == "project" {
        return Some(("application/json", project(host)));
    }
    let (kind, name) = path.split_once('/')?;
    match kind {
        // `help` names the line of a section after the page.
        "book" => {
            let name = name.split_once('#').map_or(name, |(name, _)| name);
            book::page(name).map(|page| ("text/markdown", page.text.to_owned()))
        }
        "opcodes" => opcode(name).map(|text| ("text/plain", text)),
        "c64" => hardware(name).map(|(_, text)| ("text/plain", text)),
        _ => None,
    }
}

/// The project as JSON.
fn project(host: &dyn Host) -> String {
    let description = match host.project() {
        Err(problem) => json!({ "error": problem, "sources": host.sources(MOST_FILES) }),
        Ok(project) => json!({
            "main": shown(&project.main()),
            "hasSettings": project.is_there(),
            "system": project.system().name(),
            "defines": project.defines(),
            "variables": project.vars(),
            "suites": host.suites(&project, None).unwrap_or_default(),
            "sources": host.sources(MOST_FILES),
        }),
    };
    format!("{description:#}\n")
}

/// All forms of an instruction.
pub fn opcode(name: &str) -> Option<String> {
    let mnemonic = Mnemonic::parse(&name.to_ascii_lowercase())?;
    let mut text = format!("{}: {}\n", mnemonic.name(), mnemonic.about());
    let mut known = Vec::new();
    for cpu in [Cpu::Mos6502, Cpu::Wdc65c02] {
        for row in cpu.rows(mnemonic) {
            let mode = row.mode.operand();
            if known.contains(&(row.opcode, mode)) {
                continue;
            }
            known.push((row.opcode, mode));
            let only = if cpu == Cpu::Mos6502 { "" } else { "  (65C02)" };
            let cycles = if row.cycles == 0 { "-".to_owned() } else { row.cycles.to_string() };
            text += &format!("${:02X} {} {mode:<10} {cycles} cycles{only}\n", row.opcode, mnemonic.name());
        }
    }
    (!known.is_empty()).then_some(text)
}

/// A register or entry of the C64 by address or name: its name and text.
pub fn hardware(word: &str) -> Option<(String, String)> {
    let hardware = System::C64Pal.hardware();
    let digits = word.trim_start_matches('$').trim_start_matches("0x");
    let address = u16::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 4 || word.starts_with('$'));
    let place = match address {
        Some(address) => hardware.named(address)?,
        None => hardware.by_name(word)?,
    };
    let last = place.addr.wrapping_add(place.len - 1);
    let range = match place.len {
        1 => hex_address(place.addr),
        _ => format!("{}-{}", hex_address(place.addr), hex_address(last)),
    };
    let mut text = format!("{range} {}: {}\n", place.name, place.text);
    if !place.detail.is_empty() {
        text += &format!("{}\n", place.detail);
    }
    Some((hex_address(place.addr).trim_start_matches('$').to_ascii_lowercase(), text))
}
