        sta $d020 x
