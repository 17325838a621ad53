a: { x: nop }
{
a: nop
 jmp x
}
.namespace ns {
b: { y: nop }
{
b: nop
 jmp y
}
}
