#!/usr/bin/env python3
"""The debugger on a real VICE: x64sc with a KERNAL of our own, `tempo dap` between it and this script.

TEMPO is the program. Needs x64sc (Debian: vice, component contrib) and Xvfb. Prints a line `ok ...` per check.
"""
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

TEMPO = os.environ.get("TEMPO", "tempo")
KERNAL = """\
.macro Store(value, to) {
        lda #value
        sta to
}
*=$e000 "kernal"
reset:  sei
        cld
        ldx #$ff
        txs
        lda #$37
        sta $01
        lda #$2f
        sta $00
        ldx #0
loop:   inx
        stx $0400
        jsr sub
        Store(5, $0401)
        jmp loop
sub:    stx $fb
        ldy #0
wait:   dey
        bne wait
        rts
irq:    rti
*=$fffa "vectors"
        .word irq, reset, irq
"""


def line_of(text):
    return next(number for number, line in enumerate(KERNAL.splitlines(), 1) if text in line)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Dap:
    """A client: requests out, responses and events in."""

    def __init__(self, env=None):
        self.child = subprocess.Popen([TEMPO, "dap"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.seq, self.bytes, self.events = 0, b"", []

    def message(self, timeout):
        end = time.monotonic() + timeout
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.child.stdout], [], [], left)[0]:
                raise TimeoutError(f"nothing within {timeout} s; events: {self.events[-5:]}")
            more = os.read(self.child.stdout.fileno(), 1 << 16)
            if not more:
                raise EOFError("tempo dap has ended")
            self.bytes += more

    def send(self, command, timeout=20, **arguments):
        self.seq += 1
        body = json.dumps({"seq": self.seq, "type": "request", "command": command, "arguments": arguments}).encode()
        self.child.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.child.stdin.flush()
        while True:
            message = self.message(timeout)
            if message["type"] == "response" and message["request_seq"] == self.seq:
                return message
            self.events.append(message)

    def ask(self, command, **arguments):
        answer = self.send(command, **arguments)
        assert answer["success"], answer
        return answer.get("body", {})

    def wait(self, event, timeout=20):
        while True:
            for index, message in enumerate(self.events):
                if message.get("event") == event:
                    return self.events.pop(index).get("body", {})
            self.events.append(self.message(timeout))

    def value(self, text):
        return self.ask("evaluate", expression=text, context="watch")["result"]

    def frames(self):
        frames = self.ask("stackTrace", threadId=1)["stackFrames"]
        return [(frame["name"], frame["line"]) for frame in frames]

    def lines(self):
        return [line for _, line in self.frames()]

    def step(self, command, **arguments):
        self.ask(command, threadId=1, **arguments)
        return self.wait("stopped")


def monitor(port, command, body=b""):
    """One command of the binary monitor, for what the debugger must have left behind; then the machine runs on."""

    def packet(number, code, body):
        return b"\x02\x02" + len(body).to_bytes(4, "little") + number.to_bytes(4, "little") + bytes([code]) + body

    found = []
    with socket.create_connection(("127.0.0.1", port), timeout=10) as stream:
        stream.sendall(packet(7, command, body))
        data = b""
        while True:
            data += stream.recv(1 << 16)
            while len(data) >= 12 and len(data) >= 12 + int.from_bytes(data[2:6], "little"):
                length = int.from_bytes(data[2:6], "little")
                kind, number, content = data[6], int.from_bytes(data[8:12], "little"), data[12 : 12 + length]
                data = data[12 + length :]
                if number == 7:
                    found.append((kind, content))
                    if kind == command:
                        stream.sendall(packet(8, 0xAA, b""))
                        time.sleep(0.2)
                        return found


