#ifdef FOO
 nop
#endif
#ifndef FOO
 nop
#endif
