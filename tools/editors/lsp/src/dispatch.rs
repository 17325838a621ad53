//! From the name of a request to the function that answers it, and what the server says it can do.

use lsp_server::Request;
use lsp_types::request as lsp;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::context::{Answer, Client, Context, Failure};
use crate::requests::{
    calls, completion, custom, decorations, diagnostic, edits, language, navigation, symbols,
};

pub const INVALID_REQUEST: i32 = -32600;
pub const METHOD_NOT_FOUND: i32 = -32601;
pub const INVALID_PARAMS: i32 = -32602;
pub const INTERNAL: i32 = -32603;
pub const CANCELLED: i32 = -32800;
pub const MODIFIED: i32 = -32801;
pub const INTERRUPTED: i32 = -32802;
pub const REFUSED: i32 = -32803;

/// An error answer.
#[derive(Debug)]
pub struct Error {
    pub code: i32,
    pub message: String,
}

impl Error {
    pub fn internal(message: String) -> Error {
        Error { code: INTERNAL, message }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        let (code, message) = match failure {
            Failure::Parameters(message) => (INVALID_PARAMS, message),
            Failure::Refused(message) => (REFUSED, message),
            Failure::Modified => (MODIFIED, "the text has changed".to_owned()),
            Failure::Interrupted => (INTERRUPTED, "something has changed; ask again".to_owned()),
        };
        Error { code, message }
    }
}

fn run<P: DeserializeOwned, R: Serialize>(
    context: &Context,
    params: Value,
    handler: fn(&Context, P) -> Answer<R>,
) -> Result<Value, Error> {
    let params = serde_json::from_value(params)
        .map_err(|error| Error { code: INVALID_PARAMS, message: error.to_string() })?;
    let answer = handler(context, params)?;
    serde_json::to_value(answer).map_err(|error| Error::internal(error.to_string()))
}

/// Answers a request.
pub fn answer(context: &Context, request: Request) -> Result<Value, Error> {
    // No request is known to do this, so that the tests have one of their own.
    #[cfg(test)]
    assert!(request.method != "tempo/panic", "a panic for a test");
    macro_rules! table {
        ($($kind:ty => $handler:path,)*) => {
            match &request.method[..] {
                $(<$kind as lsp::Request>::METHOD => run(context, request.params, $handler),)*
                method => {
                    let message = format!("tempo lsp has no method {method}");
                    Err(Error { code: METHOD_NOT_FOUND, message })
                }
            }
        };
    }
    table! {
        lsp::DocumentDiagnosticRequest => diagnostic::of_document,
        lsp::WorkspaceDiagnosticRequest => diagnostic::of_workspace,
        lsp::GotoDefinition => navigation::definition,
        lsp::GotoDeclaration => navigation::declaration,
        lsp::References => navigation::references,
        lsp::DocumentHighlightRequest => navigation::highlight,
        lsp::DocumentSymbolRequest => symbols::document,
        lsp::WorkspaceSymbolRequest => symbols::workspace,
        lsp::FoldingRangeRequest => symbols::folding,
        lsp::SelectionRangeRequest => symbols::selection,
        lsp::DocumentLinkRequest => symbols::links,
        lsp::HoverRequest => language::hover,
        lsp::DocumentColor => language::colours,
        lsp::ColorPresentationRequest => language::colour_names,
        custom::Source => custom::source,
        custom::Tests => custom::tests,
        custom::Expand => custom::expand,
        custom::Cycles => custom::cycles,
        custom::Listing => custom::listing,
        custom::MemoryMap => custom::memory_map,
        custom::Roots => custom::roots,
        lsp::ExecuteCommand => custom::execute,
        lsp::Completion => completion::completion,
        lsp::ResolveCompletionItem => completion::resolve,
        lsp::SignatureHelpRequest => completion::signature,
        lsp::PrepareRenameRequest => edits::prepare_rename,
        lsp::Rename => edits::rename,
        lsp::WillRenameFiles => edits::rename_files,
        lsp::CodeActionRequest => edits::actions,
        lsp::CodeActionResolveRequest => edits::resolve_action,
        lsp::Formatting => edits::format,
        lsp::RangeFormatting => edits::format_range,
        lsp::OnTypeFormatting => edits::format_typed,
        lsp::InlayHintRequest => decorations::hints,
        lsp::InlayHintResolveRequest => decorations::resolve_hint,
        lsp::SemanticTokensFullRequest => decorations::tokens,
        lsp::SemanticTokensFullDeltaRequest => decorations::tokens_delta,
        lsp::SemanticTokensRangeRequest => decorations::tokens_of_range,
        lsp::CodeLensRequest => decorations::lenses,
        lsp::CodeLensResolve => decorations::resolve_lens,
        lsp::CallHierarchyPrepare => calls::prepare,
        lsp::CallHierarchyIncomingCalls => calls::incoming,
        lsp::CallHierarchyOutgoingCalls => calls::outgoing,
    }
}