def main():
    work = tempfile.mkdtemp()
    source = os.path.join(work, "kernal.asm")
    with open(source, "w") as file:
        file.write(KERNAL)
    prg = os.path.join(work, "kernal.prg")
    subprocess.run([TEMPO, "asm", source, "-o", prg], check=True, stdout=subprocess.DEVNULL)
    with open(prg, "rb") as file:
        rom = file.read()[2:]
    for name, data in (("k", rom), ("b", bytes(8192)), ("c", bytes(4096))):
        with open(os.path.join(work, name), "wb") as file:
            file.write(data)
    port, display = free_port(), ":%d" % (100 + os.getpid() % 800)
    xvfb = subprocess.Popen(["Xvfb", display, "-screen", "0", "800x600x24"], stderr=subprocess.DEVNULL)
    time.sleep(1)
    vice = subprocess.Popen(
        ["x64sc", "-default", "-kernal", work + "/k", "-basic", work + "/b", "-chargen", work + "/c", "+sound",
         "-binarymonitor", "-binarymonitoraddress", f"ip4://127.0.0.1:{port}"],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**os.environ, "DISPLAY": display, "HOME": work})
    try:
        session(source, port)
        left_alone(source, port)
        terminal(source, port)
        started(work, display)
        dies(source, port, vice)
        silent(source)
    finally:
        for child in (vice, xvfb):
            child.kill()
            child.wait()


def attached(source, port):
    dap = Dap()
    dap.ask("initialize", adapterID="tempo")
    dap.ask("attach", port=port, program=source)
    dap.wait("initialized")
    return dap


def session(source, port):
    dap = attached(source, port)
    assert dap.wait("capabilities")["capabilities"]["supportsStepBack"] is False
    print("ok attached")
    wanted = [{"line": line_of("sub:"), "condition": "x == 7"}]
    points = dap.ask("setBreakpoints", source={"path": source}, breakpoints=wanted)["breakpoints"]
    assert points[0]["verified"], points
    dap.ask("configurationDone")
    stopped = dap.wait("stopped")
    assert stopped["reason"] == "breakpoint", stopped
    assert dap.value("x") == "$07 7" and dap.value("[$0400]") == "$07 7"
    assert dap.frames()[0][0] == "sub" and dap.lines() == [line_of("sub:"), line_of("jsr sub")], dap.frames()
    print("ok breakpoint with a condition", dap.frames())
    start = time.monotonic()
    dap.step("next")
    print("ok step took %.0f ms" % (1000 * (time.monotonic() - start)))
    assert dap.frames()[0][1] == line_of("ldy #0") and dap.value("[$fb]") == "$07 7"
    dap.step("stepOut")
    assert dap.lines() == [line_of("Store(5")], dap.frames()
    print("ok step out")
    dap.step("stepIn")
    assert dap.frames()[0] == ("macro Store(5, $0401)", line_of("lda #value")), dap.frames()
    print("ok into a macro", dap.frames())
    dap.step("stepOut")
    assert dap.lines() == [line_of("jmp loop")], dap.frames()
    for text in ("inx", "stx $0400", "jsr sub", "Store(5", "jmp loop"):
        dap.step("next")
        assert dap.lines() == [line_of(text)], (text, dap.frames())
    print("ok over a routine and over a macro")
    dap.ask("setExpression", expression="x", value="$40")
    dap.ask("setExpression", expression="[$2000].w", value="$1234")
    wanted = [{"line": line_of("stx $0400"), "hitCondition": "3"},
              {"line": line_of("sub:"), "logMessage": "X is {x:d}"}]
    dap.ask("setBreakpoints", source={"path": source}, breakpoints=wanted)
    dap.ask("continue", threadId=1)
    assert dap.wait("stopped")["reason"] == "breakpoint"
    assert dap.value("x") == "$43 67 'C'" and dap.value("[$2000].w") == "$1234 4660", dap.value("x")
    logged = [event["body"]["output"] for event in dap.events if event.get("event") == "output"]
    assert "X is 65\n" in logged and "X is 66\n" in logged, logged
    print("ok values written, hit count, messages", logged[-2:])
    points = dap.ask("setBreakpoints", source={"path": source}, breakpoints=[])
    data = dap.ask("dataBreakpointInfo", name="[$0401]")["dataId"]
    dap.ask("setDataBreakpoints", breakpoints=[{"dataId": data, "accessType": "write"}])
    dap.ask("continue", threadId=1)
    assert dap.wait("stopped")["reason"] == "data breakpoint"
    print("ok data breakpoint at", dap.frames()[0])
    dap.ask("setDataBreakpoints", breakpoints=[])
    found = dap.ask("setFunctionBreakpoints", breakpoints=[{"name": "line 100"}])["breakpoints"]
    assert found[0]["verified"], found
    dap.ask("continue", threadId=1)
    assert dap.wait("stopped")["reason"] == "function breakpoint"
    print("ok raster line")
    dap.ask("setFunctionBreakpoints", breakpoints=[])
    refused = dap.ask("setBreakpoints", source={"path": source},
                      breakpoints=[{"line": line_of("sub:"), "condition": "nobody == 3"}])["breakpoints"]
    assert not refused[0]["verified"], refused
    dap.ask("continue", threadId=1)
    time.sleep(0.3)
    start = time.monotonic()
    dap.ask("pause", threadId=1)
    assert dap.wait("stopped")["reason"] == "pause"
    print("ok pause after %.0f ms" % (1000 * (time.monotonic() - start)))
    assert dap.send("stepBack", threadId=1)["message"] == "VICE cannot go back"
    dap.ask("setBreakpoints", source={"path": source}, breakpoints=[{"line": line_of("sub:"), "condition": "x == 9"}])
    dap.ask("disconnect")
    assert dap.child.wait(10) == 0
    assert monitor(port, 0x14)[-1] == (0x14, bytes(4)), "checkpoints are left"
    print("ok left without checkpoints, VICE answers")


