 sloo $10
