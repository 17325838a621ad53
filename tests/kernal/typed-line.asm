// keys: {WAIT 5}ABC{LEFT}{LEFT}X{DEL}{DEL}Z{RETURN}
// frames: 90
// CHRIN reads the line as it is on the screen after editing; its characters come one call at a time.
BasicUpstart2(start)
start:  ldx #0
read:   jsr $ffcf
        sta line,x
        inx
        cmp #$0d
        bne read
        lda #$0d
        jsr $ffd2
        ldx #0
show:   lda line,x
        jsr $ffd2
        cmp #$0d
        beq done
        inx
        bne show
done:   rts
line:
