// The label is in another segment, which starts after the first one has its length.
.segmentdef Basic [start=$0801]
.segmentdef Code [start=$1000]
.segmentdef Data [startAfter="Code"]
.segment Basic
        BasicUpstart(main.entry)
.segment Code
main: {
        .word table
entry:  ldx table
        rts
}
.segment Data
table:  .byte 1, 2, 3
.segment Default
        .segmentout [segments="Basic"]
        .segmentout [segments="Code, Data"]
