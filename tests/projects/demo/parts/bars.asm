.segment Bars "Bars"
.namespace bars {
    .function shade(line, height) {
        .var angle = toRadians(line * 180 / height)
        .var list = List().add(BLACK, DARK_GREY, GREY, LIGHT_GREY, WHITE)
        .return list.get(round(sin(angle) * 4))
    }
    .pseudocommand set value : target {
            lda value
            sta target
    }

start:      sei
            set #$1b : $d011
frame:      ldx #table.end - table - 1
line:       set table,x : $d020
            lda $d012
!:          cmp $d012
            beq !-
            dex
            bpl line
            jmp frame

.align $40
table: {
            .fill 32, shade(i, 31)
end:
}
}
