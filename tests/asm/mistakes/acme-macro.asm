!macro add a, b
