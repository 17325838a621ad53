// words.asm - the prompt: a typed line and its words, LOAD and LIST
//
// Provides: Prompt, ReadLine
// Uses:     the jump table, statements.asm
// The prompt knows RUN, SYS, LOAD and LIST, which is what a person needs to find and start a program.
#importonce

// ReadLine - a line from the keyboard to LineBuffer, with a zero at its end
ReadLine: {
        ldx #0
next:   jsr $FFCF
        cmp #RETURN
        beq end
        sta LineBuffer,x
        inx
        cpx #88
        bcc next
end:    lda #0
        sta LineBuffer,x
        lda #RETURN
        jmp $FFD2
}

// SkipSpaces - X to the next character that is not a space
//
// Out:      A = the character; Z = 1 at the end
SkipSpaces: {
        lda LineBuffer,x
        cmp #SPACE
        bne done
        inx
        bne SkipSpaces          // always
done:   cmp #0
        rts
}

// Match - does the line begin with the word at words + Y?
//
// In:       Y = index of the word
// Out:      C = 0 yes: X is after it; C = 1 no
Match: {
        ldx #0
        jsr SkipSpaces
next:   lda words,y
        beq yes
        cmp LineBuffer,x
        bne no
        inx
        iny
        bne next                // always
yes:    clc
        rts
no:     sec
        rts
}

// Prompt - read lines and do what they say
Prompt: {
again:  jsr ReadLine
        ldx #0
        jsr SkipSpaces
        beq again               // an empty line
        ldy #0
        jsr Match
        bcs notRun
        jsr ClearAll
        jmp NextStatement
notRun: ldy #wordSys - words
        jsr Match
        bcs notSys
        stx TextLo              // its address
        ldy #>LineBuffer        // which begins at a page
        sty TextHi
        lda #>(NextStatement - 1)
        pha
        lda #<(NextStatement - 1)
        pha
        jmp BASIC_SYS
notSys: ldy #wordLoad - words
        jsr Match
        bcs notLoad
        jmp LoadWord
notLoad:
        ldy #wordList - words
        jsr Match
        bcs wrong
        jmp List
wrong:  ldx #SYNTAX
        jmp BASIC_ERROR
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
        jmp BASIC_READY
wrong:  ldx #SYNTAX
        jmp BASIC_ERROR
failed: ldx #29                 // LOAD
        jmp BASIC_ERROR
}

// List - print the lines in memory, as the directory that LOAD"$" leaves there: of BASIC's words only SYS is spelled out.
// The lines from $0801 on, until their end or STOP
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
        tax
        iny
        lda (zpPromptLo),y
        jsr PrintInteger
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
        bcc end                 // links lead upwards, or this is not a program
        bne follow
        cpx zpPromptLo
        bcc end
        beq end
follow: sta zpPromptHi
        stx zpPromptLo
        bcs line                // always: all compares left C set
end:    jmp BASIC_READY
sys:    ldx #0
letter: lda wordSys,x
        beq more
        jsr $FFD2
        inx
        bne letter              // always
}

