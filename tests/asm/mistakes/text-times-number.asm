.var l = List().add("a", "b")
.function f(x) { .return x * 2 }
 *=$1000
start: lda #f(l)
 jmp start
t: .byte f(l), f("q")
 .for (var i = 0; i < f(l); i++) { .byte i }
 lda t
 sta start
