al C:ffffffff .minus
al C:1003 .argument
al C:123456 .large
al C:1001 .lives
al C:1000 .outer
al C:1000 .inner
al C:1 .fraction
