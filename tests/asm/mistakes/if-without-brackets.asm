.if DEBUG nop
.if !DEBUG nop
.while x nop
.for i=0 nop
