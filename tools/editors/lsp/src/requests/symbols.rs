//! Outlines, symbols of the workspace, folding, selection, links.

use lsp_types::{
    DocumentLink, DocumentLinkParams, DocumentSymbol, DocumentSymbolParams, DocumentSymbolResponse,
    FoldingRange, FoldingRangeKind, FoldingRangeParams, SelectionRange, SelectionRangeParams,
    SymbolInformation, SymbolKind, SymbolKindCapability, Uri, WorkspaceSymbolParams,
};
use tempo_editor::{FoldKind, OutlineItem, OutlineKind};

use crate::context::{Answer, Context};

/// Programs that are read for a question about the whole workspace.
const MAX_PROGRAMS: usize = 300;

/// The kind of a symbol, or one that resembles it for a client that does not know it. A client that does not say which
/// kinds it knows has those of the first protocol.
pub fn kind(kind: OutlineKind, client: Option<&SymbolKindCapability>) -> SymbolKind {
    let kind = usual_kind(kind);
    let older = match kind {
        SymbolKind::KEY | SymbolKind::ENUM_MEMBER => SymbolKind::CONSTANT,
        SymbolKind::STRUCT => SymbolKind::CLASS,
        SymbolKind::OBJECT => SymbolKind::MODULE,
        _ => return kind,
    };
    let known = client.and_then(|client| client.value_set.as_ref());
    if known.is_some_and(|known| known.contains(&kind)) { kind } else { older }
}

/// The kinds that the client shows in outlines.
pub fn outline_kinds(context: &Context) -> Option<&SymbolKindCapability> {
    let document = context.client.capabilities.text_document.as_ref()?;
    document.document_symbol.as_ref()?.symbol_kind.as_ref()
}

fn usual_kind(kind: OutlineKind) -> SymbolKind {
    match kind {
        OutlineKind::Namespace => SymbolKind::NAMESPACE,
        OutlineKind::Routine | OutlineKind::Macro | OutlineKind::PseudoCommand | OutlineKind::Function => {
            SymbolKind::FUNCTION
        }
        OutlineKind::Label => SymbolKind::KEY,
        OutlineKind::Constant => SymbolKind::CONSTANT,
        OutlineKind::Variable => SymbolKind::VARIABLE,
        OutlineKind::Struct => SymbolKind::STRUCT,
        OutlineKind::EnumMember => SymbolKind::ENUM_MEMBER,
        OutlineKind::Suite | OutlineKind::Segment => SymbolKind::MODULE,
        OutlineKind::Block => SymbolKind::OBJECT,
        OutlineKind::Test => SymbolKind::METHOD,
    }
}

pub fn document(context: &Context, params: DocumentSymbolParams) -> Answer<Option<DocumentSymbolResponse>> {
    let path = context.path(&params.text_document.uri)?;
    let items = tempo_editor::outline(&context.snapshot, &path);
    let Some(source) = context.source(&path) else { return Ok(None) };
    let document = context.client.capabilities.text_document.as_ref();
    let symbols = document.and_then(|document| document.document_symbol.as_ref());
    if symbols.and_then(|symbols| symbols.hierarchical_document_symbol_support) == Some(true) {
        let nested = items.iter().map(|item| nested(context, &source, item)).collect();
        return Ok(Some(DocumentSymbolResponse::Nested(nested)));
    }
    let mut flat = Vec::new();
    for item in &items {
        flatten(context, &source, &params.text_document.uri, item, None, &mut flat);
    }
    Ok(Some(DocumentSymbolResponse::Flat(flat)))
}

#[allow(deprecated)] // a field of the type
fn nested(context: &Context, source: &tempo_diagnostics::Source, item: &OutlineItem) -> DocumentSymbol {
    let children: Vec<_> = item.children.iter().map(|child| nested(context, source, child)).collect();
    DocumentSymbol {
        name: item.name.clone(),
        detail: (!item.detail.is_empty()).then(|| item.detail.clone()),
        kind: kind(item.kind, outline_kinds(context)),
        tags: None,
        deprecated: None,
        range: context.range(source, item.span),
        selection_range: context.range(source, item.name_span),
        children: (!children.is_empty()).then_some(children),
    }
}

