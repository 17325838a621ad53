// c64.asm - names of the C64's hardware and KERNAL that the demo uses
#importonce

.const SCREEN     = $0400
.const COLOURS    = $d800

.const BORDER     = $d020
.const BACKGROUND = $d021
.const RASTER     = $d012
.const CONTROL1   = $d011       // bit 7 is bit 8 of the raster line
.const CONTROL2   = $d016       // bits 0-2 move the picture to the right
.const VIC_IRQ    = $d019
.const VIC_ENABLE = $d01a
.const CIA1_IRQ   = $dc0d

.label IrqVector  = $0314
.label IrqReturn  = $ea81       // the KERNAL takes the registers back
