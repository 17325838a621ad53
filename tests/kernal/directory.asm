// keys: {WAIT 5}LOAD"$",8{RETURN}{WAIT 10}LIST{RETURN}{WAIT 10}LOAD"*",8,1{RETURN}{WAIT 10}LIST{RETURN}{WAIT 10}RUN{RETURN}
// frames: 400
// The prompt loads and lists the directory, and then a program, whose SYS line it lists and runs.
BasicUpstart2(start)
.const END = $0801 + 300
start:  lda #'!'
        jsr $ffd2
        lda saved
        bne done
        inc saved
        lda #1
        ldx #8
        ldy #1
        jsr $ffba
        lda #5
        ldx #<name
        ldy #>name
        jsr $ffbd
        lda #$01
        sta $fb
        lda #$08
        sta $fc
        lda #$fb
        ldx #<END
        ldy #>END
        jsr $ffd8
done:   rts
saved:  .byte 0
name:   .text "FIRST"
