// The benchmarks' workload: fill, sort, CRC-16, sieve, 16-bit multiply. Branchy and heavy on memory.
// Runs once through and returns; the checksums at RESULT are known to the benchmark.
.label value = $02
.label ptr = $04
.label count = $06
.label step = $08
.label swapped = $0a
.label crcLo = $10
.label crcHi = $11
.label factorA = $20
.label factorB = $22
.label product = $24
.label sum = $28
.label BUFFER = $2000
.label LIST = $2400
.label FLAGS = $3000
.label FLAGS_END = FLAGS+$800
.label RESULT = $0300

* = $1000
start:  jsr fill
        jsr sort
        jsr crc
        jsr sieve
        jsr multiply
        rts

// BUFFER: 1024 bytes of a 16-bit shift register; LIST: the first 96 of them
fill:   lda #$e1
        sta value
        lda #$ac
        sta value+1
        lda #<BUFFER
        sta ptr
        lda #>BUFFER
        sta ptr+1
        ldx #4
fillPage:
        ldy #0
fillByte:
        lsr value+1
        ror value
        bcc noFeedback
        lda value+1
        eor #$b4
        sta value+1
noFeedback:
        lda value
        sta (ptr),y
        iny
        bne fillByte
        inc ptr+1
        dex
        bne fillPage
        ldx #95
copy:   lda BUFFER,x
        sta LIST,x
        dex
        bpl copy
        rts

// bubble sort of LIST, ascending
sort:   lda #0
        sta swapped
        ldx #0
sortNext:
        lda LIST,x
        cmp LIST+1,x
        bcc inOrder
        beq inOrder
        tay
        lda LIST+1,x
        sta LIST,x
        tya
        sta LIST+1,x
        inc swapped
inOrder:
        inx
        cpx #95
        bne sortNext
        lda swapped
        bne sort
        ldx #0
        txa
        clc
addList:
        adc LIST,x
        rol
        inx
        cpx #96
        bne addList
        sta RESULT
        rts

// CRC-16/CCITT of BUFFER, bit by bit
crc:    lda #$ff
        sta crcLo
        sta crcHi
        lda #<BUFFER
        sta ptr
        lda #>BUFFER
        sta ptr+1
        lda #4
        sta count
        ldy #0
crcByte:
        lda (ptr),y
        eor crcHi
        sta crcHi
        ldx #8
crcBit: asl crcLo
        rol crcHi
        bcc crcNoCarry
        lda crcHi
        eor #$10
        sta crcHi
        lda crcLo
        eor #$21
        sta crcLo
crcNoCarry:
        dex
        bne crcBit
        iny
        bne crcByte
        inc ptr+1
        dec count
        bne crcByte
        lda crcLo
        sta RESULT+1
        lda crcHi
        sta RESULT+2
        rts

// primes below 2048
sieve:  lda #0
        tay
        ldx #8
        sta ptr
        lda #>FLAGS
        sta ptr+1
        tya
clear:  sta (ptr),y
        iny
        bne clear
        inc ptr+1
        dex
        bne clear
        lda #2
        sta step
        lda #0
        sta step+1
nextPrime:
        lda step
        sta ptr
        lda #>FLAGS
        clc
        adc step+1
        sta ptr+1
        ldy #0
        lda (ptr),y
        bne notPrime
mark:   clc
        lda ptr
        adc step
        sta ptr
        lda ptr+1
        adc step+1
        sta ptr+1
        cmp #>FLAGS_END
        bcs notPrime
        lda #1
        sta (ptr),y
        bne mark
notPrime:
        inc step
        lda step
        cmp #46
        bne nextPrime
        ldx #0
        stx count
countPrimes:
        lda FLAGS,x
        bne composite1
        inc count
composite1:
        lda FLAGS+$100,x
        bne composite2
        inc count
composite2:
        inx
        bne countPrimes
        lda count
        sta RESULT+3
        rts

// 96 products of 16 bits, summed in 32
multiply:
        lda #0
        sta sum
        sta sum+1
        sta sum+2
        sta sum+3
        ldy #95
product16:
        lda BUFFER,y
        sta factorA
        lda BUFFER+$100,y
        sta factorA+1
        lda LIST,y
        sta factorB
        lda BUFFER+$200,y
        sta factorB+1
        lda #0
        sta product+2
        sta product+3
        ldx #16
bit16:  lsr factorB+1
        ror factorB
        bcc noAdd
        clc
        lda product+2
        adc factorA
        sta product+2
        lda product+3
        adc factorA+1
        sta product+3
noAdd:  ror product+3
        ror product+2
        ror product+1
        ror product
        dex
        bne bit16
        clc
        lda sum
        adc product
        sta sum
        lda sum+1
        adc product+1
        sta sum+1
        lda sum+2
        adc product+2
        sta sum+2
        lda sum+3
        adc product+3
        sta sum+3
        dey
        bpl product16
        ldx #3
copySum:
        lda sum,x
        sta RESULT+4,x
        dex
        bpl copySum
        rts
