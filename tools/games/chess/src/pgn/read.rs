//! The PGN reader. Reports every fault with its place and goes on: a game with a wrong move keeps what
//! came before it, and the next game is read as usual.

use tempo_diagnostics::Span;

use super::{Outcome, Played, Record};
use crate::san::{self, SanError};
use crate::{Board, Code, Fault, PromotionSet};

/// Reads all games of a text.
pub fn read(text: &str) -> (Vec<Record>, Vec<Fault>) {
    let mut reader =
        Reader { text, at: 0, games: Vec::new(), faults: Vec::new(), game: None, depth: Vec::new() };
    // A byte order mark is not part of the first game.
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    while reader.step() {}
    reader.finish();
    (reader.games, reader.faults)
}

/// The game being read.
struct Open {
    record: Record,
    board: Board,
    /// Whether a move, a result or a comment has been seen: a tag then begins the next game.
    in_moves: bool,
    /// Whether a wrong move has been met; the rest is not looked at.
    broken: bool,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    games: Vec<Record>,
    faults: Vec<Fault>,
    game: Option<Open>,
    /// Where the open variations begin.
    depth: Vec<usize>,
}

impl<'t> Reader<'t> {
    /// Reads one item; false at the end.
    fn step(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return false };
        let line_start = matches!(self.text[..self.at].chars().next_back(), None | Some('\n' | '\u{feff}'));
        match first {
            '%' if line_start => self.at += line_length(rest),
            ';' => self.line_comment(rest),
            '{' => self.comment(rest),
            '[' => self.tag(rest),
            '(' => {
                self.depth.push(self.at);
                self.at += 1;
            }
            ')' => {
                if self.depth.pop().is_none() {
                    let span = Span::new(self.at, self.at + 1);
                    self.faults.push(
                        Fault::error(Code::Unbalanced, span, "this parenthesis closes no variation")
                            .help("a variation begins with ( after the move it replaces"),
                    );
                }
                self.at += 1;
            }
            ']' | '}' => {
                let span = Span::new(self.at, self.at + 1);
                self.faults.push(Fault::error(Code::Unbalanced, span, format!("`{first}` closes nothing")));
                self.at += 1;
            }
            _ if first.is_whitespace() => self.at += first.len_utf8(),
            _ => self.word(rest),
        }
        true
    }

    fn word(&mut self, rest: &'t str) {
        let ends = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | '(' | ')' | '[' | ']' | ';');
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        let start = self.at;
        self.at += word.len();
        if !self.depth.is_empty() {
            return;
        }
        if let Some(result) = Outcome::from_text(word) {
            self.open().record.result = result;
            self.finish();
            return;
        }
        if let Some(glyph) = word.strip_prefix('$') {
            match glyph.parse() {
                Ok(glyph) => self.add_glyph(glyph),
                Err(_) => {
                    let span = Span::new(start, self.at);
                    let message = format!(
                        "`{}` is not a glyph: `$0` to `$255`",
                        tempo_diagnostics::shortened(word, 20)
                    );
                    self.faults.push(Fault::error(Code::BadMove, span, message));
                }
            }
            return;
        }
        let text = san::without_number(word);
        if text.is_empty() || text.chars().all(|c| c == '.') || san::is_en_passant_mark(text) {
            return;
        }
        let bare = text.trim_end_matches(['!', '?']);
        if !bare.is_empty() {
            self.play(bare, start + word.len() - text.len());
        }
        if let Some(glyph) = glyph_of(&text[bare.len()..]) {
            self.add_glyph(glyph);
        }
    }

    fn play(&mut self, text: &str, start: usize) {
        let open = self.open();
        open.in_moves = true;
        if open.broken {
            return;
        }
        match san::read(&open.board, text, PromotionSet::All) {
            Ok(mv) => {
                open.board.play(mv);
                open.record.moves.push(Played::from(mv));
            }
            Err(err) => {
                open.broken = true;
                let code = match err {
                    SanError::Illegal { .. } => Code::IllegalMove,
                    SanError::Ambiguous { .. } => Code::AmbiguousMove,
                    _ => Code::BadMove,
                };
                let (number, fen) = (open.board.fullmove_number(), open.board.fen());
                let who = open.board.turn().name();
                let legal = open.board.legal_moves(PromotionSet::All);
                let mut moves: Vec<String> =
                    legal.iter().map(|&mv| san::write(&open.board, mv, PromotionSet::All)).collect();
                moves.sort();
                let span = Span::new(start, start + text.len());
                let fault = Fault::error(code, span, err.to_string())
                    .label(format!("move {number} of {who}"))
                    .note(format!("the position is {fen}"));
                self.faults.push(if moves.is_empty() {
                    fault.help("the game was over before this move")
                } else {
                    fault.help(format!("legal moves: {}", moves.join(" ")))
                });
            }
        }
    }

    fn add_glyph(&mut self, glyph: u8) {
        if let Some(open) = &mut self.game
            && !open.broken
            && let Some(last) = open.record.moves.last_mut()
        {
            last.glyphs.push(glyph);
        }
    }

    fn line_comment(&mut self, rest: &'t str) {
        let length = line_length(rest);
        self.add_comment(&rest[1..length]);
        self.at += length;
    }

    fn comment(&mut self, rest: &'t str) {
        match rest.find('}') {
            Some(end) => {
                self.add_comment(&rest[1..end]);
                self.at += end + 1;
            }
            None => {
                let span = Span::new(self.at, self.at + 1);
                self.faults.push(
                    Fault::error(Code::UnclosedComment, span, "this comment has no closing brace")
                        .help("close it with }"),
                );
                self.at = self.text.len();
            }
        }
    }

    fn add_comment(&mut self, text: &str) {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if text.is_empty() || !self.depth.is_empty() {
            return;
        }
        // Notes between games belong to none of them.
        let Some(open) = &mut self.game else { return };
        if open.broken {
            return;
        }
        let place = match open.record.moves.last_mut() {
            Some(played) => &mut played.comment,
            None => &mut open.record.comment,
        };
        match place {
            Some(before) => {
                before.push(' ');
                before.push_str(&text);
            }
            None => *place = Some(text),
        }
    }

    fn tag(&mut self, rest: &'t str) {
        let start = self.at;
        if self.game.as_ref().is_some_and(|open| open.in_moves) {
            self.finish();
        }
        let Some((name, value, length)) = parse_tag(rest) else {
            let length = line_length(rest);
            let span = Span::new(start, start + rest[..length].trim_end().len());
            self.faults.push(
                Fault::error(Code::BadTag, span, "this is not a tag")
                    .help("a tag is a name and a value in quotes: [White \"Anna\"]"),
            );
            self.at += length;
            return;
        };
        self.at += length;
        let value_start = start + rest[..length].find('"').unwrap_or(0) + 1;
        if name == "FEN" {
            match value.parse::<Board>() {
                Ok(board) => {
                    let open = self.open();
                    open.record.start = board.clone();
                    open.board = board;
                }
                Err(fault) => {
                    let shift = |at: usize| value_start + at;
                    let mut fault = fault.diagnostic();
                    fault.span = fault.span.map(|span| {
                        Span::new(shift(span.start as usize), shift(span.end as usize).min(start + length))
                    });
                    self.faults.push(fault);
                    self.open().broken = true;
                }
            }
        }
        let open = self.open();
        if name == "Result"
            && let Some(result) = Outcome::from_text(&value)
        {
            open.record.result = result;
        }
        open.record.set_tag(name, value);
    }

    /// The game being read, begun if there is none.
    fn open(&mut self) -> &mut Open {
        self.game.get_or_insert_with(|| {
            let board = Board::default();
            Open { record: Record::new(board.clone()), board, in_moves: false, broken: false }
        })
    }

    /// Ends the game being read.
    fn finish(&mut self) {
        if let Some(&start) = self.depth.first() {
            let span = Span::new(start, start + 1);
            self.faults.push(
                Fault::error(Code::Unbalanced, span, "this variation is not closed").help("close it with )"),
            );
            self.depth.clear();
        }
        self.games.extend(self.game.take().map(|open| open.record));
    }
}

