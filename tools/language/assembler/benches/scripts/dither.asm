// Ordered dithering of a picture into a hires bitmap.
.const W = 320
.const H = 200
.var picture = LoadPicture("picture.png")
.var bayer = List().add(0,8,2,10, 12,4,14,6, 3,11,1,9, 15,7,13,5)
.function luma(rgb) {
    .var r = (rgb>>16)&$ff
    .var g = (rgb>>8)&$ff
    .var b = rgb&$ff
    .return 0.299*r + 0.587*g + 0.114*b
}
.function threshold(x, y) {
    .return bayer.get((y&3)*4 + (x&3))*16 + 8
}
.function cell(cx, y) {
    .var byte = 0
    .for (var bit=0; bit<8; bit++) {
        .var x = cx*8 + bit
        .if (luma(picture.getPixel(x, y)) > threshold(x, y)) .eval byte = byte | (128>>bit)
    }
    .return byte
}
*=$2000 "bitmap"
.for (var row=0; row<H/8; row++) {
    .for (var column=0; column<W/8; column++) {
        .for (var line=0; line<8; line++) {
            .byte cell(column, row*8+line)
        }
    }
}
