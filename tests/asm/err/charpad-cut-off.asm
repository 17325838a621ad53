.var level = LoadCharPad("assets/cut.ctm") // error: Can't read 'assets/cut.ctm': the data ends at byte 100, with
