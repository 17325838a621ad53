// getPath() is the absolute folder of the file that asks.
.encoding "ascii"
.var path = getPath()
.const TAIL = "tests/asm/ok"
        .byte path.charAt(0) == "/" ? 1 : 0
        .byte path.size() > TAIL.size() ? 1 : 0
        .text getFilename()
