//! Where a loaded program begins: the `SYS` of its BASIC lines with the expression after it, a vector it was loaded over,
//! or its first byte. Knows the tokens that starters use; it is no BASIC.

use super::BASIC_START;

/// Where a program begins, and what a person would do to begin it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// RUN: the address of the first `SYS`.
    Basic(u16),
    /// `SYS` with the address of the first byte.
    Code(u16),
    /// Nothing: the program was loaded over a vector that the prompt uses.
    Vector(u16),
}

impl Entry {
    /// The address.
    pub const fn address(self) -> u16 {
        match self {
            Entry::Basic(at) | Entry::Code(at) | Entry::Vector(at) => at,
        }
    }
}

/// The start of a program of `len` bytes that was loaded to `addr`; `None` if its BASIC lines have no `SYS` that can be
/// followed.
pub fn entry(ram: &[u8; 0x10000], addr: u16, len: usize) -> Option<Entry> {
    /// The vectors that the prompt goes through: of the main loop, and of CHROUT.
    const VECTORS: [u16; 2] = [0x0302, 0x0326];
    let (first, end) = (usize::from(addr), usize::from(addr) + len);
    let covers = |at: u16| first <= usize::from(at) && usize::from(at) + 1 < end;
    let basic = usize::from(BASIC_START);
    // A program for RUN may begin with the zero before the first line.
    if addr == BASIC_START || (addr < BASIC_START && covers(BASIC_START + 5)) {
        let sys = sys_with(&ram[basic..end], |at| ram[usize::from(at)]);
        if sys.is_some() || addr == BASIC_START {
            return sys.map(Entry::Basic);
        }
    }
    let vector = VECTORS.into_iter().find(|&at| covers(at)).map(usize::from);
    Some(match vector {
        Some(at) => Entry::Vector(u16::from_le_bytes([ram[at], ram[at + 1]])),
        None => Entry::Code(addr),
    })
}

/// The address of the first `SYS` in BASIC lines that were loaded to $0801.
pub fn sys(basic: &[u8]) -> Option<u16> {
    sys_with(basic, |at| {
        let [start, end] = [BASIC_START, BASIC_START.wrapping_add(basic.len() as u16)].map(u16::to_le_bytes);
        match at {
            // Where BASIC begins, and where it ends.
            0x2b => start[0],
            0x2c => start[1],
            0x2d => end[0],
            0x2e => end[1],
            _ => at.checked_sub(BASIC_START).and_then(|at| basic.get(usize::from(at))).copied().unwrap_or(0),
        }
    })
}

fn sys_with(basic: &[u8], peek: impl Fn(u16) -> u8) -> Option<u16> {
    const SYS: u8 = 0x9e;
    const REM: u8 = 0x8f;
    const DATA: u8 = 0x83;
    let mut rest = basic;
    let mut is_first = true;
    // A line is a link, a number, and text up to a zero; the last link has a zero as its high byte.
    while let Some((&[_, link, _, _], text)) = rest.split_first_chunk() {
        if link == 0 && !is_first {
            return None;
        }
        is_first = false;
        let len = text.iter().position(|&byte| byte == 0).unwrap_or(text.len());
        let mut is_quoted = false;
        let mut is_data = false;
        for (at, &byte) in text[..len].iter().enumerate() {
            match byte {
                b'"' => is_quoted = !is_quoted,
                _ if is_quoted => {}
                b':' => is_data = false,
                REM => break,
                DATA => is_data = true,
                SYS if !is_data => return Expression { text: &text[at + 1..len], peek: &peek }.address(),
                _ => {}
            }
        }
        rest = text.get(len + 1..)?;
    }
    None
}

/// An expression in tokens: numbers, `+ - * /`, brackets, PEEK.
struct Expression<'a, P> {
    text: &'a [u8],
    peek: &'a P,
}

