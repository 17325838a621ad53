.print a
.const a = 1
