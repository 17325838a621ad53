// ask: completion
.const BORDER = $d020
.namespace screen { colours: .byte 1 }
.struct Point { x, y }
.var point = Point(1, 2)
.var list = List()
.macro Clear(colour) {
local:  lda #colour
        sta lo‸
}
start:  ‸
        Cl‸
        .f‸
        lda #<‸
        sta $d02‸
        jmp screen.‸
        .eval point.‸
        .eval list.a‸
        bne !‸
!next:  nop
#im‸
.encoding "‸"
.import binary "‸"
.cpu ‸
// no completion he‸re
        sta bord‸
        .byte abs(st‸
.macro Open(a) {
        lda #a‸
