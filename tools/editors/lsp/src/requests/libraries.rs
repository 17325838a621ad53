//! The repair of an import that is not found although the workspace has the file: its folder becomes one of the project's
//! `lib-dirs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeAction, CodeActionKind, CreateFile, CreateFileOptions, DocumentChangeOperation, DocumentChanges,
    OneOf, OptionalVersionedTextDocumentIdentifier, ResourceOp, ResourceOperationKind, TextDocumentEdit,
    TextEdit, WorkspaceEdit,
};
use tempo_assembler::Code;
use tempo_diagnostics::Span;
use tempo_editor::{Edit, ProblemCode};
use tempo_project as project;

use crate::context::Context;
use crate::publish::diagnostics;

/// More folders with a file of that name are not offered.
const MOST: usize = 3;

/// The actions for the imports in a part of a file.
pub fn actions(context: &Context, path: &str, span: Span) -> Vec<CodeAction> {
    let Some(scan) = &context.scan else { return Vec::new() };
    let Some(source) = context.source(path) else { return Vec::new() };
    let around = |folders: &mut dyn Iterator<Item = &PathBuf>| {
        folders
            .filter(|folder| Path::new(path).starts_with(folder))
            .max_by_key(|folder| folder.as_os_str().len())
            .cloned()
    };
    let Some(root) = around(&mut scan.projects.iter()).or_else(|| around(&mut context.folders.iter())) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for problem in &context.snapshot.problems_of(path) {
        let place = problem.place.span;
        let is_here = place.start <= span.end && span.start <= place.end;
        if !is_here || problem.code != Some(ProblemCode::Assembler(Code::ImportNotFound)) {
            continue;
        }
        let Some(text) = source.text().get(place.start as usize..place.end as usize) else { continue };
        let name = Path::new(text.trim_start_matches('@').trim_matches('"'));
        let folders: BTreeSet<String> = scan
            .sources
            .keys()
            .filter(|file| name.is_relative() && file.ends_with(name))
            .filter_map(|file| file.ancestors().nth(name.components().count())?.strip_prefix(&root).ok())
            .filter_map(written)
            .collect();
        for folder in folders.iter().take(MOST) {
            let Some(edit) = edit(context, &root.join(project::FILE), folder) else { continue };
            found.push(CodeAction {
                title: format!("Add {folder} to lib-dirs in {}", project::FILE),
                kind: Some(CodeActionKind::QUICKFIX),
                diagnostics: Some(diagnostics(context, path, std::slice::from_ref(problem))),
                edit: Some(edit),
                is_preferred: (folders.len() == 1).then_some(true),
                ..CodeAction::default()
            });
        }
    }
    found
}

/// A folder as the settings have it, between quotes.
fn written(folder: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = folder.components().map(|part| part.as_os_str().to_str()).collect();
    let text = parts?.join("/");
    let is_plain = !text.is_empty() && !text.contains(|c: char| c == '"' || c == '\\' || c.is_control());
    is_plain.then(|| format!("\"{text}\""))
}

/// The edit of the project's settings, which are a new file if there are none.
fn edit(context: &Context, settings: &Path, folder: &str) -> Option<WorkspaceEdit> {
    let path = settings.to_string_lossy().into_owned();
    if let Some(source) = context.source(&path) {
        let (at, text) = with_folder(source.text(), folder);
        return Some(context.workspace_edit(&[Edit { file: path, span: Span::at(at), text }]));
    }
    let workspace = context.client.capabilities.workspace.as_ref()?.workspace_edit.as_ref()?;
    let creates = workspace.resource_operations.as_ref()?.contains(&ResourceOperationKind::Create);
    if !creates || workspace.document_changes != Some(true) {
        return None;
    }
    let uri = context.uri(&path)?;
    let options = CreateFileOptions { overwrite: Some(false), ignore_if_exists: Some(false) };
    let create = CreateFile { uri: uri.clone(), options: Some(options), annotation_id: None };
    let text = TextDocumentEdit {
        text_document: OptionalVersionedTextDocumentIdentifier { uri, version: None },
        edits: vec![OneOf::Left(TextEdit { new_text: with_folder("", folder).1, ..TextEdit::default() })],
    };
    let operations =
        vec![DocumentChangeOperation::Op(ResourceOp::Create(create)), DocumentChangeOperation::Edit(text)];
    let changes = DocumentChanges::Operations(operations);
    Some(WorkspaceEdit { document_changes: Some(changes), ..WorkspaceEdit::default() })
}

/// Where settings get a library folder, and the text that is inserted there.
fn with_folder(settings: &str, folder: &str) -> (u32, String) {
    let mut section = "";
    let mut build = None;
    let mut start = 0;
    for line in settings.split_inclusive('\n') {
        let end = start + line.len();
        let plain = line.trim();
        if plain.starts_with('[') {
            section = plain.split('#').next().unwrap_or(plain).trim_end();
            if section == "[build]" {
                build = Some((end, line.ends_with('\n')));
            }
        } else if section == "[build]"
            && let Some(list) = plain.strip_prefix("lib-dirs").map(str::trim_start)
            && let Some(list) = list.strip_prefix('=').map(str::trim_start)
            && let Some(list) = list.strip_prefix('[')
            && let Some(open) = line.find('[')
        {
            let comma = if list.trim_start().starts_with(']') { "" } else { ", " };
            return ((start + open + 1) as u32, format!("{folder}{comma}"));
        }
        start = end;
    }
    match build {
        Some((at, has_end)) => {
            (at as u32, format!("{}lib-dirs = [{folder}]\n", if has_end { "" } else { "\n" }))
        }
        None => {
            let gap = match settings {
                "" => "",
                text if text.ends_with('\n') => "\n",
                _ => "\n\n",
            };
            (settings.len() as u32, format!("{gap}[build]\nlib-dirs = [{folder}]\n"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn settings_get_a_folder_where_they_have_others() {
        for (before, after) in [
            ("", "[build]\nlib-dirs = [\"lib\"]\n"),
            ("[project]\nmain = \"a\"", "[project]\nmain = \"a\"\n\n[build]\nlib-dirs = [\"lib\"]\n"),
            ("[build]", "[build]\nlib-dirs = [\"lib\"]\n"),
            ("[build] # x\npack = true\n", "[build] # x\nlib-dirs = [\"lib\"]\npack = true\n"),
            ("[build]\nlib-dirs = []\n", "[build]\nlib-dirs = [\"lib\"]\n"),
            ("[build]\nlib-dirs=[ \"a\" ]\n", "[build]\nlib-dirs=[\"lib\",  \"a\" ]\n"),
            (
                "[test]\nlib-dirs = [\"no\"]\n[build]\n",
                "[test]\nlib-dirs = [\"no\"]\n[build]\nlib-dirs = [\"lib\"]\n",
            ),
        ] {
            let (at, text) = with_folder(before, "\"lib\"");
            let mut made = before.to_owned();
            made.insert_str(at as usize, &text);
            assert_eq!(made, after, "{before:?}");
        }
    }
}
