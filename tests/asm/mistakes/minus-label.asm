- nop
 bne -
 beq +
+ rts
