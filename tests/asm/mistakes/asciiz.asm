 .asciiz "HELLO"
