//! Requests of our own, named `tempo/…`.

use lsp_types::request::Request;
use lsp_types::{ExecuteCommandParams, Range, TextDocumentIdentifier, TextDocumentPositionParams, Uri};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tempo_diagnostics::Source as Text;
use tempo_editor::{TestItem, TestItemKind};

use crate::context::{Answer, Context, Failure, place};

/// The URI of the built-in source.
pub const SYSTEM_SOURCE: &str = "tempo-builtin:/system.asm";

/// The text of the built-in source or of the page about errors, for clients that open `tempo-builtin:` URIs.
pub enum Source {}

#[derive(Debug, Serialize, Deserialize)]
pub struct SourceParams {
    uri: Uri,
}

impl Request for Source {
    type Params = SourceParams;
    type Result = Option<String>;
    const METHOD: &'static str = "tempo/source";
}

pub fn source(_: &Context, params: SourceParams) -> Answer<Option<String>> {
    let path =
        params.uri.as_str().strip_prefix("tempo-builtin:/").map(|path| path.split('#').next().unwrap_or(""));
    Ok(match path {
        Some("system.asm") => Some(tempo_assembler::SYSTEM_SOURCE.to_owned()),
        Some("errors.md") => Some(include_str!("../../../../../docs/errors.md").to_owned()),
        _ => None,
    })
}

/// The tests of a suite, for a test explorer.
pub enum Tests {}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TestsItem {
    id: String,
    label: String,
    kind: String,
    range: Range,
    selection_range: Range,
    children: Vec<TestsItem>,
}

impl Request for Tests {
    type Params = SourceParams;
    type Result = Vec<TestsItem>;
    const METHOD: &'static str = "tempo/tests";
}

pub fn tests(context: &Context, params: SourceParams) -> Answer<Vec<TestsItem>> {
    let path = context.path(&params.uri)?;
    let Some(source) = context.source(&path) else { return Ok(Vec::new()) };
    Ok(tempo_editor::tests(&context.snapshot, &path)
        .iter()
        .map(|item| test(context, &source, item))
        .collect())
}

fn test(context: &Context, source: &Text, item: &TestItem) -> TestsItem {
    TestsItem {
        id: item.id.clone(),
        label: item.label.clone(),
        kind: match item.kind {
            TestItemKind::Suite => "suite",
            TestItemKind::Test => "test",
            TestItemKind::Bench => "bench",
            TestItemKind::Row => "row",
        }
        .to_owned(),
        range: context.range(source, item.span),
        selection_range: context.range(source, item.name_span),
        children: item.children.iter().map(|child| test(context, source, child)).collect(),
    }
}

macro_rules! request {
    ($(#[$about:meta])* $name:ident $method:literal $params:ty => $result:ty) => {
        $(#[$about])*
        pub enum $name {}

        impl Request for $name {
            type Params = $params;
            type Result = $result;
            const METHOD: &'static str = $method;
        }
    };
}

request! {
    /// The text of the expansion of the macro call at a place.
    Expand "tempo/expand" TextDocumentPositionParams => Option<String>
}
request! {
    /// Bytes and cycles of a selection.
    Cycles "tempo/cycles" RangeParams => Option<CyclesResult>
}
request! {
    /// The program of a file as a listing.
    Listing "tempo/listing" DocumentParams => Option<String>
}
request! {
    /// The blocks of memory of the program of a file.
    MemoryMap "tempo/memoryMap" DocumentParams => Vec<Block>
}

request! {
    /// The sources whose programs a file is part of.
    Roots "tempo/roots" DocumentParams => Vec<Uri>
}

/// The client's results of running tests; the lenses show them.
pub enum Tested {}

#[derive(Debug, Serialize, Deserialize)]
pub struct TestedParams {
    pub uri: Uri,
    pub tests: Vec<TestedItem>,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct TestedItem {
    pub id: String,
    pub cycles: u64,
}

impl lsp_types::notification::Notification for Tested {
    type Params = TestedParams;
    const METHOD: &'static str = "tempo/tested";
}

/// Applies a code action, for clients that know commands only. What it answers is sent to the client as an edit.
pub const APPLY: &str = "tempo.server.apply";

/// Our requests for clients that can only run commands; the one argument is what the request takes.
pub const COMMANDS: [&str; 5] =
    ["tempo.server.expand", "tempo.server.cycles", "tempo.server.listing", "tempo.server.memoryMap", APPLY];

pub fn execute(context: &Context, params: ExecuteCommandParams) -> Answer<Value> {
    fn run<P: DeserializeOwned, R: Serialize>(
        context: &Context,
        argument: Value,
        handler: fn(&Context, P) -> Answer<R>,
    ) -> Answer<Value> {
        let wrong = |error: serde_json::Error| Failure::Parameters(error.to_string());
        let answer = handler(context, serde_json::from_value(argument).map_err(wrong)?)?;
        serde_json::to_value(answer).map_err(wrong)
    }
    let argument = params.arguments.into_iter().next().unwrap_or_default();
    match &params.command[..] {
        "tempo.server.expand" => run(context, argument, expand),
        "tempo.server.cycles" => run(context, argument, cycles),
        "tempo.server.listing" => run(context, argument, listing),
        "tempo.server.memoryMap" => run(context, argument, memory_map),
        APPLY => run(context, argument, super::edits::apply_action),
        other => Err(Failure::Parameters(format!("tempo lsp has no command {other}"))),
    }
}

pub fn roots(context: &Context, params: DocumentParams) -> Answer<Vec<Uri>> {
    let path = context.path(&params.text_document.uri)?;
    Ok(context.snapshot.roots_of(&path).filter_map(|root| context.uri(root.path())).collect())
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DocumentParams {
    text_document: TextDocumentIdentifier,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RangeParams {
    text_document: TextDocumentIdentifier,
    range: Range,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct CyclesResult {
    min: u64,
    max: u64,
    bytes: u64,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Block {
    segment: String,
    name: String,
    start: i64,
    end: i64,
    is_virtual: bool,
}

pub fn expand(context: &Context, params: TextDocumentPositionParams) -> Answer<Option<String>> {
    let at = context.at(&params)?;
    Ok(tempo_editor::expansion(&context.snapshot, place(&at)))
}

pub fn cycles(context: &Context, params: RangeParams) -> Answer<Option<CyclesResult>> {
    let path = context.path(&params.text_document.uri)?;
    let span = context.span(&path, params.range);
    let sum = tempo_editor::cycles_of(&context.snapshot, &path, span);
    Ok(sum.map(|sum| CyclesResult { min: sum.cycles.min, max: sum.cycles.max, bytes: sum.bytes }))
}

pub fn listing(context: &Context, params: DocumentParams) -> Answer<Option<String>> {
    let path = context.path(&params.text_document.uri)?;
    Ok(tempo_editor::listing(&context.snapshot, &path))
}

pub fn memory_map(context: &Context, params: DocumentParams) -> Answer<Vec<Block>> {
    let path = context.path(&params.text_document.uri)?;
    let block = |block: tempo_editor::MemoryBlock| Block {
        segment: block.segment,
        name: block.name,
        start: block.start,
        end: block.end,
        is_virtual: block.is_virtual,
    };
    Ok(tempo_editor::memory_map(&context.snapshot, &path).into_iter().map(block).collect())
}
