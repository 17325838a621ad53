//! Spellings of other assemblers and what they are here.
//! Reads the line around an error; knows nothing of the program.

use tempo_isa::Cpu;

use super::{Line, expressions, ident_len, is_mnemonic};

/// A word of another assembler.
pub(super) enum Spelling {
    /// Those who write it, and what it is here.
    Here(&'static str, &'static str),
    /// There is nothing that it is here.
    Remark(String),
}

/// The remark about a directive of ca65, 64tass, dasm and others.
pub(super) fn directive(word: &str) -> Option<String> {
    spelling(word).map(Spelling::remark)
}

impl Spelling {
    fn remark(self) -> String {
        match self {
            Spelling::Here(whose, here) => format!("written for {whose}? here it is {here}"),
            Spelling::Remark(remark) => remark,
        }
    }

    /// The spelling here.
    pub fn here(self) -> Option<&'static str> {
        match self {
            Spelling::Here(_, here) => Some(here),
            Spelling::Remark(_) => None,
        }
    }
}

/// Directives of ca65, 64tass, dasm and others.
pub(super) fn spelling(word: &str) -> Option<Spelling> {
    let name = word.trim_start_matches('.').to_ascii_lowercase();
    let (whose, here) = match name.as_str() {
        "db" | "dc" | "dc.b" | "defb" | "char" => ("another assembler", ".byte"),
        "addr" | "da" | "defw" | "rta" => ("ca65 or 64tass", ".word"),
        "org" => ("ca65 or dasm", "*=$1000"),
        "equ" | "define" => ("dasm", ".const name = value, or .label for an address"),
        "set" => ("ca65 or dasm", ".var name = value, then .eval name = value"),
        "res" | "ds" | "dsb" | "ds.b" | "blkb" => ("ca65 or dasm", ".fill count, 0"),
        "proc" | "block" => ("ca65 or 64tass", "name: { ... }"),
        "scope" => ("ca65", ".namespace name { ... }"),
        "include" | "incsrc" => ("another assembler", "#import \"file\""),
        "incbin" | "binary" => ("another assembler", ".import binary \"file\""),
        "asc" | "ascii" | "null" | "shift" => ("another assembler", ".text \"...\""),
        "asciiz" => ("ca65", ".text \"...\" and .byte 0"),
        "repeat" | "rept" => ("ca65 or 64tass", ".for (var i = 0; i < n; i++) { ... }"),
        "ifdef" => ("another assembler", "#if NAME ... #endif"),
        "ifndef" => ("another assembler", "#if !NAME ... #endif"),
        "zeropage" | "code" | "bss" | "rodata" | "data" => ("ca65", ".segment Name, after .segmentdef Name"),
        "global" | "globl" | "export" | "exportzp" | "importzp" | "extern" => {
            return Some(Spelling::Remark(
                "written for ca65? here all sources are one program: names need no export".to_owned(),
            ));
        }
        "logical" => ("64tass", ".pseudopc address { ... }"),
        "processor" => ("dasm", ".cpu _6502"),
        "switch" | "case" | "select" => {
            return Some(Spelling::Remark(
                "there is no .switch; .if (a == 1) { ... } else .if (a == 2) { ... } chooses".to_owned(),
            ));
        }
        "else" | "elseif" | "elsif" | "elif" => return Some(Spelling::Remark(expressions::otherwise())),
        "endproc" | "endmacro" | "endm" | "endif" | "endscope" | "endrepeat" | "endrep" | "end" | "bend"
        | "pend" | "here" | "next" | "fi" => {
            return Some(Spelling::Remark(
                "written for another assembler? here a } ends what a { begins".to_owned(),
            ));
        }
        _ => return None,
    };
    Some(Spelling::Here(whose, here))
}

/// The remark about one of [`bare_spelling`].
pub(super) fn bare_directive(word: &str) -> Option<String> {
    bare_spelling(word).map(Spelling::remark)
}

