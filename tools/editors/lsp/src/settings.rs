//! The settings of section `tempo`, from `initializationOptions` or `workspace/configuration`, on top of what the
//! project's `tempo.toml` says. What is missing or of the wrong type has its
//! default: a server does not refuse to work over a setting.

use std::path::{Path, PathBuf};

use lsp_types::TraceValue;
use serde::Deserialize as _;
use serde_json::Value;
use tempo_assembler::{Cpu, Limits, Lints, Options, SearchPath};
use tempo_diagnostics::Columns;
use tempo_editor::{Case, FileSpan, Problem, Style};
use tempo_emu::System;
use tempo_project::Project;

use crate::host::Host;

/// A part of the workspace: one of its folders, or one below that has a `tempo.toml` of its own.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Area {
    /// Where its programs look for files.
    pub folder: PathBuf,
    pub project: FromProject,
}

impl Area {
    /// The area of a folder, with the `tempo.toml` in it, or in the nearest folder above.
    pub fn of(folder: PathBuf, host: &dyn Host) -> Area {
        Area { project: FromProject::of(&folder, host), folder }
    }
}

/// The contents of a `tempo.toml`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FromProject {
    /// The source that imports the rest, absolute.
    pub mains: Vec<PathBuf>,
    lib_dirs: Vec<PathBuf>,
    defines: Vec<String>,
    vars: Vec<(String, String)>,
    lints: Option<Lints>,
    /// The machine that its program is for.
    pub system: Option<System>,
    /// Warnings that are errors.
    pub denied: Vec<tempo_assembler::Code>,
    /// The fault of the file; then its contents do not count.
    pub problems: Vec<Problem>,
}

impl FromProject {
    /// Reads the file in a folder, or in the nearest one above.
    pub fn of(folder: &Path, host: &dyn Host) -> FromProject {
        let is_there = |path: &Path| host.kind(path).is_some();
        match Project::around(folder, is_there, |path, limit| host.read(path, limit)) {
            None => FromProject::default(),
            Some(Ok(project)) => FromProject {
                mains: project.mains(),
                lib_dirs: project.lib_dirs(),
                defines: project.defines(),
                vars: project.vars(),
                lints: Some(project.lints()),
                system: Some(project.system()),
                denied: project.denied(),
                problems: Vec::new(),
            },
            Some(Err((source, faults))) => {
                let problem = |fault: &tempo_diagnostics::Diagnostic| Problem {
                    place: FileSpan { file: source.name().to_owned(), span: fault.span.unwrap_or_default() },
                    severity: fault.severity,
                    code: None,
                    message: tempo_diagnostics::Renderer::new(&source).editor(fault, Columns::Bytes).message,
                    related: Vec::new(),
                    tag: None,
                };
                FromProject { problems: faults.iter().map(problem).collect(), ..FromProject::default() }
            }
        }
    }
}

/// Everything a user can set.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// The parts of the workspace. At least one; the first has the files that are in none.
    pub areas: Vec<Area>,
    /// Sources that are assembled; empty to find them.
    pub roots: Vec<String>,
    pub lib_dirs: Vec<PathBuf>,
    pub defines: Vec<String>,
    pub vars: Vec<(String, String)>,
    pub cpu: Option<Cpu>,
    pub delay_ms: u64,
    pub only_open_files: bool,
    /// Warnings that are not given, by code.
    pub off: Vec<String>,
    pub hints: tempo_editor::HintKinds,
    pub lens_tests: bool,
    pub lens_cycles: bool,
    pub lens_references: bool,
    /// Commands the client can run for a lens.
    pub commands: Vec<String>,
    /// Whether the client opens `tempo-builtin:` URIs.
    pub built_in: bool,
    pub limits: Limits,
    /// The object `format`; see [`Settings::style`].
    pub format: Value,
    /// Remarks to the client about the conversation.
    pub trace: TraceValue,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            areas: vec![Area::default()],
            roots: Vec::new(),
            lib_dirs: Vec::new(),
            defines: Vec::new(),
            vars: Vec::new(),
            cpu: None,
            delay_ms: 60,
            only_open_files: false,
            off: Vec::new(),
            hints: tempo_editor::HintKinds::default(),
            lens_tests: true,
            lens_cycles: true,
            lens_references: true,
            commands: Vec::new(),
            built_in: false,
            limits: limits(),
            format: Value::Null,
            trace: TraceValue::Off,
        }
    }
}

/// Lower than those of the command: an editor assembles while the user types.
fn limits() -> Limits {
    Limits {
        iterations: 2_000_000,
        call_depth: 500,
        output_bytes: 16 << 20,
        value_size: 8 << 20,
        memory: 128 << 20,
        moved_bytes: 1 << 30,
        source_bytes: 64 << 20,
        ..Limits::default()
    }
}

