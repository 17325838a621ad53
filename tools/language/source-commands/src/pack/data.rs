//! `tempo pack --format`: data packed for a program that unpacks it itself.

use clap::ValueEnum;
use tempo_packers::exomizer::{self, Direction};
use tempo_packers::{PackError, b2, byteboozer, tscrunch, zx0};
use thiserror::Error;

/// A format of packed files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum Format {
    /// A program that unpacks itself when it is run
    #[default]
    Own,
    /// ByteBoozer 2: address, then the stream
    B2,
    /// ByteBoozer 1: first bits, address, then the stream
    Byteboozer,
    /// Exomizer 2, read backwards; the address is at its end if it is known
    Exomizer,
    /// TSCrunch: the stream alone, fast to unpack
    Tscrunch,
    /// ZX0 version 2: the stream alone
    Zx0,
}

impl Format {
    /// The format with this word on the command line.
    pub fn from_word(word: &str) -> Option<Format> {
        Format::from_str(word, false).ok()
    }
}

/// Data to be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Data<'b> {
    pub address: Option<u16>,
    pub bytes: &'b [u8],
}

/// Why data cannot be packed.
#[derive(Debug, PartialEq, Eq, Error)]
pub enum DataError {
    #[error(transparent)]
    Packer(#[from] PackError),
    #[error("this format contains the address of the data: add --address, or pack a .prg file")]
    NoAddress,
    #[error("a program file has a load address of two bytes, this file has {0}")]
    NoLoadAddress(usize),
    #[error("${address:04X} and {length} bytes go beyond the end of memory")]
    TooHigh { address: u16, length: usize },
}

impl Data<'_> {
    /// The data of a file: that of a program is at its load address.
    pub fn of(file: &[u8], is_program: bool, address: Option<u16>) -> Result<Data<'_>, DataError> {
        let data = match (is_program, file) {
            (true, [low, high, bytes @ ..]) => {
                Data { address: Some(address.unwrap_or(u16::from_le_bytes([*low, *high]))), bytes }
            }
            (true, _) => return Err(DataError::NoLoadAddress(file.len())),
            (false, bytes) => Data { address, bytes },
        };
        match data.address {
            Some(address) if usize::from(address) + data.bytes.len() > tempo_packers::LARGEST => {
                Err(DataError::TooHigh { address, length: data.bytes.len() })
            }
            _ => Ok(data),
        }
    }

    /// The packed data, and a remark for people.
    pub fn pack(self, format: Format) -> Result<(Vec<u8>, String), DataError> {
        let address = self.address.ok_or(DataError::NoAddress);
        let mut remark = String::new();
        let packed = match format {
            Format::B2 => b2::pack(self.bytes, address?)?,
            Format::Byteboozer => byteboozer::pack(self.bytes, address?)?,
            Format::Exomizer => {
                let options =
                    exomizer::Options { direction: Direction::Backward, ..exomizer::Options::default() };
                let packed = match self.address {
                    Some(address) => exomizer::pack_with_address(self.bytes, address, options)?,
                    None => exomizer::pack(self.bytes, options)?,
                };
                remark = format!("; safety distance {}", packed.safety);
                packed.stream
            }
            Format::Tscrunch => tscrunch::pack(self.bytes)?,
            // The command packs programs itself; as data they have the smallest format.
            Format::Zx0 | Format::Own => zx0::pack(self.bytes)?,
        };
        Ok((packed, remark))
    }
}

/// An address as assembler sources write it: `$4000`, `0x4000` or `16384`.
pub fn parse_address(text: &str) -> Result<u16, String> {
    let hex = text.strip_prefix('$').or_else(|| text.strip_prefix("0x"));
    let number = match hex {
        Some(digits) => u16::from_str_radix(digits, 16),
        None => text.parse(),
    };
    number.map_err(|_| "an address is $0000 to $FFFF, as in $4000, 0x4000 or 16384".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_packs_what_it_can_unpack() {
        let text = b"tempo keeps time, tempo keeps time".repeat(5);
        let file = [&[0x00, 0x40][..], &text].concat();
        let data = Data::of(&file, true, None).expect("a program");
        assert_eq!(data.address, Some(0x4000));
        let packed = |format| data.pack(format).expect("it packs").0;
        assert_eq!(b2::unpack(&packed(Format::B2), 1000).expect("it decodes").bytes, text);
        assert_eq!(byteboozer::unpack(&packed(Format::Byteboozer), 1000).expect("it decodes").bytes, text);
        assert_eq!(tscrunch::unpack(&packed(Format::Tscrunch), 1000).expect("it decodes"), text);
        assert_eq!(zx0::unpack(&packed(Format::Zx0), 1000).expect("it decodes"), text);
        let unpacked = exomizer::unpack_with_address(&packed(Format::Exomizer), Direction::Backward, 1000);
        let unpacked = unpacked.expect("it decodes");
        assert_eq!((unpacked.address, unpacked.bytes), (0x4000, text.clone()));
        let raw = Data::of(&text, false, None).expect("data").pack(Format::Exomizer).expect("it packs").0;
        assert_eq!(exomizer::unpack(&raw, Direction::Backward, 1000), Ok(text));
    }

    #[test]
    fn bad_data_is_refused() {
        let refused = |file: &[u8], is_program, address, format| {
            Data::of(file, is_program, address).and_then(|data| data.pack(format)).expect_err("it is refused")
        };
        assert_eq!(refused(&[1], true, None, Format::Zx0), DataError::NoLoadAddress(1));
        assert_eq!(refused(&[0, 16], true, None, Format::Zx0), DataError::Packer(PackError::Empty));
        assert_eq!(refused(&[1, 2], false, None, Format::B2), DataError::NoAddress);
        let high = DataError::TooHigh { address: 0xffff, length: 2 };
        assert_eq!(refused(&[1, 2], false, Some(0xffff), Format::B2), high);
        let large = vec![0; 0x10001];
        assert_eq!(refused(&large, false, None, Format::Zx0), DataError::Packer(PackError::TooLong(0x10001)));
    }

    #[test]
    fn addresses_are_read_in_three_forms() {
        assert_eq!(["$4000", "0x4000", "16384"].map(parse_address), [Ok(0x4000), Ok(0x4000), Ok(0x4000)]);
        for bad in ["", "$", "$10000", "x", "-1", "65536"] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
    }
}
