//! The flags that stand for keys of `tempo.toml`, in groups that commands flatten into their arguments.

use std::path::PathBuf;

use tempo_emu::System;
use tempo_host::Exit;
use tempo_project::{Kind, Project, SYMBOL_FILES, Setting, Value};

/// Which project, and how its sources are assembled.
#[derive(clap::Args, Debug, Clone, Default)]
#[command(next_help_heading = "Project (tempo.toml)")]
pub struct SourceFlags {
    /// The project: its folder or its tempo.toml [default: the nearest one, from the working directory upwards]
    #[arg(long, value_name = "PATH")]
    pub project: Option<PathBuf>,

    /// The source that imports the rest of the program [default: main.asm]
    #[arg(long, value_name = "FILE")]
    pub main: Option<PathBuf>,

    /// Search imported files here before the project's own library folders; may be repeated
    #[arg(short = 'L', long, value_name = "DIR")]
    pub lib_dir: Vec<PathBuf>,

    /// Set a preprocessor symbol beside the project's, as #define does; may be repeated
    #[arg(short = 'D', long, value_name = "NAME", value_parser = parse_name)]
    pub define: Vec<String>,

    /// Set an entry of cmdLineVars; may be repeated
    #[arg(long = "var", value_name = "NAME=VALUE", value_parser = crate::asm::parse_variable)]
    pub variables: Vec<(String, String)>,
}

/// The files and messages of a build.
#[derive(clap::Args, Debug, Clone, Default)]
#[command(next_help_heading = "Project (tempo.toml)")]
pub struct BuildFlags {
    /// The folder for everything that is written [default: build]
    #[arg(long, value_name = "DIR")]
    pub out_dir: Option<PathBuf>,

    /// Symbol files beside the program, of kick (.sym) and vice (.vs), or none [default: kick,vice]
    #[arg(long, value_name = "KINDS", value_delimiter = ',', value_parser = parse_symbols)]
    pub symbols: Option<Vec<String>>,

    /// Turn a warning on, or a group: style (W0301, W0303, W0308), all. May be repeated
    #[arg(short = 'W', long = "warn", value_name = "CODE", value_parser = parse_code)]
    pub warn: Vec<String>,

    /// Turn a warning (or all) off; may be repeated
    #[arg(short = 'A', long = "allow", value_name = "CODE", value_parser = parse_code)]
    pub allow: Vec<String>,

    /// Make a warning an error, also one that the project allows; all is every warning that is given. May be repeated
    #[arg(long, value_name = "CODE", value_parser = parse_code)]
    pub deny: Vec<String>,
}

/// The settings that `tempo test` takes from the project. The command has these flags itself.
#[derive(clap::Args, Debug, Clone, Default)]
#[command(next_help_heading = "Project (tempo.toml)")]
pub struct TestFlags {
    /// Suites, or folders of suites; may be repeated. `tempo test` takes them without the flag
    #[arg(long = "test-path", value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Suites that run at the same time; 0 is one per core
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<usize>,

    /// Cycles after which a test without a timeout fails; 0 is never
    #[arg(long, value_name = "N")]
    pub max_cycles: Option<u64>,

    /// Suites look for files below FROM in TO; may be repeated
    #[arg(long, value_name = "FROM=TO", value_parser = parse_map)]
    pub map: Vec<(String, String)>,
}

/// The settings that `tempo run` takes from the project. The command has these flags itself.
#[derive(clap::Args, Debug, Clone, Default)]
#[command(next_help_heading = "Project (tempo.toml)")]
pub struct RunFlags {
    /// The machine: c64, or 6502 for the bare CPU; `tempo run --help` lists all
    #[arg(long, value_name = "SYSTEM", value_parser = crate::systems::parser(), hide_possible_values = true)]
    pub system: Option<System>,

    /// A further option of `tempo run`, which takes it as it is; may be repeated
    #[arg(long = "run-arg", value_name = "WORD", allow_hyphen_values = true, value_parser = parse_word)]
    pub args: Vec<String>,
}

