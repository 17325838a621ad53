*=$1000
        .import binary "import-offset-negative.asm", -1         // error: Offset can't be negative
