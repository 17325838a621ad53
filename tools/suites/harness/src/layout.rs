//! Boards, maps and sprites in memory: how cells lie, which byte stands for which letter, and the text form.
//! Chess notation is the best-known user; nothing here knows the rules of any game.

use crate::eval::wrap;
use crate::names::Names;

/// How a grid of cells is in memory.
#[derive(Debug, Clone, PartialEq)]
pub struct Layout {
    pub name: String,
    pub rows: usize,
    pub columns: usize,
    /// Bytes from one row to the next.
    pub stride: i64,
    /// Whether the first row of the text is at the highest address.
    pub bottom_up: bool,
    /// Bytes set to the empty cell before a board is written, off-board cells included.
    pub fill: usize,
    /// Letters and their bytes; `.` is the empty cell.
    pub cells: Vec<(char, u8)>,
    /// Where the index of a letter's cell is kept, such as a king's square.
    pub squares: Vec<(char, u16)>,
    pub side: Option<Field>,
    pub castling: Option<Field>,
    /// The square of an en passant capture, and the byte for "none".
    pub en_passant: Option<(u16, u8)>,
    pub halfmove: Option<u16>,
    pub fullmove: Option<u16>,
}

/// A byte made from letters: one of them, or the sum of several.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub address: u16,
    pub letters: Vec<(char, u8)>,
}

/// A position as text says it: cells in reading order, then the fields that were given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Position {
    pub cells: Vec<char>,
    /// Side, castling, en passant, halfmove, fullmove.
    pub fields: Vec<String>,
}

/// The order of a piece table in memory: `pieces = [table]`.
pub const PIECE_TABLE: &str = ".PNBRQKpnbrqk";

/// The labels the built-in chess layouts take their bytes from.
pub const PIECE_LABELS: [(char, &str); 13] = [
    ('.', "EMPTY_PIECE"),
    ('P', "WHITE_PAWN"),
    ('N', "WHITE_KNIGHT"),
    ('B', "WHITE_BISHOP"),
    ('R', "WHITE_ROOK"),
    ('Q', "WHITE_QUEEN"),
    ('K', "WHITE_KING"),
    ('p', "BLACK_PAWN"),
    ('n', "BLACK_KNIGHT"),
    ('b', "BLACK_BISHOP"),
    ('r', "BLACK_ROOK"),
    ('q', "BLACK_QUEEN"),
    ('k', "BLACK_KING"),
];

impl Layout {
    /// An 8x8 board in rows of `stride` bytes, the eighth rank first, without pieces yet.
    pub fn chess(name: &str, stride: i64) -> Layout {
        Layout {
            name: name.to_string(),
            rows: 8,
            columns: 8,
            stride,
            bottom_up: false,
            fill: 0,
            cells: Vec::new(),
            squares: Vec::new(),
            side: None,
            castling: None,
            en_passant: None,
            halfmove: None,
            fullmove: None,
        }
    }

    /// A layout every suite knows, its pieces taken from labels; numbered by the piece table when there are none.
    pub fn built_in(name: &str, names: &Names) -> Option<Layout> {
        let stride = match name {
            "x88" => 16,
            "linear" => 8,
            _ => return None,
        };
        let mut layout = Layout::chess(name, stride);
        layout.cells =
            Layout::labelled_pieces(names).unwrap_or_else(|| PIECE_TABLE.chars().zip(0..).collect());
        Some(layout)
    }

    /// The pieces by their labels; `None` when one is missing.
    pub fn labelled_pieces(names: &Names) -> Option<Vec<(char, u8)>> {
        PIECE_LABELS
            .iter()
            .map(|(letter, label)| Some((*letter, u8::try_from(names.get(label)?).ok()?)))
            .collect()
    }

    /// Offset of a cell from the board's first byte.
    pub fn offset(&self, row: usize, column: usize) -> i64 {
        let row = if self.bottom_up { self.rows - 1 - row } else { row };
        row as i64 * self.stride + column as i64
    }

    fn byte(&self, letter: char) -> Option<u8> {
        self.cells.iter().find(|(cell, _)| *cell == letter).map(|&(_, byte)| byte)
    }

    fn letter(&self, byte: u8) -> Option<char> {
        self.cells.iter().find(|(_, cell)| *cell == byte).map(|&(letter, _)| letter)
    }

