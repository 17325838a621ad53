buffer: .res 5
