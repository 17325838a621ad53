 .text "hello", 0
