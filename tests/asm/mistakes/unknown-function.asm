.print sqr(4)
