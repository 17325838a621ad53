 !pet "HELLO"
