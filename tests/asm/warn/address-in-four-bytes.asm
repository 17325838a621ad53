// Two bytes elsewhere, four bytes here.
*=$1000
start:  .dw start, 5            // warning: W0105
        .dw $12345678
        .dword start
        .dw *                   // warning: W0105
