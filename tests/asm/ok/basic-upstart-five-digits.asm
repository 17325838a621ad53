// 9999 and 10000 differ in length; what follows the digits moves with them.
* = $0801 "Short"
short:  BasicUpstart(last)
        .word short.upstartEnd
* = $0821 "Long"
long:   BasicUpstart(first)
        .word long.upstartEnd
* = 9999 "Target" virtual
last:   nop
first:  rts
