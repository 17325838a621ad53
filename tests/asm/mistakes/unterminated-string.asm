 .text "open
