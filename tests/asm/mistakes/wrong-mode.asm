 ldx $10,x
