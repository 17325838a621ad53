//! Problems on their way to the client: pushed by file, or pulled by it, never both.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::time::{Duration, Instant};

use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeDescription, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag,
    NumberOrString, Range, Uri,
};
use serde_json::json;
use tempo_diagnostics::Severity;
use tempo_editor::{Problem, ProblemCode, Tag};

use crate::context::{Client, Context};
use crate::server::Server;
use crate::settings::Area;

/// Where every code has a section; `tempo/source` has its text.
const ERRORS_PAGE: &str = "tempo-builtin:/errors.md";

/// Hints and lenses are asked for again no more often.
const REFRESH: Duration = Duration::from_millis(500);

/// The findings of a run, ready to be sent.
pub struct Found {
    generation: u64,
    /// By path.
    lists: BTreeMap<String, Vec<Diagnostic>>,
    console: Vec<String>,
}

/// The messages that the client has.
#[derive(Default)]
pub struct Published {
    /// The fingerprint of the list of a path, and the URI it went to.
    lists: HashMap<String, (u64, Uri)>,
    console: Vec<String>,
    refreshed: Option<Instant>,
}

/// Assembles all programs and collects what is wrong with them, and with the files of their projects.
pub fn problems(context: &Context) -> BTreeMap<String, Vec<Problem>> {
    let mut problems = context.snapshot.problems();
    let settings = &context.settings;
    // A project that the user does not work in is not reported.
    let is_used = |area: &Area| {
        context.folders.contains(&area.folder)
            || context.documents.keys().any(|path| std::ptr::eq(settings.area_of(path), area))
    };
    let areas = settings.areas.iter().filter(|area| is_used(area));
    for problem in areas.flat_map(|area| &area.project.problems) {
        // Folders may share the project above them.
        let list = problems.entry(problem.place.file.clone()).or_default();
        if !list.contains(problem) {
            list.push(problem.clone());
        }
    }
    problems
}

/// The messages for the client about the programs.
pub fn find(context: &Context, generation: u64) -> Found {
    let mut problems = problems(context);
    if context.settings.only_open_files {
        problems.retain(|path, _| context.version(path).is_some());
    }
    let lists = problems.iter().map(|(path, problems)| (path.clone(), diagnostics(context, path, problems)));
    Found { generation, lists: lists.collect(), console: context.snapshot.console() }
}

/// Whether the client fetches problems itself.
pub fn is_pulled(client: &Client) -> bool {
    client.capabilities.text_document.as_ref().is_some_and(|document| document.diagnostic.is_some())
}

/// The problems of one file in the form of the protocol.
pub fn diagnostics(context: &Context, path: &str, problems: &[Problem]) -> Vec<Diagnostic> {
    let source = context.source(path);
    let range = |problem: &Problem| {
        source.as_ref().map_or_else(Range::default, |source| context.range(source, problem.place.span))
    };
    // The assembler leaves out the warnings that are off; hints of the editor are left out here.
    let is_on = |problem: &&Problem| {
        let is_off = |code: &str| context.settings.off.iter().any(|off| off.eq_ignore_ascii_case(code));
        problem.severity == Severity::Error || problem.code.is_none_or(|code| !is_off(code.as_str()))
    };
    problems.iter().filter(is_on).map(|problem| diagnostic(context, problem, range(problem))).collect()
}

