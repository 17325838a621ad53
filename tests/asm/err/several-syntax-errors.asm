// The parser goes on at the next statement.
        lda #               // error: Syntax error
        .nonsense 1         // error: Invalid directive
        .byte 1,,2          // error: Syntax error
        lda.long $10        // error: Unknown extension: long
