#import "level.asm"
// It has the symbols of the resident part, too.
.import source "level1.sym"
.filenamespace level2
.const speed = cmdLineVars.get("speed").asNumber()

* = $5000 "Level 2"
entry: {
            ldx #0
fade:       lda steps,x
            sta border
            .fill speed, NOP
            jsr api.wait
            inx
            cpx #steps.end - steps
            bne fade
            lda #$25
            jmp api.score
steps: {
            .fill colours.size(), colours.get(i)
end:
}
}
