 .print toHex(5)
