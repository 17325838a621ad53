//! Completion and signature help.

use std::path::Path;

use lsp_types::{
    CompletionItem, CompletionItemCapability, CompletionItemKind, CompletionItemLabelDetails, CompletionList,
    CompletionParams, CompletionResponse, CompletionTextEdit, Documentation, InsertReplaceEdit,
    InsertTextFormat, ParameterInformation, ParameterLabel, Position, Range, SignatureHelp,
    SignatureHelpParams, SignatureInformation, TextEdit,
};
use serde_json::json;
use tempo_editor::{Completion, CompletionKind, Entry};

use super::language::markup;
use crate::context::{Answer, Context, place};

/// More items than a person scrolls through; typing on narrows them.
const MAX_ITEMS: usize = 1000;

pub fn completion(context: &Context, params: CompletionParams) -> Answer<Option<CompletionResponse>> {
    let at = context.at(&params.text_document_position)?;
    let Some(source) = context.source(&at.0) else { return Ok(None) };
    let list = |typed: &str| entries(context, &at.0, typed);
    let mut found = tempo_editor::completions(&context.snapshot, place(&at), &list);
    let can = abilities(context);
    if can.snippet_support != Some(true) {
        found.retain(|item| item.kind != CompletionKind::Snippet);
    }
    // Clients filter, but a list that was cut must be filtered before.
    let is_cut = found.len() > MAX_ITEMS;
    if is_cut {
        let typed = found
            .first()
            .map_or("", |item| source.text().get(item.span.start as usize..at.1 as usize).unwrap_or(""));
        let typed = typed.to_lowercase();
        found.retain(|item| item.label.to_lowercase().contains(&typed));
        found.truncate(MAX_ITEMS);
    }
    let cursor = context.range(&source, tempo_diagnostics::Span::at(at.1)).start;
    let items = found.iter().map(|found| item(context, &can, &source, &at.0, cursor, found)).collect();
    Ok(Some(CompletionResponse::List(CompletionList { is_incomplete: is_cut, items })))
}

/// The client's capabilities for items.
fn abilities(context: &Context) -> CompletionItemCapability {
    let document = context.client.capabilities.text_document.as_ref();
    let client = document.and_then(|document| document.completion.as_ref());
    client.and_then(|client| client.completion_item.clone()).unwrap_or_default()
}

fn item(
    context: &Context,
    can: &CompletionItemCapability,
    source: &tempo_diagnostics::Source,
    file: &str,
    cursor: Position,
    item: &Completion,
) -> CompletionItem {
    let has_details = can.label_details_support == Some(true);
    let kind = match item.kind {
        CompletionKind::Mnemonic
        | CompletionKind::Directive
        | CompletionKind::Preprocessor
        | CompletionKind::Word => CompletionItemKind::KEYWORD,
        CompletionKind::Macro
        | CompletionKind::PseudoCommand
        | CompletionKind::Function
        | CompletionKind::Method => CompletionItemKind::FUNCTION,
        CompletionKind::Label | CompletionKind::Variable => CompletionItemKind::VARIABLE,
        CompletionKind::Constant | CompletionKind::Address => CompletionItemKind::CONSTANT,
        CompletionKind::Namespace => CompletionItemKind::MODULE,
        CompletionKind::Field => CompletionItemKind::FIELD,
        CompletionKind::File => CompletionItemKind::FILE,
        CompletionKind::Folder => CompletionItemKind::FOLDER,
        CompletionKind::Snippet => CompletionItemKind::SNIPPET,
    };
    let kind = known_kind(context, kind);
    let (replace, new_text) = (context.range(source, item.span), item.text.clone());
    // In the middle of a word, some clients let the user choose what becomes of its rest.
    let edit = if can.insert_replace_support == Some(true) && replace.end > cursor {
        let insert = Range { start: replace.start, end: cursor };
        CompletionTextEdit::InsertAndReplace(InsertReplaceEdit { new_text, insert, replace })
    } else {
        CompletionTextEdit::Edit(TextEdit { range: replace, new_text })
    };
    let description = has_details
        .then(|| CompletionItemLabelDetails { detail: None, description: Some(item.detail.clone()) });
    CompletionItem {
        label: item.label.clone(),
        label_details: description.filter(|_| !item.detail.is_empty() && item.detail.len() < 40),
        kind: Some(kind),
        detail: (!item.detail.is_empty()).then(|| item.detail.clone()),
        sort_text: Some(format!("{:03}{}", item.rank, item.label.to_lowercase())),
        filter_text: Some(item.label.clone()),
        text_edit: Some(edit),
        insert_text_format: (item.kind == CompletionKind::Snippet).then_some(InsertTextFormat::SNIPPET),
        data: Some(json!({"file": file, "kind": item.kind as u8})),
        ..CompletionItem::default()
    }
}

