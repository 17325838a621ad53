#define A 5
        lda #A
