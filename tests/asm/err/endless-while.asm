.var i = 0
.while (true) {         // error: 1000
    .eval i++
}
