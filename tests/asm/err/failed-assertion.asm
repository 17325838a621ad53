.assert "sum", 1+1, 3           // error: sum
        rts
