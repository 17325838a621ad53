loop:   bne loop-
