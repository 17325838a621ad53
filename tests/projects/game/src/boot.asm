// The file to load: a BASIC line, the three parts as they were built, and the order of the levels.
.import source "level2.sym"

.segmentdef Boot [start=$0810]
.segmentdef Parts [prgFiles="resident.prg, level1.prg, level2.prg"]

.segment Boot "Boot"
start:      lda #0
            sta points
next:       ldx #0
            lda levels.lo,x
            sta go
            lda levels.hi,x
            sta go + 1
            jsr go:$ffff
            inc next + 1
            lda next + 1
            cmp #2
            bne next
            lda points
            sta border
            jmp *

.var entries = List().add(level1.entry, level2.entry)
levels:     .lohifill entries.size(), entries.get(i)

.segmentdef Game [segments="Boot, Parts", modify="BasicUpstart", _start=start, outPrg="boot.prg"]
