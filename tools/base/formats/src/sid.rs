//! SID tune files: the PSID/RSID header, and the data that goes to memory.

use thiserror::Error;

/// A tune, with its load address settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sid {
    /// `PSID` or `RSID`.
    pub header: String,
    /// The version of the header, 1 to 4.
    pub version: u16,
    /// Where the data goes. When the header says 0, the data begins with it.
    pub location: u16,
    /// The routine that prepares a song, whose number is in A.
    pub init: u16,
    /// The routine that is called once per frame; 0 if `init` installs an interrupt.
    pub play: u16,
    /// The number of songs.
    pub songs: u16,
    /// The song to start with, counted from 1.
    pub start_song: u16,
    /// One bit per song: clear for the vertical blank, set for the timer.
    pub speed: u32,
    /// The title.
    pub name: String,
    /// The composer.
    pub author: String,
    /// Year and publisher, in newer files under the name `released`.
    pub copyright: String,
    /// Present from version 2 on, like the two fields below.
    pub flags: Option<u16>,
    /// The first free page for a player to relocate to.
    pub start_page: Option<u8>,
    /// How many pages are free there.
    pub page_length: Option<u8>,
    /// Without the load address.
    pub data: Vec<u8>,
}

/// Why bytes are not a tune.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SidError {
    /// The file begins with neither `PSID` nor `RSID`.
    #[error("not a SID file: it begins with neither PSID nor RSID")]
    NotSid,
    /// The header is cut off; the file has this many bytes.
    #[error("the SID header is cut off: {0} bytes")]
    TooShort(usize),
    /// The data would begin here, beyond the end of the file.
    #[error("the SID header says its data begins at {0}, beyond the end of the file")]
    BadDataOffset(usize),
}

/// Reads a tune.
pub fn parse(file: &[u8]) -> Result<Sid, SidError> {
    if !file.starts_with(b"PSID") && !file.starts_with(b"RSID") {
        return Err(SidError::NotSid);
    }
    if file.len() < 0x76 {
        return Err(SidError::TooShort(file.len()));
    }
    let word = |at: usize| u16::from_be_bytes([file[at], file[at + 1]]);
    let text =
        |at: usize| file[at..at + 32].iter().take_while(|&&b| b != 0).map(|&b| char::from(b)).collect();
    let version = word(4);
    let has_more = version >= 2 && file.len() >= 0x7c;
    let offset = usize::from(word(6));
    let mut data = file.get(offset..).filter(|_| offset >= 0x76).ok_or(SidError::BadDataOffset(offset))?;
    let mut location = word(8);
    if location == 0 {
        let [low, high, rest @ ..] = data else { return Err(SidError::BadDataOffset(offset)) };
        location = u16::from_le_bytes([*low, *high]);
        data = rest;
    }
    Ok(Sid {
        header: String::from_utf8_lossy(&file[..4]).into_owned(),
        version,
        location,
        init: word(10),
        play: word(12),
        songs: word(14),
        start_song: word(16),
        speed: u32::from_be_bytes([file[18], file[19], file[20], file[21]]),
        name: text(0x16),
        author: text(0x36),
        copyright: text(0x56),
        flags: has_more.then(|| word(0x76)),
        start_page: has_more.then(|| file[0x78]),
        page_length: has_more.then(|| file[0x79]),
        data: data.to_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tune(version: u8, load: u16, data: &[u8]) -> Vec<u8> {
        let offset = if version == 1 { 0x76 } else { 0x7c };
        let mut file = vec![0; offset];
        file[..4].copy_from_slice(b"PSID");
        file[5] = version;
        file[7] = offset as u8;
        file[8..10].copy_from_slice(&load.to_be_bytes());
        file[0x16..0x1b].copy_from_slice(b"Plain");
        file.extend_from_slice(data);
        file
    }

    #[test]
    fn location_from_the_header_or_the_data() {
        let one = parse(&tune(1, 0x2000, &[1, 2, 3])).unwrap();
        assert_eq!((one.location, &one.data[..], one.flags), (0x2000, &[1, 2, 3][..], None));
        assert_eq!(one.name, "Plain");
        let two = parse(&tune(2, 0, &[0, 0x10, 3])).unwrap();
        assert_eq!((two.location, &two.data[..], two.flags), (0x1000, &[3][..], Some(0)));
    }

    #[test]
    fn broken_files_are_refused() {
        assert_eq!(parse(b"RIFF"), Err(SidError::NotSid));
        assert_eq!(parse(b"PSID"), Err(SidError::TooShort(4)));
        let mut cut = tune(2, 0, &[]);
        assert_eq!(parse(&cut), Err(SidError::BadDataOffset(0x7c)));
        cut[6] = 0x7f;
        assert_eq!(parse(&cut), Err(SidError::BadDataOffset(0x7f7c)));
    }
}
