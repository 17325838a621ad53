.var h = Hashtable()
.eval h.put("a", 1)
        *=$1000
        lda #h.get("b")