/// Data directives that other assemblers write without a dot.
pub(super) fn bare_spelling(word: &str) -> Option<Spelling> {
    match word.to_ascii_lowercase().as_str() {
        name @ ("db" | "dc" | "dc.b" | "defb" | "defw" | "org" | "ds" | "dsb" | "ds.b" | "include"
        | "incsrc" | "incbin" | "asc" | "ascii" | "asciiz" | "rept" | "processor") => spelling(name),
        "dw" | "dc.w" => spelling("defw"),
        "byt" | "fcb" => spelling("defb"),
        _ => None,
    }
}

/// Instructions of other processors: the one that does the same, and whether it takes the same operand.
const INSTRUCTIONS: [(&str, &str, bool); 26] = [
    ("ret", "rts", true),
    ("reti", "rti", true),
    ("call", "jsr", true),
    ("jp", "jmp", true),
    ("xor", "eor", true),
    ("or", "ora", true),
    ("blt", "bcc", true),
    ("blo", "bcc", true),
    ("bge", "bcs", true),
    ("bhs", "bcs", true),
    ("bz", "beq", true),
    ("bnz", "bne", true),
    ("tst", "bit", true),
    ("asr", "cmp #$80 and ror", false),
    ("neg", "eor #$ff, clc and adc #1", false),
    ("add", "clc and adc", false),
    ("sub", "sec and sbc", false),
    ("push", "pha", false),
    ("pop", "pla", false),
    ("mov", "lda and sta", false),
    ("move", "lda and sta", false),
    ("ld", "lda, ldx or ldy", false),
    ("st", "sta, stx or sty", false),
    ("mul", "a routine of shifts and additions", false),
    ("div", "a routine of shifts and subtractions", false),
    ("djnz", "dex and bne", false),
];

/// The remark about an instruction of another processor.
pub(super) fn instruction(word: &str) -> Option<String> {
    let word = word.to_ascii_lowercase();
    let (_, here, _) = INSTRUCTIONS.iter().find(|(name, ..)| *name == word)?;
    Some(match word.as_str() {
        "blt" | "blo" | "bge" | "bhs" => format!("after cmp of numbers without sign it is {here}"),
        "mul" | "div" => format!("the 6502 has no {word}; it takes {here}"),
        _ => format!("the 6502 has no {word}; write {here}"),
    })
}

/// The instruction that does the same with the same operand.
pub(super) fn same_instruction(word: &str) -> Option<&'static str> {
    let word = word.to_ascii_lowercase();
    INSTRUCTIONS.iter().find(|(name, _, is_same)| *name == word && *is_same).map(|&(_, here, _)| here)
}

/// `*  $1000` and `.pc $1000`.
pub(super) fn program_counter(line: Line<'_>) -> Option<String> {
    let before = line.before().trim();
    let address = line.after().split("//").next()?.trim();
    let is_address = address.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '$' | '%'));
    (is_address && matches!(before, "*" | ".pc")).then(|| format!("an = is missing: {before} = {address}"))
}

/// `.foo:` and `.foo lda`, as ACME and others write labels that are local.
pub(super) fn dot_label(word: &str, line: Line<'_>) -> Option<String> {
    let name = word.strip_prefix('.')?;
    let after = line.text.get(line.at + word.len()..)?;
    let next = after.trim_start();
    (after.starts_with(':') || is_mnemonic(&next[..ident_len(next)])).then(|| dot_name(name))
}

/// `jmp .foo`, which is read as an extension of the mnemonic.
pub(super) fn dot_operand(word: &str, line: Line<'_>) -> Option<String> {
    let after = line.text.get(line.at + word.len()..)?;
    let name = after.trim_start().strip_prefix('.').filter(|_| after.starts_with([' ', '\t']))?;
    Some(dot_name(&name[..ident_len(name)]))
}

