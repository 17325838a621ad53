 .text 'hello'
