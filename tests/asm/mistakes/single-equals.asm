.var a = 5
.const B = 5
.if (a = 5) nop
.if (B = 5) nop
.for (var i = 0; i = 5; i++) nop