/// The answer to `initialize`.
pub fn capabilities(client: &Client) -> Value {
    let encoding = match client.columns {
        tempo_diagnostics::Columns::Bytes => "utf-8",
        // The lines of Kick Assembler are never agreed on.
        tempo_diagnostics::Columns::Utf16 | tempo_diagnostics::Columns::Kick => "utf-16",
        tempo_diagnostics::Columns::Characters => "utf-32",
    };
    let document = client.capabilities.text_document.as_ref();
    let can_prepare =
        document.and_then(|document| document.rename.as_ref()).and_then(|rename| rename.prepare_support);
    let rename = if can_prepare == Some(true) { json!({"prepareProvider": true}) } else { json!(true) };
    json!({
        "capabilities": {
            "positionEncoding": encoding,
            "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
            "diagnosticProvider": {
                "identifier": "tempo", "interFileDependencies": true, "workspaceDiagnostics": true,
            },
            "definitionProvider": true,
            "declarationProvider": true,
            "referencesProvider": true,
            "documentHighlightProvider": true,
            "hoverProvider": true,
            "colorProvider": true,
            "documentSymbolProvider": true,
            "workspaceSymbolProvider": {"resolveProvider": false},
            "foldingRangeProvider": true,
            "selectionRangeProvider": true,
            "documentLinkProvider": {"resolveProvider": false},
            "completionProvider": {
                "triggerCharacters": [".", "#", ":", "!", "<", ">", "\"", "/", "$"],
                "resolveProvider": true,
                "completionItem": {"labelDetailsSupport": true},
            },
            "signatureHelpProvider": {"triggerCharacters": ["(", ",", ":"], "retriggerCharacters": [","]},
            "renameProvider": rename,
            "codeActionProvider": {
                "codeActionKinds":
                    ["quickfix", "refactor.extract", "refactor.inline", "refactor.rewrite", "source.fixAll.tempo"],
                "resolveProvider": true,
            },
            "documentFormattingProvider": true,
            "documentRangeFormattingProvider": true,
            "documentOnTypeFormattingProvider": {"firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"]},
            "codeLensProvider": {"resolveProvider": true},
            "callHierarchyProvider": true,
            "executeCommandProvider": {"commands": custom::COMMANDS},
            "inlayHintProvider": {"resolveProvider": true},
            "semanticTokensProvider": {
                "legend": {"tokenTypes": decorations::token_types(client), "tokenModifiers": tempo_editor::MODIFIERS},
                "range": true,
                "full": {"delta": true},
            },
            "workspace": {
                "workspaceFolders": {"supported": true, "changeNotifications": true},
                "fileOperations": {"willRename": {"filters": [
                    {"scheme": "file", "pattern": {"glob": "**/*"}},
                ]}},
            },
        },
        "serverInfo": {"name": "tempo", "version": env!("CARGO_PKG_VERSION")},
    })
}
