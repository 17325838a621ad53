// The digits of SYS are those of a label further down: its block has an address of its own.
* = $0801 "Basic"
        BasicUpstart(start)
* = $0810 "Program"
start:  inc $d020
        jmp start
