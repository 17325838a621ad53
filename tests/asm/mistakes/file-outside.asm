.file [name="../up.prg", segments="Default"]
 nop
