// The nearest of sixteen colours for every step of a ramp.
.var palette = List()
.struct Colour { red, green, blue, name }
.eval palette.add(Colour($00,$00,$00,"black"), Colour($ff,$ff,$ff,"white"), Colour($68,$37,$2b,"red"), Colour($70,$a4,$b2,"cyan"))
.eval palette.add(Colour($6f,$3d,$86,"purple"), Colour($58,$8d,$43,"green"), Colour($35,$28,$79,"blue"), Colour($b8,$c7,$6f,"yellow"))
.eval palette.add(Colour($6f,$4f,$25,"orange"), Colour($43,$39,$00,"brown"), Colour($9a,$67,$59,"pink"), Colour($44,$44,$44,"grey1"))
.eval palette.add(Colour($6c,$6c,$6c,"grey2"), Colour($9a,$d2,$84,"lightgreen"), Colour($6c,$5e,$b5,"lightblue"), Colour($95,$95,$95,"grey3"))
.function square(x) { .return x*x }
.function distance(colour, r, g, b) {
    .return square(colour.red-r)*3 + square(colour.green-g)*4 + square(colour.blue-b)*2
}
.function nearest(r, g, b) {
    .var best = 0
    .var least = distance(palette.get(0), r, g, b)
    .for (var c=1; c<palette.size(); c++) {
        .var d = distance(palette.get(c), r, g, b)
        .if (d < least) {
            .eval least = d
            .eval best = c
        }
    }
    .return best
}
.var used = Hashtable()
*=$4000
ramp:
.for (var step=0; step<1024; step++) {
    .var r = 127.5 + 127.5*sin(toRadians(step*360/1024))
    .var g = 127.5 + 127.5*sin(toRadians(step*720/1024 + 90))
    .var b = 127.5 + 127.5*cos(toRadians(step*360/1024))
    .var found = nearest(r, g, b)
    .var name = palette.get(found).name
    .eval used.put(name, used.containsKey(name) ? used.get(name) + 1 : 1)
    .byte found
}
.for (var c=0; c<palette.size(); c++) {
    .var name = palette.get(c).name
    .if (used.containsKey(name)) .print name + " " + used.get(name)
}
