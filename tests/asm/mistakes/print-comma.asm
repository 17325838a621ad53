 .print "x", 5
