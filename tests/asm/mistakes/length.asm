.var s = "a"
.print "a".length()
.print s.length
