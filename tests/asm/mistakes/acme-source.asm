 !src "x.asm"
