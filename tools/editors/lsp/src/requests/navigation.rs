//! Definitions, references, highlights.

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, LocationLink, ReferenceParams,
};

use super::custom::SYSTEM_SOURCE;
use crate::context::{Answer, Context, place};

pub fn definition(context: &Context, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    let document = context.client.capabilities.text_document.as_ref();
    let definition = document.and_then(|document| document.definition);
    places(context, params, definition.and_then(|definition| definition.link_support))
}

pub fn declaration(
    context: &Context,
    params: GotoDefinitionParams,
) -> Answer<Option<GotoDefinitionResponse>> {
    let document = context.client.capabilities.text_document.as_ref();
    let declaration = document.and_then(|document| document.declaration);
    places(context, params, declaration.and_then(|declaration| declaration.link_support))
}

/// Where the name at a place is declared, as links or as places.
fn places(
    context: &Context,
    params: GotoDefinitionParams,
    has_links: Option<bool>,
) -> Answer<Option<GotoDefinitionResponse>> {
    let at = context.at(&params.text_document_position_params)?;
    let places = tempo_editor::definition(&context.snapshot, place(&at));
    let mut locations: Vec<Location> = places.iter().filter_map(|place| context.location(place)).collect();
    if locations.is_empty() {
        locations.extend(built_in(context, place(&at)));
    }
    if locations.is_empty() {
        return Ok(None);
    }
    if has_links == Some(true) {
        let origin = tempo_editor::word_at(&context.snapshot, place(&at));
        let origin = origin.and_then(|origin| context.location(&origin)).map(|origin| origin.range);
        let link = |Location { uri, range }: Location| LocationLink {
            origin_selection_range: origin,
            target_uri: uri,
            target_range: range,
            target_selection_range: range,
        };
        return Ok(Some(GotoDefinitionResponse::Link(locations.into_iter().map(link).collect())));
    }
    Ok(Some(GotoDefinitionResponse::Array(locations)))
}

/// The place of a built-in name, for a client that says it can show the text; see `tempo/source`.
fn built_in(context: &Context, place: tempo_editor::Place<'_>) -> Option<Location> {
    let span =
        tempo_editor::built_in_definition(&context.snapshot, place).filter(|_| context.settings.built_in)?;
    let source = tempo_diagnostics::Source::new(SYSTEM_SOURCE, tempo_assembler::SYSTEM_SOURCE);
    Some(Location { uri: SYSTEM_SOURCE.parse().ok()?, range: context.range(&source, span) })
}

pub fn references(context: &Context, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let at = context.at(&params.text_document_position)?;
    let snapshot = context.all_importers(place(&at));
    let found = tempo_editor::references(&snapshot, place(&at), params.context.include_declaration);
    Ok(Some(found.iter().filter_map(|place| context.location(place)).collect()))
}

pub fn highlight(
    context: &Context,
    params: DocumentHighlightParams,
) -> Answer<Option<Vec<DocumentHighlight>>> {
    let at = context.at(&params.text_document_position_params)?;
    let found = tempo_editor::highlights(&context.snapshot, place(&at));
    let highlight = |highlight: &tempo_editor::Highlight| {
        let range = context.location(&highlight.place)?.range;
        let kind =
            if highlight.is_write { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
        Some(DocumentHighlight { range, kind: Some(kind) })
    };
    Ok(Some(found.iter().filter_map(highlight).collect()))
}
