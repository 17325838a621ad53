.foo: nop
.bar nop
 jmp .foo
