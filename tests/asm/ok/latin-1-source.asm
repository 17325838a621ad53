// café: a source in Latin-1 is read as such
.encoding "ascii"
        .text "é£"
