        *=$1000
.for (var i in List().add(1,2)) {
        .byte i
}
