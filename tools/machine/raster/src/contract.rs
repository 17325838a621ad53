//! Limits that comments of a source state: `// tempo: frame <= 12000`, `// tempo: irq IrqTop <= 900`. The words are read
//! here; the comments are found by the assembler, and `report` compares.

/// A limit on cycles of a frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contract {
    /// The code that is limited.
    pub subject: Subject,
    /// The largest number of cycles.
    pub limit: Limit,
}

/// The code that a contract limits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Subject {
    /// The whole program: routines and handlers, without waiting and without the VIC's accesses.
    Frame,
    /// The interrupt handler with this label.
    Handler(String),
}

/// Cycles per frame.
pub type Limit = u64;

/// Words that begin like a contract and are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContractError(pub String);

impl Contract {
    /// Reads the words after `tempo:`; `None` if they are about something else.
    pub fn parse(words: &str) -> Option<Result<Contract, ContractError>> {
        let words = words.trim();
        let end = words.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(words.len());
        let (word, rest) = words.split_at(end);
        let rest = rest.trim_start();
        Some(match word {
            "frame" => limit(rest, "frame <= 12000").map(|limit| Contract { subject: Subject::Frame, limit }),
            "irq" | "nmi" => {
                let end = rest.find(|c: char| c.is_whitespace() || c == '<').unwrap_or(rest.len());
                let (name, rest) = rest.split_at(end);
                let example = format!("{word} {} <= 900", if name.is_empty() { "IrqTop" } else { name });
                match name {
                    "" => {
                        Err(ContractError(format!("the label of the handler is missing: write '{example}'")))
                    }
                    _ => limit(rest.trim_start(), &example)
                        .map(|limit| Contract { subject: Subject::Handler(name.to_string()), limit }),
                }
            }
            _ => return None,
        })
    }
}

fn limit(text: &str, example: &str) -> Result<Limit, ContractError> {
    let wrong = |what: &str| ContractError(format!("{what}: write '{example}'"));
    let rest = text.strip_prefix("<=").ok_or_else(|| wrong("'<=' is missing"))?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, rest) = rest.split_at(end);
    let limit = digits.parse().map_err(|_| wrong("the number of cycles is missing"))?;
    // What follows is prose if a mark sets it off.
    match rest.trim_start().chars().next() {
        Some(first)
            if first.is_alphanumeric()
                || rest.starts_with(first) && !matches!(first, ',' | ';' | ':' | '(' | '-' | '.') =>
        {
            Err(wrong(&format!("'{}' does not belong here", tempo_diagnostics::escaped(rest.trim()))))
        }
        _ => Ok(limit),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn limits_of_frames_and_handlers_are_read() {
        let read = |words: &str| Contract::parse(words).expect("a contract").expect("a good one");
        assert_eq!(read("frame <= 12000"), Contract { subject: Subject::Frame, limit: 12000 });
        let handler = Contract { subject: Subject::Handler("Irq.top".to_string()), limit: 900 };
        assert_eq!(read("irq Irq.top <= 900"), handler);
        assert_eq!(read("nmi Irq.top<=900 (with music)"), handler);
        assert_eq!(Contract::parse("cycles 63"), None);
        assert_eq!(Contract::parse("frames"), None);
    }

    #[test]
    fn words_that_are_almost_a_contract_are_refused_with_the_right_form() {
        let refused = |words: &str| Contract::parse(words).expect("a contract").expect_err(words).0;
        assert_eq!(refused("frame < 5"), "'<=' is missing: write 'frame <= 12000'");
        assert_eq!(refused("frame <="), "the number of cycles is missing: write 'frame <= 12000'");
        assert_eq!(
            refused("frame <= 99999999999999999999"),
            "the number of cycles is missing: write 'frame <= 12000'"
        );
        assert_eq!(refused("frame <= 12k"), "'k' does not belong here: write 'frame <= 12000'");
        assert_eq!(refused("irq"), "the label of the handler is missing: write 'irq IrqTop <= 900'");
        assert_eq!(refused("irq Top"), "'<=' is missing: write 'irq Top <= 900'");
    }
}