def left_alone(source, port):
    """A client that goes away without a goodbye, while the machine runs and while it stands."""
    for stands in (False, True):
        dap = attached(source, port)
        dap.ask("setBreakpoints", source={"path": source},
                breakpoints=[{"line": line_of("sub:"), "condition": "x == 9" if stands else "y == $55"}])
        dap.ask("configurationDone")
        if stands:
            dap.wait("stopped")
        dap.child.stdin.close()
        assert dap.child.wait(15) == 0
        assert monitor(port, 0x14)[-1] == (0x14, bytes(4)), "checkpoints are left"
    print("ok a client that leaves leaves nothing behind")


def commands(*words, **more):
    """`tempo debug` with commands, and what it prints."""
    done = subprocess.run([TEMPO, "debug", *words], text=True, timeout=100, capture_output=True, **more)
    return done.returncode, done.stdout, done.stderr


def terminal(source, port):
    """`tempo debug` on the machine in VICE."""
    code, out, err = commands(source, f"--vice=127.0.0.1:{port}", "-x", "break sub if x == 7", "-x", "continue",
                              "-x", "out", "-x", "step", "-x", "delete", "-x", "watch [$0401] write",
                              "-x", "continue", "-x", "set x = $40", "-x", "set [$2000] = 5", "-x", "print [$2000]",
                              "-x", "calls")
    assert code == 0, (out, err)
    places = [line for line in out.splitlines() if "kernal.asm:" in line]
    assert f"breakpoint 1: sub if x == 7; kernal.asm:{line_of('sub:')}" in places[1], out
    assert f"kernal.asm:{line_of('Store(5')}" in places[2] and f"kernal.asm:{line_of('lda #value')}" in places[3], out
    assert "> print [$2000]\n$05 5" in out, out
    code, out, err = commands(source, f"--vice=127.0.0.1:{port}", "-x", "print [$2000]", "-x", "back")
    assert (code, err) == (1, "error: `back` needs the past, and VICE has none\n"), (out, err)
    assert "> print [$2000]\n$05 5" in out, out
    code, out, err = commands(f"--vice={port}", "-x", "next i", "-x", "break $e010 if nobody == 3")
    assert code == 1 and "`nobody` is not known here" in err, (out, err)
    assert monitor(port, 0x14)[-1] == (0x14, bytes(4)), "checkpoints are left"
    print("ok tempo debug --vice")
    code, out, err = commands(source, "--vice=127.0.0.1:1", "-x", "next")
    assert code == 2 and "VICE does not listen on 127.0.0.1:1" in err, (out, err)
    print("ok", err.strip())


