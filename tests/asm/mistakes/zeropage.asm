 .zeropage
