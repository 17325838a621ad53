// 664 blocks are what a disk holds beside its directory; the segment is larger than 64 KB.
.disk [filename="full.d64"] { [name="A", segments="A", noStartAddr] }
.segment A [start=$0000]
        .fill 664*254, i
.segment Default
        rts
