.var p = LoadPicture("logo.pgn")
        *=$1000
        rts
