.disk [filename="full.d64"] { [name="A", segments="A"] }
.segment A [start=$0000]
        .fill 664*254, i
