// statements.asm - BASIC's main loop and the statements that starters use, $A38A-$ABFF
//
// Provides: MoveUp, NextStatement, ClearAll, PrintText, and the entries at their addresses
// Uses:     words.asm, expressions.asm, number-text.asm, basic-names.asm
#importonce

// MoveUp - move memory upwards, from its end on: the opening of a gap
//
// In:       MoveFrom = first byte, MoveEnd = the byte after the last one, MoveTo = the byte after the target's last
// Clobbers: A, X, Y, the pointers
        :To($A3B8)
        sta ArrayEnd            // and memory ends there now
        sty ArrayEnd + 1
        :To($A3BF)
MoveUp: {
        sec
        lda MoveEndLo
        sbc MoveFromLo
        tay                     // the odd bytes
        lda MoveEndHi
        sbc MoveFromHi
        tax                     // and pages
        sty PointerLo
        lda MoveEndLo           // the pointers to the first of the odd bytes
        sec
        sbc PointerLo
        sta MoveEndLo
        bcs goal
        dec MoveEndHi
        sec
goal:   lda MoveToLo
        sbc PointerLo
        jmp rest
        :To($A3FB)
        rts                     // is there room for A * 2 bytes on the stack? There is.
rest:   sta MoveToLo
        bcs start
        dec MoveToHi
start:  tya
        beq pages
        bne copy                // tempo: allow(W0310) always
        :To($A408)
        rts                     // is there room up to A, Y? There is.
copy:   dey
        lda (MoveEndLo),y
        sta (MoveToLo),y
        tya
        bne copy
pages:  txa
        beq done
        dex
        dec MoveEndHi
        dec MoveToHi
        jmp copy                // Y = 0: begins with byte 255
done:   rts
}

// Errors: X = number
        :To($A435)
OutOfMemory:
        ldx #OUT_OF_MEMORY
        :To($A437)
Error:  jmp (VECTOR_ERROR)
        :To($A43A)
        jmp ErrorText
        :To($A474)
        jmp Ready
        :To($A480)
        jmp (VECTOR_MAIN)
        :To($A483)
        ldx #$FF                // no line is being executed
        stx LineNumber + 1
        jmp Prompt
        :Absent($A49C)

// Ready - the prompt
Ready: {
        cld
        jsr $FFCC               // CLRCHN
        ldx #$FA
        txs
        cli
        lda #$80                // messages of LOAD
        jsr $FF90
        lda #<text
        ldy #>text
        jsr PrintText
        jmp (VECTOR_MAIN)
text:   .byte RETURN
        .text "READY."
        .byte RETURN, 0
}

// ErrorText - print a message, and back to the prompt
//
// In:       X = number
ErrorText: {
        txa
        pha
        jsr $FFCC               // CLRCHN
        jsr PrintReturn
        lda #'?'
        jsr PrintA
        pla
        tax
        lda #<ErrorTexts
        sta PointerLo
        lda #>ErrorTexts
        sta PointerHi
        ldy #0
find:   dex
        beq found
skip:   lda (PointerLo),y
        inc PointerLo
        bne page
        inc PointerHi
page:   cmp #0
        bne skip
        beq find                // always
found:  lda PointerLo
        ldy PointerHi
        jsr PrintText
        lda #<text
        ldy #>text
        jsr PrintText
        lda LineNumber + 1
        cmp #$FF
        beq direct
        lda #<in
        ldy #>in
        jsr PrintText
        lda LineNumber + 1
        ldx LineNumber
        jsr PrintInteger
direct: jmp Ready
text:   .text "  ERROR"
        .byte 0
in:     .text " IN "
        .byte 0
}
        :To($A52A)
        jsr ClearAll
        jsr Relink
        jmp (VECTOR_MAIN)

// Relink - the addresses of the next line in all lines of the program
//
// Out:      PointerLo = its end: the two zeros
// Clobbers: A, X, Y
        :To($A533)
Relink: {
        lda ProgramStart
        ldy ProgramStart + 1
        sta PointerLo
        sty PointerHi
        clc
line:   ldy #1
        lda (PointerLo),y
        beq done
        ldy #4                  // after link and number
text:   iny
        lda (PointerLo),y
        bne text
        iny
        tya                     // C = 0
        adc PointerLo
        tax
        ldy #0
        sta (PointerLo),y
        tya
        adc PointerHi
        iny
        sta (PointerLo),y
        stx PointerLo
        sta PointerHi
        bcc line                // always: memory ends before
done:   rts
}

// ReadLine's address: a line to $0200; X, Y = the byte before it
        :To($A560)
        jsr ReadLine
        ldx #<(LineBuffer - 1)
        ldy #>(LineBuffer - 1)
        rts

