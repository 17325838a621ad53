// A Magic Desk cartridge: bank 0 starts, bank 1 has data. Kick Assembler does not have the directive.
.segmentdef Start [start=$8000]
.segmentdef Data [start=$8000]
.cartridge [filename="two.crt", type="magicdesk", name="TWO BANKS"] {
        [bank=0, lo="Start"],
        [bank=1, lo="Data"]
}
.segment Start
        .word cold, cold                // at reset and at RESTORE
        .byte $c3, $c2, $cd, $38, $30   // CBM80
cold:   lda #1
        sta $de00
        jmp cold
.segment Data
        .text "data of bank 1"