#[allow(deprecated)] // a field of the type
fn flatten(
    context: &Context,
    source: &tempo_diagnostics::Source,
    uri: &Uri,
    item: &OutlineItem,
    container: Option<&str>,
    out: &mut Vec<SymbolInformation>,
) {
    out.push(SymbolInformation {
        name: item.name.clone(),
        kind: kind(item.kind, outline_kinds(context)),
        tags: None,
        deprecated: None,
        location: lsp_types::Location { uri: uri.clone(), range: context.range(source, item.span) },
        container_name: container.map(str::to_owned),
    });
    for child in &item.children {
        flatten(context, source, uri, child, Some(&item.name), out);
    }
}

#[allow(deprecated)] // a field of the type
pub fn workspace(context: &Context, params: WorkspaceSymbolParams) -> Answer<Option<Vec<SymbolInformation>>> {
    let found =
        tempo_editor::find_symbols(&context.programs_with(&params.query, MAX_PROGRAMS), &params.query);
    let workspace = context.client.capabilities.workspace.as_ref();
    let kinds = workspace.and_then(|client| client.symbol.as_ref()?.symbol_kind.as_ref());
    let symbol = |symbol: &tempo_editor::FoundSymbol| {
        let (container, name) = match symbol.path.rsplit_once('.') {
            Some((container, name)) => (Some(container.to_owned()), name),
            None => (None, &symbol.path[..]),
        };
        Some(SymbolInformation {
            name: name.to_owned(),
            kind: kind(symbol.kind, kinds),
            tags: None,
            deprecated: None,
            location: context.location(&symbol.place)?,
            container_name: container,
        })
    };
    Ok(Some(found.iter().filter_map(symbol).collect()))
}

pub fn folding(context: &Context, params: FoldingRangeParams) -> Answer<Option<Vec<FoldingRange>>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(None) };
    let fold = |fold: &tempo_editor::Fold| {
        let range = context.range(&source, fold.span);
        // The line of a closing brace stays visible.
        let is_body = fold.kind == FoldKind::Region && source.text()[..fold.span.end as usize].ends_with('}');
        let end_line = range.end.line - u32::from(is_body && range.end.line > range.start.line);
        (end_line > range.start.line).then_some(FoldingRange {
            start_line: range.start.line,
            start_character: None,
            end_line,
            end_character: None,
            kind: Some(match fold.kind {
                FoldKind::Region => FoldingRangeKind::Region,
                FoldKind::Comment => FoldingRangeKind::Comment,
                FoldKind::Imports => FoldingRangeKind::Imports,
            }),
            collapsed_text: None,
        })
    };
    let document = context.client.capabilities.text_document.as_ref();
    let folding = document.and_then(|document| document.folding_range.as_ref());
    let most = folding.and_then(|folding| folding.range_limit).unwrap_or(u32::MAX) as usize;
    Ok(Some(tempo_editor::folds(&context.snapshot, &path).iter().filter_map(fold).take(most).collect()))
}

pub fn selection(context: &Context, params: SelectionRangeParams) -> Answer<Option<Vec<SelectionRange>>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(None) };
    let chain = |&position: &lsp_types::Position| {
        let offset = context.offset(&path, position);
        let spans = tempo_editor::selection(&context.snapshot, tempo_editor::Place { file: &path, offset });
        let outermost = spans.into_iter().rev().fold(None, |parent: Option<SelectionRange>, span| {
            Some(SelectionRange { range: context.range(&source, span), parent: parent.map(Box::new) })
        });
        let nothing =
            SelectionRange { range: lsp_types::Range { start: position, end: position }, parent: None };
        outermost.unwrap_or(nothing)
    };
    Ok(Some(params.positions.iter().map(chain).collect()))
}

pub fn links(context: &Context, params: DocumentLinkParams) -> Answer<Option<Vec<DocumentLink>>> {
    let path = context.path(&params.text_document.uri)?;
    let Some(source) = context.source(&path) else { return Ok(None) };
    let document = context.client.capabilities.text_document.as_ref();
    let links = document.and_then(|document| document.document_link.as_ref());
    let has_tooltips = links.and_then(|links| links.tooltip_support) == Some(true);
    let link = |link: &tempo_editor::Link| DocumentLink {
        range: context.range(&source, link.span),
        target: context.uri(&link.target),
        tooltip: has_tooltips.then(|| format!("{} bytes", link.size)),
        data: None,
    };
    Ok(Some(tempo_editor::links(&context.snapshot, &path).iter().map(link).collect()))
}
