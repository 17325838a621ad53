        .import binary "absent.bin"             // error: Can't open file 'absent.bin'
        .var p = LoadPicture("absent.png")      // error: Can't locate file 'absent.png'
