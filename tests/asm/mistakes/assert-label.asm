*=$1000
count: .byte 3
.assert "three", count, 3
