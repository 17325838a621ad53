 .text hello
