// Blanks and comments of every kind stand around the name of a source: before, it was passed over in silence.
*=$1000
.import source ("import-source-blanks.inc" /* why */)
.import source (/* why */ "import-source-blanks.inc" // here
)
.import source ["import-source-blanks.inc"] /* why */ /* here */
.import source "import-source-blanks.inc" 
.import source ("import-source-blanks.inc")
        .byte 2
.import source "import-source-blanks.inc" // at the end