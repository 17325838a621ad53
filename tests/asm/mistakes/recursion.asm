.macro M() { M() }
 M()
