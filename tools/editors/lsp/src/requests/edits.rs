//! Requests whose answers change texts: renames, code actions, formatting.

use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, CodeActionParams, Command, DocumentFormattingParams,
    DocumentOnTypeFormattingParams, DocumentRangeFormattingParams, PrepareRenameResponse, RenameFilesParams,
    RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::json;
use tempo_editor::{Action, ActionKind};

use super::{custom, libraries};
use crate::context::{Answer, Context, Failure, place};
use crate::publish::diagnostics;
use crate::uri;

pub fn prepare_rename(
    context: &Context,
    params: TextDocumentPositionParams,
) -> Answer<PrepareRenameResponse> {
    let at = context.at(&params)?;
    let (word, placeholder) =
        tempo_editor::prepare_rename(&context.snapshot, place(&at)).map_err(Failure::Refused)?;
    let range = context.location(&word).map(|location| location.range);
    let range = range.ok_or_else(|| Failure::Refused("the file is not known".to_owned()))?;
    Ok(PrepareRenameResponse::RangeWithPlaceholder { range, placeholder })
}

pub fn rename(context: &Context, params: RenameParams) -> Answer<WorkspaceEdit> {
    let at = context.at(&params.text_document_position)?;
    let snapshot = context.all_importers(place(&at));
    let edits =
        tempo_editor::rename(&snapshot, place(&at), params.new_name.trim()).map_err(Failure::Refused)?;
    Ok(context.workspace_edit(&edits))
}

pub fn rename_files(context: &Context, params: RenameFilesParams) -> Answer<Option<WorkspaceEdit>> {
    let path = |text: &str| -> Option<String> {
        let uri: Uri = text.parse().ok()?;
        let path = context.client.inside(&uri::to_path(&uri)?);
        Some(path.to_string_lossy().into_owned())
    };
    let pairs: Vec<(String, String)> =
        params.files.iter().filter_map(|file| Some((path(&file.old_uri)?, path(&file.new_uri)?))).collect();
    let mut snapshot = (*context.snapshot).clone();
    for (old, _) in &pairs {
        // A folder takes its files along.
        let sources = context.scan.iter().flat_map(|scan| scan.sources.keys());
        for source in sources.filter(|source| source.starts_with(old)) {
            snapshot = context.with_importers(snapshot, &source.to_string_lossy());
        }
    }
    let edits = tempo_editor::rename_files(&snapshot, &pairs);
    Ok((!edits.is_empty()).then(|| context.workspace_edit(&edits)))
}

fn kind(action: &Action) -> CodeActionKind {
    match action.kind {
        ActionKind::QuickFix => CodeActionKind::QUICKFIX,
        ActionKind::Rewrite => CodeActionKind::REFACTOR_REWRITE,
        ActionKind::Extract => CodeActionKind::REFACTOR_EXTRACT,
        ActionKind::Inline => CodeActionKind::REFACTOR_INLINE,
        ActionKind::FixAll => CodeActionKind::new("source.fixAll.tempo"),
    }
}

/// The snapshot, with other programs of the workspace if a name is unknown that one of them may declare.
fn importable(context: &Context, path: &str, span: tempo_diagnostics::Span) -> tempo_editor::Snapshot {
    let is_unknown = |problem: &tempo_editor::Problem| {
        let is_here = problem.place.span.start <= span.end && span.start <= problem.place.span.end;
        is_here && problem.code.is_some_and(tempo_editor::ProblemCode::is_unknown_name)
    };
    match context.snapshot.problems_of(path).iter().any(is_unknown) {
        true => context.whole_workspace(50),
        false => (*context.snapshot).clone(),
    }
}

