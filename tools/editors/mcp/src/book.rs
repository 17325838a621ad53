//! The manual, carried along: the pages of the book, their sections, and a search in them.

use tempo_diagnostics::nearest;

/// A page of the book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// The file's name without its ending.
    pub name: &'static str,
    /// Markdown.
    pub text: &'static str,
}

macro_rules! pages {
    ($($name:literal)+) => {
        &[$(Page { name: $name, text: include_str!(concat!("../../../../docs/", $name, ".md")) }),+]
    };
}

/// The pages for people who write programs, in the order of the book.
pub const PAGES: &[Page] = pages!(
    "tutorial" "from-kick-assembler" "from-other-assemblers" "recipes" "projects" "measuring" "raster" "studio" "proving"
    "contracts" "editors" "debugging" "hub" "c64" "ci" "faq" "dialect" "errors" "testing" "cpu" "machines"
);

impl Page {
    /// The first heading.
    pub fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches('#').trim()
    }
}

/// The page of a name.
pub fn page(name: &str) -> Option<&'static Page> {
    PAGES.iter().find(|page| page.name == name)
}

/// An entry of the page of errors and warnings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// E0301
    pub code: &'static str,
    /// One line.
    pub title: &'static str,
    /// The rest, in Markdown.
    pub text: &'static str,
}

/// All errors and warnings, in the order of the page.
pub fn entries() -> impl Iterator<Item = Entry> {
    let text = page("errors").map_or("", |page| page.text);
    text.split("\n## ").skip(1).filter_map(|part| {
        let (head, text) = part.split_once('\n')?;
        let (code, title) = head.split_once(": ")?;
        Some(Entry { code, title, text: text.trim() })
    })
}

/// A section of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The page.
    pub page: &'static Page,
    /// The heading.
    pub title: &'static str,
    /// The line of the heading.
    pub line: usize,
    /// The lines below it, up to the next heading.
    pub lines: Vec<&'static str>,
}

/// All sections of the book.
pub fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for page in PAGES {
        let mut is_code = false;
        for (number, line) in page.text.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            match line.starts_with('#') && !is_code {
                true => sections.push(Section {
                    page,
                    title: line.trim_start_matches('#').trim(),
                    line: number + 1,
                    lines: Vec::new(),
                }),
                false => sections.iter_mut().last().into_iter().for_each(|last| last.lines.push(line)),
            }
        }
    }
    sections
}

/// A section in which words were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The section.
    pub section: Section,
    /// A few of its lines, those with the words.
    pub excerpt: String,
    score: usize,
}

/// Lines of an excerpt.
const EXCERPT: usize = 6;

/// The sections that fit words best, the best first.
pub fn search(query: &str) -> Vec<Hit> {
    let words: Vec<String> = query
        .split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '$'))
        .map(|word| word.trim_matches('.').to_lowercase())
        .filter(|word| word.chars().count() > 1 || word.chars().any(|c| c.is_ascii_digit()))
        .collect();
    let mut hits: Vec<Hit> = sections().into_iter().filter_map(|section| judge(section, &words)).collect();
    // A stable sort: equal ones stay in the order of the book.
    hits.sort_by_key(|hit| std::cmp::Reverse(hit.score));
    hits
}

fn judge(section: Section, words: &[String]) -> Option<Hit> {
    let title = section.title.to_lowercase();
    let lower: Vec<String> = section.lines.iter().map(|line| line.to_lowercase()).collect();
    let mut score = 0;
    for word in words {
        let in_lines = lower.iter().filter(|line| line.contains(word)).count().min(6);
        let whole = lower.iter().any(|line| has_word(line, word));
        let in_title = if has_word(&title, word) { 24 } else { 8 * usize::from(title.contains(word)) };
        let in_page = 4 * usize::from(section.page.name.contains(word.as_str()));
        if in_lines + in_title > 0 {
            // Sections with more of the words win over those with one of them often.
            score += 20 + in_lines + 6 * usize::from(whole) + in_title + in_page;
        }
    }
    if score == 0 {
        return None;
    }
    let count = |line: &str| words.iter().filter(|word| line.contains(word.as_str())).count();
    let mut best: Vec<usize> = (0..lower.len()).filter(|&at| count(&lower[at]) > 0).collect();
    best.sort_by_key(|&at| std::cmp::Reverse(count(&lower[at])));
    best.truncate(EXCERPT);
    best.sort_unstable();
    if best.is_empty() {
        best = (0..section.lines.len()).filter(|&at| !section.lines[at].trim().is_empty()).take(3).collect();
    }
    let shown = |at: &usize| tempo_diagnostics::shortened(section.lines[*at].trim(), 300).into_owned();
    let excerpt = best.iter().map(shown).collect::<Vec<_>>().join("\n");
    Some(Hit { section, excerpt, score })
}

fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '.' || c == '$'))
        .any(|part| part.trim_matches('.') == word.trim_start_matches('.'))
}

/// A name of the book that is like another.
pub fn similar_code(code: &str) -> Option<&'static str> {
    nearest(code, entries().map(|entry| entry.code))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn searches_find_the_section() {
        for (query, page) in [
            (".import source", "dialect"),
            ("forall", "testing"),
            ("irq at_cycle", "testing"),
            ("break condition", "debugging"),
            ("tempo.toml lib-dirs", "projects"),
            ("prove claim", "proving"),
        ] {
            let hits = search(query);
            let pages: Vec<&str> = hits.iter().take(3).map(|hit| hit.section.page.name).collect();
            assert!(pages.contains(&page), "{query}: {pages:?}");
        }
        assert_eq!(search("xyzzyplugh"), []);
    }

    #[test]
    fn every_error_has_an_entry() {
        let known: Vec<&str> = entries().map(|entry| entry.code).collect();
        for code in tempo_assembler::Code::ALL {
            assert!(known.contains(&code.as_str()), "{code} is missing");
        }
    }
}
