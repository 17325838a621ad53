//! A program's bytes and where they go: load addresses, the `SYS` of a BASIC line, addresses by name.

use std::path::Path;

use tempo_formats::symbols::Symbols;

/// Bytes for memory.
pub struct Image {
    pub addr: u16,
    bytes: Vec<u8>,
}

impl Image {
    /// The file's bytes at `load`, or at the address its first two bytes give.
    pub fn new(path: &Path, file: Vec<u8>, load: Option<u16>) -> Result<Image, String> {
        let name = path.display();
        if file.is_empty() {
            return Err(format!("{name}: the file is empty"));
        }
        let image = match load {
            Some(addr) => Image { addr, bytes: file },
            None => {
                let is_program =
                    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("prg"));
                if !is_program && !super::source::is_source(path) {
                    return Err(format!(
                        "{name}: where do its bytes go? give --load ADDR for a raw binary; only .prg files carry \
                         their address"
                    ));
                }
                let (addr, bytes) =
                    tempo_formats::prg::read(&file).map_err(|err| format!("{name}: {err}"))?;
                if bytes.is_empty() {
                    return Err(format!("{name}: nothing but a load address"));
                }
                Image { addr, bytes: bytes.to_vec() }
            }
        };
        if usize::from(image.addr) + image.bytes.len() > 0x10000 {
            return Err(format!("{name}: {} bytes at ${:04X} run past $FFFF", image.bytes.len(), image.addr));
        }
        Ok(image)
    }

    /// Whether the program has a byte there.
    pub fn covers(&self, addr: u16) -> bool {
        (usize::from(self.addr)..usize::from(self.addr) + self.bytes.len()).contains(&usize::from(addr))
    }

    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Copies the bytes into memory.
    pub fn place(&self, memory: &mut [u8; 0x10000]) {
        let start = usize::from(self.addr);
        memory[start..start + self.bytes.len()].copy_from_slice(&self.bytes);
    }

    /// The number after `SYS` in the first BASIC line, if the file begins with one.
    pub fn sys(&self) -> Option<u16> {
        (self.addr == tempo_emu::c64::BASIC_START).then(|| tempo_emu::c64::sys(&self.bytes)).flatten()
    }
}

/// `$1000`, `0x1000`, `4096`, or a name of the symbol file.
pub fn address(text: &str, symbols: &Symbols, option: &str) -> Result<u16, String> {
    let hex = text.strip_prefix('$').or_else(|| text.strip_prefix("0x")).or_else(|| text.strip_prefix("0X"));
    let is_number = hex.is_some() || text.starts_with(|first: char| first.is_ascii_digit());
    let number = match hex {
        Some(digits) => i64::from_str_radix(digits, 16).ok(),
        None if is_number => text.parse().ok(),
        None => Some(symbols.get(text).ok_or_else(|| unknown(text, symbols, option))?),
    };
    number
        .and_then(|number| u16::try_from(number).ok())
        .ok_or_else(|| format!("{option} {text}: not an address between $0000 and $FFFF"))
}

fn unknown(name: &str, symbols: &Symbols, option: &str) -> String {
    if symbols.is_empty() {
        return format!("{option} {name}: names need --symbols FILE; addresses are $1000, 0x1000 or 4096");
    }
    let lower = name.to_lowercase();
    let near = symbols.iter().find(|symbol| {
        let path = symbol.path.to_lowercase();
        path == lower || path.rsplit('.').next() == Some(&lower) || path.starts_with(&lower)
    });
    match near {
        Some(symbol) => format!("{option} {name}: no such symbol; did you mean {}?", symbol.path),
        None => format!("{option} {name}: no such symbol in the symbol file"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prg(bytes: &[u8]) -> Result<Image, String> {
        Image::new(Path::new("a.prg"), bytes.to_vec(), None)
    }

    #[test]
    fn says_what_is_wrong_with_a_file() {
        assert_eq!(prg(&[]).err().as_deref(), Some("a.prg: the file is empty"));
        assert_eq!(prg(&[0, 0x10]).err().as_deref(), Some("a.prg: nothing but a load address"));
        assert_eq!(prg(&[0xff, 0xff, 1, 2]).err().as_deref(), Some("a.prg: 2 bytes at $FFFF run past $FFFF"));
        assert!(Image::new(Path::new("a.bin"), vec![1], None).is_err_and(|err| err.contains("--load")));
    }

    #[test]
    fn addresses_are_numbers_or_names() {
        let symbols = Symbols::parse(".label Start=$1234\n").expect("a symbol file");
        let read = |text| address(text, &symbols, "--start");
        assert_eq!(read("$c000"), Ok(0xc000));
        assert_eq!(read("0xC000"), Ok(0xc000));
        assert_eq!(read("4096"), Ok(4096));
        assert_eq!(read("Start"), Ok(0x1234));
        assert_eq!(read("start"), Err("--start start: no such symbol; did you mean Start?".to_string()));
        assert_eq!(read("$10000"), Err("--start $10000: not an address between $0000 and $FFFF".to_string()));
    }
}
