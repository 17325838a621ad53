//! Imports follow files that are renamed.

use std::collections::BTreeSet;

use tempo_diagnostics::Span;

use crate::structure::links;
use crate::{Edit, Snapshot};

/// The edits that keep imports and loads working when files get new paths: pairs of old and new.
pub fn rename_files(snapshot: &Snapshot, renamed: &[(String, String)]) -> Vec<Edit> {
    let moved = |path: &str| -> Option<String> {
        renamed.iter().find_map(|(old, new)| {
            if path == old {
                return Some(new.clone());
            }
            // A folder takes its files along.
            path.strip_prefix(old.as_str())
                .filter(|rest| rest.starts_with('/'))
                .map(|rest| format!("{new}{rest}"))
        })
    };
    let mut files: BTreeSet<String> = BTreeSet::new();
    for root in snapshot.roots() {
        files.extend(root.parsed().paths().map(str::to_owned));
    }
    let mut edits = Vec::new();
    for file in &files {
        let importer = moved(file);
        for link in links(snapshot, file) {
            let target = moved(&link.target);
            if importer.is_none() && target.is_none() {
                continue;
            }
            let from = importer.as_deref().unwrap_or(file);
            let to = target.as_deref().unwrap_or(&link.target);
            let Some(old) = text(snapshot, file, link.span) else { continue };
            // A name that was found beside the file or below it stays such a name; others were found elsewhere.
            let was_relative = relative(file, &link.target) == old || old.starts_with('.');
            let new = relative(from, to);
            if was_relative && new != old {
                edits.push(Edit { file: file.clone(), span: link.span, text: new });
            } else if !was_relative && let Some(target) = target {
                let name = old.rsplit('/').next().unwrap_or(&old);
                let name_of = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
                let start = link.span.end - name.len() as u32;
                let new = name_of(&target);
                if new != name {
                    edits.push(Edit {
                        file: file.clone(),
                        span: Span { start, end: link.span.end },
                        text: new,
                    });
                }
            }
        }
    }
    edits
}

fn text(snapshot: &Snapshot, file: &str, span: Span) -> Option<String> {
    snapshot.source(file).map(|source| source.slice(span).to_owned())
}

/// The way from the folder of one file to another file.
pub(crate) fn relative(from: &str, to: &str) -> String {
    let folder: Vec<&str> = from.split('/').collect();
    let folder = &folder[..folder.len().saturating_sub(1)];
    let target: Vec<&str> = to.split('/').collect();
    let common = folder.iter().zip(&target).take_while(|(a, b)| a == b).count();
    let up = folder.len() - common;
    let mut parts = vec![".."; up];
    parts.extend(&target[common..]);
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_between_files() {
        assert_eq!(relative("/a/b/main.asm", "/a/b/lib.asm"), "lib.asm");
        assert_eq!(relative("/a/b/main.asm", "/a/lib/x.asm"), "../lib/x.asm");
        assert_eq!(relative("main.asm", "lib/x.asm"), "lib/x.asm");
    }
}
