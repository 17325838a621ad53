loop    inx
        bne loop
