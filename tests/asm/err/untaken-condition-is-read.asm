#if A
#if B C         // error: Syntax error
#elif ==        // error: Syntax error
#endif
#endif
