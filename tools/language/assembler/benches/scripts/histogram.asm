// How often each colour of a picture occurs, by cell and in all.
.var picture = LoadPicture("picture.png")
.var counts = Hashtable()
.var cells = List()
.for (var row=0; row<picture.height/8; row++) {
    .for (var column=0; column<picture.width/8; column++) {
        .var cell = Hashtable()
        .for (var y=0; y<8; y++) {
            .for (var x=0; x<8; x++) {
                .var colour = picture.getPixel(column*8+x, row*8+y)
                .if (counts.containsKey(colour)) {
                    .eval counts.put(colour, counts.get(colour)+1)
                } else {
                    .eval counts.put(colour, 1)
                }
                .eval cell.put(colour, true)
            }
        }
        .eval cells.add(cell.keys().size())
    }
}
*=$1000
.fill cells.size(), cells.get(i)
.var names = counts.keys()
.for (var i=0; i<names.size(); i++) .print names.get(i) + ": " + counts.get(names.get(i))
