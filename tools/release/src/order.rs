//! The order in which the library crates are published: each after those it depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde::Deserialize;

use crate::Error;

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
}

#[derive(Deserialize)]
struct Described {
    name: String,
    /// The registries it may go to: empty for `publish = false`, absent for all.
    publish: Option<Vec<String>>,
    dependencies: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    name: String,
    /// Absent for ordinary dependencies, `dev` and `build` for the others.
    kind: Option<String>,
    path: Option<String>,
}

/// Asks cargo about the workspace of the working directory.
pub fn ask_cargo() -> Result<Vec<String>, Error> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--locked", "--no-deps"])
        .output()
        .map_err(|err| Error::Metadata(err.to_string()))?;
    if !output.status.success() {
        return Err(Error::Metadata(String::from_utf8_lossy(&output.stderr).trim().to_string()));
    }
    order(&output.stdout)
}

/// The names of the crates that can be published, by what cargo printed about the workspace.
fn order(metadata: &[u8]) -> Result<Vec<String>, Error> {
    let metadata: Metadata =
        serde_json::from_slice(metadata).map_err(|err| Error::Metadata(err.to_string()))?;
    let mut waiting: BTreeMap<&str, BTreeSet<&str>> = metadata
        .packages
        .iter()
        .filter(|package| package.publish.is_none())
        .map(|package| {
            let ours = package.dependencies.iter().filter(|needed| needed.path.is_some());
            let needed = ours.filter(|needed| needed.kind.as_deref() != Some("dev"));
            (package.name.as_str(), needed.map(|needed| needed.name.as_str()).collect())
        })
        .collect();
    let mut sorted = Vec::new();
    while let Some((&next, _)) =
        waiting.iter().find(|(_, needed)| needed.iter().all(|name| sorted.contains(name)))
    {
        waiting.remove(next);
        sorted.push(next);
    }
    match waiting.first_key_value() {
        None => Ok(sorted.into_iter().map(str::to_owned).collect()),
        Some((name, needed)) => {
            let private: Vec<&str> = needed
                .iter()
                .copied()
                .filter(|name| !waiting.contains_key(name) && !sorted.contains(name))
                .collect();
            Err(Error::Metadata(format!(
                "{name} needs crates that are not published: {}",
                private.join(", ")
            )))
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const PRIVATE: &str = r#"{"name": "private", "publish": [], "dependencies": []}"#;
    const LOW: &str = r#"{"name": "low", "publish": null, "dependencies": [
        {"name": "high", "kind": "dev", "path": "/high"}, {"name": "serde", "kind": null, "path": null}]}"#;
    const HIGH: &str = r#"{"name": "high", "publish": null, "dependencies": [{"name": "low", "kind": null, "path": "/low"}]}"#;
    const STUCK: &str = r#"{"name": "odd", "publish": null, "dependencies": [{"name": "private", "kind": null, "path": "/p"}]}"#;

    fn of(packages: &[&str]) -> Result<Vec<String>, String> {
        order(format!("{{\"packages\": [{}]}}", packages.join(",")).as_bytes()).map_err(|err| err.to_string())
    }

    #[test]
    fn a_crate_comes_after_its_dependencies_but_not_after_those_of_its_tests() {
        assert_eq!(of(&[HIGH, PRIVATE, LOW]), Ok(vec!["low".to_owned(), "high".to_owned()]));
    }

    #[test]
    fn a_crate_that_needs_a_private_one_is_named() {
        let expected = "cargo metadata: odd needs crates that are not published: private";
        assert_eq!(of(&[STUCK, PRIVATE, LOW]), Err(expected.to_owned()));
    }

    #[test]
    fn the_crates_of_the_workspace_have_an_order() {
        let order = ask_cargo().unwrap_or_else(|err| panic!("{err}"));
        let place = |name: &str| order.iter().position(|one| one == name);
        assert!(
            place("tempo-isa") < place("tempo-emu") && place("tempo-emu") < place("tempo-harness"),
            "{order:?}"
        );
        assert_eq!(place("tempo"), None);
    }
}
