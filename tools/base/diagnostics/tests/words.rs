//! Patterns that make text read as if it were translated stay out of the pages and the comments. This reads both.

use std::path::Path;

use tempo_testing::{files_with_extension, root, text};

/// A pattern, and what to write instead.
const PATTERNS: [(&str, &str); 10] = [
    ("nobody", "name the thing that does not act: \"it is never read\""),
    ("somebody", "name the actor: \"the user\", \"a breakpoint\""),
    ("whoever", "name the actor: \"the caller\""),
    (" so many cycles", "\"this many cycles\", or the name of the number"),
    ("is there twice", "\"is defined twice\""),
    ("window of nothing", "\"null window\""),
    ("the token behind", "\"the token after\""),
    ("the line behind", "\"the line after\""),
    ("the byte behind", "\"the byte after\""),
    (" is no token", "\"unexpected character\""),
];

/// Lines of a file that are read by people: all of a page, the comments of a source.
fn prose(path: &Path) -> Vec<(usize, String)> {
    let is_page = path.extension().is_some_and(|extension| extension == "md");
    let comment = |line: &str| line.find("//").map(|at| line[at..].to_owned());
    let text = text(path);
    let lines = text.lines().enumerate();
    lines
        .filter_map(|(number, line)| {
            let line = if is_page { Some(line.to_owned()) } else { comment(line) };
            line.map(|line| (number + 1, line))
        })
        .collect()
}

#[test]
fn pages_and_comments_read_as_if_written_in_english() {
    let mut found = Vec::new();
    let own = root().join(file!());
    let mut paths = files_with_extension(&root().join("docs"), "md");
    paths.push(root().join("README.md"));
    for folder in ["emu", "tools"] {
        paths.extend(files_with_extension(&root().join(folder), "rs"));
    }
    paths.extend(files_with_extension(&root().join("asm"), "asm"));
    assert!(paths.len() > 500, "only {} files were found", paths.len());
    for path in paths.iter().filter(|path| **path != own) {
        let name = path.strip_prefix(root()).expect("in the project").display().to_string();
        for (number, line) in prose(path) {
            let small = line.to_lowercase();
            for (pattern, instead) in PATTERNS {
                if small.contains(pattern) {
                    found.push(format!("{name}:{number}: \"{pattern}\": write {instead}"));
                }
            }
            if line.starts_with("/// What ") || line.starts_with("//! What ") {
                found.push(format!(
                    "{name}:{number}: begin with a noun phrase that says what the item is, or a verb"
                ));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
