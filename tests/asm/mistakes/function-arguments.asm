.function add(a, b) { .return a+b }
 .byte add(1), sin(), Vector(1)
