.segmentdef Low [start=$7ff0]
.segmentdef Code [start=$8000]
.segment Low
        .fill 4, i
.segment Code
        .word $8009, $8009
        .byte $c3, $c2, $cd, $38, $30
        .fill $2000, 0

.cartridge [filename="a.crt", type="8k"] {
        [bank=0, lo="Low"]              // error: bank 0: the bytes of lo are at $7FF0-$7FF3, outside $8000-$9FFF
}
.cartridge [filename="b.crt", type="8k"] {
        [bank=0, lo="Code"]             // error: bank 0: the bytes of lo are at $8000-$A008, outside $8000-$9FFF
}
.cartridge [filename="c.crt", type="8k"] {
        [bank=0, hi="Code"]             // error: outside $A000-$BFFF
}
.cartridge [filename="d.crt", type="magicdesk"] {
        [bank=200, lo=""]               // error: bank 200: magicdesk cartridges have banks 0 to 127
}
.cartridge [filename="e.crt", type="16k"] {
        [bank=0, lo=""],
        [bank=0, lo=""]                 // error: 0:lo is given twice
}
