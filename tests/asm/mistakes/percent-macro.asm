 %macro add 2
