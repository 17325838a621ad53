.filemodify Crunch()            // error: Unknown modifyer: Crunch
