 .export start
start: rts
