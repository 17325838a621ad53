.if (true) { foo: nop }
some: .if (true) { bar: nop }
 jmp foo
 jmp bar
