//! The client's capabilities, and its way to write places: lines and columns from 0 or 1, columns in UTF-16 units, paths or
//! `file:` URIs.

use serde_json::Value;
use tempo_diagnostics::Source;

use crate::arguments::Arguments;

/// The client, as it introduced itself.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Client {
    pub first_line: i64,
    pub first_column: i64,
    pub uris: bool,
    pub memory_events: bool,
    pub invalidated_events: bool,
}

impl Default for Client {
    fn default() -> Client {
        Client {
            first_line: 1,
            first_column: 1,
            uris: false,
            memory_events: false,
            invalidated_events: false,
        }
    }
}

impl Client {
    pub fn new(given: Arguments<'_>) -> Client {
        let starts = |name: &str| i64::from(given.0.get(name).and_then(Value::as_bool).unwrap_or(true));
        Client {
            first_line: starts("linesStartAt1"),
            first_column: starts("columnsStartAt1"),
            uris: given.text("pathFormat") == Some("uri"),
            memory_events: given.flag("supportsMemoryEvent"),
            invalidated_events: given.flag("supportsInvalidatedEvent"),
        }
    }

    /// Our line, from 1, as the client counts.
    pub fn line(self, line: u32) -> i64 {
        i64::from(line) - 1 + self.first_line
    }

    /// The client's line as ours; 0 if it is none.
    pub fn own_line(self, line: i64) -> u32 {
        u32::try_from(line.saturating_add(1 - self.first_line)).unwrap_or(0)
    }

    /// Our column, in characters from 1, as the client counts.
    pub fn column(self, source: Option<&Source>, line: u32, column: u32) -> i64 {
        let before = column.saturating_sub(1) as usize;
        let units = match source {
            Some(source) => source.line(line).chars().take(before).map(char::len_utf16).sum(),
            None => before,
        };
        units as i64 + self.first_column
    }

    /// The client's column as ours.
    pub fn own_column(self, source: &Source, line: u32, column: i64) -> u32 {
        let wanted = usize::try_from(column - self.first_column).unwrap_or(0);
        let mut units = 0;
        let before = source.line(line).chars().take_while(|character| {
            let is_before = units < wanted;
            units += character.len_utf16();
            is_before
        });
        before.count() as u32 + 1
    }

    /// A path as the client writes it.
    pub fn path(self, path: &str) -> String {
        if self.uris { to_uri(path) } else { path.to_string() }
    }
}

fn to_uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    // A drive comes after the slash that ends the host.
    let slash = if path.starts_with('/') { "" } else { "/" };
    let mut uri = format!("file://{slash}");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte) {
            uri.push(byte as char);
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// The path that a client means by a path or a URI.
pub(crate) fn plain_path(path: &str) -> String {
    let Some(rest) = path.strip_prefix("file://") else { return path.to_string() };
    let mut bytes = Vec::new();
    let mut rest = rest.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next().unwrap_or(b'0'), rest.next().unwrap_or(b'0')];
            let text = String::from_utf8_lossy(&digits).into_owned();
            bytes.push(u8::from_str_radix(&text, 16).unwrap_or(b'?'));
        } else {
            bytes.push(byte);
        }
    }
    let path = String::from_utf8_lossy(&bytes).into_owned();
    let is_drive = matches!(path.as_bytes(), [b'/', drive, b':', ..] if drive.is_ascii_alphabetic());
    if is_drive { path[1..].to_string() } else { path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn uris_lead_to_the_path_they_came_from() {
        for (path, uri) in [
            ("/home/me/a b/main.asm", "file:///home/me/a%20b/main.asm"),
            ("/tmp/50%/#1/grün.asm", "file:///tmp/50%25/%231/gr%C3%BCn.asm"),
            ("C:/game/main.asm", "file:///C:/game/main.asm"),
        ] {
            assert_eq!((to_uri(path), plain_path(uri)), (uri.to_string(), path.to_string()));
        }
        assert_eq!(to_uri("C:\\game\\main.asm"), "file:///C:/game/main.asm");
        assert_eq!(plain_path("file:///c%3A/game/main.asm"), "c:/game/main.asm");
        assert_eq!(plain_path("/plain/%20.asm"), "/plain/%20.asm");
    }

    #[test]
    fn columns_are_utf16_units() {
        let source = Source::new("main.asm", "/*ä€😀*/ nop\n");
        let client = Client::default();
        for (ours, theirs) in [(1, 1), (5, 5), (6, 7), (9, 10)] {
            assert_eq!(client.column(Some(&source), 1, ours), theirs);
            assert_eq!(client.own_column(&source, 1, theirs), ours);
        }
        let zero = Client { first_column: 0, ..client };
        assert_eq!((zero.column(Some(&source), 1, 9), zero.own_column(&source, 1, 9)), (9, 9));
    }
}
