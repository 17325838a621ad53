.for (i=0;i<5;i++) nop
