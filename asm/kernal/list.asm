// list.asm - LIST: the lines in memory, as the directory that LOAD"$" leaves there
//
// Provides: List
// Uses:     the jump table, prompt.asm (Ready, wordSys)
// There is no BASIC: of its words only SYS is spelled out.
#importonce

// List - print the lines from $0801 on, until their end or STOP
List: {
        lda #<$0801
        sta zpPromptLo
        lda #>$0801
        sta zpPromptHi
line:   ldy #1
        lda (zpPromptLo),y      // the high byte of the link
        beq end
        jsr $FFE1               // STOP
        beq end
        lda #RETURN
        jsr $FFD2
        ldy #2
        lda (zpPromptLo),y
        sta zpNumberLo
        iny
        lda (zpPromptLo),y
        sta zpNumberHi
        jsr PrintNumber
        lda #SPACE
        jsr $FFD2
        ldy #4
text:   lda (zpPromptLo),y
        beq next
        cmp #$9E                // the token of SYS
        beq sys
        jsr $FFD2
more:   iny
        bne text
next:   ldy #0
        lda (zpPromptLo),y
        tax
        iny
        lda (zpPromptLo),y
        cmp zpPromptHi
        bcc end                 // links lead upwards, or this is no program
        bne follow
        cpx zpPromptLo
        bcc end
        beq end
follow: sta zpPromptHi
        stx zpPromptLo
        bcs line                // always: all compares left C set
end:    jmp Ready
sys:    ldx #0
letter: lda wordSys,x
        beq more
        jsr $FFD2
        inx
        bne letter              // always
}

// PrintNumber - print zpNumberLo as a decimal number
//
// Clobbers: A, X, Y, the number, the first byte of LineBuffer
PrintNumber: {
        ldx #0
        stx LineBuffer          // not 0: a digit is printed
        ldx #3
power:  ldy #$30
again:  lda zpNumberLo
        sec
        sbc low,x
        pha
        lda zpNumberHi
        sbc high,x
        bcc less
        sta zpNumberHi
        pla
        sta zpNumberLo
        iny
        bne again               // always
less:   pla
        tya
        cmp #$30
        bne digit
        ldy LineBuffer
        beq skip                // no zeros in front
digit:  sta LineBuffer
        jsr $FFD2
skip:   dex
        bpl power
        lda zpNumberLo
        ora #$30
        jmp $FFD2
low:    .byte <10, <100, <1000, <10000
high:   .byte >10, >100, >1000, >10000
}
