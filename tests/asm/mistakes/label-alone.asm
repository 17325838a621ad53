start
        jmp start
