//! Help out of the table: a line per command, the details of one, the section of `docs/debugging.md`.

use crate::word::{GROUPS, Word, words};

/// A command in one line: word, short form, arguments and sentence.
pub fn summary(word: &Word) -> String {
    let short = word.aliases.first().copied().unwrap_or("");
    format!("{:<9}{short:<4}{}", word.name, explained(word))
}

/// Arguments and sentence.
pub(crate) fn explained(word: &Word) -> String {
    match word.arguments {
        "" => word.sentence.to_string(),
        arguments => format!("{arguments}: {}", word.sentence),
    }
}

/// One command in a few lines.
pub(crate) fn details(word: &Word) -> Vec<String> {
    let mut lines = vec![word.usage(), format!("  {}", word.sentence)];
    if !word.aliases.is_empty() {
        lines.push(format!("  also called {}", word.aliases.join(", ")));
    }
    if word.needs_past {
        lines.push("  needs the past, which a machine in VICE does not have".to_string());
    }
    lines.push(format!("  for example: {}", word.example));
    lines
}

/// The commands as tables for the page about debugging.
pub fn page() -> String {
    let mut page = String::new();
    let cell = |text: &str| text.replace('|', "\\|");
    for group in &GROUPS {
        page.push_str(&format!("\n| {} | | | for example |\n|---|---|---|---|\n", group.title));
        for word in group.words {
            let short: Vec<String> = word.aliases.iter().map(|alias| format!("`{alias}`")).collect();
            let past = if word.needs_past { " †" } else { "" };
            page.push_str(&format!(
                "| `{}`{past} | {} | {} | `{}` |\n",
                cell(&word.usage()),
                short.join(", "),
                cell(word.sentence),
                cell(word.example)
            ));
        }
    }
    let count = words().count();
    page.push_str(&format!("\n† needs the past, which a machine in VICE does not have. {count} commands.\n"));
    page
}
