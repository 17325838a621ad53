//! Definitions, references, highlights.

use editor::FileSpan;
use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    GotoDefinitionResponse, Location, LocationLink, ReferenceParams,
};

use crate::lsp::context::{Answer, Context, place};

pub fn definition(context: &Context, params: GotoDefinitionParams) -> Answer<Option<GotoDefinitionResponse>> {
    let at = context.at(&params.text_document_position_params)?;
    let places = editor::definition(&context.snapshot, place(&at));
    if places.is_empty() {
        return Ok(None);
    }
    let document = context.client.capabilities.text_document.as_ref();
    let definition = document.and_then(|document| document.definition);
    if definition.and_then(|definition| definition.link_support) == Some(true) {
        let origin = editor::word_at(&context.snapshot, place(&at));
        let origin = origin.and_then(|origin| context.location(&origin)).map(|origin| origin.range);
        let link = |place: &FileSpan| {
            let Location { uri, range } = context.location(place)?;
            Some(LocationLink {
                origin_selection_range: origin,
                target_uri: uri,
                target_range: range,
                target_selection_range: range,
            })
        };
        return Ok(Some(GotoDefinitionResponse::Link(places.iter().filter_map(link).collect())));
    }
    let locations = places.iter().filter_map(|place| context.location(place));
    Ok(Some(GotoDefinitionResponse::Array(locations.collect())))
}

pub fn references(context: &Context, params: ReferenceParams) -> Answer<Option<Vec<Location>>> {
    let at = context.at(&params.text_document_position)?;
    let snapshot = context.all_importers(place(&at));
    let found = editor::references(&snapshot, place(&at), params.context.include_declaration);
    Ok(Some(found.iter().filter_map(|place| context.location(place)).collect()))
}

pub fn highlight(
    context: &Context,
    params: DocumentHighlightParams,
) -> Answer<Option<Vec<DocumentHighlight>>> {
    let at = context.at(&params.text_document_position_params)?;
    let found = editor::highlights(&context.snapshot, place(&at));
    let highlight = |highlight: &editor::Highlight| {
        let range = context.location(&highlight.place)?.range;
        let kind =
            if highlight.is_write { DocumentHighlightKind::WRITE } else { DocumentHighlightKind::READ };
        Some(DocumentHighlight { range, kind: Some(kind) })
    };
    Ok(Some(found.iter().filter_map(highlight).collect()))
}
