//! Decorations around the text: inlay hints, semantic tokens, lenses.

use std::sync::PoisonError;

use lsp_types::{
    CodeLens, CodeLensParams, Command, InlayHint, InlayHintLabel, InlayHintParams, InlayHintTooltip,
    SemanticToken as Token, SemanticTokens, SemanticTokensDelta, SemanticTokensDeltaParams,
    SemanticTokensEdit, SemanticTokensFullDeltaResult, SemanticTokensParams, SemanticTokensRangeParams,
    SemanticTokensResult,
};
use serde_json::{Value, json};
use tempo_editor::{LensAction, SemanticToken};

use crate::context::{Answer, Context};
use crate::documents::position;

pub fn hints(context: &Context, params: InlayHintParams) -> Answer<Vec<InlayHint>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(Vec::new()) };
    let span = context.span(&path, params.range);
    let hint = |hint: &tempo_editor::Hint| InlayHint {
        position: position(&source, hint.offset, context.client.columns),
        label: InlayHintLabel::String(hint.label.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(hint.tooltip.to_owned())),
        padding_left: Some(!hint.is_before),
        padding_right: Some(hint.is_before),
        data: None,
    };
    Ok(tempo_editor::hints(&context.snapshot, &path, span, context.settings.hints).iter().map(hint).collect())
}

pub fn resolve_hint(_: &Context, hint: InlayHint) -> Answer<InlayHint> {
    Ok(hint)
}

/// The names of the token types for a client; one that does not know labels gets variables.
pub fn token_types(client: &crate::context::Client) -> Vec<&'static str> {
    let document = client.capabilities.text_document.as_ref();
    let known =
        document.and_then(|document| document.semantic_tokens.as_ref()).map(|tokens| &tokens.token_types);
    let has_labels = known.is_none_or(|known| known.iter().any(|name| name.as_str() == "label"));
    let name = |name: &&'static str| if *name == "label" && !has_labels { "variable" } else { name };
    tempo_editor::KINDS.iter().map(name).collect()
}

fn encoded(context: &Context, path: &str, tokens: &[SemanticToken]) -> Vec<Token> {
    let Some(source) = context.source(path) else { return Vec::new() };
    let mut before = lsp_types::Position::default();
    let mut out = Vec::with_capacity(tokens.len());
    for token in tokens {
        let range = context.range(&source, token.span);
        let delta_line = range.start.line - before.line;
        let delta_start =
            if delta_line == 0 { range.start.character - before.character } else { range.start.character };
        out.push(Token {
            delta_line,
            delta_start,
            length: range.end.character - range.start.character,
            token_type: token.kind as u32,
            token_modifiers_bitset: token.modifiers,
        });
        before = range.start;
    }
    out
}

fn all(context: &Context, path: &str) -> Vec<Token> {
    let whole = tempo_diagnostics::Span { start: 0, end: u32::MAX };
    encoded(context, path, &tempo_editor::semantic_tokens(&context.snapshot, path, whole))
}

/// Keeps the tokens for the next delta, and gives them a name.
fn keep(context: &Context, path: &str, tokens: &[Token]) -> String {
    let mut kept = context.tokens.lock().unwrap_or_else(PoisonError::into_inner);
    let id = kept.get(path).map_or(0, |(id, _)| id + 1);
    kept.insert(path.to_owned(), (id, tokens.to_vec()));
    id.to_string()
}

pub fn tokens(context: &Context, params: SemanticTokensParams) -> Answer<Option<SemanticTokensResult>> {
    let path = context.path(&params.text_document.uri)?;
    let data = all(context, &path);
    let result_id = Some(keep(context, &path, &data));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id, data })))
}

pub fn tokens_of_range(
    context: &Context,
    params: SemanticTokensRangeParams,
) -> Answer<Option<SemanticTokensResult>> {
    let path = context.path(&params.text_document.uri)?;
    let span = context.span(&path, params.range);
    let data = encoded(context, &path, &tempo_editor::semantic_tokens(&context.snapshot, &path, span));
    Ok(Some(SemanticTokensResult::Tokens(SemanticTokens { result_id: None, data })))
}

pub fn tokens_delta(
    context: &Context,
    params: SemanticTokensDeltaParams,
) -> Answer<Option<SemanticTokensFullDeltaResult>> {
    let path = context.path(&params.text_document.uri)?;
    let data = all(context, &path);
    let old = {
        let kept = context.tokens.lock().unwrap_or_else(PoisonError::into_inner);
        let known = kept.get(&path).filter(|(id, _)| id.to_string() == params.previous_result_id);
        known.map(|(_, tokens)| tokens.clone())
    };
    let result_id = Some(keep(context, &path, &data));
    let Some(old) = old else {
        return Ok(Some(SemanticTokensFullDeltaResult::Tokens(SemanticTokens { result_id, data })));
    };
    let start = old.iter().zip(&data).take_while(|(a, b)| a == b).count();
    let rest = old.len().min(data.len()) - start;
    let end = old.iter().rev().zip(data.iter().rev()).take(rest).take_while(|(a, b)| a == b).count();
    let (removed, added) = (&old[start..old.len() - end], &data[start..data.len() - end]);
    let mut edits = Vec::new();
    if !removed.is_empty() || !added.is_empty() {
        // Places and lengths count numbers, five a token.
        edits.push(SemanticTokensEdit {
            start: start as u32 * 5,
            delete_count: removed.len() as u32 * 5,
            data: Some(added.to_vec()),
        });
    }
    Ok(Some(SemanticTokensFullDeltaResult::TokensDelta(SemanticTokensDelta { result_id, edits })))
}

pub fn lenses(context: &Context, params: CodeLensParams) -> Answer<Option<Vec<CodeLens>>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(None) };
    let uri = &params.text_document.uri;
    let settings = &context.settings;
    let can = |command: &str| settings.commands.iter().any(|known| known == command);
    let mut found = Vec::new();
    for mut lens in tempo_editor::lenses(&context.snapshot, &path) {
        if let LensAction::Measured { test, budget } = &lens.action {
            let tested = context.tested.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(cycles) = tested.get(&path).and_then(|tests| tests.get(test)) {
                let limit = budget.as_ref().map(|budget| format!(" of {budget}")).unwrap_or_default();
                lens.title = format!("{cycles} cycles{limit}");
            }
            if lens.title.is_empty() {
                continue;
            }
        }
        let range = context.range(&source, lens.span);
        let (command, arguments): (&str, Vec<Value>) = match &lens.action {
            LensAction::Run(id) if settings.lens_tests => ("tempo.runTest", vec![json!(uri), json!(id)]),
            LensAction::Debug(id) if settings.lens_tests => ("tempo.debugTest", vec![json!(uri), json!(id)]),
            LensAction::References(places) if settings.lens_references => {
                let locations: Vec<_> = places.iter().filter_map(|place| context.location(place)).collect();
                ("tempo.showReferences", vec![json!(uri), json!(range.start), json!(locations)])
            }
            LensAction::Nothing | LensAction::Measured { .. } if settings.lens_cycles => ("", Vec::new()),
            _ => continue,
        };
        // A lens that does nothing is a text; one whose command the client does not have would be a trap.
        if !command.is_empty() && !can(command) {
            continue;
        }
        let arguments = (!arguments.is_empty()).then_some(arguments);
        let command = Command { title: lens.title.clone(), command: command.to_owned(), arguments };
        found.push(CodeLens { range, command: Some(command), data: None });
    }
    Ok(Some(found))
}

pub fn resolve_lens(_: &Context, lens: CodeLens) -> Answer<CodeLens> {
    Ok(lens)
}
