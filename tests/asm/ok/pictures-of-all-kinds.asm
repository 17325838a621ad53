// The same picture in every form LoadPicture reads: true colour, palette, transparency, grey, bits, GIF, JPEG.
*=$1000
.var names = List().add("rgb.png", "palette.png", "rgba.png", "palette.gif")
.for (var n=0; n<names.size(); n++) {
    .var picture = LoadPicture("pictures/" + names.get(n), List().add($000000, $ff0000, $ffffff, $0000ff))
        .byte picture.width, picture.height
        .fill 4, picture.getSinglecolorByte(i&1, i>>1)
        .fill 4, picture.getMulticolorByte(i&1, i>>1)
}
.var grey = LoadPicture("pictures/grey.png")
        .fill grey.width, grey.getPixel(i, 0) & $ff
.var bits = LoadPicture("pictures/bits.png")
        .byte bits.getSinglecolorByte(0, 0)
.var photo = LoadPicture("pictures/two.jpg")
        .byte photo.width, photo.height, photo.getPixel(1, 1) & $ff, photo.getPixel(14, 1) & $ff
