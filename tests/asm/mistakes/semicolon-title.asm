; my program
; by me
        *=$1000
        rts
