 .if (true) { nop } else if (false) { rts }
