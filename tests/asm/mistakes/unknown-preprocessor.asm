#include "x.asm"