pub fn actions(context: &Context, params: CodeActionParams) -> Answer<Vec<CodeActionOrCommand>> {
    let path = context.path(&params.text_document.uri)?;
    let span = context.span(&path, params.range);
    let is_wanted = |kind: &CodeActionKind| {
        params.context.only.as_ref().is_none_or(|only| {
            only.iter().any(|wanted| {
                let rest = kind.as_str().strip_prefix(wanted.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        })
    };
    let document = context.client.capabilities.text_document.as_ref();
    let client = document.and_then(|document| document.code_action.as_ref());
    let has_literals = client.is_some_and(|client| client.code_action_literal_support.is_some());
    let workspace = context.client.capabilities.workspace.as_ref();
    // Older clients know commands only, and what those do comes back as edits to apply.
    if !has_literals && workspace.and_then(|workspace| workspace.apply_edit) != Some(true) {
        return Ok(Vec::new());
    }
    // Clients that resolve get the edits when the user chooses an action.
    let resolves = client
        .filter(|client| client.data_support == Some(true))
        .and_then(|client| client.resolve_support.as_ref())
        .is_some_and(|resolve| resolve.properties.iter().any(|property| property == "edit"));
    let mut found = Vec::new();
    for (index, action) in
        tempo_editor::actions(&importable(context, &path, span), &path, span).iter().enumerate()
    {
        let kind = kind(action);
        if !is_wanted(&kind) {
            continue;
        }
        let data = json!({"file": path, "start": span.start, "end": span.end, "index": index, "version": context.version(&path)});
        if !has_literals {
            let mut data = data;
            data["title"] = json!(action.title);
            found.push(CodeActionOrCommand::Command(Command {
                title: action.title.clone(),
                command: custom::APPLY.to_owned(),
                arguments: Some(vec![data]),
            }));
            continue;
        }
        let fixes =
            action.fixes.as_ref().map(|problem| diagnostics(context, &path, std::slice::from_ref(problem)));
        found.push(CodeActionOrCommand::CodeAction(CodeAction {
            title: action.title.clone(),
            kind: Some(kind),
            diagnostics: fixes,
            edit: (!resolves).then(|| context.workspace_edit(&action.edits)),
            command: None,
            is_preferred: action.is_preferred.then_some(true),
            disabled: None,
            data: resolves.then_some(data),
        }));
    }
    if has_literals && is_wanted(&CodeActionKind::QUICKFIX) {
        found.extend(
            libraries::actions(context, &path, span).into_iter().map(CodeActionOrCommand::CodeAction),
        );
    }
    Ok(found)
}

pub fn resolve_action(context: &Context, mut action: CodeAction) -> Answer<CodeAction> {
    if let Some(data) = &action.data {
        action.edit = Some(chosen(context, data, &action.title)?);
    }
    Ok(action)
}

/// The edit of an action that was offered as a command.
pub fn apply_action(context: &Context, data: serde_json::Value) -> Answer<WorkspaceEdit> {
    chosen(context, &data, data.get("title").and_then(|title| title.as_str()).unwrap_or(""))
}

/// The edit of the action that was offered with some data, as long as the text is the same.
fn chosen(context: &Context, data: &serde_json::Value, title: &str) -> Answer<WorkspaceEdit> {
    let number = |key: &str| data.get(key).and_then(serde_json::Value::as_u64).unwrap_or(0);
    let file = data.get("file").and_then(|file| file.as_str()).unwrap_or("");
    let version = data.get("version").and_then(serde_json::Value::as_i64);
    if version != context.version(file).map(i64::from) {
        return Err(Failure::Modified);
    }
    let span = tempo_diagnostics::Span::new(number("start") as usize, number("end") as usize);
    let actions = tempo_editor::actions(&importable(context, file, span), file, span);
    let chosen = actions.get(number("index") as usize).filter(|found| found.title == title);
    Ok(context.workspace_edit(&chosen.ok_or(Failure::Modified)?.edits))
}

pub fn format(context: &Context, params: DocumentFormattingParams) -> Answer<Vec<TextEdit>> {
    format_lines(context, &params.text_document.uri, 0, u32::MAX)
}

pub fn format_range(context: &Context, params: DocumentRangeFormattingParams) -> Answer<Vec<TextEdit>> {
    let (start, end) = (params.range.start, params.range.end);
    // A selection of whole lines ends at the start of the next one.
    let last = if end.character == 0 && end.line > start.line { end.line - 1 } else { end.line };
    format_lines(context, &params.text_document.uri, start.line, last)
}

/// A closing brace goes below its statement, and a finished line into its columns.
pub fn format_typed(context: &Context, params: DocumentOnTypeFormattingParams) -> Answer<Vec<TextEdit>> {
    let at = &params.text_document_position;
    let line = if params.ch == "}" { Some(at.position.line) } else { at.position.line.checked_sub(1) };
    let Some(line) = line else { return Ok(Vec::new()) };
    format_lines(context, &at.text_document.uri, line, line)
}

/// The edits of some lines. A source with syntax errors, and a suite, have none.
fn format_lines(context: &Context, uri: &Uri, first: u32, last: u32) -> Answer<Vec<TextEdit>> {
    let path = context.path(uri)?;
    let Some(source) = context.source(&path).filter(|_| !tempo_editor::is_suite(&path)) else {
        return Ok(Vec::new());
    };
    let edits =
        tempo_editor::format_edits(&path, source.text(), &context.settings.style()).unwrap_or_default();
    let edits = edits.iter().map(|edit| context.text_edit(&source, edit));
    Ok(edits.filter(|edit| first <= edit.range.start.line && edit.range.end.line <= last).collect())
}
