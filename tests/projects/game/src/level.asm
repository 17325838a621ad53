// What levels share. Where the resident part lies they know from a symbol file.
#importonce
.const colours = List().add(BLACK, BLUE, LIGHT_BLUE, CYAN, WHITE)

.macro Stripe(row, character) {
            lda #character
            ldx #row
            jsr api.paint
}
