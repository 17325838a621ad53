#!/usr/bin/env python3
"""What `tempo lsp` does with bad and large input; run by hand, `TEMPO=target/release/tempo tests/editors/stress.py`.

Each check is a session of its own: a text of 50 MB, a workspace of 10,000 files, broken headers and bodies, a
Content-Length beyond all memory, stale versions, positions beyond the text, a root that never ends, 10,000 edits.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

TEMPO = os.path.realpath(os.environ.get("TEMPO", "target/release/tempo"))


class Client:
    def __init__(self, folder, options=None, capabilities=None, start=True):
        self.process = subprocess.Popen([TEMPO, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.next = 0
        self.problems = {}
        self.messages = []
        if start:
            self.ask("initialize", {"processId": os.getpid(), "rootUri": pathlib.Path(folder).as_uri(),
                                    "capabilities": capabilities or {},
                                    "initializationOptions": options or {"diagnostics": {"delayMs": 0}}})
            self.tell("initialized", {})

    def raw(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def read(self):
        length = None
        while (line := self.process.stdout.readline().strip()):
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        if length is None:
            raise EOFError(self.process.stderr.read().decode()[-300:])
        message = json.loads(self.process.stdout.read(length))
        if message.get("method") == "textDocument/publishDiagnostics":
            self.problems[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self.send({"id": message["id"], "result": None})
        self.messages.append(message.get("method", message.get("id")))
        return message

    def request(self, method, params):
        self.next += 1
        self.send({"id": self.next, "method": method, "params": params})
        return self.next

    def answer(self, number):
        while True:
            message = self.read()
            if message.get("id") == number and "method" not in message:
                return message

    def ask(self, method, params):
        return self.answer(self.request(method, params))

    def open(self, uri, text, version=1):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "kickassembler",
                                                            "version": version, "text": text}})

    def change(self, uri, version, changes):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": changes})

    def wait(self, uri):
        self.problems.pop(uri, None)
        while uri not in self.problems:
            self.read()
        return self.problems[uri]

    def megabytes(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) // 1024

    def stop(self):
        assert self.ask("shutdown", None)["result"] is None
        self.tell("exit", None)
        assert self.process.wait(60) == 0, self.process.returncode


def at(uri, line, character):
    return {"textDocument": {"uri": uri}, "position": {"line": line, "character": character}}


def large_text(folder):
    uri = (folder / "main.asm").as_uri()
    text = "*=$1000\n" + "        lda #1 // a line of a text that somebody generated, long and dull\n" * 700_000
    client = Client(folder)
    start = time.time()
    client.open(uri, text)
    problems = client.wait(uri)
    shown = f"{len(text) >> 20} MB: {len(problems)} problems after {time.time() - start:.1f} s, {client.megabytes()} MB"
    client.ask("textDocument/hover", at(uri, 5, 10))
    client.change(uri, 2, [{"text": "start: rts\n"}])
    hover = client.ask("textDocument/hover", at(uri, 0, 8))
    assert "rts" in json.dumps(hover), hover
    client.stop()
    return shown


def many_files(folder):
    for number in range(10_000):
        path = folder / f"d{number % 100}" / f"f{number}.asm"
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"label{number}: rts\n")
    (folder / "main.asm").write_text("".join(f'#import "d{n % 100}/f{n}.asm"\n' for n in range(50)) + " jsr label7\n")
    uri = (folder / "main.asm").as_uri()
    client = Client(folder)
    start = time.time()
    client.open(uri, (folder / "main.asm").read_text() + " jsr nothing\n")
    while not client.wait(uri):
        pass
    shown = f"first problems after {time.time() - start:.1f} s, {client.megabytes()} MB"
    found = client.ask("workspace/symbol", {"query": "label9999"})["result"]
    client.stop()
    return f"{shown}; {len(found)} symbols found"


def broken_input(folder):
    shown = []
    for name, data in [("no length", b"Length: 3\r\n\r\n{}"), ("no number", b"Content-Length: x\r\n\r\n{}"),
                       ("10^18 bytes", b"Content-Length: 1000000000000000000\r\n\r\n{}"),
                       ("300 TB", b"Content-Length: 300000000000000\r\n\r\n{}"),
                       ("no end", b"x" * 100_000), ("zeros", b"\0" * 200_000)]:
        client = Client(folder)
        try:
            client.raw(data)
            client.process.stdin.close()
        except BrokenPipeError:
            pass  # It has seen enough.
        code = client.process.wait(30)
        error = client.process.stderr.read().decode().strip()
        assert code == 1 and "panicked" not in error and error, (name, code, error)
        shown.append(f"{name}: exit {code}")
    client = Client(folder)
    for body in [b"{", b"\xff\xfe", b"[]", b"7", b'{"id":1}', b'{"jsonrpc":"2.0","id":99,"params":{}}', b'"' + b"[" * 5000]:
        client.raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert client.ask("nonsense/method", {})["error"]["code"] == -32601
    client.stop()
    return ", ".join(shown) + "; bodies that are no messages: the session goes on"


def places_beyond(folder):
    uri = (folder / "main.asm").as_uri()
    client = Client(folder)
    client.open(uri, "start: lda #1\n jmp start\n")
    beyond = at(uri, 4_000_000_000, 4_000_000_000)
    whole = {"start": {"line": 0, "character": 0}, "end": beyond["position"]}
    document = {"textDocument": {"uri": uri}}
    methods = 0
    for target in [beyond, at(uri, 0, 4_000_000_000), at(uri, 77, 0), at((folder / "none.asm").as_uri(), 1, 1)]:
        for method, more in [("hover", {}), ("definition", {}), ("declaration", {}), ("completion", {}),
                             ("documentHighlight", {}), ("signatureHelp", {}), ("prepareRename", {}),
                             ("rename", {"newName": "x"}), ("references", {"context": {"includeDeclaration": True}}),
                             ("prepareCallHierarchy", {}), ("onTypeFormatting", {"ch": "}", "options": {"tabSize": 8, "insertSpaces": True}})]:
            answer = client.ask("textDocument/" + method, {**target, **more})
            assert answer.get("error", {}).get("code", 0) in (0, -32803), (method, answer)
            methods += 1
    for method, more in [("inlayHint", {"range": whole}), ("semanticTokens/range", {"range": whole}),
                         ("codeAction", {"range": whole, "context": {"diagnostics": []}}),
                         ("rangeFormatting", {"range": whole, "options": {"tabSize": 8, "insertSpaces": True}}),
                         ("selectionRange", {"positions": [beyond["position"]]}), ("documentSymbol", {}),
                         ("foldingRange", {}), ("documentLink", {}), ("codeLens", {}), ("documentColor", {}),
                         ("semanticTokens/full", {}), ("semanticTokens/full/delta", {"previousResultId": "x"})]:
        answer = client.ask("textDocument/" + method, {**document, **more})
        assert "error" not in answer, (method, answer)
        methods += 1
    # Stale versions, backward ranges, documents that are not open.
    client.change(uri, 0, [{"text": "("}])
    client.change((folder / "other.asm").as_uri(), 5, [{"text": "("}])
    client.change(uri, 2, [{"range": {"start": {"line": 1, "character": 9}, "end": {"line": 0, "character": 0}}, "text": ""}])
    assert "lda" in json.dumps(client.ask("textDocument/hover", at(uri, 0, 8)))
    number = client.request("textDocument/hover", at(uri, 0, 8))
    client.tell("$/cancelRequest", {"id": number})
    client.tell("$/cancelRequest", {"id": "never"})
    client.answer(number)
    client.stop()
    return f"{methods} requests answered"


def endless_root(folder):
    uri = (folder / "main.asm").as_uri()
    shown = []
    for text in [".while (true) {}", ".while (true) { .byte 1 }", ".var l = List()\n.while (true) { .eval l.add(1) }",
                 ".macro m() { m() }\n m()", ".function f(x) { .return f(x) }\n.print f(1)", '#import "main.asm"',
                 ".var s = \"x\"\n.while (true) { .eval s = s + s }"]:
        client = Client(folder)
        start = time.time()
        client.open(uri, text)
        problems = [problem for problem in client.wait(uri) if problem["severity"] == 1]
        assert len(problems) >= 1, (text, problems)
        shown.append(f"{problems[0].get('code')} {time.time() - start:.1f} s {client.megabytes()} MB")
        client.stop()
    return ", ".join(shown)


def many_edits(folder):
    uri = (folder / "main.asm").as_uri()
    text = "".join(f"l{n}:    lda #{n % 256}\n        sta $0400 + {n % 999}\n        jsr l{n // 2}\n" for n in range(1500))
    client = Client(folder, {"diagnostics": {"delayMs": 5}})
    client.open(uri, "*=$1000\n" + text)
    client.wait(uri)
    sizes = [client.megabytes()]
    start = time.time()
    for step in range(int(os.environ.get("EDITS", "10000"))):
        line = step * 7 % 4000
        place = {"start": {"line": line, "character": 0}, "end": {"line": line, "character": step % 2}}
        client.change(uri, step + 2, [{"range": place, "text": "" if step % 2 else "x"}])
        if step % 10 == 0:
            client.ask("textDocument/hover", at(uri, line, 10))
        if step % 25 == 0:
            client.ask("textDocument/semanticTokens/full", {"textDocument": {"uri": uri}})
        if step % 2000 == 1999:
            client.ask("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
            sizes.append(client.megabytes())
    client.stop()
    return f"MB: {sizes}, {time.time() - start:.0f} s"


def main():
    wanted = sys.argv[1:]
    for check in [broken_input, places_beyond, endless_root, many_files, many_edits, large_text]:
        if wanted and check.__name__ not in wanted:
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(f"{check.__name__}: {check(pathlib.Path(folder).resolve())}", flush=True)


main()
