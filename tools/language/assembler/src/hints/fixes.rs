//! Texts that may repair an error, from the line it is in. They are candidates: the caller assembles the program with each
//! and offers what helps.

use std::ops::Range;

use super::{Line, expressions, foreign, ident_len, is_mnemonic, semicolons};
use crate::codes::Code;

/// A change of one place of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fix {
    /// The bytes of the text that are replaced.
    pub range: Range<usize>,
    /// The replacement.
    pub text: String,
}

/// Changes of the line of an error or warning that may repair it, the likeliest first. `place` is its place in `text`.
pub fn fixes(code: Code, text: &str, place: Range<usize>) -> Vec<Fix> {
    let Some(word) = text.get(place.clone()) else { return Vec::new() };
    let start = text[..place.start].rfind('\n').map_or(0, |newline| newline + 1);
    let line = text[start..].lines().next().unwrap_or("");
    let line = Line { text: line, at: (place.start - start).min(line.len()) };
    let mut found = Vec::new();
    let mut add = |range: Range<usize>, text: &str| {
        found.push(Fix { range: start + range.start..start + range.end, text: text.to_owned() });
    };
    let at = line.at;
    match code {
        Code::TruncatedImmediate => ["<", ">"].iter().for_each(|half| add(at..at, half)),
        Code::TruncatedData => add(at..at, "<"),
        Code::MissingHash => add(at..at, "#"),
        Code::AddressInFourBytes => {
            if let Some(dot) = line.text.find(".dw").filter(|&dot| ident_len(&line.text[dot + 1..]) == 2) {
                add(dot..dot + 3, ".word");
            }
        }
        _ if code.is_warning() => {}
        _ => {
            statement(line, &mut add);
            operand(line, word, &mut add);
            signs(line, &mut add);
            for separator in semicolons::comments(line.text) {
                add(separator..separator + 1, "//");
            }
        }
    }
    found.dedup();
    found
}

/// Where the statement of a fault begins: after labels and other statements.
fn beginning(line: Line<'_>) -> usize {
    let before = line.before();
    let mut start = before.rfind([';', '{', '}']).map_or(0, |mark| mark + 1);
    loop {
        start += line.text[start..].len() - line.text[start..].trim_start().len();
        let rest = &line.text[start..];
        let name = rest.strip_prefix('!').unwrap_or(rest);
        let after = rest.len() - name.len() + ident_len(name);
        match rest[after..].strip_prefix(':') {
            Some(_) if after > 0 => start += after + 1,
            _ => return start,
        }
    }
}

/// A first word that other assemblers have, or one without its dot.
fn statement(line: Line<'_>, add: &mut impl FnMut(Range<usize>, &str)) {
    let start = beginning(line);
    let rest = &line.text[start..];
    let mark = usize::from(rest.starts_with(['.', '#', '!']));
    let len = mark + ident_len(&rest[mark..]);
    let (word, after) = rest.split_at(len);
    let range = start..start + len;
    let here = match word.as_bytes().first() {
        Some(b'#') => foreign::preprocessor(&word[1..], Line { text: line.text, at: start }),
        Some(b'!') => foreign::acme(&word[1..]).map(str::to_owned),
        Some(b'.') => foreign::spelling(word).and_then(foreign::Spelling::here).map(str::to_owned),
        _ => foreign::bare_spelling(word).and_then(foreign::Spelling::here).map(str::to_owned),
    };
    if let Some(here) = here.as_deref() {
        // What stands for the operand is in the text already.
        let plain =
            here.split([',', '(', '{']).next().unwrap_or("").split("\"").next().unwrap_or("").trim_end();
        match plain {
            "*=$1000" => add(start..start + len + after.len() - after.trim_start().len(), "*="),
            _ if here.starts_with("#if ") => {
                let name = after.trim_start();
                let end = line.text.len() - name.len() + ident_len(name);
                add(start..end, here);
            }
            "" => {}
            _ if !plain.contains(' ') || plain == ".import binary" => add(range.clone(), plain),
            _ => {}
        }
    }
    if let Some(here) = foreign::same_instruction(word) {
        add(range.clone(), here);
    }
    if word.starts_with(".else") {
        add(range.clone(), &word[1..]);
    }
    if expressions::DIRECTIVES.contains(&word) {
        add(start..start, ".");
    }
    if matches!(word, ".const" | ".var" | ".label") {
        let name = after.trim_start();
        let end = line.text.len() - name.len() + ident_len(name);
        add(end..end, " =");
    }
    let value = after.trim_start();
    if !word.is_empty() && mark == 0 {
        let equate =
            ["==", ":=", ".equ", "equ", ".set", "set", "="].iter().find(|sign| value.starts_with(**sign));
        if let Some(equate) = equate.filter(|sign| **sign != "==") {
            let rest = value[equate.len()..].trim_start();
            let whole = start..line.text.len();
            for directive in [".const", ".label", ".var"] {
                add(whole.clone(), &format!("{directive} {word} = {rest}"));
            }
        }
        if value.starts_with(['=', '+', '-', '*', '/']) {
            add(start..start, ".eval ");
        }
    }
}