/// `lda.w`, as in assemblers that know wider processors.
pub(super) fn extension(name: &str) -> Option<String> {
    let here = match name.to_ascii_lowercase().as_str() {
        "b" | "d" => ".zp",
        "w" | "l" => ".abs",
        _ => return None,
    };
    Some(format!("here it is {here}"))
}

fn dot_name(name: &str) -> String {
    format!(
        "labels have no dot here; local ones are !{name}: (used as !{name}- and !{name}+), or {name}: in a block {{ ... }}"
    )
}

/// Directives of the C preprocessor, and what they are here.
pub(super) fn preprocessor(name: &str, line: Line<'_>) -> Option<String> {
    let mut words = line.text.get(line.at..)?.split_whitespace().skip(1);
    let symbol = words.next().unwrap_or("NAME");
    Some(match name {
        "include" => "#import \"file\"".to_owned(),
        "ifdef" => format!("#if {symbol}"),
        "ifndef" => format!("#if !{symbol}"),
        "elseif" | "elsif" => "#elif".to_owned(),
        "pragma" if symbol == "once" => "#importonce".to_owned(),
        _ => return None,
    })
}

/// Names of instruction sets that begin with a digit.
pub(super) fn cpu(line: Line<'_>) -> Option<String> {
    let rest = line.after().trim_start_matches('"');
    let name = rest[..ident_len(rest)].to_ascii_lowercase();
    let cpu = match name.as_str() {
        "8502" => Cpu::Mos6502,
        "65sc02" | "w65c02" => Cpu::Wdc65c02,
        name => Cpu::from_name(name)?,
    };
    let known = cpu.kick_name();
    line.before().trim().ends_with(".cpu").then(|| format!("here it is .cpu {known}"))
}

/// Methods of other languages.
pub(super) fn method(word: &str) -> Option<String> {
    let here = match word {
        "length" | "len" | "count" => "strings and lists have size() here, files getSize()",
        "push" | "append" => "lists have add() here",
        _ => return None,
    };
    Some(here.to_owned())
}

/// Numbers as C writes them, and its `%`.
fn number(line: Line<'_>) -> Option<String> {
    let (before, after) = (line.before(), line.after());
    let digits = |is_digit: fn(char) -> bool| {
        let digits = &after[..ident_len(after)].get(1..)?;
        (!digits.is_empty() && digits.chars().all(is_digit)).then_some(*digits)
    };
    let is_zero =
        before.strip_suffix('0').is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric()));
    match after.chars().next()? {
        'x' | 'X' if is_zero => digits(|c| c.is_ascii_hexdigit())
            .map(|digits| format!("a hexadecimal number begins with $ here: ${digits}")),
        'b' | 'B' if is_zero => digits(|c| matches!(c, '0' | '1'))
            .map(|digits| format!("a binary number begins with % here: %{digits}")),
        '%' if is_operand(before.trim_end()) => {
            Some("% begins a binary number; the remainder of a / b is mod(a, b)".to_owned())
        }
        _ => None,
    }
}

/// Whether a text ends in a value, and not in the word that begins its statement.
fn is_operand(text: &str) -> bool {
    let before = text.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    let word = &text[before.len()..];
    let is_first = before.trim().is_empty() || before.ends_with('.') || is_mnemonic(word);
    if word.is_empty() { before.ends_with([')', ']']) } else { !is_first }
}

