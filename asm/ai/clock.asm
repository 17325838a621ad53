// clock.asm - time by the machine's clock, and levels
//
// Provides: StartClock, TimeIsUp, IsEnough, SetLevel, LEVELS
// Uses:     constants.asm (CIA2_...), storage.asm, clear.asm (NoteMove)
//
// Timer A of CIA 2 counts 1,024 cycles again and again, timer B the rounds of timer A.
// No interrupt is used. Without SearchTime the chip is not touched: a host that counts
// cycles itself sets SearchStop.
#importonce

.const EARLY        = 28                // units by which the clock is fast: the limits are looked at every
                                        // few nodes, and time must not be up before

// StartClock - the search begins now
//
// In:       SearchTime, 0 = no limit
// Out:      ClockLo/Hi, Elapsed
// Clobbers: A
// Cycles:   21 no limit
StartClock: {
        lda SearchTime
        ora SearchTime+1
        ora SearchTime+2
        beq off
        lda #0
        sta CIA2_CONTROL_A      // stop
        sta CIA2_CONTROL_B
        sta Elapsed+1
        sta Elapsed+2
        lda #EARLY
        sta Elapsed
        lda #<(TIME_UNIT-1)
        sta CIA2_TIMER_A
        lda #>(TIME_UNIT-1)
        sta CIA2_TIMER_A+1
        lda #$FF
        sta CIA2_TIMER_B
        sta CIA2_TIMER_B+1
        sta ClockLo
        sta ClockHi
        lda #%0101_0001         // B counts A's rounds
        sta CIA2_CONTROL_B
        lda #%0001_0001         // load, run
        sta CIA2_CONTROL_A
off:    rts
}

// TimeIsUp - has SearchTime passed?
//
// In:       StartClock was called
// Out:      C = 1 yes
// Clobbers: A, X, Y
// Cycles:   24 no limit
TimeIsUp: {
        clc
        lda SearchTime
        ora SearchTime+1
        ora SearchTime+2
        beq off
again:  ldy CIA2_TIMER_B+1      // both bytes of one moment
        ldx CIA2_TIMER_B
        cpy CIA2_TIMER_B+1
        bne again
        stx zpTemp
        sec                     // it counts down
        lda ClockLo
        sbc zpTemp
        stx ClockLo
        tax
        sty zpTemp
        lda ClockHi
        sbc zpTemp
        sty ClockHi
        tay
        clc
        txa
        adc Elapsed
        sta Elapsed
        tya
        adc Elapsed+1
        sta Elapsed+1
        bcc noCarry
        inc Elapsed+2
noCarry:
        lda Elapsed
        cmp SearchTime
        lda Elapsed+1
        sbc SearchTime+1
        lda Elapsed+2
        sbc SearchTime+2
off:    rts
}

// --- Time with sense ---------------------------------------------------------------
// An iteration takes about twice as long as all before it: one that would begin late is left out, unless the
// value has fallen. A clear move needs half of the time (ai/clear.asm).
.const FALL         = 30                // hundredths of a pawn
FoundFrom:   .byte 0                    // the move of the iteration before
FoundTo:     .byte 0
FoundAgain:  .byte 0                    // iterations in a row that found it after another one

// IsEnough - is a further iteration not worth its time?
//
// In:       SearchSoft, 0 = every one is; the value
// Out:      C = 1 yes
// Clobbers: A, X, Y
// Cycles:   19 no limit
IsEnough: {
        clc
        lda SearchSoft
        ora SearchSoft+1
        beq done
        jsr TimeIsUp            // Elapsed
        sec
        lda zpFoundLo
        sbc SearchValue
        tax
        lda zpFoundHi
        sbc SearchValue+1
        ldy SearchValue
        sty zpFoundLo
        ldy SearchValue+1
        sty zpFoundHi
        asl                     // C = 1: not less
        bcs late
        bne done                // C = 0
        cpx #FALL
        bcs falls
late:   jsr NoteMove
        lda Elapsed+1
        cmp SearchSoft
        lda Elapsed+2
        sbc SearchSoft+1
done:   rts
falls:  clc
        rts
}

// --- Levels, from instant to tournament -----------------------------------------
// Weak levels overlook answers and do not look far; they never play at random.
.struct Level { name, plies, seconds, skill }
.var Levels = List()
    .eval Levels.add(Level("BEGINNER",   2,         2,   5))
    .eval Levels.add(Level("LEARNER",    2,         3,   3))
    .eval Levels.add(Level("CASUAL",     3,         5,   1))
    .eval Levels.add(Level("INSTANT",    MAX_LEVEL, 1,   0))
    .eval Levels.add(Level("BLITZ",      MAX_LEVEL, 5,   0))
    .eval Levels.add(Level("CLUB",       MAX_LEVEL, 10,  0))
    .eval Levels.add(Level("STRONG",     MAX_LEVEL, 25,  0))
    .eval Levels.add(Level("TOURNAMENT", MAX_LEVEL, 180, 0))
.label LEVELS       = Levels.size()
.label LEVEL_NAME   = 10                // letters of a name
.function UnitsOf(seconds) { .return round(seconds * CLOCK_PAL / TIME_UNIT) }

// SetLevel - the limits of a level
//
// In:       A = level, 0 to LEVELS-1
// Out:      SearchLevel, SearchTime, SearchSkill; SearchNodes = 0
// Clobbers: A, X
// Cycles:   70
SetLevel: {
        tax
        lda plies,x
        sta SearchLevel
        lda timeLo,x
        sta SearchTime
        lda timeMid,x
        sta SearchTime+1
        lda timeHi,x
        sta SearchTime+2
        lda skills,x
        sta SearchSkill
        lda #0
        sta SearchNodes
        sta SearchNodes+1
        sta SearchNodes+2
        sta SearchSoft
        sta SearchSoft+1
        rts
plies:  .fill LEVELS, Levels.get(i).plies
skills: .fill LEVELS, Levels.get(i).skill
timeLo: .fill LEVELS, <UnitsOf(Levels.get(i).seconds)
timeMid:
        .fill LEVELS, >UnitsOf(Levels.get(i).seconds)
timeHi: .fill LEVELS, UnitsOf(Levels.get(i).seconds) >> 16
}
LevelNames:                     // LEVEL_NAME letters each, screen codes of capitals
    .for (var level = 0; level < LEVELS; level++) {
        .for (var letter = 0; letter < LEVEL_NAME; letter++) {
        .byte letter < Levels.get(level).name.size() ? Levels.get(level).name.charAt(letter) & $3F : ' '
        }
    }
