// ask: rename
.namespace sp‸ace { inner: rts }
.namespace space { other: jmp inner }
.macro Hide(glo‸bal) { lda #global }
.const global = 3
start:  {
glo‸bal2: lda global2
}
@roo‸ted: jmp @rooted
outer: { renamed: jmp out‸er }
lab‸el: { member: rts }
        jsr label.member
        jsr label.mem‸ber
!mu‸lti: nop
        bne !multi-
!multi: bne !mu‸lti-
        jsr space.inner
        ld‸a #si‸n(1)
        Hide(glo‸bal)
