.function check(n) {
        .if (n > 3) .error "too big: " + n      // error: too big: 5
        .return n
}
.function twice(n) { .return check(n)*2 }
        .byte twice(5)
