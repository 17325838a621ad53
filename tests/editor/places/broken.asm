// ask: completion outline

.macro Open(first, second) {
        lda #first
        sta s‸