/// Parses `FROM=TO` of `--map`.
pub fn parse_map(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((from, to)) if !from.is_empty() && !to.is_empty() => {
            let from = if from == "/" { from } else { from.trim_end_matches('/') };
            Ok((from.to_string(), to.to_string()))
        }
        _ => Err("write FROM=TO, such as /code=.".to_string()),
    }
}

fn parse_name(text: &str) -> Result<String, String> {
    checked(Kind::Names, "define", text)
}

fn parse_word(text: &str) -> Result<String, String> {
    checked(Kind::Words, "args", text)
}

fn parse_code(text: &str) -> Result<String, String> {
    checked(Kind::Codes, "code", text)
}

fn parse_symbols(text: &str) -> Result<String, String> {
    match text {
        "none" => Ok(text.to_owned()),
        _ => checked(Kind::Choices(SYMBOL_FILES), "symbols", text),
    }
}

fn checked(kind: Kind, name: &str, text: &str) -> Result<String, String> {
    match tempo_project::check(kind, name, text) {
        Ok(_) => Ok(text.to_owned()),
        Err((message, help)) => Err(help.map_or(message.clone(), |help| format!("{message}; {help}"))),
    }
}

fn paths(paths: &[PathBuf]) -> impl Iterator<Item = (Option<String>, Value)> {
    paths.iter().map(|path| (None, Value::Path(path.clone())))
}

fn texts(texts: &[String]) -> impl Iterator<Item = (Option<String>, Value)> {
    texts.iter().map(|text| (None, Value::Text(text.clone())))
}

fn pairs(pairs: &[(String, String)]) -> impl Iterator<Item = (Option<String>, Value)> {
    pairs.iter().map(|(name, value)| (Some(name.clone()), Value::Text(value.clone())))
}

impl SourceFlags {
    /// The project they name, with them on top. What is wrong is printed.
    pub fn project(&self) -> Result<Project, Exit> {
        let mut project = super::find(self.project.as_deref())?;
        if let Some(main) = &self.main {
            project.set(Setting::Main, "--main", paths(std::slice::from_ref(main)));
        }
        project.set(Setting::LibDirs, "--lib-dir", paths(&self.lib_dir));
        project.set(Setting::Defines, "--define", texts(&self.define));
        project.set(Setting::Vars, "--var", pairs(&self.variables));
        Ok(project)
    }
}

impl BuildFlags {
    /// Puts them over the project's.
    pub fn apply(&self, project: &mut Project) {
        if let Some(folder) = &self.out_dir {
            project.set(Setting::OutDir, "--out-dir", paths(std::slice::from_ref(folder)));
        }
        if let Some(kinds) = &self.symbols {
            let kinds: Vec<String> = kinds.iter().filter(|kind| *kind != "none").cloned().collect();
            project.set(Setting::Symbols, "--symbols", texts(&kinds));
        }
        project.set(Setting::Allow, "--allow", texts(&self.allow));
        project.set(Setting::Warn, "--warn", texts(&self.warn));
        project.set(Setting::Deny, "--deny", texts(&self.deny));
    }
}

impl TestFlags {
    /// Puts them over the project's.
    pub fn apply(&self, project: &mut Project) {
        if !self.paths.is_empty() {
            project.set(Setting::TestPaths, "PATH", paths(&self.paths));
        }
        if let Some(jobs) = self.jobs {
            project.set(Setting::Jobs, "--jobs", [(None, Value::Number(jobs as u64))]);
        }
        if let Some(cycles) = self.max_cycles {
            project.set(Setting::MaxCycles, "--max-cycles", [(None, Value::Number(cycles))]);
        }
        project.set(Setting::Map, "--map", pairs(&self.map));
    }
}

impl RunFlags {
    /// Puts them over the project's.
    pub fn apply(&self, project: &mut Project) {
        if let Some(system) = &self.system {
            project.set(Setting::System, "--system", [(None, Value::Text(system.name().to_owned()))]);
        }
        project.set(Setting::RunArgs, "OPTIONS", texts(&self.args));
    }
}
