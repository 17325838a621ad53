"""The remote monitor of x64sc: commands as a person types them, and what it prints until its prompt."""
import re
import socket
import sys
import time

PROMPT = rb"\(C:\$[0-9a-f]+\) $"


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


class Monitor:
    def __init__(self, port):
        for _ in range(400):
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except OSError:
                time.sleep(0.1)
        else:
            sys.exit("x64sc does not answer")
        self.socket.settimeout(120)

    def send(self, text):
        self.socket.sendall(text.encode() + b"\n")

    def ask(self, text, answer=PROMPT):
        self.send(text)
        got = b""
        while not re.search(answer, got):
            more = self.socket.recv(65536)
            if not more:
                sys.exit("x64sc has ended")
            got += more
        return got.decode("latin1")
