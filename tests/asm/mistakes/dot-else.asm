 .if (true) { nop } .else { rts }
