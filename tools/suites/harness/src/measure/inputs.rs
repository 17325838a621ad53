//! Calls to measure: routines with inputs, as a suite that makes every call with every input. An input is an assignment
//! such as `x = 4`; a range or a list stands for several inputs, and so does each text.

/// Inputs of one command line.
const MAX_INPUTS: usize = 65_536;

/// One input: what it is called and the statements that make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    pub name: String,
    pub statements: Vec<String>,
}

/// One assignment with the values it takes.
pub struct Choice {
    /// A register, flag or address; empty for a statement of another kind.
    pub left: String,
    pub values: Vec<String>,
}

/// The assignments of each `--with`.
pub fn choices(texts: &[String]) -> Result<Vec<Vec<Choice>>, String> {
    let of = |text: &String| -> Result<Vec<Choice>, String> {
        split(text)?.iter().map(|part| choice(part)).collect()
    };
    texts.iter().map(|text| of(text).map_err(|why| format!("\"{text}\": {why}"))).collect()
}

/// The registers and flags that are set, as they are written: a program may have a label of that name.
pub fn registers(texts: &[String]) -> Vec<String> {
    let parts = texts.iter().filter_map(|text| split(text).ok()).flatten();
    let lefts =
        parts.filter_map(|part| Some(part.split_once('=').or(part.split_once(" in "))?.0.trim().to_string()));
    lefts.filter(|left| place(left) == left.to_lowercase() && !left.is_empty()).collect()
}

/// All inputs; one without any statement if there are no texts.
pub fn inputs(texts: &[String]) -> Result<Vec<Input>, String> {
    if texts.is_empty() {
        return Ok(vec![Input { name: String::new(), statements: Vec::new() }]);
    }
    let mut all = Vec::new();
    for text in texts {
        let choices = choices(std::slice::from_ref(text))?.remove(0);
        let count = choices.iter().try_fold(1_usize, |all, choice| all.checked_mul(choice.values.len()));
        if count.and_then(|count| count.checked_add(all.len())).is_none_or(|count| count > MAX_INPUTS) {
            return Err(format!("\"{text}\": more than {MAX_INPUTS} inputs in all"));
        }
        for case in 0..count.unwrap_or(0) {
            all.push(combination(&choices, case));
        }
    }
    Ok(all)
}

/// The values of one case; the last choice changes fastest.
fn combination(choices: &[Choice], mut case: usize) -> Input {
    let mut statements: Vec<String> = Vec::new();
    for choice in choices.iter().rev() {
        let value = &choice.values[case % choice.values.len()];
        case /= choice.values.len();
        statements.push(match choice.left.is_empty() {
            true => value.clone(),
            false => format!("{} = {value}", choice.left),
        });
    }
    statements.reverse();
    let name = statements.iter().map(|text| text.replace(" = ", "=")).collect::<Vec<_>>().join(" ");
    Input { name, statements }
}

