 .text "hello" 0
