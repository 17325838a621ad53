 !byte 1, 2
