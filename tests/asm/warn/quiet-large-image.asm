// The image of a memory expansion: data in a file without addresses of the CPU.
.segmentdef Image [outBin="reu.bin"]
.segment Image
        * = $0000
        .fill $18000, 0
.segment Default
        * = $1000
        rts