/// Parts between commas, semicolons and line ends outside of brackets and quotes.
fn split(text: &str) -> Result<Vec<String>, String> {
    let mut parts = vec![String::new()];
    let (mut depth, mut quoted) = (0_i32, false);
    for c in text.chars() {
        match c {
            '"' => quoted = !quoted,
            '(' | '[' | '{' if !quoted => depth += 1,
            ')' | ']' | '}' if !quoted => depth -= 1,
            ',' | ';' | '\n' if !quoted && depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if depth < 0 {
            return Err(format!("`{c}` closes nothing"));
        }
        parts.last_mut().expect("there is always a part").push(c);
    }
    if quoted || depth > 0 {
        return Err("a bracket or a quote is not closed".to_string());
    }
    let parts: Vec<String> =
        parts.iter().map(|part| part.trim().to_string()).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { Err("write NAME=VALUE, such as x=4".to_string()) } else { Ok(parts) }
}

fn choice(part: &str) -> Result<Choice, String> {
    let (left, right) = match (part.split_once('='), part.split_once(" in ")) {
        // A statement of another kind, such as bytes([Table], 1, 2).
        (None, None) if part.contains('(') => {
            return Ok(Choice { left: String::new(), values: vec![part.to_string()] });
        }
        (None, None) => return Err(format!("`{part}` is no NAME=VALUE")),
        (Some((left, _)), _) if left.contains('(') => {
            return Ok(Choice { left: String::new(), values: vec![part.to_string()] });
        }
        (Some(pair), _) | (None, Some(pair)) => pair,
    };
    let (left, right) = (left.trim(), right.trim());
    if left.is_empty() || right.is_empty() {
        return Err(format!("`{part}` is no NAME=VALUE"));
    }
    let (left, values) = (place(left), values(right)?);
    // Each value becomes a separate statement: said here, the end of a range is one fault and not many.
    let most = match &*left {
        "a" | "x" | "y" | "sp" | "p" => 0xff,
        _ => 0xffff,
    };
    if let Some(value) = values.iter().find(|value| number(value).is_some_and(|number| number > most)) {
        return Err(format!("{value} does not fit in `{left}`, which ends at {most}"));
    }
    Ok(Choice { left, values })
}

/// A register, a flag or an address as it is; a bare label in brackets.
fn place(left: &str) -> String {
    let is_word = left.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.')
        && left.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let is_own =
        ["a", "x", "y", "sp", "p", "c", "z", "n", "v", "d", "i"].contains(&left.to_lowercase().as_str());
    match (is_word, is_own) {
        (true, true) => left.to_lowercase(),
        (true, false) => format!("[{left}]"),
        _ => left.to_string(),
    }
}

fn values(right: &str) -> Result<Vec<String>, String> {
    if let Some(list) = right.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
        && (list.contains(',') || list.contains(".."))
    {
        let mut all = Vec::new();
        for part in split(list)? {
            all.extend(values(&part)?);
        }
        return Ok(all);
    }
    let Some((from, to)) = right.split_once("..") else { return Ok(vec![right.to_string()]) };
    let bound = |text: &str| {
        let text = text.trim().trim_start_matches('=');
        number(text).ok_or_else(|| format!("`{text}` is not a number; a range is written 0..255"))
    };
    let (from, to) = (bound(from)?, bound(to)?);
    if from > to {
        return Err(format!("the range {from}..{to} is empty"));
    }
    if (to - from) as usize >= MAX_INPUTS {
        return Err(format!("the range {from}..{to} has more than {MAX_INPUTS} values"));
    }
    Ok((from..=to).map(|value| value.to_string()).collect())
}

/// Decimal, `$ff` or `%1010`.
pub fn number(text: &str) -> Option<i64> {
    let (digits, radix) = match text.split_at_checked(1)? {
        ("$", rest) => (rest, 16),
        ("%", rest) => (rest, 2),
        _ => (text, 10),
    };
    let value = u32::from_str_radix(digits, radix).ok()?;
    digits.starts_with(|c: char| c.is_ascii_alphanumeric()).then_some(i64::from(value))
}

/// The text of a suite that makes every call with every input.
#[derive(Debug, Clone, Default)]
pub struct Calls<'a> {
    /// The machine, as suites name it.
    pub system: &'a str,
    /// Statements that load the program.
    pub program: Vec<String>,
    /// Places that return at once.
    pub stubs: &'a [String],
    /// Places that are called.
    pub routines: &'a [String],
    /// The inputs of each.
    pub inputs: Vec<Input>,
}

impl Calls<'_> {
    /// The text, and the routine and input of each bench by the number that is its id.
    pub fn suite(&self) -> (String, Vec<(String, String)>) {
        let mut text = format!("suites {{ suite(\"cycles\", isolate = true) {{\nsystem({})\n", self.system);
        self.program.iter().for_each(|line| text += &format!("{line}\n"));
        for stub in self.stubs {
            text += &format!("stub({}) {{ }}\n", address(stub));
        }
        let mut known = Vec::new();
        for routine in self.routines {
            for input in &self.inputs {
                text += &format!("bench(\"{}\", {}) {{\n", known.len(), quoted(&input.name));
                input.statements.iter().for_each(|statement| text += &format!("{statement}\n"));
                text += &format!("jsr({})\n}}\n", address(routine));
                known.push((routine.clone(), input.name.clone()));
            }
        }
        if known.is_empty() {
            text.push_str("test(\"none\", \"\", skip = true) { jsr($0000) }\n");
        }
        text.push_str("} }\n");
        (text, known)
    }
}

