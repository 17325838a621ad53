.function f(a) { .return a }
 f(1)
