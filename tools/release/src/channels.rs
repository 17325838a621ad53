//! Manifests of package managers: the templates of `channels/`, filled with one version, its archives and their sums.
//! Where the manifests are submitted is not known here.

use std::collections::BTreeMap;

/// The templates: the folder of the package manager, the name of the file, its text.
pub const TEMPLATES: &[(&str, &str, &str)] = &[
    ("homebrew", "tempo.rb", include_str!("../channels/tempo.rb")),
    ("scoop", "tempo.json", include_str!("../channels/tempo.json")),
    ("winget", "Tempo.Tempo.yaml", include_str!("../channels/Tempo.Tempo.yaml")),
    ("winget", "Tempo.Tempo.installer.yaml", include_str!("../channels/Tempo.Tempo.installer.yaml")),
    ("winget", "Tempo.Tempo.locale.en-US.yaml", include_str!("../channels/Tempo.Tempo.locale.en-US.yaml")),
    ("aur", "PKGBUILD", include_str!("../channels/PKGBUILD")),
];

/// A published version.
pub struct Release {
    pub version: String,
    pub repository: String,
    pub description: String,
    /// SHA-256 of each archive, by the archive's name.
    pub sums: BTreeMap<String, String>,
}

#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Fault {
    #[error("there is no archive of version {version} for {target} among the sums")]
    NoArchive { version: String, target: String },
    #[error("unknown placeholder {{{{{0}}}}}")]
    Unknown(String),
    #[error("{{{{ without }}}}")]
    Open,
}

impl Release {
    /// The template with every `{{placeholder}}` replaced.
    pub fn fill(&self, template: &str) -> Result<String, Fault> {
        let mut text = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once("{{") {
            let (placeholder, after) = after.split_once("}}").ok_or(Fault::Open)?;
            text.push_str(before);
            text.push_str(&self.value(placeholder)?);
            rest = after;
        }
        text.push_str(rest);
        Ok(text)
    }

    fn value(&self, placeholder: &str) -> Result<String, Fault> {
        match placeholder.split_once(' ') {
            None if placeholder == "version" => Ok(self.version.clone()),
            None if placeholder == "repository" => Ok(self.repository.clone()),
            None if placeholder == "description" => Ok(self.description.clone()),
            Some(("folder", target)) => Ok(self.folder(target)),
            Some(("url", target)) => {
                let (archive, _) = self.archive(target)?;
                Ok(format!("{}/releases/download/v{}/{archive}", self.repository, self.version))
            }
            Some(("sha256", target)) => Ok(self.archive(target)?.1.to_owned()),
            _ => Err(Fault::Unknown(placeholder.to_owned())),
        }
    }

    /// The folder inside the archive for a target, which is also the archive's name without its ending.
    fn folder(&self, target: &str) -> String {
        format!("tempo-{}-{target}", self.version)
    }

    /// The archive for a target, and its sum.
    fn archive(&self, target: &str) -> Result<(&str, &str), Fault> {
        let folder = self.folder(target);
        self.sums
            .iter()
            .find(|(name, _)| {
                name.strip_prefix(&folder).is_some_and(|ending| [".tar.gz", ".zip"].contains(&ending))
            })
            .map(|(name, sum)| (name.as_str(), sum.as_str()))
            .ok_or_else(|| Fault::NoArchive { version: self.version.clone(), target: target.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::process::{Command, Stdio};

    use pretty_assertions::assert_eq;

    use super::*;

    const WORKFLOW: &str = include_str!("../../../.github/workflows/release.yml");

    /// The targets that the release workflow builds.
    fn shipped() -> BTreeSet<&'static str> {
        WORKFLOW
            .lines()
            .filter_map(|line| line.trim().strip_prefix("- {")?.split_once("target: "))
            .map(|(_, target)| target.trim_end_matches([' ', '}']))
            .collect()
    }

    fn release() -> Release {
        let sums = shipped().into_iter().map(|target| {
            let ending = if target.contains("windows") { "zip" } else { "tar.gz" };
            (format!("tempo-1.2.3-{target}.{ending}"), "0123456789abcdef".repeat(4))
        });
        Release {
            version: "1.2.3".to_owned(),
            repository: "https://example.org/tempo".to_owned(),
            description: "An assembler".to_owned(),
            sums: sums.collect(),
        }
    }

    /// Runs a checker on a text, if the program is there.
    fn checks(program: &str, args: &[&str], text: &str) {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::null());
        let Ok(mut child) = command.spawn() else { return };
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), text.as_bytes())
            .expect("it reads");
        assert!(child.wait().expect("it ends").success(), "{program} refuses\n{text}");
    }

    #[test]
    fn every_manifest_is_filled_and_is_what_its_manager_reads() {
        for (_, name, template) in TEMPLATES {
            let text = release().fill(template).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            assert!(text.contains("1.2.3") && !text.contains("{{"), "{name}\n{text}");
            match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
                "json" => drop(serde_json::from_str::<serde_json::Value>(&text).expect("JSON")),
                "yaml" => {
                    for event in saphyr_parser::Parser::new_from_str(&text) {
                        event.unwrap_or_else(|err| panic!("{name}: {err}"));
                    }
                }
                "rb" => checks("ruby", &["-c", "-"], &text),
                _ => checks("bash", &["-n"], &text),
            }
        }
    }

    #[test]
    fn the_other_files_of_channels_are_what_their_readers_read() {
        let matcher = include_str!("../../../.github/actions/setup/problems.json");
        drop(serde_json::from_str::<serde_json::Value>(matcher).expect("JSON"));
        for text in [
            WORKFLOW,
            include_str!("../../../.github/workflows/ci.yml"),
            include_str!("../../../.github/actions/setup/action.yml"),
        ] {
            for event in saphyr_parser::Parser::new_from_str(text) {
                event.expect("YAML");
            }
            // A tag can be moved to another commit; the sum of a commit cannot.
            for line in
                text.lines().filter_map(|line| line.trim().trim_start_matches("- ").strip_prefix("uses: "))
            {
                let pinned = line.split_once('@').is_some_and(|(_, at)| {
                    at.len() > 40
                        && at.is_char_boundary(40)
                        && at[..40].chars().all(|c| c.is_ascii_hexdigit())
                });
                assert!(pinned || line.starts_with("./"), "not pinned to a commit: {line}");
            }
        }
        checks("nix-instantiate", &["--parse", "-"], include_str!("../../../flake.nix"));
    }

    #[test]
    fn manifests_name_every_archive_that_is_shipped() {
        let named: BTreeSet<&str> = TEMPLATES
            .iter()
            .flat_map(|(.., text)| text.split("{{url ").skip(1).filter_map(|rest| rest.split("}}").next()))
            .collect();
        assert_eq!(named, shipped());
    }

    #[test]
    fn a_missing_archive_is_named() {
        let mut release = release();
        release.sums.remove("tempo-1.2.3-x86_64-apple-darwin.tar.gz");
        assert_eq!(
            release.fill("{{sha256 x86_64-apple-darwin}}").unwrap_err().to_string(),
            "there is no archive of version 1.2.3 for x86_64-apple-darwin among the sums"
        );
        assert_eq!(release.fill("{{versoin}}").unwrap_err().to_string(), "unknown placeholder {{versoin}}");
    }
}
