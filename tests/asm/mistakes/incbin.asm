 .incbin "x.bin"