// FindLine - the line with number IntegerLo
//
// Out:      C = 1 found; MoveFromLo = its address, or that of the next one
// Clobbers: A, X, Y
        :To($A613)
FindLine:
        lda ProgramStart
        ldx ProgramStart + 1
        :To($A617)
FindLineFrom: {
        sta MoveFromLo
        stx MoveFromHi
        ldy #1
        lda (MoveFromLo),y
        beq none
        ldy #3
        lda IntegerHi
        cmp (MoveFromLo),y
        bcc none
        bne next
        dey
        lda IntegerLo
        cmp (MoveFromLo),y
        bcc none
        beq found
next:   ldy #1
        lda (MoveFromLo),y
        tax
        dey
        lda (MoveFromLo),y
        jmp FindLineFrom
none:   clc
found:  rts
}

// New - an empty program; the statement takes no argument
        :To($A642)
NewStatement:
        bne statementEnds
        :To($A644)
New: {
        lda #0
        tay
        sta (ProgramStart),y
        iny
        sta (ProgramStart),y
        lda ProgramStart
        clc
        adc #2
        sta ProgramEnd
        lda ProgramStart + 1
        adc #0
        sta ProgramEnd + 1
}                               // falls through

// ClearAll - the text begins at the program, and everything is cleared
        :To($A659)
ClearAll:
        jsr ToProgram
        lda #0                  // Z = 1
        :To($A65E)
ClearStatement:
        bne statementEnds
        :To($A660)
Clear:  jsr $FFE7               // CLALL
        :To($A663)
ClearVariables: {
        lda MemoryEnd
        ldy MemoryEnd + 1
        sta StringStart
        sty StringStart + 1
        lda ProgramEnd
        ldy ProgramEnd + 1
        sta ArrayStart
        sty ArrayStart + 1
        sta ArrayEnd
        sty ArrayEnd + 1
}                               // falls through
        :To($A677)
        jsr Restore

// ClearStack - the stack keeps the return address and nothing else
//
// Clobbers: A, X, Y
        :To($A67A)
ClearStack:
        pla
        tay
        pla
        ldx #$FA
        txs
        pha
        tya
        pha
        lda #0
        sta $3E                 // there is nothing to continue
        sta $10
statementEnds:
        rts

// ToProgram - the text begins before the first line
        :To($A68E)
ToProgram:
        clc
        lda ProgramStart
        adc #$FF
        sta TextLo
        lda ProgramStart + 1
        adc #$FF
        sta TextHi
        rts

// NextStatement - carry out the statements at TextLo, one after the other, and return to the prompt at the end
        :To($A7AE)
NextStatement: {
        jsr StopKeyEnds
        ldy #0
        lda (TextLo),y
        bne inLine
        lda TextHi              // the end of a typed line
        cmp #>LineBuffer
        beq end
        ldy #2
        lda (TextLo),y
        beq end
        iny
        lda (TextLo),y
        sta LineNumber
        iny
        lda (TextLo),y
        sta LineNumber + 1
        tya
        clc
        adc TextLo
        sta TextLo
        bcc statement
        inc TextHi
statement:
        jmp (VECTOR_STATEMENT)
end:    jmp Ready
        :To($A7E4)
        jsr ChrGet
        jsr Statement
        :To($A7EA)
        jmp NextStatement
        :To($A7ED)
        jmp Statement
inLine: cmp #':'
        beq statement
        jmp SyntaxError
}

// Statement - carry out the statement whose first character is in A
//
// In:       A = character, Z = 1 at the end of a statement: nothing to do
Statement: {
        beq done
        cmp #0
        bpl name
        cmp #TOKEN_NEW + 1
        bcs wrong
        asl                     // the token's bit 7 falls out
        tax
        lda Statements + 1,x
        pha
        lda Statements,x
        pha
        jmp ChrGet              // which returns to the statement
name:   cmp #'A'
        bcc wrong
        jmp $A9A5               // an assignment
wrong:  jmp SyntaxError
done:   rts
}

// Restore - DATA is read from the program's start
        :To($A81D)
Restore: {
        ldy ProgramStart + 1
        lda ProgramStart
        bne same
        dey
same:   sec
        sbc #1
        sta $41
        sty $42
        rts
}
        :To($A82C)
StopKeyEnds:
        jsr $FFE1               // STOP
        :To($A82F)
Stop:   bne statementEnds2
        :To($A831)
End:    pla
        pla
        jmp Ready
statementEnds2:
        rts

        :To($A871)
Run: {
        beq whole
        jsr Clear
        jsr ChrGot
        jmp Goto
whole:  jmp ClearAll
}

// Goto - go on in the line whose number follows in the text
        :To($A8A0)
