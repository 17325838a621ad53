.cpu 65c02
