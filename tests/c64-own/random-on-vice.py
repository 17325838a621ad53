#!/usr/bin/env python3
"""Random programs on x64sc and on ours, pixel by pixel: random-on-vice.py TEMPO FIRST LAST [--system NAME] [--shrink]

Each number is a program: it fills the VIC's bank with noise, then writes random values to random registers at random
cycles, the same in every frame. The numbers whose pictures differ are listed with where they do. `--shrink` looks for
the writes that matter and prints them; the program is kept as random-NUMBER.asm in the working directory.

Wants x64sc on the path, a display, and the packages numpy and pillow.
"""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import time

import numpy
from PIL import Image

from vice_monitor import PROMPT, Monitor, free_port

HERE = os.path.dirname(os.path.abspath(__file__))
SPRITES_Y = range(0xD001, 0xD010, 2)
COLOURS = list(range(0xD020, 0xD02F))
# What a program writes to; a kind is a name.
KINDS = {
    "all": [*range(0xD000, 0xD012), *range(0xD015, 0xD019), 0xD01B, 0xD01C, 0xD01D, *COLOURS, *[0xD011] * 10, *[0xD016] * 6],
    "control": [*[0xD011] * 8, 0xD016, 0xD018, 0xD021],
    "sprites": [*range(0xD000, 0xD011), 0xD015, 0xD017, 0xD017, 0xD01B, 0xD01C, 0xD01D, 0xD01D, 0xD025, 0xD026, 0xD027],
    "colours": COLOURS,
    "modes": [0xD011, 0xD016, 0xD016, 0xD018],
    "borders": [0xD011, 0xD016, 0xD016, 0xD020],
}
FRAMES = """    lda #9
    sta $02
frame: dec $02
    beq over
    jmp next
over: Sync()
    Done()
next: Sync()"""


# For each system the definition that c64lib.asm wants, the model of x64sc and the machine of Tempo.
SYSTEMS = {
    "pal": (None, "c64", "c64-pal"),
    "ntsc": ("NTSC", "ntsc", "c64-ntsc"),
    "c64c": (None, "c64c", "c64c-pal"),
    "ntscold": ("NTSCOLD", "oldntsc", "c64-ntscold"),
}


def head(system):
    define = SYSTEMS[system][0]
    return ([f"#define {define}"] if define else []) + [
        "BasicUpstart2(main)",
        *(f'#import "{os.path.join(HERE, name)}"' for name in ("../c64/c64lib.asm", "noise.asm")),
        '*=$1000 "main"',
        "main: Begin()",
    ]


def program(number, system):
    """The kind and the lines of a program. Writes are two lines, the value and the store."""
    chance = random.Random(number)
    kind = chance.choice(list(KINDS))
    first = {0xD000 + 2 * n: chance.randrange(256) for n in range(8)}
    first |= {y: chance.randrange(44, 240) for y in SPRITES_Y}
    first |= {0xD010: chance.choice([0, chance.randrange(256)])}
    first |= {0xD011: chance.choice([0x1B, 0x3B, 0x5B, 0x10 + chance.randrange(16)])}
    first |= {0xD015: chance.choice([0, 0xFF, chance.randrange(256)]), 0xD016: chance.choice([8, 0x18, chance.randrange(32)])}
    first |= {0xD017: chance.choice([0, chance.randrange(256)]), 0xD018: chance.choice([0x12, chance.randrange(256)])}
    first |= {addr: chance.choice([0, chance.randrange(256)]) for addr in (0xD01B, 0xD01C, 0xD01D)}
    first |= {addr: chance.randrange(16) for addr in COLOURS}
    lines = [*head(system), f"    Noise({chance.randrange(1, 256)})"]
    for addr, value in first.items():
        lines += [f"    lda #{value}", f"    sta ${addr:04x}"]
    lines += [FRAMES]
    budget, longest = chance.choice([4000, 7000, 9000]), chance.choice([2, 8, 40, 120])
    cycles = chance.randrange(80, 3000)
    lines.append(f"    Wait({cycles})")
    while cycles < budget:
        addr = chance.choice(KINDS[kind])
        # Sprites above line 44 would take cycles from the synchronisation.
        value = chance.randrange(44, 256) if addr in SPRITES_Y else chance.randrange(256)
        if addr == 0xD011:
            value = 0x10 | value & 0x6F if chance.random() < 0.85 else value & 0x7F
        lines += [f"    lda #{value}", f"    sta ${addr:04x}"]
        wait = chance.choice([0, 2, 3, 4, 5, 6, 7, chance.randrange(2, longest + 3)])
        lines += [f"    Wait({wait})"] if wait else []
        cycles += 6 + wait
    return kind, [*lines, "    jmp frame"]