/// The kind of an item, or one that resembles it for a client that does not know it.
fn known_kind(context: &Context, kind: CompletionItemKind) -> CompletionItemKind {
    let older = match kind {
        CompletionItemKind::CONSTANT => CompletionItemKind::VARIABLE,
        CompletionItemKind::FOLDER => CompletionItemKind::FILE,
        _ => return kind,
    };
    let document = context.client.capabilities.text_document.as_ref();
    let client = document.and_then(|document| document.completion.as_ref()?.completion_item_kind.as_ref());
    let known = client.and_then(|client| client.value_set.as_ref());
    if known.is_some_and(|known| known.contains(&kind)) { kind } else { older }
}

/// The entries of the folders that a name may be found in.
fn entries(context: &Context, file: &str, typed: &str) -> Vec<Entry> {
    let beside = Path::new(file).parent().map(Path::to_path_buf);
    let search = context.settings.search(context.settings.area_of(Path::new(file)));
    let folders = search.library_folders.iter().map(|folder| search.folder.join(folder));
    let folders = beside.into_iter().chain([search.folder.clone()]).chain(folders);
    let mut found: Vec<Entry> = Vec::new();
    for folder in folders {
        let Ok(list) = context.host.entries(&folder.join(typed), 2000) else { continue };
        for entry in list {
            let name = entry.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_folder = context.host.is_folder(&entry.path);
            if !name.starts_with('.') && !found.iter().any(|(other, _)| *other == name) {
                found.push((name, is_folder));
            }
        }
    }
    found
}

const KINDS: [CompletionKind; 17] = [
    CompletionKind::Mnemonic,
    CompletionKind::Directive,
    CompletionKind::Preprocessor,
    CompletionKind::Macro,
    CompletionKind::PseudoCommand,
    CompletionKind::Function,
    CompletionKind::Label,
    CompletionKind::Variable,
    CompletionKind::Constant,
    CompletionKind::Namespace,
    CompletionKind::Field,
    CompletionKind::Method,
    CompletionKind::File,
    CompletionKind::Folder,
    CompletionKind::Address,
    CompletionKind::Word,
    CompletionKind::Snippet,
];

pub fn resolve(context: &Context, mut item: CompletionItem) -> Answer<CompletionItem> {
    let data = item.data.clone().unwrap_or_default();
    let file = data.get("file").and_then(|file| file.as_str()).unwrap_or("");
    let kind = data.get("kind").and_then(|kind| kind.as_u64()).and_then(|kind| KINDS.get(kind as usize));
    if let Some(&kind) = kind
        && let Some(text) = tempo_editor::documentation(&context.snapshot, file, &item.label, kind)
    {
        let formats = abilities(context).documentation_format.unwrap_or_default();
        item.documentation = Some(Documentation::MarkupContent(markup(&text, &formats)));
    }
    Ok(item)
}

pub fn signature(context: &Context, params: SignatureHelpParams) -> Answer<Option<SignatureHelp>> {
    let at = context.at(&params.text_document_position_params)?;
    let Some(found) = tempo_editor::signature_help(&context.snapshot, place(&at)) else { return Ok(None) };
    let signature = |signature: &tempo_editor::Signature| SignatureInformation {
        label: signature.label.clone(),
        documentation: (!signature.text.is_empty()).then(|| Documentation::String(signature.text.clone())),
        parameters: Some(
            signature
                .arguments
                .iter()
                .map(|argument| ParameterInformation {
                    label: ParameterLabel::Simple(argument.clone()),
                    documentation: None,
                })
                .collect(),
        ),
        active_parameter: None,
    };
    Ok(Some(SignatureHelp {
        signatures: found.signatures.iter().map(signature).collect(),
        active_signature: Some(found.active as u32),
        active_parameter: Some(found.argument as u32),
    }))
}