/// The length of a line with its end.
fn line_length(rest: &str) -> usize {
    rest.find('\n').map_or(rest.len(), |end| end + 1)
}

/// `[Name "value"]` at the start of a text: name, value without escapes, and its length.
fn parse_tag(rest: &str) -> Option<(&str, String, usize)> {
    // A tag that is not closed must not swallow the games after it.
    let line = &rest[..line_length(rest)];
    let inner = line.strip_prefix('[')?.trim_start();
    let name = &inner[..inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?];
    let quoted = inner[name.len()..].trim_start().strip_prefix('"')?;
    let mut value = String::new();
    let mut escaped = false;
    let mut end = None;
    for (at, character) in quoted.char_indices() {
        match character {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '"' if !escaped => {
                end = Some(at + 1);
                break;
            }
            _ => value.push(character),
        }
        escaped = false;
    }
    let behind = &quoted[end?..];
    let close = behind.trim_start().strip_prefix(']')?;
    (!name.is_empty()).then(|| (name, value, line.len() - close.len()))
}

/// The number of an annotation mark.
fn glyph_of(mark: &str) -> Option<u8> {
    Some(match mark {
        "!" => 1,
        "?" => 2,
        "!!" => 3,
        "??" => 4,
        "!?" => 5,
        "?!" => 6,
        _ => return None,
    })
}