    /// Reads the text form: rows with `/` between them, digits for runs of empty cells, then fields.
    pub fn parse(&self, text: &str) -> Result<Position, String> {
        let mut words = text.split_whitespace();
        let placement = words.next().ok_or("the board is empty")?;
        let rows: Vec<&str> = placement.split('/').collect();
        if rows.len() != self.rows {
            return Err(format!(
                "the board has {} rows, the layout `{}` {}",
                rows.len(),
                self.name,
                self.rows
            ));
        }
        let mut cells = Vec::with_capacity(self.rows * self.columns);
        for (index, row) in rows.iter().enumerate() {
            let before = cells.len();
            let mut run: Option<usize> = None;
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10)
                    && self.byte(letter).is_none()
                {
                    run =
                        Some(run.unwrap_or(0).saturating_mul(10).saturating_add(digit as usize).min(100_000));
                    continue;
                }
                cells.extend(std::iter::repeat_n('.', run.take().unwrap_or(0)));
                if letter != '.' && self.byte(letter).is_none() {
                    return Err(format!(
                        "the layout `{}` has no cell `{letter}` (row {})",
                        self.name,
                        index + 1
                    ));
                }
                cells.push(letter);
            }
            cells.extend(std::iter::repeat_n('.', run.unwrap_or(0)));
            let found = cells.len() - before;
            if found != self.columns {
                return Err(format!(
                    "row {} has {found} cells, the layout `{}` {}",
                    index + 1,
                    self.name,
                    self.columns
                ));
            }
        }
        Ok(Position { cells, fields: words.map(str::to_string).collect() })
    }

    /// Writes a position; fields only where the layout has a place for them and the text names them.
    pub fn write(&self, base: i64, position: &Position, poke: &mut dyn FnMut(u16, u8)) -> Result<(), String> {
        let empty = self.byte('.').unwrap_or(0);
        for offset in 0..self.fill {
            poke(wrap(base + offset as i64), empty);
        }
        for row in 0..self.rows {
            for column in 0..self.columns {
                let letter = position.cells[row * self.columns + column];
                let byte = self.byte(letter).unwrap_or(empty);
                poke(wrap(base + self.offset(row, column)), byte);
            }
        }
        for &(letter, address) in &self.squares {
            if let Some(at) = position.cells.iter().position(|&cell| cell == letter) {
                poke(address, self.offset(at / self.columns, at % self.columns) as u8);
            }
        }
        let field = |index: usize| position.fields.get(index).map(String::as_str);
        if let (Some(side), Some(word)) = (&self.side, field(0)) {
            poke(side.address, side.encode(word)?);
        }
        if let (Some(castling), Some(word)) = (&self.castling, field(1)) {
            poke(castling.address, castling.encode(word)?);
        }
        if let (Some((address, none)), Some(word)) = (self.en_passant, field(2)) {
            poke(address, if word == "-" { none } else { self.square(word)? });
        }
        for (address, index, bytes) in [(self.halfmove, 3, 1), (self.fullmove, 4, 2)] {
            if let (Some(address), Some(word)) = (address, field(index)) {
                let number: u16 = word.parse().map_err(|_| format!("`{word}` is not a move number"))?;
                poke(address, number as u8);
                if bytes == 2 {
                    poke(address.wrapping_add(1), (number >> 8) as u8);
                }
            }
        }
        Ok(())
    }

    /// `e3` to the cell's offset.
    fn square(&self, word: &str) -> Result<u8, String> {
        let bad = || format!("`{word}` is not a square");
        let mut chars = word.chars();
        let column = chars.next().filter(char::is_ascii_lowercase).ok_or_else(bad)? as usize - 'a' as usize;
        let rank: usize = chars.as_str().parse().map_err(|_| bad())?;
        if column >= self.columns || rank == 0 || rank > self.rows {
            return Err(bad());
        }
        Ok(self.offset(self.rows - rank, column) as u8)
    }

    fn square_name(&self, byte: u8) -> String {
        for row in 0..self.rows {
            for column in 0..self.columns {
                if self.offset(row, column) as u8 == byte {
                    return format!("{}{}", (b'a' + column as u8) as char, self.rows - row);
                }
            }
        }
        format!("${byte:02X}")
    }

    /// Reads the board back, with as many fields as are asked for and the layout knows.
    pub fn read(&self, base: i64, fields: usize, peek: &dyn Fn(u16) -> u8) -> Position {
        let mut cells = Vec::with_capacity(self.rows * self.columns);
        for row in 0..self.rows {
            for column in 0..self.columns {
                let byte = peek(wrap(base + self.offset(row, column)));
                cells.push(self.letter(byte).unwrap_or('?'));
            }
        }
        let mut found = Vec::new();
        for index in 0..fields {
            found.push(match index {
                0 => self.side.as_ref().map(|field| field.decode_one(peek(field.address))),
                1 => self.castling.as_ref().map(|field| field.decode_all(peek(field.address))),
                2 => self.en_passant.map(|(address, none)| {
                    let byte = peek(address);
                    if byte == none { "-".to_string() } else { self.square_name(byte) }
                }),
                3 => self.halfmove.map(|address| peek(address).to_string()),
                4 => self.fullmove.map(|address| {
                    u16::from_le_bytes([peek(address), peek(address.wrapping_add(1))]).to_string()
                }),
                _ => None,
            });
        }
        // A field the layout does not keep cannot differ; the caller skips it.
        let fields = found.into_iter().map(|field| field.unwrap_or_else(|| "*".to_string())).collect();
        Position { cells, fields }
    }

    /// Whether the board in memory is the one asked for; fields the layout does not keep count as equal.
    pub fn matches(&self, found: &Position, wanted: &Position) -> bool {
        found.cells == wanted.cells
            && found.fields.iter().zip(&wanted.fields).all(|(found, wanted)| found == "*" || found == wanted)
    }

    /// The text form of a position.
    pub fn format(&self, position: &Position) -> String {
        let mut out = String::new();
        for row in position.cells.chunks(self.columns) {
            if !out.is_empty() {
                out.push('/');
            }
            let mut empty = 0;
            for &cell in row {
                if cell == '.' {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    out.push_str(&empty.to_string());
                    empty = 0;
                }
                out.push(cell);
            }
            if empty > 0 {
                out.push_str(&empty.to_string());
            }
        }
        for field in &position.fields {
            out.push(' ');
            out.push_str(field);
        }
        out
    }

    /// Both boards side by side; cells that differ are marked on the right one.
    pub fn side_by_side(&self, found: &Position, wanted: &Position) -> Vec<String> {
        let width = self.columns * 2;
        let mut lines = vec![format!("{:<width$}    expected", "found")];
        for row in 0..self.rows {
            let range = row * self.columns..(row + 1) * self.columns;
            let left: String = found.cells[range.clone()].iter().flat_map(|&cell| [cell, ' ']).collect();
            let mut right = String::new();
            for index in range {
                right.push(if found.cells[index] == wanted.cells[index] { ' ' } else { '>' });
                right.push(wanted.cells[index]);
            }
            lines.push(format!("{left:<width$}   {right}"));
        }
        lines.push(format!("found    {}", self.format(found)));
        lines.push(format!("expected {}", self.format(wanted)));
        lines
    }
}

