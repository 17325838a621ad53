// basic-high.asm - BASIC's part of the KERNAL ROM, $E000-$E4FF: channels with errors, SYS, cold and warm start, CHRGET
//
// Provides: the entries, which basic-names.asm has names for
// Uses:     basic-names.asm, the jump table
#importonce

// The KERNAL's calls for characters; an error ends the statement.
        :To($E0F9)
Failed: tax
        jmp BASIC_ERROR
        :To($E10C)
        jsr $FFD2
        bcs Failed
        rts
        :To($E112)
        jsr $FFCF               // tempo: allow(W0302) an entry
        bcs Failed
        rts
        :To($E118)
        jsr $FFC9               // tempo: allow(W0302) an entry
        bcs Failed
        rts
        :To($E11E)
        jsr $FFC6               // tempo: allow(W0302) an entry
        bcs Failed
        rts
        :To($E124)
        jsr $FFE4               // tempo: allow(W0302) an entry
        bcs Failed
        rts

// SYS with its address in the text at TextLo; registers come from $030C-$030F, and go there afterwards
        :To($E12A)
Sys:    jsr BASIC_NUMBER
        jsr BASIC_ADDRESS
        :To($E130)
        lda #>(AfterSys - 1)
        pha
        lda #<(AfterSys - 1)
        pha
        lda RegisterP
        pha
        lda RegisterA
        ldx RegisterX
        ldy RegisterY
        plp
        jmp (IntegerLo)
        :To(AFTER_SYS)          // where the rts of a program started by SYS leads
AfterSys:
        jmp Returned
        :Absent($E156)
        :Absent($E165)
        :Absent($E168)

// The registers go back, and BASIC is there again, whatever the program has banked out
Returned:
        php
        sta RegisterA
        stx RegisterX
        sty RegisterY
        pla
        sta RegisterP
        lda $01
        ora #%00000011
        sta $01
        rts

// Warm start: the prompt, the program stays in memory
        :To($E37B)
        cli
        jsr $FFCC               // CLRCHN
        jmp warm
        :To($E386)
warm:   ldx #$80
        jmp (VECTOR_ERROR)
        :To($E38B)
Error:  txa
        bmi prompt
        jmp BASIC_ERROR_TEXT
prompt: jmp ready
        :To($E394)
ColdStart:
        jsr InitVectors
        jsr InitBasic
        jmp FirstText

// The routine that reads BASIC's text; it is copied to ChrGet
        :To($E3A2)
ChrGetCopy:
.pseudopc ChrGet {
        inc TextLo
        bne got
        inc TextHi
got:    lda $EA60               // ChrGot: the operand is TextLo
        cmp #$3A                // a colon and above are not digits: C = 1
        bcs done
        cmp #SPACE
        beq ChrGet
        sec
        sbc #$30                // C = 0 for digits, Z = 1 at the end
        sec
        sbc #$D0
done:   rts
}
        .byte $80, $4F, $C7, $52, $58   // the start of RND
ChrGetEnd:

// InitBasic - BASIC's zero page: CHRGET, memory, an empty program
        :To($E3BF)
InitBasic: {
        ldx #ChrGetEnd - ChrGetCopy - 1
next:   lda ChrGetCopy,x
        sta ChrGet,x
        dex
        bpl next
        lda #$4C                // jumps of functions and USR
        sta $54
        sta $0310
        lda #<BASIC_ILLEGAL_QUANTITY
        ldy #>BASIC_ILLEGAL_QUANTITY
        sta $0311
        sty $0312
        lda #<$B1AA             // to an integer and back
        ldy #>$B1AA
        sta $03
        sty $04
        lda #<$B391
        ldy #>$B391
        sta $05
        sty $06
        ldx #$19                // of the stack of texts
        stx $16
        sec
        jsr $FF9C               // MEMBOT
        stx ProgramStart
        sty ProgramStart + 1
        sec
        jsr $FF99               // MEMTOP
        stx MemoryEnd
        sty MemoryEnd + 1
        stx StringStart
        sty StringStart + 1
        ldy #0
        tya
        sta (ProgramStart),y
        inc ProgramStart
        jmp emptyProgram
}
        :To($E422)
FirstText:
        lda #<banner
        ldy #>banner
        jsr BASIC_PRINT_TEXT
ready:  ldx #$FB
        txs
        jmp BASIC_READY

// InitVectors - BASIC's vectors
        :To($E447)
BasicVectors:
        .word Error, BASIC_MAIN, BASIC_CRUNCH, BASIC_DETOKEN, BASIC_STATEMENT, BASIC_EVAL
BasicVectorsEnd:
        :To($E453)
InitVectors: {
        ldx #BasicVectorsEnd - BasicVectors - 1
next:   lda BasicVectors,x
        sta VECTOR_ERROR,x
        dex
        bpl next
        rts
}

emptyProgram: {
        lda #<LineBuffer        // the end of a typed line
        ldy #>LineBuffer
        sta TextLo
        sty TextHi
        lda ProgramStart
        ldy ProgramStart + 1
        clc
        adc #2
        bcc same
        iny
same:   sta ProgramEnd
        sty ProgramEnd + 1
        sta ArrayStart
        sty ArrayStart + 1
        sta ArrayEnd
        sty ArrayEnd + 1
        ldx #$FF                // no line is being executed
        stx LineNumber + 1
        rts
}
banner: .byte $93, RETURN
        .text @"    **** TEMPO KERNAL FOR THE C64 ****\$0D"
        .byte RETURN, 0
