// A comment at the start of a line stays there.
#import "none.asm"
  #define DEBUG
.const BLACK   =  $00
  * = $0801 "Start"
	BasicUpstart2(start)
start: lda #BLACK // one
 sta   $d020// two
                   // goes on with it
    // belongs to the next line
   ldx	#$Ff
!:dex
 bne !-
averylonglabel: nop // three
!loop: lda.abs  $fb,x ; sta $d021 // two statements
 jmp   (vector)     
alone:    

table:.byte 1, 2
 .text "// no comment  "   // four
.macro Set ( where , what ) {
   .var x = what
lda #x
    sta where
 }
Routine: {
.for (var i = 0; i < 3; i++) {
.if (i == 2) {
nop // deep
// stays
  } else {
inx
}
}
inner: rts // done
  // before the end
}
vector: .word start, List().add(
    1,
      2)
#if DEBUG
.namespace a {
#else
.namespace b {
#endif
 lda #1
     /* a block
   comment */
 nop /* inline */ ; nop /* at
   the end */
}
.enum {
 RED,
   GREEN = 5
}
lda #"ä".size() + 1     // the width counts characters: ä€
a_statement_that_is_longer_than_the_column_of_comments(1, 2) // five
:pseudo #1 : $d020
.label after = *