GAME = """\
*=$0801
        .byte $0b,$08,$0a,0,$9e,$32,$30,$36,$31,0,0,0
start:  ldx #0
loop:   inx
        stx $d020
        jsr sub
        jmp loop
sub:    stx $fb
        rts
"""


def started(work, display):
    """VICE started with a program: our KERNAL has the prompt that its autostart waits for."""
    roms = os.path.join(os.path.dirname(__file__), "../../emu/src/c64/rom")
    game = os.path.join(work, "game.asm")
    with open(game, "w") as file:
        file.write(GAME)
    words = ["-default", "-kernal", roms + "/kernal.bin", "-basic", work + "/b", "-chargen", roms + "/characters.bin",
             "+sound"]
    env = {**os.environ, "DISPLAY": display, "HOME": work, "TMPDIR": work}
    options = [word for each in words for word in ("--vice-arg", each)]
    code, out, err = commands(game, "--start-vice", *options, "-x", "break sub if x == 3", "-x", "continue",
                              "-x", "print [$fb]", "-x", "next", "-x", "print [$fb]", "-x", "calls", env=env)
    assert code == 0, (out, err)
    assert "ready; game.asm:3 start:  ldx #0" in out and "game.asm:8 sub:    stx $fb" in out, out
    assert "> print [$fb]\n$02 2\n" in out and "> print [$fb]\n$03 3\n" in out, out
    print("ok tempo debug --start-vice")
    dap = Dap(env)
    dap.ask("initialize", adapterID="tempo")
    dap.ask("launch", program=game, vice={"arguments": words}, stopOnEntry=True)
    dap.wait("initialized")
    dap.ask("setBreakpoints", source={"path": game}, breakpoints=[{"line": 8, "condition": "x == 5"}])
    dap.ask("configurationDone")
    assert dap.wait("stopped")["reason"] == "entry" and dap.lines() == [3], dap.frames()
    dap.ask("continue", threadId=1)
    assert dap.wait("stopped")["reason"] == "breakpoint" and dap.value("x") == "$05 5"
    dap.ask("disconnect")
    assert dap.child.wait(15) == 0
    print("ok launch in VICE")
    code, out, err = commands(game, "--start-vice", "--vice-path", "/bin/false", "-x", "next", env=env)
    assert code == 2 and "/bin/false ended at once" in err, (out, err)
    left = [name for name in os.listdir(work) if name.startswith("tempo-")]
    assert left == [], left
    print("ok a VICE that does not start")


def dies(source, port, vice):
    dap = attached(source, port)
    dap.ask("configurationDone")
    time.sleep(0.3)
    # It stands still without going away: the pause must not hang.
    vice.send_signal(signal.SIGSTOP)
    answer = dap.send("pause", threadId=1)
    assert not answer["success"] and "does not answer" in answer["message"], answer
    print("ok VICE that never answers:", answer["message"])
    vice.send_signal(signal.SIGCONT)
    vice.kill()
    vice.wait()
    dap.wait("terminated")
    said = [event["body"]["output"] for event in dap.events if event.get("event") == "output"]
    print("ok VICE that dies:", said[-1:])
    dap.ask("disconnect")
    assert dap.child.wait(10) == 0


def silent(source):
    """Something that listens and says nothing, and something that is not VICE."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        dap = Dap()
        dap.ask("initialize", adapterID="tempo")
        answer = dap.send("attach", port=listener.getsockname()[1], program=source)
        assert not answer["success"], answer
        print("ok a port that says nothing:", answer["message"])
        dap.ask("disconnect")


if __name__ == "__main__":
    sys.exit(main())
