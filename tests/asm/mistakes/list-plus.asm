.print List() + 1
