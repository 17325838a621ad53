 .proc foo
 rts
