 asl a
