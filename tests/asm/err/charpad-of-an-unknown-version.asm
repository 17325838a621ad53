.var level = LoadCharPad("assets/unknown.ctm") // error: Can't read 'assets/unknown.ctm': version 10 is not known; 5, 7, 8, 82 and 9 are
