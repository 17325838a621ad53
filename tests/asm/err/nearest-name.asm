// A name that was not found brings the nearest one.
*=$1000
.function double(x) { .return x*2 }
.macro SetBorder(c) { lda #c; sta $d020 }
MoveCount: .byte 0
        lda MoveCuont           // error: Unknown symbol 'MoveCuont'
        .byte duoble(1)         // error: Unknown function 'duoble'
        SetBoarder(1)           // error: Macro command 'SetBoarder' not defined
