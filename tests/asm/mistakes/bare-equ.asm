screen equ $0400
