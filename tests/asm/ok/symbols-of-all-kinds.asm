// Negative, large and broken values; members; namespaces; names that only count for the order.
*=$1000
.const HIDDEN = 1
.label minus = -1
.label large = $123456
.label fraction = 1.75
outer: {
inner:  nop
}
.namespace game {
lives:  .byte 3
}
        lda argument:#1
