#!/usr/bin/env python3
"""Runs a program on x64sc until it writes to $D7FF and prints memory: on-vice.py NAME.prg pal|ntsc LO HI [options of x64sc]

The ROMs that x64sc gets hold the program itself and a loop that waits for $5A at $02, copies it to RAM and calls its SYS
address. The rest goes through VICE's remote monitor.
"""
import os
import re
import subprocess
import sys
import tempfile
import time

from vice_monitor import PROMPT, Monitor, free_port

START, SECOND = 0xE000, 0xE200


def roms(prg):
    """The KERNAL and BASIC images, and the addresses of the loop that waits."""
    load, data = prg[0] | prg[1] << 8, prg[2:]
    entry = int(re.search(rb"\x9e\s*\(?(\d+)", data[:40]).group(1))
    if len(data) > 0x2000 + 0x1C00:
        sys.exit("the program does not fit into the ROMs")
    basic, kernal = bytearray(0x2000), bytearray(0x2000)
    first, second = data[:0x2000], data[0x2000:]
    basic[: len(first)] = first
    kernal[SECOND - START : SECOND - START + len(second)] = second
    code = bytearray()
    # sei; cld; ldx #$ff; txs; $01 before $00, or the ROM would vanish
    code += bytes([0x78, 0xD8, 0xA2, 0xFF, 0x9A, 0xA9, 0x37, 0x85, 0x01, 0xA9, 0x2F, 0x85, 0x00])
    loop = START + len(code)
    code += bytes([0xA5, 0x02, 0xC9, 0x5A, 0xD0, 0xFA])  # lda $02; cmp #$5a; bne
    for source, target, count in ((0xA000, load, len(first)), (SECOND, load + 0x2000, len(second))):
        if count:
            for zp, byte in ((0xFB, source & 255), (0xFC, source >> 8), (0xFD, target & 255), (0xFE, target >> 8)):
                code += bytes([0xA9, byte, 0x85, zp])
            # ldx #pages; ldy #0; lda ($fb),y; sta ($fd),y; iny; bne; inc $fc; inc $fe; dex; bne
            code += bytes([0xA2, (count + 255) // 256, 0xA0, 0x00])
            code += bytes([0xB1, 0xFB, 0x91, 0xFD, 0xC8, 0xD0, 0xF9, 0xE6, 0xFC, 0xE6, 0xFE, 0xCA, 0xD0, 0xF2])
    end = START + len(code) + 3
    code += bytes([0x20, entry & 255, entry >> 8, 0x4C, end & 255, end >> 8])
    kernal[: len(code)] = code
    kernal[0x1F0] = 0x40  # rti
    for vector, address in ((0x1FFA, START + 0x1F0), (0x1FFC, START), (0x1FFE, START + 0x1F0)):
        kernal[vector : vector + 2] = address.to_bytes(2, "little")
    return kernal, basic, [loop, loop + 2, loop + 4]


def main():
    prg, model, low, high, *options = sys.argv[1:]
    with open(prg, "rb") as file:
        kernal, basic, waiting = roms(file.read())
    characters = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../emu/src/c64/rom/characters.bin")
    with tempfile.TemporaryDirectory() as folder:
        images = []
        for name, image in (("kernal", kernal), ("basic", basic)):
            images += ["-" + name, os.path.join(folder, name)]
            with open(images[-1], "wb") as file:
                file.write(image)
        port = free_port()
        command = ["x64sc", "-default", "-model", {"pal": "c64", "ntsc": "ntsc"}[model], *images, "-chargen", characters]
        command += ["-warp", "+sound", "-drive8type", "0", "-remotemonitor"]
        command += ["-remotemonitoraddress", f"ip4://127.0.0.1:{port}", *options]
        with open(os.path.join(folder, "log"), "w") as log:
            vice = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            monitor = Monitor(port)
            for _ in range(60):
                state = monitor.ask("r", rb"STOPWATCH(.|\n)*" + PROMPT)
                if any(f";{place:04x}" in state for place in waiting):
                    break
                monitor.send("x")
                time.sleep(0.5)
            else:
                sys.exit("the loader does not run")
            monitor.ask("break store d7ff")
            monitor.ask("> 02 5a")
            monitor.ask("x", rb"d7ff.*\n(.|\n)*" + PROMPT)
            monitor.ask("bank ram")
            rows = re.findall(r">C:[0-9a-f]{4}  ((?:[0-9a-f]{2} +)+)", monitor.ask(f"m {low} {high}"))
            count = int(high, 16) - int(low, 16) + 1
            print(low.upper() + ":", " ".join(" ".join(rows).split()[:count]).upper())
        finally:
            vice.kill()
            vice.wait()


main()
