al C:7f8 .pointer
al C:2000 .shape
al C:1003 .loop
al C:d000 .x
al C:1000 .start
al C:d001 .y
al C:1800 .setup
al C:80b .upstartEnd
al C:100c .skip__0
al C:1012 .skip__1
al C:1018 .skip__2
al C:101e .skip__3
break 101e if a == 0
watch store d001 