Goto:   jsr LineNumberFromText
        :To($A8A3)
        jsr Rem
        jmp GotoInteger
        :To($A8BC)
GotoInteger: {
        jsr FindLine
        bcc UndefinedStatement
        lda MoveFromLo
        sbc #1                  // C = 1
        sta TextLo
        lda MoveFromHi
        sbc #0
        sta TextHi
        rts
}

        :Absent($A8D2)
UndefinedStatement:
        ldx #UNDEFINED_STATEMENT
        jmp Error

// Data, Rem - continue after the statement, after the line
        :To($A8F8)
Data:   jsr StatementLength
addToText:
        tya
        clc
        adc TextLo
        sta TextLo
        bcc added
        inc TextHi
added:  rts
        :To($A906)
StatementLength:
        ldx #':'
        .byte $2C               // skips the next instruction
        :To($A909)
LineLength:
        ldx #0
        jmp ScanText
        :To($A93B)
Rem:    jsr LineLength
        jmp addToText

        :Absent($A94B)
        :To($A96B)
        jmp LineNumberFromText
        :Absent($A9A5)

// ScanText - the length of the text up to character X, outside of quotes, or to its end, in Y
ScanText: {
        stx $07
        ldx #0                  // 1: in quotes
        ldy #0
next:   lda (TextLo),y
        beq done
        cmp #QUOTE
        bne plain
        txa
        eor #1                  // X = 1 in quotes
        tax
        lda #QUOTE
plain:  cpx #1
        beq on
        cmp $07
        beq done
on:     iny
        bne next
done:   rts
}

// LineNumberFromText - an unsigned number of digits to IntegerLo
//
// In:       A = first character, C = 0 if it is a digit
LineNumberFromText: {
        ldx #0
        stx IntegerLo
        stx IntegerHi
next:   bcs done
        sbc #$2F                // C = 0: minus $30
        sta $07
        lda IntegerHi
        cmp #>6400              // as far as numbers go
        bcs wrong
        sta PointerLo
        lda IntegerLo
        asl
        rol PointerLo
        asl
        rol PointerLo
        adc IntegerLo
        sta IntegerLo
        lda PointerLo
        adc IntegerHi
        asl IntegerLo
        rol
        sta IntegerHi
        lda IntegerLo
        adc $07
        sta IntegerLo
        bcc digit
        inc IntegerHi
digit:  jsr ChrGet
        jmp next
wrong:  jmp SyntaxError
done:   rts
}

// Print - numbers and texts in quotes, with ; and , between them
        :To($AAA0)
Print: {
        beq PrintReturn
next:   beq printEnds
        cmp #';'
        beq skip
        cmp #','
        beq tab
        cmp #QUOTE
        beq text
        jsr BASIC_NUMBER
        jmp printed
        :To($AABC)
printed:
        jsr NumberToText
        :To($AABF)
        jsr PrintText
        jsr PrintGap
        jmp more
        :To($AAD7)
PrintReturnAt:
        lda #RETURN
        jmp PrintA
tab:    lda Column
        sec
tens:   sbc #10
        bcs tens
        eor #$FF                // spaces up to the next column of ten
        adc #1
        tax
space:  jsr PrintSpace
        dex
        bne space
skip:   jsr ChrGet
        beq printEnds
        jmp next
text:   ldy #1
letter: lda (TextLo),y
        beq quoted
        iny
        cmp #QUOTE
        beq quoted
        jsr PrintA
        jmp letter
quoted: jsr addToText
more:   jsr ChrGot
        beq PrintReturn
        jmp next
printEnds:
        rts
}
.label PrintReturn = Print.PrintReturnAt

// PrintText - print what A, Y points to, up to a zero or a quotation mark
        :To($AB1E)
PrintText:
        jmp PrintTextBody
        :To($AB24)
        jmp PrintCounted
        :To($AB3B)
PrintGap:
        lda $13                 // a space into a file, on the screen the cursor moves on
        beq PrintRight
        :To($AB3F)
PrintSpace:
        lda #SPACE
        .byte $2C               // skips the next instruction
        :To($AB42)
PrintRight:
        lda #$1D
        .byte $2C
        :To($AB45)
        lda #'?'
        :To($AB47)
PrintA: jsr $E10C
        and #$FF
        rts

PrintTextBody: {
        sta PointerLo
        sty PointerHi
        ldy #0
next:   lda (PointerLo),y
        beq done
        cmp #QUOTE
        beq done
        jsr PrintA
        iny
        bne next
        inc PointerHi
        bne next                // always
done:   rts
}

// PrintCounted - print A characters from PointerLo on
PrintCounted: {
        tax
        ldy #0
        inx
next:   dex
        beq done
        lda (PointerLo),y
        jsr PrintA
        iny
        jmp next
done:   rts
}
