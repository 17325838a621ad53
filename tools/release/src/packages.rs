//! The packages of the program, as `cargo metadata` and `Cargo.lock` tell: what it contains, and what only helped to
//! build it. Packages of tests are neither.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::process::Command;

use serde::Deserialize;

use crate::Error;

/// The program's packages, sorted by name and version, the program itself left out.
pub struct Packages {
    pub version: String,
    pub list: Vec<Package>,
    /// The dependencies of the program itself, by reference.
    pub roots: Vec<String>,
}

/// One package.
pub struct Package {
    pub name: String,
    pub version: String,
    /// SPDX expression, as the package states it.
    pub licence: Option<String>,
    pub description: Option<String>,
    /// From a registry: its sources are elsewhere and have a checksum.
    pub checksum: Option<String>,
    /// The folder of its sources.
    pub folder: PathBuf,
    /// Part of the binary; others are procedural macros, build scripts and what they need.
    pub is_contained: bool,
    /// References of packages it depends on.
    pub needs: Vec<String>,
}

impl Package {
    /// Whether it is one of this repository.
    pub fn is_ours(&self) -> bool {
        self.checksum.is_none()
    }

    /// How a bill of materials names it.
    pub fn reference(&self) -> String {
        reference(&self.name, &self.version)
    }
}

fn reference(name: &str, version: &str) -> String {
    format!("pkg:cargo/{name}@{version}")
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Described>,
    resolve: Resolve,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct Described {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
    license_file: Option<String>,
    description: Option<String>,
    source: Option<String>,
    manifest_path: PathBuf,
    targets: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    kind: Vec<String>,
}

#[derive(Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Deserialize)]
struct Node {
    id: String,
    deps: Vec<Dependency>,
}

#[derive(Deserialize)]
struct Dependency {
    pkg: String,
    dep_kinds: Vec<Kind>,
}

#[derive(Deserialize)]
struct Kind {
    kind: Option<String>,
}

impl Packages {
    /// Asks cargo about the workspace of the working directory.
    pub fn ask_cargo(target: &str) -> Result<Packages, Error> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version", "1", "--locked", "--filter-platform", target])
            .output()
            .map_err(|err| Error::Metadata(err.to_string()))?;
        if !output.status.success() {
            return Err(Error::Metadata(String::from_utf8_lossy(&output.stderr).trim().to_string()));
        }
        let root = serde_json::from_slice::<Metadata>(&output.stdout)
            .map_err(|err| Error::Metadata(err.to_string()))?
            .workspace_root;
        let lock = root.join("Cargo.lock");
        let lock = std::fs::read_to_string(&lock).map_err(Error::file(&lock))?;
        Packages::read(&output.stdout, &lock)
    }

    /// Reads what cargo printed and the text of `Cargo.lock`.
    pub fn read(metadata: &[u8], lock: &str) -> Result<Packages, Error> {
        let metadata: Metadata =
            serde_json::from_slice(metadata).map_err(|err| Error::Metadata(err.to_string()))?;
        let described: HashMap<&str, &Described> =
            metadata.packages.iter().map(|package| (package.id.as_str(), package)).collect();
        let nodes: HashMap<&str, &Node> =
            metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
        let program = metadata
            .packages
            .iter()
            .find(|package| package.name == "tempo" && package.source.is_none())
            .ok_or_else(|| Error::Metadata("there is no package 'tempo'".into()))?;
        let sums = checksums(lock);

        // Every package reached, and whether by a way into the binary.
        let mut reached: BTreeMap<&str, bool> = BTreeMap::new();
        let mut open = vec![(program.id.as_str(), true)];
        while let Some((id, is_contained)) = open.pop() {
            let before = reached.get(id).copied();
            if before == Some(true) || before == Some(is_contained) {
                continue;
            }
            reached.insert(id, is_contained);
            for dependency in nodes.get(id).into_iter().flat_map(|node| &node.deps) {
                let Some(package) = described.get(dependency.pkg.as_str()) else { continue };
                let is_macro =
                    package.targets.iter().any(|target| target.kind.iter().any(|k| k == "proc-macro"));
                for kind in &dependency.dep_kinds {
                    match kind.kind.as_deref() {
                        None => open.push((&package.id, is_contained && !is_macro)),
                        Some("build") => open.push((&package.id, false)),
                        _ => {}
                    }
                }
            }
        }

        let needs = |id: &str| {
            let deps = nodes.get(id).into_iter().flat_map(|node| &node.deps);
            let mut needs: Vec<String> = deps
                .filter(|dep| dep.dep_kinds.iter().any(|kind| kind.kind.as_deref() != Some("dev")))
                .filter_map(|dep| described.get(dep.pkg.as_str()))
                .map(|package| reference(&package.name, &package.version))
                .collect();
            needs.sort();
            needs
        };
        let roots = needs(&program.id);
        let mut list = Vec::new();
        for (id, is_contained) in reached {
            let package = described[id];
            if id == program.id {
                continue;
            }
            let folder = package.manifest_path.parent().unwrap_or(&package.manifest_path).to_path_buf();
            let own_text = package.license_file.as_ref().map(|_| "LicenseRef-file".to_string());
            list.push(Package {
                name: package.name.clone(),
                version: package.version.clone(),
                licence: package.license.clone().or(own_text),
                description: package.description.as_ref().map(|text| text.trim().to_string()),
                checksum: package
                    .source
                    .as_ref()
                    .and_then(|_| sums.get(&(package.name.as_str(), package.version.as_str())))
                    .map(ToString::to_string),
                folder,
                is_contained,
                needs: needs(id),
            });
        }
        list.sort_by(|one, other| (&one.name, &one.version).cmp(&(&other.name, &other.version)));
        Ok(Packages { version: program.version.clone(), list, roots })
    }
}

