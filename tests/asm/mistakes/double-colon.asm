.namespace a { foo: rts }
        jsr a::foo
