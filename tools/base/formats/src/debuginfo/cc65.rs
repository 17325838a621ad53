//! The `.dbg` of ld65: records of `key=value`, which name each other by number.

use std::collections::HashMap;

use super::{DebugInfo, DebugInfoError};
use crate::debugdump::DumpItem;

/// Whether a text is such a file.
pub fn is_dbg(text: &str) -> bool {
    text.starts_with("version\tmajor=")
}

/// A record: its kind and its values.
struct Record<'a> {
    kind: &'a str,
    values: HashMap<&'a str, &'a str>,
}

impl<'a> Record<'a> {
    fn parse(line: &'a str) -> Option<Record<'a>> {
        let (kind, mut rest) = line.split_once('\t')?;
        let mut values = HashMap::new();
        while !rest.is_empty() {
            let (key, after) = rest.split_once('=')?;
            let value;
            (value, rest) = match after.strip_prefix('"') {
                Some(quoted) => {
                    let (value, tail) = quoted.split_once('"')?;
                    (value, tail.strip_prefix(',').unwrap_or(tail))
                }
                None => after.split_once(',').unwrap_or((after, "")),
            };
            values.insert(key, value);
        }
        Some(Record { kind, values })
    }

    fn number(&self, key: &str) -> Option<u32> {
        let text = self.values.get(key)?;
        match text.strip_prefix("0x") {
            Some(digits) => u32::from_str_radix(digits, 16).ok(),
            None => text.parse().ok(),
        }
    }
}

/// Bytes that a line made: addresses, and whether they are data.
struct Span {
    segment: u32,
    start: u32,
    size: u32,
    is_data: bool,
}

/// The lines of assembler sources, or of C where there are such; lines of macros are those of their calls.
pub fn read(text: &str) -> Result<DebugInfo, DebugInfoError> {
    let mut info = DebugInfo::default();
    info.dump.sources.push("ld65".to_owned());
    let mut files: HashMap<u32, usize> = HashMap::new();
    let mut segments: HashMap<u32, u32> = HashMap::new();
    let mut spans: HashMap<u32, Span> = HashMap::new();
    // File, line, whether it is one of C, spans.
    let mut lines: Vec<(u32, u32, bool, Vec<u32>)> = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let bad = || DebugInfoError::Cc65(index + 1);
        let record = Record::parse(line).ok_or_else(bad)?;
        let id = record.number("id");
        match record.kind {
            "file" => {
                let name = record.values.get("name").ok_or_else(bad)?;
                files.insert(id.ok_or_else(bad)?, info.dump.sources.len());
                info.dump.sources.push((*name).to_owned());
            }
            "seg" => drop(segments.insert(id.ok_or_else(bad)?, record.number("start").ok_or_else(bad)?)),
            "span" => {
                let number = |key| record.number(key).ok_or_else(bad);
                let (segment, start, size) = (number("seg")?, number("start")?, number("size")?);
                let is_data = record.values.contains_key("type");
                spans.insert(id.ok_or_else(bad)?, Span { segment, start, size, is_data });
            }
            "line" => {
                let kind = record.number("type").unwrap_or(0);
                // 2 is a line inside a macro.
                if let Some(list) = record.values.get("span").filter(|_| kind < 2) {
                    let list = list.split('+').map(|id| id.parse().map_err(|_| bad()));
                    let list: Vec<u32> = list.collect::<Result<_, _>>()?;
                    let number = |key| record.number(key).ok_or_else(bad);
                    lines.push((number("file")?, number("line")?, kind == 1, list));
                }
            }
            "sym" => {
                let (Some(name), Some(value)) = (record.values.get("name"), record.number("val")) else {
                    continue;
                };
                // A parent makes it a cheap local label, which needs a scope of ours.
                if record.values.get("type") == Some(&"lab") && !name.starts_with('@') {
                    info.labels.push(((*name).to_owned(), i64::from(value)));
                }
            }
            _ => {}
        }
    }
    for (file, line, is_c, list) in lines {
        let Some(&file) = files.get(&file) else { continue };
        for span in list.iter().filter_map(|id| spans.get(id)).filter(|span| span.size > 0) {
            let Some(base) = segments.get(&span.segment) else { continue };
            let first = base.checked_add(span.start);
            let last = first.and_then(|first| first.checked_add(span.size - 1));
            let address = |at: Option<u32>| at.and_then(|at| u16::try_from(at).ok());
            if let (Some(first), Some(last)) = (address(first), address(last)) {
                let is_code = Some(is_c || !span.is_data);
                info.dump.items.push(DumpItem { first, last, file, line, column: 0, is_code });
            }
        }
    }
    prefer_c(&mut info, text);
    info.labels.sort();
    info.labels.dedup();
    Ok(info)
}

