 .import bin "x.bin"
