        *=$1000
        .import binary "music.bin"
