// prompt.asm - where a program returns to: READY. and a cursor
//
// Provides: ColdStart, WarmStart, AfterSys
// Uses:     the jump table, words.asm, list.asm
// There is no BASIC. The prompt knows RUN, SYS, LOAD and LIST, which is what a person needs to find and start a program.
#importonce

// ColdStart - after a reset
ColdStart: {
        ldx #0
next:   lda banner,x
        beq Ready
        jsr $FFD2
        inx
        bne next                // always
banner: .byte $93, RETURN
        .text @"    **** TEMPO KERNAL FOR THE C64 ****\$0D"
        .byte RETURN, 0
}

// WarmStart - STOP and RESTORE, or a brk
WarmStart: {
        jsr Restor
        jsr InitIo
        jsr InitEditor
}                               // falls through

// AfterSys - a program has returned
AfterSys:                       // falls through

// Ready - read lines and do what they say
Ready: {
        cld
        jsr $FFCC               // CLRCHN
        ldx #$FA
        txs
        cli
        ldx #0
prompt: lda text,x
        beq again
        jsr $FFD2
        inx
        bne prompt              // always
again:  jsr ReadLine
        ldx #0
        jsr SkipSpaces
        beq again               // an empty line
        ldy #0
        jsr Match
        bcs notRun
        jmp Run
notRun: ldy #wordSys - words
        jsr Match
        bcs notSys
        jsr Number
        jsr call
        jmp Ready
notSys: ldy #wordLoad - words
        jsr Match
        bcs notLoad
        jmp LoadWord
notLoad:
        ldy #wordList - words
        jsr Match
        bcs wrong
        jmp List
wrong:  ldx #0
error:  lda syntax,x
        beq Ready
        jsr $FFD2
        inx
        bne error               // always
call:   jmp (zpPromptLo)

text:   .byte RETURN
        .text "READY."
        .byte RETURN, 0
syntax: .byte RETURN
        .text "?SYNTAX  ERROR"
        .byte 0
}
words:  .text "RUN"
        .byte 0
wordSys:
        .text "SYS"
        .byte 0
wordLoad:
        .text "LOAD"
        .byte 0
wordList:
        .text "LIST"
        .byte 0

// Run - the SYS of the first BASIC line
Run: {
        ldx #0
        stx LineBuffer
        ldy #0
find:   lda $0805,y             // behind link and number
        beq none
        iny
        cmp #$9E                // the token
        bne find
copy:   lda $0805,y
        sta LineBuffer,x
        beq copied
        iny
        inx
        cpx #40
        bcc copy
copied: ldx #0
        lda LineBuffer
        cmp #$28                // (
        bne plain
        inx
plain:  jsr Number
        jsr Ready.call
none:   jmp Ready
}

// LoadWord - LOAD"NAME": always from device 8 and to the address in the file
LoadWord: {
        jsr SkipSpaces
        cmp #QUOTE
        bne wrong
        inx
        stx zpScratch
        ldy #0
name:   lda LineBuffer,x
        beq named
        cmp #QUOTE
        beq named
        inx
        iny
        bne name                // always
named:  tya                     // the length
        ldx zpScratch
        ldy #>LineBuffer        // which begins at a page
        jsr $FFBD               // SETNAM
        lda #1
        ldx #8
        ldy #1                  // to the file's own address
        jsr $FFBA               // SETLFS
        lda #0
        ldx #<$0801
        ldy #>$0801
        jsr $FFD5
        bcs failed
        jmp Ready
wrong:  jmp Ready.wrong
failed: ldx #0
next:   lda text,x
        beq end
        jsr $FFD2
        inx
        bne next                // always
end:    jmp Ready
text:   .byte RETURN
        .text "?LOAD  ERROR"
        .byte 0
}
