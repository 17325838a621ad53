//! The licences of the packages that the program contains: their texts must go with every copy of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use crate::Error;
use crate::packages::{Package, Packages};

const BEGINNINGS: [&str; 6] = ["license", "licence", "copying", "notice", "copyright", "unlicense"];

/// All texts, each once, under the packages it belongs to.
pub fn text(packages: &Packages) -> Result<String, Error> {
    let theirs = || packages.list.iter().filter(|package| package.is_contained && !package.is_ours());
    let mut out = String::from(
        "The program contains these packages. Their licences follow.\n\
         It contains the Rust standard library, too: Copyright (c) The Rust Project Contributors, MIT OR Apache-2.0.\n\n",
    );
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in theirs() {
        let licence = package.licence.as_deref().unwrap_or("no licence stated");
        let texts = texts_of(package)?;
        let remark = if texts.is_empty() { " (the package has no text of it)" } else { "" };
        let _ = writeln!(out, "{} {}: {licence}{remark}", package.name, package.version);
        for text in texts {
            by_text.entry(text).or_default().push(format!("{} {}", package.name, package.version));
        }
    }
    for (text, names) in by_text {
        let _ = write!(out, "\n{}\n{}\n\n{text}\n", "-".repeat(80), names.join(", "));
    }
    Ok(out)
}

/// The files of a package that look like licences, in the order of their names.
fn texts_of(package: &Package) -> Result<Vec<String>, Error> {
    let mut files: Vec<_> = fs::read_dir(&package.folder)
        .map_err(Error::file(&package.folder))?
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
            path.is_file() && BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
        })
        .collect();
    files.sort();
    let mut texts = Vec::new();
    for path in files {
        let bytes = fs::read(&path).map_err(Error::file(&path))?;
        let text = String::from_utf8_lossy(&bytes).replace("\r\n", "\n");
        texts.push(text.trim_end().to_string());
    }
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn one_text_of_two_packages_stands_once() {
        let scratch = tempfile::tempdir().unwrap();
        let package = |name: &str, text: Option<&str>| {
            let folder = scratch.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join("lib.rs"), "code").unwrap();
            if let Some(text) = text {
                fs::write(folder.join("LICENSE-MIT"), text).unwrap();
            }
            Package {
                name: name.into(),
                version: "1.0.0".into(),
                licence: Some("MIT".into()),
                description: None,
                checksum: Some("x".into()),
                folder,
                is_contained: true,
                needs: vec![],
            }
        };
        let list =
            vec![package("a", Some("Be kind.\r\n")), package("b", Some("Be kind.\n")), package("c", None)];
        let text = text(&Packages { version: "1.0.0".into(), list, roots: vec![] }).unwrap();
        let (_, list) = text.split_once("\n\n").unwrap();
        let rule = "-".repeat(80);
        assert_eq!(
            list,
            format!(
                "a 1.0.0: MIT\nb 1.0.0: MIT\nc 1.0.0: MIT (the package has no text of it)\n\
                 \n{rule}\na 1.0.0, b 1.0.0\n\nBe kind.\n"
            )
        );
    }
}
