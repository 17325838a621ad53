al C:1234 .viceOne
add_label C:2345 .viceTwo
