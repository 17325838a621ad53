.function f(x) { .var y = x*2 }
 .byte f(1)
