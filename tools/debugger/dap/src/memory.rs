//! Memory and disassembly.

use serde_json::{Value, json};
use tempo_debug::Input;
use tempo_diagnostics::hex_bytes;
use tempo_framing::base64;

use crate::arguments::{Arguments, parse_reference, reference};
use crate::session::{Answer, CANCELLED, Session};

impl Session {
    pub(crate) fn read_memory(&mut self, given: Arguments<'_>) -> Answer {
        let debugger = self.standing()?;
        let start = given
            .text("memoryReference")
            .and_then(|text| parse_reference(text, given.number("offset").unwrap_or(0)));
        let start = start.ok_or("this is not an address")?;
        let count = given.number("count").unwrap_or(0).max(0);
        let readable = if (0..0x10000).contains(&start) { count.min(0x10000 - start) } else { 0 };
        let bytes: Vec<u8> =
            (0..readable).map(|offset| debugger.machine().peek((start + offset) as u16)).collect();
        let address = if start < 0 { format!("-0x{:x}", -start) } else { format!("0x{start:04x}") };
        let mut body = json!({"address": address, "data": base64::encode(&bytes)});
        if count > readable {
            body["unreadableBytes"] = (count - readable).into();
        }
        Ok(body)
    }

    pub(crate) fn write_memory(&mut self, given: Arguments<'_>) -> Answer {
        self.standing()?;
        let start = given
            .text("memoryReference")
            .and_then(|text| parse_reference(text, given.number("offset").unwrap_or(0)));
        let start = start.ok_or("this is not an address")?;
        let mut bytes = given.text("data").and_then(base64::decode).ok_or("the data is not base64")?;
        if !(0..0x10000).contains(&start) {
            return Err("this address is outside of memory".to_string());
        }
        let room = (0x10000 - start) as usize;
        if bytes.len() > room {
            if !given.flag("allowPartial") {
                return Err(format!("{} bytes at ${start:04X} run past $FFFF", bytes.len()));
            }
            bytes.truncate(room);
        }
        let count = bytes.len();
        let debugger = self.debugger.as_mut().ok_or("nothing is loaded")?;
        let dropped = debugger.change(Input::Poke(start as u16, bytes));
        self.changed(Some((start as u16, count)), dropped);
        Ok(json!({"bytesWritten": count}))
    }

    pub(crate) fn disassemble(
        &mut self,
        given: Arguments<'_>,
        is_cancelled: &mut dyn FnMut() -> bool,
    ) -> Answer {
        let debugger = self.standing()?;
        let start = given
            .text("memoryReference")
            .and_then(|text| parse_reference(text, given.number("offset").unwrap_or(0)));
        let start = start.ok_or("this is not an address")?;
        let count = given.number("instructionCount").unwrap_or(0).clamp(0, 0x4000) as usize;
        let offset = given.number("instructionOffset").unwrap_or(0);
        let symbols = given.0.get("resolveSymbols").and_then(Value::as_bool).unwrap_or(true);
        let rows = match u16::try_from(start) {
            Ok(address) => debugger.listing_unless(address, offset, count, is_cancelled).ok_or(CANCELLED)?,
            Err(_) => (0..count as i64)
                .map(|row| tempo_debug::Row {
                    address: start + offset + row,
                    bytes: Vec::new(),
                    text: String::new(),
                    label: None,
                    place: None,
                })
                .collect(),
        };
        let mut last = None;
        let instructions: Vec<Value> = rows
            .into_iter()
            .map(|row| {
                // Rows outside of memory keep ascending addresses; those below zero are written as such.
                let address = match u16::try_from(row.address) {
                    Ok(address) => reference(address),
                    Err(_) if row.address < 0 => format!("-0x{:x}", -row.address),
                    Err(_) => format!("0x{:x}", row.address),
                };
                if row.bytes.is_empty() {
                    return json!({"address": address, "instruction": "", "presentationHint": "invalid"});
                }
                let bytes = hex_bytes(&row.bytes);
                let mut entry =
                    json!({"address": address, "instructionBytes": bytes, "instruction": row.text});
                if let Some(label) = row.label.filter(|_| symbols) {
                    entry["symbol"] = label.into();
                }
                if let Some((file, line)) = row.place {
                    if last != Some(file) {
                        entry["location"] = self.source_of(&debugger.map.files[file].path);
                        last = Some(file);
                    }
                    entry["line"] = self.client.line(line).into();
                }
                entry
            })
            .collect();
        Ok(json!({"instructions": instructions}))
    }
}