/// `-` and `+` as labels, branches to them, and `bne !`.
fn unnamed_label(line: Line<'_>) -> Option<String> {
    let is_sign = |c: char| matches!(c, '+' | '-');
    let before = expressions::after_labels(line.before());
    let signs = |text: &str| text.len() - text.trim_start_matches(is_sign).len();
    let is_end = |rest: &str| rest.is_empty() || rest.starts_with("//") || rest.starts_with(';');
    if before.is_empty() {
        // A label: alone, or before an instruction.
        let after = line.after();
        let rest = after[signs(after)..].trim_start();
        let is_label = signs(after) > 0 && (is_end(rest) || is_mnemonic(&rest[..ident_len(rest)]));
        return is_label.then(unnamed);
    }
    // The fault is at the sign, or after it.
    let (word, operand) = before.split_at(ident_len(before));
    let operand = operand.trim_start();
    if is_mnemonic(word) && operand.trim_end() == "!" && is_end(line.after().trim_start()) {
        return Some("which label? !- is the last one named !: before, !+ the next one".to_owned());
    }
    let operand = if operand.is_empty() { line.after() } else { operand };
    let is_target = signs(operand) > 0 && is_end(operand[signs(operand)..].trim_start());
    (is_mnemonic(word) && is_target).then(unnamed)
}

fn unnamed() -> String {
    "a label without a name is !: here; !- is the one before, !+ the next one".to_owned()
}

/// Directives of ACME, without their `!`.
pub(super) fn acme(word: &str) -> Option<&'static str> {
    Some(match word {
        "byte" | "by" | "8" | "08" => ".byte",
        "word" | "wo" | "16" | "le16" => ".word",
        "32" | "le32" => ".dword",
        "fill" | "fi" | "skip" => ".fill count, 0",
        "text" | "tx" | "pet" | "scr" | "raw" | "ct" | "convtab" => ".text \"...\", with .encoding before it",
        "src" | "source" => "#import \"file\"",
        "bin" | "binary" => ".import binary \"file\"",
        "to" => "tempo asm -o FILE",
        "macro" => ".macro Name(a, b) { ... }",
        "zone" | "zn" | "sz" => "a block: name: { ... }",
        "for" | "do" | "while" => ".for (var i = 0; i < n; i++) { ... }",
        "if" | "ifdef" | "ifndef" => ".if (condition) { ... } or #if NAME",
        "set" => ".var name = value",
        "align" => ".align $100",
        "cpu" => ".cpu _6502",
        "pseudopc" => ".pseudopc address { ... }",
        "addr" | "address" => ".label name = address",
        _ => return None,
    })
}

/// Lines of other assemblers.
pub(super) fn line(line: Line<'_>) -> Option<String> {
    if let Some(help) = number(line).or_else(|| unnamed_label(line)) {
        return Some(help);
    }
    let statement = line.text.trim_start();
    if let Some(rest) = statement.strip_prefix('!') {
        let here = acme(&rest[..ident_len(rest)])?;
        return Some(format!("written for ACME? here it is {here}"));
    }
    if let Some(rest) = statement.strip_prefix('%') {
        return (ident_len(rest) > 0)
            .then(|| "written for another assembler? here it is .macro Name(a, b) { ... }".to_owned());
    }
    let len = ident_len(statement);
    let after = statement[len..].trim_start();
    let word = after.split_whitespace().next().unwrap_or("").to_ascii_lowercase();
    let is_equate = matches!(word.as_str(), ".equ" | "equ" | ".set" | "set" | ":=" | "eq");
    if len > 0 && (is_equate || after.starts_with('=') && !after.starts_with("==")) {
        let name = &statement[..len];
        return Some(format!(
            "here it is .const {name} = value for a number, .label {name} = value for an address"
        ));
    }
    bare_label(line.text).or_else(|| instruction(&statement[..len]))
}

/// A name at the start of a line, alone or before an instruction or directive.
pub(super) fn bare_label(line: &str) -> Option<String> {
    let (name, rest) = line.split_at(ident_len(line));
    let rest = rest.trim_start();
    let word = &rest[..ident_len(rest)];
    let ends = rest.is_empty() || rest.starts_with("//") || rest.starts_with(';');
    let is_label = !name.is_empty() && !is_mnemonic(name);
    (is_label && (ends || rest.starts_with('.') || is_mnemonic(word)))
        .then(|| format!("a label ends in a colon here: {name}:"))
}
