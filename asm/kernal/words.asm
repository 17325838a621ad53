// words.asm - a typed line and its words
//
// Provides: ReadLine, SkipSpaces, Match, Number
// Uses:     the jump table, prompt.asm (words)
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

// SkipSpaces - X to the next character that is no space
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
// Out:      C = 0 yes: X is behind it; C = 1 no
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

// Number - a decimal number from LineBuffer + X to zpPromptLo
//
// Clobbers: A, X
Number: {
        lda #0
        sta zpPromptLo
        sta zpPromptHi
        jsr SkipSpaces
digit:  lda LineBuffer,x
        sec
        sbc #$30
        cmp #10
        bcs done
        pha
        lda zpPromptHi          // times ten
        sta zpFromHi
        lda zpPromptLo
        asl
        rol zpPromptHi
        asl
        rol zpPromptHi          // C is clear: a number of 16 bits is below 65536 / 4 here
        adc zpPromptLo
        sta zpPromptLo
        lda zpPromptHi
        adc zpFromHi
        asl zpPromptLo
        rol
        sta zpPromptHi
        pla
        clc
        adc zpPromptLo
        sta zpPromptLo
        bcc next
        inc zpPromptHi
next:   inx
        bne digit               // always
done:   rts
}