/// A C program has the lines of the compiler's output, too: those in C say more.
fn prefer_c(info: &mut DebugInfo, text: &str) {
    if !text.contains(",type=1") {
        return;
    }
    let is_c = |name: &String| name.ends_with(".c") || name.ends_with(".h");
    let sources = &info.dump.sources;
    let mut covered = vec![false; 0x1_0000];
    for item in info.dump.items.iter().filter(|item| is_c(&sources[item.file])) {
        (item.first..=item.last).for_each(|at| covered[usize::from(at)] = true);
    }
    info.dump.items.retain(|item| is_c(&sources[item.file]) || !covered[usize::from(item.first)]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    const DBG: &str = "version\tmajor=2,minor=0\n\
        file\tid=0,name=\"a, b.s\",size=1,mtime=0x1,mod=0\n\
        line\tid=0,file=0,line=3,span=0\n\
        line\tid=1,file=0,line=9,type=2,count=1,span=2\n\
        line\tid=2,file=0,line=4,span=1+2\n\
        seg\tid=0,name=\"CODE\",start=0x001000,size=0x0011,type=ro\n\
        span\tid=0,seg=0,start=0,size=2\n\
        span\tid=1,seg=0,start=2,size=3,type=0\n\
        span\tid=2,seg=0,start=8,size=1\n\
        sym\tid=0,name=\"start\",addrsize=absolute,scope=0,val=0x1000,seg=0,type=lab\n\
        sym\tid=1,name=\"WIDTH\",addrsize=zeropage,scope=0,val=0x28,type=equ\n";

    #[test]
    fn lines_have_the_addresses_of_their_spans() {
        let info = read(DBG).expect("a .dbg");
        assert_eq!(info.dump.sources, ["ld65", "a, b.s"]);
        let items: Vec<_> =
            info.dump.items.iter().map(|item| (item.first, item.last, item.line, item.is_code)).collect();
        assert_eq!(
            items,
            [
                (0x1000, 0x1001, 3, Some(true)),
                (0x1002, 0x1004, 4, Some(false)),
                (0x1008, 0x1008, 4, Some(true))
            ]
        );
        assert_eq!(info.labels, [("start".to_owned(), 0x1000)]);
    }

    #[test]
    fn broken_records_are_named() {
        for (broken, line) in [
            ("span\tid=0,seg=0", 12),
            ("line\tid=0,file=0,line=1,span=x", 12),
            ("file\tid=0,name=\"open", 12),
            ("nothing", 12),
        ] {
            let text = format!("{DBG}{broken}\n");
            assert_eq!(read(&text), Err(DebugInfoError::Cc65(line)), "{broken}");
        }
        // Numbers that lead nowhere are left out.
        let text = format!(
            "{DBG}line\tid=5,file=7,line=1,span=0\nline\tid=6,file=0,line=1,span=99\nspan\tid=9,seg=0,start=0xffffffff,size=0xffffffff\n"
        );
        assert_eq!(read(&text).expect("a .dbg").dump.items.len(), 3);
    }
}
