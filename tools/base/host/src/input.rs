//! Reading standard input and files of lines in bounded memory, whatever is fed in.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// Reads all of standard input; `None` if it is longer than `limit` bytes.
pub fn read_stdin(limit: usize) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(limit as u64 + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() <= limit).then_some(bytes))
}

/// A file, or standard input for `-`.
pub fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    if path == Path::new("-") {
        Ok(Box::new(io::stdin().lock()))
    } else {
        Ok(Box::new(BufReader::new(crate::files::open(path)?)))
    }
}

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub enum Line {
    /// Without its line end.
    Whole(Vec<u8>),
    /// Longer than the limit; its bytes have been thrown away.
    TooLong,
}

/// The lines of a reader, none of them kept if longer than `limit` bytes.
pub struct Lines<R> {
    reader: R,
    limit: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R, limit: usize) -> Lines<R> {
        Lines { reader, limit }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        let mut bytes = Vec::new();
        // One byte more for the line end, one to notice what is too long.
        let most = self.limit as u64 + 2;
        if let Err(err) = (&mut self.reader).take(most).read_until(b'\n', &mut bytes) {
            return Some(Err(err));
        }
        if bytes.is_empty() {
            return None;
        }
        if bytes.last() != Some(&b'\n')
            && bytes.len() as u64 == most
            && let Err(err) = self.reader.skip_until(b'\n')
        {
            return Some(Err(err));
        }
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        if bytes.len() > self.limit {
            return Some(Ok(Line::TooLong));
        }
        Some(Ok(Line::Whole(bytes)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, limit: usize) -> Vec<Line> {
        Lines::new(text.as_bytes(), limit).map(|line| line.expect("memory reads well")).collect()
    }

    #[test]
    fn long_lines_are_dropped_and_the_next_one_is_whole() {
        let whole = |text: &str| Line::Whole(text.as_bytes().to_vec());
        assert_eq!(
            lines("ab\nabc\nabcd\nabcde\nabcdefghij\nx", 3),
            [whole("ab"), whole("abc"), Line::TooLong, Line::TooLong, Line::TooLong, whole("x"),]
        );
        assert_eq!(lines("\n\nabcd", 4), [whole(""), whole(""), whole("abcd")]);
        assert_eq!(lines("", 4), []);
    }
}
