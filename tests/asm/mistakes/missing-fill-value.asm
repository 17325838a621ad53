 .fill 10
