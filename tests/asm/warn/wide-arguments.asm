// Pseudo commands that take the bytes of an argument one by one, and one that does not.
*=$1000
.function next(argument) {
        .if (argument.getType() == AT_IMMEDIATE) .return CmdArgument(AT_IMMEDIATE, >argument.getValue())
        .return CmdArgument(argument.getType(), argument.getValue() + 1)
}
.pseudocommand mov16 src : target {
        lda src
        sta target
        lda next(src)
        sta next(target)
}
.pseudocommand mov src : target {
        lda src                 // warning: W0101
        sta target
}
.macro Wide(value) {
        lda #value              // warning: W0101
}
        mov16 #$1234 : $fb
        mov #300 : $d020
        Wide(300)
