.for (var k=0; k<n; k++) nop
