// kernal.asm - the KERNAL ROM, $E000-$FFFF: map and jump table, nothing else
//
// The calls that programs make on a bare C64, and the entries in its middle that programs jump to, each at its
// documented address. BASIC's part of this ROM is in basic-high.asm. The gaps hold the code that has no documented address.
// Assemble: tempo asm asm/kernal/kernal.asm; `UPDATE=1 cargo test -p tempo-c64 --test rom` renews the copy that `emu` carries.
#import "names.asm"
#import "basic-names.asm"

* = $E000 "KERNAL"
#import "basic-high.asm"
#import "screen.asm"
#import "serial.asm"
        :To($EEBE)
#import "input.asm"
#import "keyboard.asm"
#import "channels.asm"
        :To($F69B)
#import "interrupt.asm"
        :To($F92D)
#import "lines.asm"
        :To($FCD1)
#import "start.asm"

        :To($FF81)              // the jump table
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
        :To($FFFA)              // the hardware's vectors
        .word NmiEntry, Reset, Irq
