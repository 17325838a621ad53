//! Assembling for tools: a source with the project's settings, and its messages as text and as data.

use std::path::Path;

use serde_json::{Value, json};
use tempo_assembler::{Columns, Diagnostic, FrameKind, Options, Output, Severity, SourceMap as _, assemble};
use tempo_dap::Project as Told;
use tempo_diagnostics::Renderer;
use tempo_project::Project;

use crate::host::{Host, Token};

/// A path as text, with slashes.
pub fn shown(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

/// A source assembled with the settings of the project and everything that is known of it. An error is its messages.
pub fn assembled(host: &dyn Host, token: &Token, project: &Project, path: &str) -> Result<Output, String> {
    // A missing file is not a diagnostic of a source.
    host.read(path)?;
    let options = Options {
        analysis: true,
        defines: project.defines(),
        variables: project.vars(),
        cancel: token.stop.clone(),
        ..Options::default()
    };
    let output = assemble(&*host.files(project), path, &options);
    token.check()?;
    match output.has_errors() {
        false => Ok(output),
        true => {
            let errors = output.diagnostics.iter().filter(|found| found.is_error());
            let lines: Vec<String> = errors.take(5).map(|found| line(&output, found)).collect();
            Err(format!("{path} does not assemble:\n{}\nNext: `build`", lines.join("\n")))
        }
    }
}

/// A message as editors match it: `main.asm:3:9: error: text [E0301]`, with the help after it.
pub fn line(output: &Output, diagnostic: &Diagnostic) -> String {
    let mut line = Renderer::new(&output.sources).short(diagnostic).trim_end().to_owned();
    if let Some(help) = &diagnostic.help
        && !line.contains(help.as_str())
    {
        line += &format!("\n    help: {help}");
    }
    line
}

/// A message as data.
pub fn data(output: &Output, diagnostic: &Diagnostic) -> Value {
    let place = diagnostic.span.and_then(|span| output.sources.locate(span.start, Columns::Characters));
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        _ => "note",
    };
    let mut data = json!({
        "code": diagnostic.code.as_str(),
        "severity": severity,
        "message": diagnostic.message,
    });
    if let Some(at) = place {
        data["file"] = json!(at.file);
        data["line"] = json!(at.line);
        data["column"] = json!(at.column);
    }
    if let Some(help) = &diagnostic.help {
        data["help"] = json!(help);
    }
    let trail: Vec<Value> = diagnostic
        .frames
        .iter()
        .filter(|frame| frame.kind != FrameKind::BuiltIn)
        .take(8)
        .filter_map(|frame| {
            let at = output.sources.locate(frame.span.start, Columns::Characters)?;
            Some(json!({ "file": at.file, "line": at.line, "what": frame.name }))
        })
        .collect();
    if !trail.is_empty() {
        data["trail"] = json!(trail);
    }
    data
}

/// The host's files as a launch of the debugger asks for them.
pub struct Launcher<'a> {
    pub host: &'a dyn Host,
    pub project: &'a Project,
    pub token: &'a Token,
}

impl tempo_dap::Host for Launcher<'_> {
    fn files(&self, _: &str, _: &[String]) -> Box<dyn tempo_assembler::Files> {
        self.host.files(self.project)
    }

    fn project(&self, file: Option<&str>) -> Result<Option<Told>, String> {
        let main = shown(&self.project.main());
        Ok(Some(Told {
            is_main: self.project.is_there() && file.is_none_or(|file| file == main),
            main,
            libraries: Vec::new(),
            defines: self.project.defines(),
            vars: self.project.vars(),
            system: self.project.system().name().to_owned(),
        }))
    }

    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.host.read(path)
    }

    fn cancel(&self) -> tempo_assembler::Cancel {
        self.token.stop.clone()
    }
}
