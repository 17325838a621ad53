// The way into nested macros is told, innermost first.
*=$1000
        Outer(300)
.macro Outer(n) {
        Inner("x" + n)
}
.macro Inner(text) {
        lda #text               // error: The value of a Command Argument Value must be an integer. This expression returns a value of type 'String'
}