/// The checksums of `Cargo.lock`, by name and version.
fn checksums(lock: &str) -> HashMap<(&str, &str), &str> {
    let mut sums = HashMap::new();
    for package in lock.split("[[package]]") {
        let field = |key: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "));
            line.map(|value| value.trim_matches('"'))
        };
        if let (Some(name), Some(version), Some(sum)) = (field("name"), field("version"), field("checksum")) {
            sums.insert((name, version), sum);
        }
    }
    sums
}

#[cfg(test)]
pub mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::{Value, json};

    use super::*;

    fn package(name: &str, kind: &str, is_ours: bool) -> Value {
        json!({
            "id": name, "name": name, "version": "1.0.0", "license": "MIT / Apache-2.0",
            "license_file": null, "description": format!("about {name}\n"),
            "source": if is_ours { Value::Null } else { "registry+x".into() },
            "manifest_path": format!("/nowhere/{name}/Cargo.toml"), "targets": [{"kind": [kind]}],
        })
    }

    /// A program with a library of ours, a macro, a build script and a test's package.
    pub fn example() -> Packages {
        let dep = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [
                package("tempo", "bin", true), package("ours", "lib", true), package("used", "lib", false),
                package("derive", "proc-macro", false), package("quote", "lib", false),
                package("cc", "lib", false), package("only-tests", "lib", false),
            ],
            "resolve": {"nodes": [
                {"id": "tempo", "deps": [dep("ours", Value::Null), dep("only-tests", "dev".into())]},
                {"id": "ours", "deps": [dep("used", Value::Null), dep("derive", Value::Null), dep("cc", "build".into())]},
                {"id": "derive", "deps": [dep("quote", Value::Null)]},
                {"id": "used", "deps": []}, {"id": "quote", "deps": []}, {"id": "cc", "deps": []},
                {"id": "only-tests", "deps": []},
            ]},
            "workspace_root": "/nowhere",
        });
        let lock = ["cc", "derive", "quote", "used"].map(|name| {
            format!("[[package]]\nname = \"{name}\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \"sum-{name}\"\n\n")
        });
        Packages::read(metadata.to_string().as_bytes(), &lock.concat()).unwrap()
    }

    #[test]
    fn the_binary_is_told_from_what_built_it() {
        let found: Vec<_> = example()
            .list
            .iter()
            .map(|package| (package.name.clone(), package.is_contained, package.checksum.clone()))
            .collect();
        let sum = |name: &str| Some(format!("sum-{name}"));
        let expected = [
            ("cc", false, sum("cc")),
            ("derive", false, sum("derive")),
            ("ours", true, None),
            ("quote", false, sum("quote")),
            ("used", true, sum("used")),
        ];
        assert_eq!(found, expected.map(|(name, contained, sum)| (name.to_string(), contained, sum)));
        assert_eq!(example().roots, ["pkg:cargo/ours@1.0.0"]);
    }

    #[test]
    fn what_cargo_says_instead_is_named() {
        assert!(matches!(Packages::read(b"{", ""), Err(Error::Metadata(_))));
    }
}
