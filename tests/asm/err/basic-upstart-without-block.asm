// Kick Assembler refuses it too: how many digits there are decides where the label is.
* = $0801
        BasicUpstart(start) // error: Value can't be resolved
start:  rts
