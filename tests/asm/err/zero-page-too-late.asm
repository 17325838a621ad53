// A warning alone is not an error; with -W it is.
*=$1000
        lda counter             // error: Using absolute mode for zeropage argument.
.label counter = $20
