.const my-name = 5
.macro foo-bar() { nop }
