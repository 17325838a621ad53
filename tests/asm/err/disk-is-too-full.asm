.disk [filename="full.d64"] { [name="A", segments="A"] }        // error: the disk is full
.segment A [start=$0000]
        .fill 664*254, i
