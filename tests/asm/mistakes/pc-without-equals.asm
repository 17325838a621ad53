.pc $1000
 rts
