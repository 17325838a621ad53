// A label of a namespace, through a macro that calls the macro, and twice in one program.
.macro Loader(target, address) {
* = target
here:   BasicUpstart(address)
        .byte <here.upstartEnd
}
        Loader($0801, game.start)
        Loader($0821, game.other)
* = $0840
.namespace game {
start:  lda #<other
        rts
other:  jmp start
}
