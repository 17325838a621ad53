//! Which tests run: ids, tags, partitions.

use crate::plan::TestPlan;

/// The user's filters; all must agree.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Exactly this id, case ignored; the pattern is not looked at then.
    pub test: Vec<String>,
    /// `*` any run, `?` one character, the whole id, case ignored.
    pub pattern: Option<String>,
    /// Any of these tags.
    pub tags: Vec<String>,
    /// None of these tags.
    pub exclude_tags: Vec<String>,
    /// Only these tests, as file, suite and id: those that failed last time.
    pub only: Option<Vec<(String, String, String)>>,
}

impl Filter {
    pub fn admits(&self, file: &str, suite: &str, test: &TestPlan) -> bool {
        let by_id = if !self.test.is_empty() {
            self.test.iter().any(|id| same_id(id, &test.id))
        } else {
            self.pattern.as_ref().is_none_or(|pattern| matches(pattern, &test.id))
        };
        let has = |wanted: &String| test.tags.iter().any(|tag| tag == &wanted.to_lowercase());
        by_id
            && (self.tags.is_empty() || self.tags.iter().any(has))
            && !self.exclude_tags.iter().any(has)
            && self
                .only
                .as_ref()
                .is_none_or(|only| only.iter().any(|(f, s, id)| f == file && s == suite && id == &test.id))
    }
}

/// An id, or the id of a table without its row: `moves` names `moves[1]` too.
fn same_id(wanted: &str, id: &str) -> bool {
    let wanted = wanted.to_lowercase();
    let id = id.to_lowercase();
    if wanted == id {
        return true;
    }
    match id.rsplit_once('[') {
        Some((stem, row)) => {
            row.strip_suffix(']').is_some_and(|row| row.chars().all(|c| c.is_ascii_digit())) && stem == wanted
        }
        None => false,
    }
}

/// Glob match in linear memory and without backtracking beyond the last star.
pub fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.to_lowercase().chars().collect();
    let text: Vec<char> = text.to_lowercase().chars().collect();
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, from)) => {
                    p = at + 1;
                    t = from + 1;
                    star = Some((at, from + 1));
                }
                None => return false,
            },
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

/// One of several machines that share a run: part `index` (from one) of `count`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Partition {
    pub index: usize,
    pub count: usize,
}

impl Partition {
    /// `2/4`.
    pub fn parse(text: &str) -> Result<Partition, String> {
        let bad = || format!("`{text}` is not a partition; write 1/4 for the first of four");
        let (index, count) = text.split_once('/').ok_or_else(bad)?;
        let index: usize = index.trim().parse().map_err(|_| bad())?;
        let count: usize = count.trim().parse().map_err(|_| bad())?;
        if index == 0 || index > count {
            return Err(bad());
        }
        Ok(Partition { index, count })
    }

    /// Whether the part holds the item with this number.
    pub fn holds(self, number: usize) -> bool {
        number % self.count == self.index - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn globs() {
        assert!(matches("push-*", "Push-One"));
        assert!(matches("*one", "push-one"));
        assert!(matches("p?sh*o?e", "push-one"));
        assert!(matches("*", ""));
        assert!(!matches("push", "push-one"));
        assert!(!matches("?", ""));
        assert!(!matches(&"*a".repeat(40), &"b".repeat(4000)));
    }

    #[test]
    fn a_table_is_named_with_and_without_its_row() {
        assert!(same_id("MOVES[2]", "moves[2]"));
        assert!(same_id("moves", "moves[2]"));
        assert!(!same_id("move", "moves[2]"));
        assert!(!same_id("moves[1]", "moves[2]"));
    }

    #[test]
    fn partitions_cover_everything_once() {
        for count in 1..5 {
            for number in 0..20 {
                let holders = (1..=count).filter(|&index| Partition { index, count }.holds(number)).count();
                assert_eq!(holders, 1);
            }
        }
        assert!(Partition::parse("0/3").is_err());
        assert!(Partition::parse("4/3").is_err());
        assert!(Partition::parse("x").is_err());
        assert_eq!(Partition::parse("2/3"), Ok(Partition { index: 2, count: 3 }));
    }
}
