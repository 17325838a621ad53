// kernal.asm - the KERNAL ROM, $E000-$FFFF: map and jump table, nothing else
//
// The calls that programs make on a bare C64, written for Tempo's machine. It knows no BASIC and no serial bus:
// disk calls are answered by the host (channels.asm).
// Assemble: tempo asm asm/kernal/kernal.asm; `UPDATE=1 cargo test -p tempo-c64 --test rom` renews the copy that `emu` carries.
#import "names.asm"

* = $E000 "key tables"
#import "keytables.asm"
.errorif * > AFTER_SYS, "the key tables reach into the entry after SYS"

// Programs jump into the middle of the KERNAL. These are the places they know.
* = AFTER_SYS "after SYS"       // where the rts of a program started by SYS leads
        jmp AfterSys
#import "start.asm"
.errorif * > COLD_START, "the start reaches into the cold start"

* = COLD_START "cold start"     // the end of a reset
        jmp ColdStart
#import "prompt.asm"
.errorif * > $E544, "the prompt reaches into the entry that clears the screen"

* = $E544 "clear screen"
        jmp ClearScreen
* = $E566 "home"
        jmp Home
* = $E56C "set cursor"
        jmp FindLine
#import "words.asm"
.errorif * > $E716, "the words reach into the entry that prints"

* = $E716 "print"
        jmp ScreenOut
* = $E8EA "scroll"
        jmp ScrollUp
* = $E9FF "clear row"
        jmp ClearRow
* = $EA31 "interrupt"
        jmp JiffyInterrupt
* = $EA7E "end of interrupt"
        lda CIA1_ICR            // the acknowledgement
EndOfInterrupt:                 // $EA81
        pla
        tay
        pla
        tax
        pla
        rti
* = $EA87 "scan keyboard"
        jmp ScanKeyboard

* = $EA8A "code"
#import "screen.asm"
#import "lines.asm"
#import "input.asm"
#import "keyboard.asm"
#import "channels.asm"
#import "list.asm"
.errorif * > $FCE2, "the code reaches into the reset routine"

* = $FCE2 "reset"
        jmp Reset
* = $FD15 "restore vectors"
        jmp Restor
* = $FDA3 "initialise I/O"
        jmp InitIo
#import "interrupt.asm"
.errorif * > $FE43, "the interrupt code reaches into the NMI entry"

* = $FE43 "NMI"
        sei
        jmp (VECTOR_NMI)
* = $FE47 "NMI, by default"
        jmp NmiDefault
* = $FE66 "break"
        jmp WarmStart
* = $FEBC "end of NMI"
        pla
        tay
        pla
        tax
        pla
        rti

// The cycles between the interrupt and the handler at $0314 are known to programs that wait for the beam: 29.
* = $FF48 "IRQ"
Irq:    pha
        txa
        pha
        tya
        pha
        tsx
        lda $0104,x             // P as it was pushed
        and #%00010000          // B: a brk and no interrupt
        beq isIrq
        jmp (VECTOR_BRK)
isIrq:  jmp (VECTOR_IRQ)
* = $FF5B "screen editor"
        jmp InitEditor

* = $FF81 "jump table"
        jmp InitEditor          // FF81 CINT
        jmp InitIo              // FF84 IOINIT
        jmp InitRam             // FF87 RAMTAS
        jmp Restor              // FF8A RESTOR
        jmp Vector              // FF8D VECTOR
        jmp SetMsg              // FF90 SETMSG
        jmp Second              // FF93 SECOND
        jmp TalkSecond          // FF96 TKSA
        jmp MemTop              // FF99 MEMTOP
        jmp MemBot              // FF9C MEMBOT
        jmp ScanKeyboard        // FF9F SCNKEY
        jmp SetTimeout          // FFA2 SETTMO
        jmp SerialIn            // FFA5 ACPTR
        jmp SerialOut           // FFA8 CIOUT
        jmp Untalk              // FFAB UNTLK
        jmp Unlisten            // FFAE UNLSN
        jmp Listen              // FFB1 LISTEN
        jmp Talk                // FFB4 TALK
        jmp ReadStatus          // FFB7 READST
        jmp SetLfs              // FFBA SETLFS
        jmp SetName             // FFBD SETNAM
        jmp (VECTOR_OPEN)       // FFC0 OPEN
        jmp (VECTOR_CLOSE)      // FFC3 CLOSE
        jmp (VECTOR_CHKIN)      // FFC6 CHKIN
        jmp (VECTOR_CHKOUT)     // FFC9 CHKOUT
        jmp (VECTOR_CLRCHN)     // FFCC CLRCHN
        jmp (VECTOR_CHRIN)      // FFCF CHRIN
        jmp (VECTOR_CHROUT)     // FFD2 CHROUT
        jmp Load                // FFD5 LOAD
        jmp Save                // FFD8 SAVE
        jmp SetTime             // FFDB SETTIM
        jmp ReadTime            // FFDE RDTIM
        jmp (VECTOR_STOP)       // FFE1 STOP
        jmp (VECTOR_GETIN)      // FFE4 GETIN
        jmp (VECTOR_CLALL)      // FFE7 CLALL
        jmp UpdateTime          // FFEA UDTIM
        jmp ScreenSize          // FFED SCREEN
        jmp Plot                // FFF0 PLOT
        jmp IoBase              // FFF3 IOBASE

* = $FFFA "hardware vectors"
        .word $FE43, $FCE2, Irq
