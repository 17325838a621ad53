        inc a
