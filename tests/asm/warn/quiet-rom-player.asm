// The player that is called may switch the ROM off; nothing is known of it.
        BasicUpstart2(start)
        * = $0900
start:  jsr player
        sta $e000
        rts
player: .byte $a9, $35, $85, $01, $60
