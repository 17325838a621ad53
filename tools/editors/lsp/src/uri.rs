//! `file:` URIs and paths. Only what a path needs: percent signs, Windows drives, nothing of queries or hosts.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use lsp_types::Uri;

/// The path of a `file:` URI; `None` for other schemes.
pub fn to_path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file:")?;
    let rest = match rest.strip_prefix("//") {
        // A host; only this computer has files for us.
        Some(rest) => rest.find('/').map(|slash| &rest[slash..])?,
        None => rest,
    };
    let decoded = decode(rest);
    let bytes = decoded.as_bytes();
    // `/c:/work` is `C:\work`, whatever the case of the letter.
    if bytes.len() >= 3 && bytes[0] == b'/' && bytes[1].is_ascii_alphabetic() && bytes[2] == b':' {
        let drive = char::from(bytes[1].to_ascii_uppercase());
        return Some(PathBuf::from(format!("{drive}{}", &decoded[2..])));
    }
    Some(PathBuf::from(decoded))
}

/// A name for a text that has no file yet, such as `untitled:Untitled-1`: one in a folder, where it finds its imports.
/// The extension says what it is, and no file has a name like that.
pub fn unsaved_path(uri: &Uri, is_suite: bool, folder: &Path) -> PathBuf {
    let name = uri.as_str().replace(['/', '\\'], "_");
    let extension = if is_suite && !name.ends_with(".6502") { ".6502" } else { "" };
    folder.join(format!("{name}{extension}"))
}

/// The URI of a path.
pub fn from_path(path: &Path) -> Option<Uri> {
    let text = path.to_string_lossy();
    let slash = if text.starts_with('/') { "" } else { "/" };
    let mut uri = format!("file://{slash}");
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(char::from(byte))
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&uri).ok()
}

fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let digits = text.get(at + 1..at + 3).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match (bytes[at], digits) {
            (b'%', Some(byte)) => {
                out.push(byte);
                at += 3;
            }
            (byte, _) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_lead_to_each_other() {
        for (uri, path) in [
            ("file:///a/b%20c/%C3%A4.asm", "/a/b c/ä.asm"),
            ("file:///c%3A/x.asm", "C:/x.asm"),
            ("file:///C:/x.asm", "C:/x.asm"),
            ("file://localhost/a.asm", "/a.asm"),
            ("file:/a.asm", "/a.asm"),
            ("file:///100%25.asm", "/100%.asm"),
        ] {
            assert_eq!(to_path(&Uri::from_str(uri).unwrap()), Some(PathBuf::from(path)), "{uri}");
        }
        for path in ["/a/b c/ä€😀.asm", "/a+b#c?.asm"] {
            let uri = from_path(Path::new(path)).unwrap();
            assert_eq!(to_path(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        assert_eq!(to_path(&Uri::from_str("untitled:Untitled-1").unwrap()), None);
    }
}
