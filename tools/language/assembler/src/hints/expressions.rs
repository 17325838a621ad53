//! Signs and words that do not fit into an operand or a list: a comma that is missing, an operator of another language,
//! a mode that there is not. Reads the line around an error; knows nothing of the program.

use super::{Line, ident_len, is_mnemonic};

/// Directives that are written without their dot.
pub(super) const DIRECTIVES: [&str; 22] = [
    "align",
    "byte",
    "const",
    "dword",
    "encoding",
    "enum",
    "eval",
    "fill",
    "for",
    "function",
    "if",
    "import",
    "label",
    "macro",
    "namespace",
    "print",
    "pseudocommand",
    "return",
    "struct",
    "var",
    "while",
    "word",
];

/// A statement: its first word, with the dot of a directive, and what follows that up to the error.
struct Statement<'s> {
    word: &'s str,
    operand: &'s str,
}

impl<'s> Statement<'s> {
    fn of(line: Line<'s>) -> Statement<'s> {
        let before = after_labels(line.before());
        let dot = usize::from(before.starts_with('.'));
        let (word, operand) = before.split_at(dot + ident_len(&before[dot..]));
        Statement { word, operand }
    }
}

/// A line after its first label, which may be a multi label.
pub(super) fn after_labels(line: &str) -> &str {
    let line = line.trim_start();
    let label = line.strip_prefix('!').unwrap_or(line);
    match label[ident_len(label)..].strip_prefix(':').filter(|rest| !rest.is_empty()) {
        Some(rest) => rest.trim_start(),
        None => line,
    }
}

/// A token that does not fit where it is.
pub(super) fn token(line: Line<'_>) -> Option<String> {
    let statement = Statement::of(line);
    let after = line.after();
    missing_dot(line)
        .or_else(|| typography(after))
        .or_else(|| literal(line, &statement))
        .or_else(|| comment_sign(line, &statement))
        .or_else(|| second_statement(line, &statement))
        .or_else(|| missing_value(line, &statement))
        .or_else(|| operator(line, &statement))
        .or_else(|| else_branch(line))
        .or_else(|| index(line, &statement))
        .or_else(|| colon(line, &statement))
        .or_else(|| low_byte(after.strip_prefix('.')?))
}

/// `var x = 1`: the directive that the statement begins with, were there a dot.
pub(super) fn missing_dot(line: Line<'_>) -> Option<String> {
    let statement = line.text.trim_start();
    let (word, rest) = statement.split_at(ident_len(statement));
    let is_one = DIRECTIVES.contains(&word) && rest.starts_with([' ', '\t', '(']);
    (is_one && line.at + 1 + word.len() > line.text.len() - statement.len())
        .then(|| format!("a directive begins with a dot: .{word}"))
}

/// The name that a declaration without its dot would declare.
pub(super) fn undeclared(line: Line<'_>) -> Option<&str> {
    let mut words = line.text.split_whitespace();
    let is_declaration = matches!(words.next()?, "var" | "const" | "label");
    let name = words.next().filter(|_| is_declaration)?;
    Some(&name[..ident_len(name)])
}

/// The pseudo command whose parameters are separated by a comma.
pub(super) fn pseudo_command(line: Line<'_>) -> Option<&str> {
    let statement = Statement::of(line);
    let name = statement.operand.trim_start();
    (statement.word == ".pseudocommand" && line.after().starts_with(',')).then(|| &name[..ident_len(name)])
}

/// `'text'`, `0ffh`, `$gg`, `1up:` and comments that begin with another sign.
fn literal(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let (before, after) = (line.before(), line.after());
    let is_start = before.trim().is_empty();
    if let Some(text) = after.strip_prefix('\'').and_then(|text| text.split_once('\'')).map(|(text, _)| text)
        && text.chars().count() > 1
        && !text.contains(['"', '\\'])
    {
        return Some(match is_mnemonic(statement.word) {
            true => "a character is one letter in single quotes".to_owned(),
            false => format!("a text is written in double quotes: \"{text}\""),
        });
    }
    if let Some(digits) = after.strip_prefix('$')
        && digits.starts_with(|c: char| c.is_ascii_alphabetic() && !c.is_ascii_hexdigit())
    {
        return Some("the digits of a hexadecimal number are 0 to 9 and a to f".to_owned());
    }
    // The fault is at the sign, or at the # after it.
    let (before_sign, from_sign) = match after.strip_prefix(SIGNS) {
        Some(rest) if rest.starts_with('#') => (before, after),
        _ => (
            before.strip_suffix(SIGNS).unwrap_or(before),
            &line.text[before.strip_suffix(SIGNS).unwrap_or(before).len()..],
        ),
    };
    if let Some((sign, number)) = from_sign.split_once('#')
        && sign.len() == 1
        && sign.starts_with(SIGNS)
        && before_sign.ends_with([' ', '\t'])
        && is_mnemonic(statement.word)
    {
        let number = number.split(|c: char| c.is_whitespace() || c == ',' || c == '/').next().unwrap_or("");
        return Some(format!("the # of a value comes first: #{sign}{number}"));
    }
    let word = &after[..ident_len(after)];
    let zeros = before.len() - before.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    if let Some(digits) = word.strip_suffix(['h', 'H'])
        && zeros > 0
        && digits.chars().all(|c| c.is_ascii_hexdigit())
    {
        let number = format!("{}{digits}", &before[before.len() - zeros..]);
        return Some(format!("a hexadecimal number begins with $ here: ${}", number.trim_start_matches('0')));
    }
    let is_name = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.len() > 1;
    if is_start && is_name(word) && after[word.len()..].starts_with(':') {
        return Some("a name begins with a letter or _".to_owned());
    }
    let star = before.trim_start().strip_prefix('*')?.trim();
    match star {
        "" if word.chars().all(|c| c.is_ascii_alphabetic()) && !word.is_empty() => Some(comment()),
        "=" if after.starts_with('#') => Some(format!("an address has no #: *={}", after[1..].trim_end())),
        _ => None,
    }
}

/// The signs before a number.
const SIGNS: [char; 4] = ['$', '%', '<', '>'];

/// Characters that text processors write in place of quotes, dashes and blanks.
fn typography(after: &str) -> Option<String> {
    Some(match after.chars().next()? {
        '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}' => {
            "this is a typographic quote; a text is written in straight ones: \"text\"".to_owned()
        }
        '\u{2018}' | '\u{2019}' => {
            "this is a typographic quote; a character is written in straight ones: 'a'".to_owned()
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "this is a dash; minus is -".to_owned(),
        '\u{a0}' | '\u{202f}' | '\u{2007}' => "this is a no-break space; write a blank or a tab".to_owned(),
        '\u{feff}' => "the source begins with a byte-order mark; save it without one".to_owned(),
        _ => return None,
    })
}

/// `lda #1 # text` and `lda #1 -- text`, where an operand is complete.
fn comment_sign(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let rest = ["#", "--"].iter().find_map(|sign| line.after().strip_prefix(sign))?;
    let is_comment = rest.starts_with([' ', '\t']) && line.before().ends_with([' ', '\t']);
    (is_comment && !statement.operand.trim().is_empty()).then(comment)
}

/// `lda #1 sta $d020`, with or without a colon between.
fn second_statement(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let after = line.after().trim_start_matches(':').trim_start();
    let is_second = is_mnemonic(&after[..ident_len(after)]) && is_mnemonic(statement.word);
    let is_end = line.before().ends_with([' ', '\t']) && !statement.operand.trim().is_empty();
    (is_second && is_end).then(|| "statements on one line are separated by ;".to_owned())
}

/// A value that is left out: after `=`, or the third part of `a ? b : c`.
fn missing_value(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let after = line.after().trim_start();
    if !after.is_empty() && !after.starts_with("//") {
        return None;
    }
    let operand = statement.operand.trim();
    if operand.contains('?') && !operand.contains(':') && !operand.contains('"') {
        return Some("a choice has two values: condition ? a : b".to_owned());
    }
    (operand.ends_with('=') && statement.word.starts_with('.')).then(|| "the value is missing".to_owned())
}

/// `2**3`.
pub(super) fn power(line: Line<'_>) -> Option<String> {
    let is_power = line.after().starts_with("**") || line.before().ends_with("**");
    is_power.then(|| "there is no operator **; a to the power of b is pow(a, b)".to_owned())
}

/// `1 < a < 5`, of which the first comparison gives true or false.
pub(super) fn chained(word: &str) -> Option<String> {
    matches!(word, "<" | ">" | "<=" | ">=").then(|| "comparisons are joined by &&: a < b && b < c".to_owned())
}

/// `list[0]`.
pub(super) fn subscript(line: Line<'_>) -> Option<String> {
    let after = line.after();
    let name = &after[..ident_len(after)];
    let index = after[name.len()..].trim_start().strip_prefix('[')?.split(']').next()?;
    (!name.is_empty()).then(|| format!("elements are read by get: {name}.get({})", index.trim()))
}

pub(super) fn comment() -> String {
    "a comment begins with //".to_owned()
}

/// `and`, `or` and their like between values.
fn operator(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let after = line.after();
    let behind = &after[..ident_len(after)];
    let before = line.before().trim_end();
    let last = &before[before.trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_').len()..];
    let is_condition = matches!(statement.word, ".if" | ".while" | ".for" | ".errorif");
    let here = |word: &str| match (word.to_ascii_lowercase().as_str(), is_condition) {
        ("and", true) => Some("&&"),
        ("and", false) => Some("&"),
        ("or", true) => Some("||"),
        ("or", false) => Some("|"),
        ("xor" | "eor", _) => Some("^"),
        ("shl", _) => Some("<<"),
        ("shr", _) => Some(">>"),
        ("mod", _) => Some("mod(a, b)"),
        _ => None,
    };
    let is_value = last.starts_with(|c: char| c.is_ascii_alphanumeric()) || before.ends_with([')', ']']);
    if let Some(here) = here(behind).filter(|_| is_value && !statement.operand.trim().is_empty()) {
        return Some(format!("'{behind}' is not an operator here; it is {here}"));
    }
    let is_not = last.eq_ignore_ascii_case("not") && last.len() < statement.operand.trim().len();
    is_not.then(|| "'not' is not an operator here; it is ! for conditions, ~ for bits".to_owned())
}

/// `elseif (condition) {`.
fn else_branch(line: Line<'_>) -> Option<String> {
    let mut words = line.before().split(|c: char| !c.is_ascii_alphanumeric());
    let is_else =
        words.any(|word| matches!(word, "elseif" | "elsif" | "elif")) || line.before().contains("else if");
    (is_else && line.after().starts_with('{')).then(otherwise)
}

pub(super) fn otherwise() -> String {
    "here it is else { ... } or else .if (condition) { ... }".to_owned()
}

/// `(zp,y)` and `#value,x`, and commas where colons separate.
fn index(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let rest = line.after().strip_prefix(',')?.trim_start();
    let register = &rest[..ident_len(rest)];
    let is_register = register.eq_ignore_ascii_case("x") || register.eq_ignore_ascii_case("y");
    let operand = statement.operand.trim();
    if is_mnemonic(statement.word) {
        return match operand.chars().next()? {
            '(' if is_register && !operand.contains(')') => {
                let pointer = &operand[1..];
                Some(format!("the indirect modes are ({pointer},x) and ({pointer}),y"))
            }
            '#' if is_register => Some("an immediate operand has no index".to_owned()),
            _ => None,
        };
    }
    match statement.word {
        ".print" | ".printnow" | ".error" => Some(joined()),
        ".text" | ".te" => Some(one_text()),
        ".pseudocommand" => {
            Some("the parameters of a pseudo command are separated by colons: a : b".to_owned())
        }
        word if !word.is_empty() && !word.starts_with('.') && !operand.is_empty() => {
            Some("the arguments of a pseudo command are separated by colons: a : b".to_owned())
        }
        _ => None,
    }
}

fn joined() -> String {
    "the parts of a message are joined by +".to_owned()
}

fn one_text() -> String {
    ".text takes one text: join others to it by +, and write numbers by .byte".to_owned()
}

/// `scope::name`, and `loop-` for `!loop-`.
fn colon(line: Line<'_>, statement: &Statement<'_>) -> Option<String> {
    let operand = statement.operand.trim();
    let name = operand.trim_end_matches([':', '-', '+']);
    if name.is_empty() || ident_len(name) < name.len() || !is_mnemonic(statement.word) {
        return None;
    }
    let after = line.after();
    let signs = &operand[name.len()..];
    if let Some(rest) = after.strip_prefix(':').filter(|_| signs == ":") {
        let member = &rest[..ident_len(rest)];
        return Some(format!("a name of a namespace is written with a dot: {name}.{member}"));
    }
    let is_end = after.trim().is_empty() || after.trim_start().starts_with("//");
    (is_end && !signs.is_empty() && !signs.contains(':'))
        .then(|| format!("a label to be used as !{name}{signs} is declared as !{name}:"))
}

/// Functions of other assemblers that take the bytes of an address.
pub(super) fn low_byte(word: &str) -> Option<String> {
    let here = match word[..ident_len(word)].to_ascii_lowercase().as_str() {
        "lo" | "low" | "lobyte" | "lsb" => "the low byte of a value is <value",
        "hi" | "high" | "hibyte" | "msb" => "the high byte of a value is >value",
        _ => return None,
    };
    Some(here.to_owned())
}

/// Two values side by side.
pub(super) fn missing_comma(line: Line<'_>) -> Option<String> {
    let statement = Statement::of(line);
    let (before, after) = (line.before(), line.after());
    let value = before.trim_end();
    let is_behind_value = value.len() < before.len()
        && value.ends_with(|c: char| c.is_ascii_alphanumeric() || "_)]\"'".contains(c));
    let is_value = after.starts_with(|c: char| c.is_ascii_alphanumeric() || "_$%\"'<>".contains(c));
    if !is_behind_value || !is_value || statement.operand.trim().is_empty() {
        return None;
    }
    let word = &after[..ident_len(after)];
    if is_mnemonic(statement.word) {
        let is_register = word.eq_ignore_ascii_case("x") || word.eq_ignore_ascii_case("y");
        return (is_register && !statement.operand.contains([',', '#']))
            .then(|| format!("a comma is missing: {} {},{word}", statement.word, statement.operand.trim()));
    }
    let opened = statement.operand.matches('(').count() > statement.operand.matches(')').count();
    match statement.word {
        ".for" if opened => return loop_head(line),
        ".print" | ".printnow" | ".error" if !opened => return Some(joined()),
        ".text" | ".te" if !opened => return Some(one_text()),
        _ => {}
    }
    let is_list = matches!(statement.word, ".byte" | ".by" | ".word" | ".wo" | ".dword" | ".dw" | ".fill");
    let is_call = opened && !matches!(statement.word, ".if" | ".while");
    (is_list || is_call).then(|| "values are separated by commas".to_owned())
}

/// `.for (var i=0, i<10, i++)`.
pub(super) fn loop_head(line: Line<'_>) -> Option<String> {
    if line.after().starts_with("in ") {
        return Some(
            "a loop counts: .for (var i = 0; i < list.size(); i++), and list.get(i) is the element"
                .to_owned(),
        );
    }
    line.before().contains(".for").then(|| {
        "the parts of a loop's head are separated by semicolons: .for (var i = 0; i < n; i++)".to_owned()
    })
}

/// `.fill 10`.
pub(super) fn fill(line: Line<'_>) -> Option<String> {
    let statement = Statement::of(line);
    let count = statement.operand.trim();
    (statement.word == ".fill" && !count.is_empty() && !count.contains(['"', '[']))
        .then(|| format!("the value is missing: .fill {count}, 0"))
}

/// `.import bin "file"`.
pub(super) fn import_kind(word: &str, line: Line<'_>) -> Option<String> {
    let here = match word.to_ascii_lowercase().as_str() {
        "bin" | "binary" | "raw" | "data" => ".import binary",
        "prg" | "c64" => ".import c64",
        "txt" | "text" => ".import text",
        "asm" | "src" | "source" => "#import",
        _ => "binary, c64, text or source",
    };
    line.before().trim_end().ends_with(".import").then(|| format!("here it is {here}"))
}

/// `.text hello`.
pub(super) fn quotes(word: &str, line: Line<'_>) -> Option<String> {
    let is_text =
        matches!(Statement::of(line).word, ".text" | ".te" | ".encoding" | ".print" | ".printnow" | ".error");
    let is_whole = line.before().trim_end().ends_with(Statement::of(line).word)
        && line.after()[word.len()..].split("//").next().unwrap_or("").trim().is_empty();
    (is_text && is_whole).then(|| format!("a text is written in double quotes: \"{word}\""))
}

/// `!+` without a label after it.
pub(super) fn multi_label(word: &str) -> Option<String> {
    let name = word.strip_prefix('!')?;
    let label = name.trim_end_matches(['+', '-']);
    let count = name.len() - label.len();
    let place = if name.ends_with('+') { "after" } else { "before" };
    match count {
        0 => None,
        1 => Some(format!("there is no label !{label}: {place} it in this scope")),
        _ => Some(format!("there are fewer than {count} labels !{label}: {place} it in this scope")),
    }
}
