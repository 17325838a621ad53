.segment Code
 nop
