// Numbers of zero-page cells that are handed to routines and macros.
        * = $1000
.const zpResult = $20
.const zpCount = $22
.const zpBase = $24
.const zpText = $26
.label zpHigh = zpBase + 1
.macro Store(value, cell) {
        lda #value
        sta cell
}
start:  ldx #zpResult
        jsr Clear
        lda zpResult
        Store(5, zpCount)
        ldx #zpCount
        stx $0400
        lda zpCount
        lda #zpBase
        sta $0401
        sta zpHigh
        lda zpBase
        rts
Clear:  lda #0
        sta $00,x
        sta $01,x
        rts
