"""Compares every file on the disk images in a folder with the file NAME.file beside them, and the chess disk with its program."""

import sys
from pathlib import Path

from d64 import DiskImage

# What must be on each disk, in order. None: an entry without content.
EXPECTED = {
    "plain.d64": [
        ("----------------", "DEL", None),
        ("GAME", "PRG", "GAME"),
        ("TABLES", "PRG", "TABLES"),
        ("BIG", "PRG", "BIG"),
        ("NOTES", "SEQ", "NOTES"),
        ("RAW", "PRG", "RAW"),
        ("USER", "USR", "USER"),
        ("BOTH", "PRG", "BOTH"),
    ],
    "speed.d64": [(f"BIG{n}", "PRG", "BIG") for n in range(1, 6)] + [("GAME", "PRG", "GAME")],
    "dolphin.d64": [(f"BIG{n}", "PRG", "BIG") for n in range(1, 6)] + [("GAME", "PRG", "GAME")],
}


def entries(path):
    """Name, type, locked, bytes of every directory entry."""
    with DiskImage(path) as disk:
        for item in disk.iterdir():
            entry = item.entry
            content = b""
            if entry.size:
                with item.open("r") as opened:
                    content = opened.read()
            yield item.name.decode("latin-1"), str(entry.file_type), entry.protected, entry.size, content


def check_chess(disk, program, games):
    (name, kind, _, blocks, content), *others = entries(disk)
    if (name, kind) != ("CHESS", "PRG"):
        sys.exit(f"{disk}: the first file is {name}, {kind}")
    if content != program.read_bytes():
        sys.exit(f"{disk}: the file differs from {program}")
    on_disk = sorted(content for _, kind, _, _, content in others if kind == "SEQ")
    if on_disk != sorted(game.read_bytes() for game in games.glob("*.pgn")):
        sys.exit(f"{disk}: its SEQ files are not the games of {games}")
    print(f"{disk}: CHESS, {blocks} blocks, equals {program}; {len(on_disk)} games read back whole")


def main(folder):
    compared = 0
    for name, expected in EXPECTED.items():
        found = list(entries(folder / name))
        names = [(entry[0], entry[1]) for entry in found]
        if names != [(title, kind) for title, kind, _ in expected]:
            sys.exit(f"{name}: the directory is {names}")
        for (title, kind, beside), (_, _, locked, blocks, content) in zip(expected, found):
            wanted = b"" if beside is None else (folder / f"{beside}.file").read_bytes()
            if content != wanted:
                sys.exit(f"{name}: '{title}' has {len(content)} bytes, expected {len(wanted)}, or they differ")
            if blocks != -(-len(wanted) // 254):
                sys.exit(f"{name}: '{title}' claims {blocks} blocks")
            if locked != (title == "TABLES"):
                sys.exit(f"{name}: '{title}' is {'' if locked else 'not '}locked")
            compared += 1
        print(f"{name}: {len(found)} files read back whole")
    if compared == 0:
        sys.exit("nothing was compared")


main(Path(sys.argv[1]))
check_chess(Path(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