class Vice:
    """One x64sc for all programs. Its KERNAL is an endless loop; the monitor does the rest."""

    def __init__(self, folder, system):
        kernal = bytearray(0x2000)
        code = bytes([0x78, 0xD8, 0xA2, 0xFF, 0x9A, 0xA9, 0x37, 0x85, 0x01, 0xA9, 0x2F, 0x85, 0x00, 0x4C, 0x0D, 0xE0])
        kernal[: len(code)] = code
        kernal[0x1F0] = 0x40
        for vector, addr in ((0x1FFA, 0xE1F0), (0x1FFC, 0xE000), (0x1FFE, 0xE1F0)):
            kernal[vector : vector + 2] = addr.to_bytes(2, "little")
        files = {"kernal": kernal, "basic": bytes(0x2000)}
        options = []
        for name, image in files.items():
            options += ["-" + name, os.path.join(folder, name)]
            with open(options[-1], "wb") as file:
                file.write(image)
        options += ["-chargen", os.path.join(HERE, "../../emu/src/c64/rom/characters.bin")]
        port = free_port()
        command = ["x64sc", "-default", "-model", SYSTEMS[system][1], *options, "-warp", "+sound", "-drive8type", "0"]
        command += ["-VICIIborders", "0", "-remotemonitor", "-remotemonitoraddress", f"ip4://127.0.0.1:{port}"]
        with open(os.path.join(folder, "log"), "w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log)
        self.monitor = Monitor(port)
        time.sleep(1)
        self.monitor.ask("r")
        self.monitor.ask("break store d7ff")

    def picture(self, prg, start, png):
        for command in (f'load "{prg}" 0', f"r pc={start}, sp=ff", "> 01 37"):
            self.monitor.ask(command)
        self.monitor.ask("x", rb"d7ff(.|\n)*" + PROMPT)
        self.monitor.ask(f'screenshot "{png}" 2')
        red, green, blue = (numpy.array(Image.open(png).convert("RGB")).astype(int)[..., i] for i in range(3))
        return red << 16 | green << 8 | blue


class Pair:
    def __init__(self, tempo, folder, system):
        self.tempo, self.folder, self.system = tempo, folder, system
        self.vice = Vice(folder, system)
        # A program with a bar of each colour tells which is which.
        bars = [line for colour in range(16) for line in (f"    lda #{colour}", "    sta $d020", "    Wait(693)")]
        theirs, ours = self.pictures([*head(system), FRAMES, *bars, "    jmp frame"])
        self.colours = {}
        for colour in numpy.unique(theirs):
            values, counts = numpy.unique(ours[theirs == colour], return_counts=True)
            self.colours[colour] = int(values[counts.argmax()])
        if len(set(self.colours.values())) != 16:
            sys.exit("the sixteen colours cannot be told apart")

    def pictures(self, lines):
        asm, prg, sym, png = (os.path.join(self.folder, "program." + end) for end in ("asm", "prg", "sym", "png"))
        with open(asm, "w") as file:
            file.write("\n".join(lines) + "\n")
        subprocess.run([self.tempo, "asm", "-q", asm, "-o", prg, "--symbols=" + sym], check=True)
        with open(sym) as file:
            start = re.search(r"\.label main=\$([0-9a-f]+)", file.read()).group(1)
        theirs = self.vice.picture(prg, start, png)
        system = SYSTEMS[self.system][2]
        subprocess.run([self.tempo, "run", "--system", system, prg, "--frames", "80", "--ok-on-timeout", "--screenshot", png], check=True, stdout=subprocess.DEVNULL)
        return theirs, numpy.array(Image.open(png))

    def differences(self, lines):
        """The places, as rows and columns. The rows in which a program ends are left out."""
        theirs, ours = self.pictures(lines)
        different = numpy.vectorize(self.colours.get)(theirs) != ours
        different[:5] = False
        if "ntsc" in self.system:
            different[-13:] = False
        return numpy.nonzero(different)


def shrink(pair, lines):
    """The same program with as few writes as possible; the others go to RAM, which takes as long."""
    stores = [i for i, line in enumerate(lines) if re.search(r"sta \$d0..$", line)]
    chunk = max(1, len(stores) // 2)
    while chunk:
        at = 0
        while at < len(stores):
            tried = list(lines)
            for i in stores[at : at + chunk]:
                tried[i] = "    sta $c800"
            if len(pair.differences(tried)[0]):
                lines, stores = tried, stores[:at] + stores[at + chunk :]
            else:
                at += chunk
        chunk //= 2
    return lines, stores


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("tempo")
    parser.add_argument("first", type=int)
    parser.add_argument("last", type=int)
    parser.add_argument("--system", choices=SYSTEMS, default="pal")
    parser.add_argument("--shrink", action="store_true")
    arguments = parser.parse_args()
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        pair = Pair(arguments.tempo, folder, arguments.system)
        for number in range(arguments.first, arguments.last + 1):
            kind, lines = program(number, arguments.system)
            rows, columns = pair.differences(lines)
            if not len(rows):
                continue
            count += 1
            print(f"{number} ({kind}): {len(rows)} pixels, rows {rows.min()}-{rows.max()}, columns {columns.min()}-{columns.max()}", flush=True)
            if arguments.shrink:
                lines, stores = shrink(pair, lines)
                with open(f"random-{number}.asm", "w") as file:
                    file.write("\n".join(lines) + "\n")
                for i in stores:
                    print(f"  {lines[i - 1].strip()}; {lines[i].strip()}")
        pair.vice.process.kill()
    print(f"{arguments.last + 1 - arguments.first} programs, {count} differ")


main()
