.const A = 5
.eval A = 6
