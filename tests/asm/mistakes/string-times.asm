.print "x" * 5
