 .ifdef DEBUG
 nop