fn diagnostic(context: &Context, problem: &Problem, range: Range) -> Diagnostic {
    let document = context.client.capabilities.text_document.clone().unwrap_or_default();
    let client = document.publish_diagnostics.unwrap_or_default();
    let related = problem.related.iter().filter_map(|related| {
        let location = context.location(&related.place)?;
        Some(DiagnosticRelatedInformation { location, message: related.message.clone() })
    });
    let related: Vec<_> =
        if client.related_information == Some(true) { related.collect() } else { Vec::new() };
    let has_tags =
        client.tag_support.is_some_and(|tags| tags.value_set.contains(&DiagnosticTag::UNNECESSARY));
    let denied = &context.settings.area_of(Path::new(&problem.place.file)).project.denied;
    let code = problem.code.and_then(ProblemCode::assembler);
    let is_denied = code.is_some_and(|code| denied.contains(&code));
    let href = code.and_then(|code| format!("{ERRORS_PAGE}#{}", code.as_str().to_lowercase()).parse().ok());
    Diagnostic {
        range,
        severity: Some(match problem.severity {
            Severity::Warning if is_denied => DiagnosticSeverity::ERROR,
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
            Severity::Note => DiagnosticSeverity::HINT,
        }),
        code: problem.code.map(|code| NumberOrString::String(code.as_str().to_owned())),
        code_description: href
            .filter(|_| client.code_description_support == Some(true))
            .map(|href| CodeDescription { href }),
        source: Some("tempo".to_owned()),
        message: problem.message.clone(),
        related_information: (!related.is_empty()).then_some(related),
        tags: (problem.tag == Some(Tag::Unnecessary) && has_tags).then(|| vec![DiagnosticTag::UNNECESSARY]),
        data: None,
    }
}

/// A number that is another one if a list is.
pub fn fingerprint(list: &[Diagnostic]) -> u64 {
    let mut hasher = DefaultHasher::new();
    serde_json::to_string(list).unwrap_or_default().hash(&mut hasher);
    hasher.finish()
}

impl Server {
    /// Sends what is news to the client.
    pub(super) fn publish(&mut self, found: Found) {
        if found.generation != self.generation {
            return;
        }
        let mut has_changed = false;
        let gone: Vec<String> =
            self.published.lists.keys().filter(|path| !found.lists.contains_key(*path)).cloned().collect();
        let is_pulled = is_pulled(&self.client);
        let context = self.context();
        let empty = gone.into_iter().map(|path| (path, Vec::new()));
        for (path, list) in found.lists.into_iter().chain(empty.collect::<Vec<_>>()) {
            let print = fingerprint(&list);
            let version = context.version(&path);
            let known = self.published.lists.remove(&path);
            // A document that was closed, and perhaps has no file, is told under the name that it had.
            let told = known.as_ref().map(|(_, uri)| uri.clone());
            let uri =
                if version.is_some() { context.uri(&path) } else { told.or_else(|| context.uri(&path)) };
            let Some(uri) = uri else { continue };
            // An open file is told that it is fine; others were not asked for.
            let is_other = known.as_ref().is_none_or(|(old, told)| *old != print || *told != uri);
            let is_news = is_other && (version.is_some() || known.is_some() || !list.is_empty());
            if !list.is_empty() || version.is_some() {
                self.published.lists.insert(path.clone(), (print, uri.clone()));
            }
            has_changed |= is_news;
            if is_news && !is_pulled {
                let params = json!({"uri": uri, "diagnostics": list, "version": version});
                self.notify("textDocument/publishDiagnostics", params);
            }
        }
        for line in found.console.iter().filter(|_| found.console != self.published.console) {
            self.notify("window/logMessage", json!({"type": 4, "message": line}));
        }
        self.published.console = found.console;
        self.refresh_views(has_changed && is_pulled);
    }

    /// Asks the client to fetch problems again, and hints and lenses soon.
    pub(super) fn refresh_views(&mut self, has_news: bool) {
        let workspace = self.client.capabilities.workspace.clone().unwrap_or_default();
        if has_news && workspace.diagnostic.is_some_and(|client| client.refresh_support == Some(true)) {
            self.refresh_client(request::WorkspaceDiagnosticRefresh::METHOD);
        }
        self.refresh_due.get_or_insert(match self.published.refreshed {
            Some(last) => last + REFRESH,
            None => self.disk.host.now(),
        });
    }

    /// The hints and lenses of the client are old.
    pub(super) fn refresh_hints(&mut self) {
        let workspace = self.client.capabilities.workspace.clone().unwrap_or_default();
        self.refresh_due = None;
        self.published.refreshed = Some(self.disk.host.now());
        if workspace.inlay_hint.is_some_and(|client| client.refresh_support == Some(true)) {
            self.refresh_client(request::InlayHintRefreshRequest::METHOD);
        }
        if workspace.code_lens.is_some_and(|client| client.refresh_support == Some(true)) {
            self.refresh_client(request::CodeLensRefresh::METHOD);
        }
    }
}
