//! Information about a word: hovers and colours.

use lsp_types::{
    Color, ColorInformation, ColorPresentation, ColorPresentationParams, DocumentColorParams, Hover,
    HoverContents, HoverParams, MarkupContent, MarkupKind, TextEdit,
};

use crate::context::{Answer, Context, place};

/// A text in Markdown, or without its marks for a client that does not say it can show them.
pub fn markup(text: &str, formats: &[MarkupKind]) -> MarkupContent {
    if formats.contains(&MarkupKind::Markdown) {
        return MarkupContent { kind: MarkupKind::Markdown, value: text.to_owned() };
    }
    let lines = text.lines().filter(|line| !line.starts_with("```") && !line.starts_with("|---"));
    let plain: Vec<String> = lines.map(|line| line.replace(['`', '*'], "").trim_end().to_owned()).collect();
    MarkupContent { kind: MarkupKind::PlainText, value: plain.join("\n") }
}

pub fn hover(context: &Context, params: HoverParams) -> Answer<Option<Hover>> {
    let at = context.at(&params.text_document_position_params)?;
    let Some(found) = tempo_editor::hover(&context.snapshot, place(&at)) else { return Ok(None) };
    let document = context.client.capabilities.text_document.as_ref();
    let hover = document.and_then(|document| document.hover.as_ref());
    let formats = hover.and_then(|hover| hover.content_format.clone()).unwrap_or_default();
    Ok(Some(Hover {
        contents: HoverContents::Markup(markup(&found.text, &formats)),
        range: context.location(&found.place).map(|location| location.range),
    }))
}

pub fn colours(context: &Context, params: DocumentColorParams) -> Answer<Vec<ColorInformation>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(Vec::new()) };
    let colour = |colour: &tempo_editor::Colour| {
        let (red, green, blue) = tempo_editor::PALETTE[usize::from(colour.index)];
        let part = |part: u8| f32::from(part) / 255.0;
        let color = Color { red: part(red), green: part(green), blue: part(blue), alpha: 1.0 };
        ColorInformation { range: context.range(&source, colour.span), color }
    };
    Ok(tempo_editor::colours(&context.snapshot, &path).iter().map(colour).collect())
}

pub fn colour_names(_: &Context, params: ColorPresentationParams) -> Answer<Vec<ColorPresentation>> {
    let Color { red, green, blue, .. } = params.color;
    let name = tempo_editor::nearest_colour(red, green, blue);
    let edit = TextEdit { range: params.range, new_text: name.to_owned() };
    Ok(vec![ColorPresentation { label: name.to_owned(), text_edit: Some(edit), additional_text_edits: None }])
}
