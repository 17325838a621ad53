// Columns of a table that a long label has moved stay together.
shorts:          .byte 1, 2
aMuchLongerName: .byte 3, 4
                 .byte 5, 6
                .byte 7 // not one of them

  plain: .byte 1
         .byte 2
.const A     = 1
.const LONGER = 2
.const C      = 3