impl<P: Fn(u16) -> u8> Expression<'_, P> {
    fn address(mut self) -> Option<u16> {
        to_address(self.sum(0)?)
    }

    /// The next byte that is not a space.
    fn next(&mut self) -> Option<u8> {
        let spaces = self.text.iter().take_while(|&&byte| byte == b' ').count();
        self.text = &self.text[spaces..];
        self.text.first().copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.next() == Some(byte);
        if is_next {
            self.text = &self.text[1..];
        }
        is_next
    }

    fn sum(&mut self, depth: u8) -> Option<f64> {
        let mut value = self.product(depth)?;
        loop {
            if self.take(0xaa) {
                value += self.product(depth)?;
            } else if self.take(0xab) {
                value -= self.product(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn product(&mut self, depth: u8) -> Option<f64> {
        let mut value = self.operand(depth)?;
        loop {
            if self.take(0xac) {
                value *= self.operand(depth)?;
            } else if self.take(0xad) {
                value /= self.operand(depth)?;
            } else {
                return Some(value);
            }
        }
    }

    fn operand(&mut self, depth: u8) -> Option<f64> {
        // BASIC's own stack holds about as many.
        if depth > 10 {
            return None;
        }
        if self.take(0xab) {
            return self.operand(depth + 1).map(|value| -value);
        }
        if self.take(0xaa) {
            return self.operand(depth + 1);
        }
        let is_peek = self.take(0xc2);
        if self.take(b'(') {
            let value = self.sum(depth + 1)?;
            // A bracket that is never closed is an error after the call.
            self.take(b')');
            return if is_peek { Some(f64::from((self.peek)(to_address(value)?))) } else { Some(value) };
        }
        if is_peek { None } else { self.number() }
    }

    fn number(&mut self) -> Option<f64> {
        let mut value = 0.0;
        let mut scale = None;
        let mut digits = 0;
        while let Some(byte) = self.next() {
            match byte {
                b'0'..=b'9' => {
                    digits += 1;
                    let digit = f64::from(byte - b'0');
                    match &mut scale {
                        None => value = value * 10.0 + digit,
                        Some(scale) => {
                            *scale /= 10.0;
                            value += digit * *scale;
                        }
                    }
                }
                b'.' if scale.is_none() => scale = Some(1.0),
                _ => break,
            }
            self.text = &self.text[1..];
        }
        (digits > 0).then_some(value)
    }
}

fn to_address(value: f64) -> Option<u16> {
    (0.0..65536.0).contains(&value).then_some(value as u16)
}

#[cfg(test)]
mod tests {
    use alloc::boxed::Box;

    use super::*;

    fn line(statement: &[u8]) -> alloc::vec::Vec<u8> {
        [&[0x0b, 0x08, 0x0a, 0x00][..], statement, &[0]].concat()
    }

    #[test]
    fn the_sys_of_the_basic_lines_is_found() {
        let one = |statement: &[u8]| sys(&[&line(statement)[..], &[0, 0]].concat());
        assert_eq!(one(b"\x9e4096"), Some(4096));
        assert_eq!(one(b"\x9e (2062)"), Some(2062));
        assert_eq!(one(b"\x99\"A\":\x9e828"), Some(828));
        assert_eq!(one(b"\x994"), None);
        assert_eq!(one(b"\x8f\x9e828"), None);
        assert_eq!(one(b"\x99\"\x9e828\""), None);
        assert_eq!(one(b"\x83\x9e1:\x9e828"), Some(828));
        assert_eq!(one(b"\x9e20 61 ABC"), Some(2061));
        assert_eq!(one(b"\x9e2048\xaa2*7"), Some(2050));
        assert_eq!(one(b"\x9e2048\xaa2\xac7"), Some(2062));
        assert_eq!(one(b"\x9e(2048\xaa.5)\xac2\xab1"), Some(4096));
        assert_eq!(one(b"\x9e\xc2(43)\xaa256\xac\xc2(44)\xaa26"), Some(0x081b));
        assert_eq!(one(b"\x9e99999"), None);
        assert_eq!(one(b"\x9e1\xad0"), None);
        assert_eq!(one(b"\x9eA"), None);
        assert_eq!(one(&[&b"\x9e"[..], &[b'('; 500]].concat()), None);
        let lines = [line(b"\x8f TITLE \x9e1"), line(b"\x9753280,0:\x9e2100"), alloc::vec![0, 0]].concat();
        assert_eq!(sys(&lines), Some(2100));
        // After the last line there is code, which may look like one.
        assert_eq!(sys(&[&line(b"\x994")[..], &[0, 0], &line(b"\x9e828")].concat()), None);
    }

    #[test]
    fn a_program_begins_where_its_load_address_says() {
        let mut ram: Box<[u8; 0x10000]> = alloc::vec![0; 0x10000].try_into().expect("the size");
        assert_eq!(entry(&ram, 0xc000, 3), Some(Entry::Code(0xc000)));
        ram[0x0326..0x0328].copy_from_slice(&[0x34, 0x12]);
        assert_eq!(entry(&ram, 0x0320, 100), Some(Entry::Vector(0x1234)));
        assert_eq!(entry(&ram, 0x0327, 100), Some(Entry::Code(0x0327)));
        let basic = line(b"\x9e4096");
        ram[0x0801..0x0801 + basic.len()].copy_from_slice(&basic);
        assert_eq!(entry(&ram, 0x0800, 100), Some(Entry::Basic(4096)));
        assert_eq!(entry(&ram, 0x0801, 100), Some(Entry::Basic(4096)));
        assert_eq!(entry(&ram, 0x1000, 1), Some(Entry::Code(0x1000)));
        ram[0x0805] = 0x99;
        assert_eq!(entry(&ram, 0x0801, 100), None);
    }
}
