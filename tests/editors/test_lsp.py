"""Clients with the capabilities of several editors, old ones included, against `tempo lsp`."""

import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

PROJECT = pathlib.Path(os.environ["PROJECT"])
MAIN = (PROJECT / "main.asm").as_uri()
TEXT = (PROJECT / "main.asm").read_text(encoding="utf-8")


@pytest_lsp.fixture(
    params=["neovim@v0.6.1", "neovim@v0.9.1", "visual_studio_code@v1.65.2", "emacs@v29.1", None],
    config=ClientServerConfig(server_command=[os.environ["TEMPO"], "lsp"]),
)
async def client(request, lsp_client: LanguageClient):
    # What a server may ask of a client beside the configuration.
    for method in [
        types.CLIENT_REGISTER_CAPABILITY,
        types.WINDOW_WORK_DONE_PROGRESS_CREATE,
        types.WORKSPACE_CODE_LENS_REFRESH,
        types.WORKSPACE_DIAGNOSTIC_REFRESH,
        types.WORKSPACE_INLAY_HINT_REFRESH,
        types.WORKSPACE_SEMANTIC_TOKENS_REFRESH,
    ]:
        if method not in lsp_client.protocol.fm.features:
            lsp_client.feature(method)(lambda *_: None)
    known = client_capabilities(request.param) if request.param else types.ClientCapabilities()
    lsp_client.capabilities_given = known
    lsp_client.answer = await lsp_client.initialize_session(
        types.InitializeParams(capabilities=known, root_uri=PROJECT.as_uri())
    )
    yield
    await lsp_client.shutdown_session()


def open_document(client, text):
    item = types.TextDocumentItem(uri=MAIN, language_id="kickassembler", version=1, text=text)
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))


async def diagnostics(client):
    """Pushed or pulled, as the client can."""
    known = client.capabilities_given.text_document
    if known and getattr(known, "diagnostic", None):
        params = types.DocumentDiagnosticParams(text_document=types.TextDocumentIdentifier(uri=MAIN))
        report = await client.text_document_diagnostic_async(params)
        return report.items
    for _ in range(20):
        await client.wait_for_notification("textDocument/publishDiagnostics")
        if MAIN in client.diagnostics:
            return client.diagnostics[MAIN]
    return []


@pytest.mark.asyncio
async def test_the_encoding_is_agreed_on(client):
    general = client.capabilities_given.general
    offered = (general and general.position_encodings) or ["utf-16"]
    chosen = client.answer.capabilities.position_encoding or "utf-16"
    assert chosen in offered


@pytest.mark.asyncio
async def test_an_error_has_its_code_and_place(client):
    broken = TEXT.replace("jsr Border", "jsr Bordr")
    open_document(client, broken)
    errors = [found for found in await diagnostics(client) if found.severity == types.DiagnosticSeverity.Error]
    assert [found.code for found in errors] == ["E0301"]
    line = broken.splitlines()[6]
    before = line[: line.index("Bordr")]
    encoding = client.answer.capabilities.position_encoding or "utf-16"
    width = {"utf-8": len(before.encode()), "utf-16": len(before.encode("utf-16-le")) // 2, "utf-32": len(before)}
    assert errors[0].range.start == types.Position(line=6, character=width[encoding])
    known = client.capabilities_given.text_document
    publish = known and known.publish_diagnostics
    if not (publish and publish.related_information) and not (known and known.diagnostic):
        assert not errors[0].related_information


@pytest.mark.asyncio
async def test_hover_is_in_a_form_the_client_knows(client):
    open_document(client, TEXT)
    params = types.HoverParams(
        text_document=types.TextDocumentIdentifier(uri=MAIN), position=types.Position(line=4, character=9)
    )
    hover = await client.text_document_hover_async(params)
    known = client.capabilities_given.text_document
    formats = known and known.hover and known.hover.content_format
    assert isinstance(hover.contents, types.MarkupContent)
    assert hover.contents.kind == (types.MarkupKind.Markdown if formats and "markdown" in formats else types.MarkupKind.PlainText)
    assert "cycles" in hover.contents.value


@pytest.mark.asyncio
async def test_symbols_are_flat_for_flat_clients(client):
    open_document(client, TEXT)
    params = types.DocumentSymbolParams(text_document=types.TextDocumentIdentifier(uri=MAIN))
    symbols = await client.text_document_document_symbol_async(params)
    known = client.capabilities_given.text_document
    tree = known and known.document_symbol and known.document_symbol.hierarchical_document_symbol_support
    kind = types.DocumentSymbol if tree else types.SymbolInformation
    assert symbols and all(isinstance(symbol, kind) for symbol in symbols)
    assert {"start", "loop"} <= {symbol.name for symbol in symbols}


@pytest.mark.asyncio
async def test_positions_beyond_the_text_are_harmless(client):
    open_document(client, TEXT)
    for line, character in [(0, 10_000), (10_000, 0), (7, 2_000_000_000)]:
        params = types.HoverParams(
            text_document=types.TextDocumentIdentifier(uri=MAIN),
            position=types.Position(line=line, character=character),
        )
        await client.text_document_hover_async(params)


@pytest.mark.asyncio
async def test_a_rename_is_one_edit_in_the_form_the_client_knows(client):
    open_document(client, TEXT)
    params = types.RenameParams(
        text_document=types.TextDocumentIdentifier(uri=MAIN),
        position=types.Position(line=4, character=1),
        new_name="again",
    )
    edit = await client.text_document_rename_async(params)
    workspace = client.capabilities_given.workspace
    known = workspace and workspace.workspace_edit and workspace.workspace_edit.document_changes
    changes = [change.edits for change in edit.document_changes] if known else list(edit.changes.values())
    assert [len(edits) for edits in changes] == [2]