impl Field {
    /// The byte for a word of letters; `-` is none of them.
    fn encode(&self, word: &str) -> Result<u8, String> {
        let mut byte = 0;
        for letter in word.chars().filter(|&letter| letter != '-') {
            let value = self.letters.iter().find(|(known, _)| *known == letter);
            byte |= value.ok_or_else(|| format!("the layout knows no letter `{letter}` here"))?.1;
        }
        Ok(byte)
    }

    fn decode_one(&self, byte: u8) -> String {
        match self.letters.iter().find(|(_, value)| *value == byte) {
            Some((letter, _)) => letter.to_string(),
            None => format!("${byte:02X}"),
        }
    }

    fn decode_all(&self, byte: u8) -> String {
        let known = self.letters.iter().fold(0, |all, (_, value)| all | value);
        if byte & !known != 0 {
            return format!("${byte:02X}");
        }
        let word: String = self
            .letters
            .iter()
            .filter(|(_, value)| byte & value == *value)
            .map(|(letter, _)| *letter)
            .collect();
        if word.is_empty() { "-".to_string() } else { word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn x88() -> Layout {
        let mut layout = Layout::chess("x88", 16);
        layout.cells = PIECE_TABLE.chars().zip(0..).collect();
        layout.side = Some(Field { address: 0x300, letters: vec![('w', 0x80), ('b', 0)] });
        layout.castling =
            Some(Field { address: 0x301, letters: vec![('K', 1), ('Q', 2), ('k', 4), ('q', 8)] });
        layout.en_passant = Some((0x302, 0xff));
        layout.squares = vec![('K', 0x303), ('k', 0x304)];
        layout.halfmove = Some(0x305);
        layout.fullmove = Some(0x306);
        layout
    }

    #[test]
    fn a_position_goes_into_memory_and_comes_back() {
        let layout = x88();
        let text = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 300";
        let mut memory = vec![0xee; 0x10000];
        let position = layout.parse(text).unwrap();
        layout.write(0x1000, &position, &mut |at, byte| memory[usize::from(at)] = byte).unwrap();
        assert_eq!(memory[0x1074], 6, "the white king on e1");
        assert_eq!(memory[0x1008], 0xee, "off the board nothing is written");
        assert_eq!(memory[0x300..0x308], [0x80, 0x0f, 0x24, 0x74, 0x04, 0, 44, 1]);
        let found = layout.read(0x1000, 5, &|at| memory[usize::from(at)]);
        assert_eq!(layout.format(&found), text);
        assert!(layout.matches(&found, &position));
    }

    #[test]
    fn faults_in_the_text_are_named() {
        let layout = x88();
        assert!(layout.parse("8/8").unwrap_err().contains("2 rows"));
        assert!(layout.parse("9/8/8/8/8/8/8/8").unwrap_err().contains("row 1 has 9 cells"));
        assert!(layout.parse("7x/8/8/8/8/8/8/8").unwrap_err().contains("no cell `x`"));
        assert!(layout.parse("").is_err());
    }

    #[test]
    fn differing_cells_are_marked() {
        let layout = x88();
        let one = layout.parse("8/8/8/8/8/8/8/K7").unwrap();
        let two = layout.parse("8/8/8/8/8/8/8/1K6").unwrap();
        let lines = layout.side_by_side(&one, &two);
        assert_eq!(lines[8], "K . . . . . . .    >.>K . . . . . .");
    }
}