/// A text of the suite language.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// A place of the command line: a label, perhaps with a distance, or an address.
pub fn target(text: &str) -> Result<String, String> {
    let text = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let (name, distance) = parts(text);
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let is_label = name.split('.').all(is_part) && distance.get(1..).is_none_or(is_address);
    match is_label || is_address(text) {
        true => Ok(text.to_owned()),
        false => Err("write a label (Sum, scope.Sum, Sum+2) or an address up to $FFFF".to_owned()),
    }
}

/// A place as suites write it.
pub fn address(place: &str) -> String {
    let (name, distance) = parts(place);
    if is_address(place) { place.to_owned() } else { format!("[{name}]{distance}") }
}

/// A name, and the sign and number after it.
fn parts(place: &str) -> (&str, &str) {
    place.split_at(place.find(['+', '-']).unwrap_or(place.len()))
}

fn is_address(text: &str) -> bool {
    number(text).is_some_and(|number| number <= 0xffff)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn names(texts: &[&str]) -> Result<Vec<String>, String> {
        let texts: Vec<String> = texts.iter().map(|text| text.to_string()).collect();
        inputs(&texts).map(|all| all.into_iter().map(|input| input.name).collect())
    }

    #[test]
    fn ranges_lists_and_several_words_multiply() {
        assert_eq!(names(&["x=4"]).unwrap(), ["x=4"]);
        assert_eq!(
            names(&["X=1..2, Count=(7, $10)"]).unwrap(),
            ["x=1 [Count]=7", "x=1 [Count]=$10", "x=2 [Count]=7", "x=2 [Count]=$10"]
        );
        assert_eq!(names(&["a in 0..1", "a=$ff"]).unwrap(), ["a=0", "a=1", "a=$ff"]);
        assert_eq!(names(&["y=(1, 3..4)"]).unwrap(), ["y=1", "y=3", "y=4"]);
        assert_eq!(names(&["y=(3..4)"]).unwrap(), ["y=3", "y=4"]);
        assert_eq!(names(&["bytes([T], 1, 2), x=1"]).unwrap(), ["bytes([T], 1, 2) x=1"]);
        assert_eq!(names(&["[Ptr] + 1 = 3"]).unwrap(), ["[Ptr] + 1=3"]);
        assert_eq!(names(&[]).unwrap(), [""]);
    }

    #[test]
    fn what_is_no_input_is_named() {
        for (text, part) in [
            ("", "NAME=VALUE"),
            ("x", "no NAME=VALUE"),
            ("x=", "no NAME=VALUE"),
            ("x=9..1", "empty"),
            ("x=0..99999999", "more than"),
            ("x=0..255, y=0..255, a=0..1", "more than"),
            ("x=Foo..3", "not a number"),
            ("x=0..300", "256 does not fit in `x`, which ends at 255"),
            ("y=(1, $1ff)", "$1ff does not fit in `y`"),
            ("Count=65535..65537", "65536 does not fit in `[Count]`, which ends at 65535"),
            ("x=(1", "not closed"),
            ("x=1)", "closes nothing"),
        ] {
            let err = names(&[text]).unwrap_err();
            assert!(err.contains(part), "{text}: {err}");
        }
    }

    #[test]
    fn places_are_labels_and_addresses() {
        for (text, written) in [
            ("Sum", "[Sum]"),
            ("[scope.Sum]", "[scope.Sum]"),
            ("Sum+2", "[Sum]+2"),
            ("Sum-$10", "[Sum]-$10"),
            ("$c000", "$c000"),
            ("49152", "49152"),
        ] {
            assert_eq!(target(text).map(|place| address(&place)), Ok(written.to_owned()));
        }
        for text in
            ["", "[]", "a b", "Sum+", "Sum+x", "+2", "Sum.", "$zz", "70000", "$", "Sum]) {", "1up", "Süm"]
        {
            assert!(target(text).is_err(), "{text}");
        }
    }
}
