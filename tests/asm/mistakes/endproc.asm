foo: rts
 .endproc
