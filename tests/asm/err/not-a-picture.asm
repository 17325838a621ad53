        .var p = LoadPicture("not-a-picture.asm")       // error: not-a-picture.asm