impl Settings {
    /// Reads the object of section `tempo`; fields that are not there keep what they have.
    pub fn read(&mut self, value: &Value) {
        let value = value.get("tempo").unwrap_or(value);
        let at = |path: &str| find(value, path);
        if let Some(roots) = at("roots").and_then(strings) {
            self.roots = roots;
        }
        if let Some(folders) = at("libDirs").and_then(strings) {
            self.lib_dirs = folders.into_iter().map(PathBuf::from).collect();
        }
        if let Some(defines) = at("defines").and_then(strings) {
            self.defines = defines;
        }
        if let Some(vars) = at("vars").and_then(Value::as_object) {
            let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            self.vars = vars.iter().map(|(name, value)| (name.clone(), text(value))).collect();
        }
        if let Some(cpu) = at("cpu").and_then(Value::as_str) {
            self.cpu = Cpu::from_kick_name(cpu);
        }
        if let Some(delay) = at("diagnostics.delayMs").and_then(Value::as_u64) {
            self.delay_ms = delay.min(10_000);
        }
        if let Some(off) = at("diagnostics.off").and_then(strings) {
            self.off = off;
        }
        if let Some(commands) = at("commands").and_then(strings) {
            self.commands = commands;
        }
        let flag = |path: &str, target: &mut bool| {
            if let Some(value) = at(path).and_then(Value::as_bool) {
                *target = value;
            }
        };
        flag("builtInSources", &mut self.built_in);
        flag("diagnostics.onlyOpenFiles", &mut self.only_open_files);
        flag("hints.addresses", &mut self.hints.addresses);
        flag("hints.cycles", &mut self.hints.cycles);
        flag("hints.macroSize", &mut self.hints.macro_size);
        flag("hints.values", &mut self.hints.values);
        flag("lens.tests", &mut self.lens_tests);
        flag("lens.cycles", &mut self.lens_cycles);
        flag("lens.references", &mut self.lens_references);
        let number = |path: &str, target: &mut u64| {
            if let Some(value) = at(path).and_then(Value::as_u64) {
                *target = value;
            }
        };
        number("limits.iterations", &mut self.limits.iterations);
        number("limits.outputBytes", &mut self.limits.output_bytes);
        number("limits.memory", &mut self.limits.memory);
        number("limits.sourceBytes", &mut self.limits.source_bytes);
        if let Some(depth) = at("limits.callDepth").and_then(Value::as_u64) {
            self.limits.call_depth = u32::try_from(depth).unwrap_or(u32::MAX);
        }
        if let Some(trace) = at("trace").and_then(|trace| TraceValue::deserialize(trace).ok()) {
            self.trace = trace;
        }
        if let Some(format) = at("format") {
            self.format = format.clone();
        }
    }

    /// How sources are formatted.
    pub fn style(&self) -> Style {
        let usual = Style::default();
        let column = |name: &str, usual: u32| {
            let number = find(&self.format, name).and_then(Value::as_u64);
            number
                .and_then(|number| u32::try_from(number).ok())
                .filter(|&number| number <= 200)
                .unwrap_or(usual)
        };
        Style {
            code: column("codeColumn", usual.code),
            operand: column("operandColumn", usual.operand),
            comment: column("commentColumn", usual.comment),
            indent: column("indent", usual.indent),
            hex: match find(&self.format, "hex").and_then(Value::as_str) {
                Some("lower") => Case::Lower,
                Some("upper") => Case::Upper,
                _ => Case::Leave,
            },
        }
    }

    /// The innermost area around a file; the first one if there is none.
    pub fn area_of(&self, path: &Path) -> &Area {
        tempo_editor::innermost(&self.areas, path, |area| &area.folder)
    }

    /// Where the programs of an area look for imports, in the folders of the client first.
    pub fn search(&self, area: &Area) -> SearchPath {
        SearchPath {
            folder: area.folder.clone(),
            library_folders: self.lib_dirs.iter().chain(&area.project.lib_dirs).cloned().collect(),
            replacements: Vec::new(),
        }
    }

    /// How the programs of an area are assembled: the client adds to what the project defines, and wins where both name
    /// something.
    pub fn options(&self, area: &Area) -> Options {
        let project = &area.project;
        let mut lints = project.lints.clone().unwrap_or_else(Lints::all);
        // Editors show style as a shade, not as a warning.
        let is_asked = |code: &tempo_assembler::Code| code.is_style() && !lints.off.contains(code);
        let style: Vec<_> = tempo_assembler::Code::ALL.iter().copied().filter(is_asked).collect();
        lints.on.extend(style);
        let off = self.off.iter().filter_map(|code| tempo_assembler::Code::from_id(code));
        for code in off {
            lints.on.retain(|other| *other != code);
            lints.off.push(code);
        }
        let is_own = |name: &str| self.vars.iter().any(|(own, _)| own == name);
        let vars = project.vars.iter().filter(|(name, _)| !is_own(name));
        Options {
            defines: project.defines.iter().chain(&self.defines).cloned().collect(),
            variables: vars.chain(&self.vars).cloned().collect(),
            cpu: self.cpu.unwrap_or(Cpu::Mos6502),
            limits: self.limits,
            lints,
            ..Options::default()
        }
    }
}

/// The value at `a.b`, written as nested objects or as one key.
fn find<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    let nested = path.split('.').try_fold(value, |value, key| value.get(key));
    nested.or_else(|| value.get(path)).filter(|value| !value.is_null())
}

fn strings(value: &Value) -> Option<Vec<String>> {
    let list = value.as_array()?;
    Some(list.iter().filter_map(Value::as_str).map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn settings_come_nested_or_dotted() {
        let mut settings = Settings::default();
        settings.read(
            &json!({"roots": ["a.asm"], "hints": {"cycles": true}, "limits.iterations": 5, "cpu": "_65c02"}),
        );
        assert!(settings.hints.cycles && !settings.hints.addresses);
        assert_eq!((settings.limits.iterations, settings.cpu), (5, Some(Cpu::Wdc65c02)));
        settings.read(&json!({"tempo": {"vars": {"x": 1}, "roots": 7, "diagnostics": {"delayMs": null, "off": ["W0301"]}}}));
        assert_eq!((settings.roots, settings.vars), (vec!["a.asm".into()], vec![("x".into(), "1".into())]));
        assert_eq!((settings.delay_ms, settings.off), (60, vec!["W0301".to_owned()]));
    }

    #[test]
    fn styles_have_bounds() {
        let mut settings = Settings::default();
        settings
            .read(&json!({"format": {"codeColumn": 16, "indent": 100_000, "hex": "upper", "comment": 3}}));
        assert_eq!(settings.style(), Style { code: 16, hex: Case::Upper, ..Style::default() });
    }
}
