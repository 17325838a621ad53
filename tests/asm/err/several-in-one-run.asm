// Independent faults are all reported, in one run.
*=$1000
        lda nowhere             // error: Unknown symbol 'nowhere'
        Missing(1)              // error: Macro command 'Missing' not defined
        frob #1                 // error: Pseudo command 'frob' not defined
        .byte wibble(2)         // error: Unknown function 'wibble'
        .byte max(1)            // error: Invalid number of arguments for function 'max'
twice:  nop
twice:  nop                     // error: The symbol 'twice' is already defined
