// Statements that do not depend on a failed one are still evaluated.
*=$1000
        .byte "text"            // error: Can't get a double representation from a value of type String
        stx $1234,y             // error: invalid adressingmode. 'stx' doesn't support ABSOLUTEY mode
        .fill -1, 0             // error: The size of a fill directive can't be negative. Size=-1
        .byte true + 1          // error: Unknown function : +
