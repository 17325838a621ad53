* a comment