/// Signs that are missing, and those that text processors or other languages write.
fn signs(line: Line<'_>, add: &mut impl FnMut(Range<usize>, &str)) {
    let (before, after, at) = (line.before(), line.after(), line.at);
    let mut characters = after.chars();
    let first = characters.next().unwrap_or(' ');
    let wide = first.len_utf8();
    match first {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => {
            let text = characters.as_str();
            if let Some(end) = text.find(['\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}', '"']) {
                let close = text[end..].chars().next().map_or(0, char::len_utf8);
                add(at..at + wide + end + close, &format!("\"{}\"", &text[..end]));
            }
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' => add(at..at + wide, "-"),
        '\u{a0}' | '\u{202f}' | '\u{2007}' => add(at..at + wide, " "),
        '\u{feff}' => add(at..at + wide, ""),
        '$' | '%' | '<' | '>' if after[1..].starts_with('#') => add(at..at + 2, &format!("#{first}")),
        ':' if !before.trim().is_empty() => add(at..at + 1, ";"),
        '#' if after.starts_with("# ") => add(at..at + 1, "//"),
        '-' if after.starts_with("-- ") => add(at..at + 2, "//"),
        _ => {}
    }
    let name = &after[..ident_len(after)];
    if is_mnemonic(name) && before.ends_with([' ', '\t']) {
        add(before.trim_end().len()..at, "; ");
    }
    if let Some((index, _)) = after[name.len()..].strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && !name.is_empty()
    {
        add(at..at + name.len() + index.len() + 2, &format!("{name}.get({index})"));
    }
    if matches!(before.trim(), "*" | ".pc") {
        add(before.trim_end().len()..at, " = ");
    }
}

/// Numbers and texts as other languages write them, and signs in the wrong order.
fn operand(line: Line<'_>, word: &str, add: &mut impl FnMut(Range<usize>, &str)) {
    let (before, after, at) = (line.before(), line.after(), line.at);
    if after.starts_with('#')
        && let Some(sign) = before.chars().next_back().filter(|sign| "$%<>".contains(*sign))
    {
        add(at - 1..at + 1, &format!("#{sign}"));
    }
    if let Some(zero) = at.checked_sub(1).filter(|_| before.ends_with('0')) {
        match after.chars().next() {
            Some('x' | 'X') => add(zero..at + 1, "$"),
            Some('b' | 'B') => add(zero..at + 1, "%"),
            _ => {}
        }
    }
    if let Some(text) = after.strip_prefix('\'').and_then(|text| text.split_once('\'')).map(|(text, _)| text)
        && !text.contains(['"', '\\'])
    {
        add(at..at + text.len() + 2, &format!("\"{text}\""));
    }
    if word.eq_ignore_ascii_case("a") && is_mnemonic(before.split_whitespace().next_back().unwrap_or("")) {
        add(before.trim_end().len()..at + 1, "");
    }
    if let Some(rest) = after.strip_prefix('=')
        && !rest.starts_with('=')
    {
        add(at..at + 1, "==");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    /// The line after each candidate; `^` is the place of the fault.
    fn tried(code: Code, marked: &str) -> Vec<String> {
        let at = marked.find('^').expect("a mark");
        let text = marked.replacen('^', "", 1);
        let first = text[at..].chars().next().map_or(0, char::len_utf8);
        let end = at + ident_len(&text[at..]).max(first);
        let apply = |fix: Fix| format!("{}{}{}", &text[..fix.range.start], fix.text, &text[fix.range.end..]);
        fixes(code, &text, at..end).into_iter().map(apply).collect()
    }

    #[test]
    fn lines_of_other_assemblers_are_translated() {
        for (code, line, expected) in [
            (Code::UnknownDirective, " ^.db 1, 2", " .byte 1, 2"),
            (Code::UnknownPseudoCommand, "l: ^db 1", "l: .byte 1"),
            (Code::SyntaxError, " ^!byte 1", " .byte 1"),
            (Code::UnknownDirective, " ^.org $1000", " *=$1000"),
            (Code::UnknownDirective, " ^.incbin \"a.bin\"", " .import binary \"a.bin\""),
            (Code::UnknownPreprocessorDirective, "^#ifndef DEBUG", "#if !DEBUG"),
            (Code::UnknownPreprocessorDirective, "^#include \"a\"", "#import \"a\""),
            (Code::SyntaxError, "var ^x = 1", ".var x = 1"),
            (Code::SyntaxError, "^width = 40", ".const width = 40"),
            (Code::SyntaxError, " lda $^#10", " lda #$10"),
            (Code::InvalidCharacter, " lda ^$#10", " lda #$10"),
            (Code::SyntaxError, " lda #1 ^sta 2", " lda #1; sta 2"),
            (Code::SyntaxError, " lda #1 ^: sta 2", " lda #1 ; sta 2"),
            (Code::SyntaxError, " lda #1 ^# one", " lda #1 // one"),
            (Code::InvalidCharacter, " .text ^\u{201c}a\u{201d}", " .text \"a\""),
            (Code::NotIndexable, " .byte ^l[i + 1]", " .byte l.get(i + 1)"),
            (Code::UnknownPseudoCommand, "l: ^ret", "l: rts"),
            (Code::InvalidToken, "* ^$1000", "* = $1000"),
            (Code::SyntaxError, " lda #0^xff", " lda #$ff"),
            (Code::UnknownSymbol, " asl ^a", " asl"),
            (Code::SyntaxError, " lda #1 ; load ^one", " lda #1 // load one"),
            (Code::TruncatedImmediate, " lda #^table", " lda #<table"),
            (Code::AddressInFourBytes, " .dw ^table", " .word table"),
            (Code::MissingHash, " ldx ^COUNT", " ldx #COUNT"),
        ] {
            let found = tried(code, line);
            assert!(found.iter().any(|line| line == expected), "{line}: {found:?}");
        }
        assert_eq!(tried(Code::Unreachable, " ^nop ; x = 1"), [""; 0]);
    }

    #[test]
    fn every_range_is_of_the_text() {
        for line in ["^", "ä^ö", " .const ^", "!^", "#^", " lda '^", "0^x", " .dw^", "a:^", "; ^;"] {
            for code in [Code::SyntaxError, Code::UnknownDirective, Code::AddressInFourBytes] {
                tried(code, line);
            }
        }
    }
}
