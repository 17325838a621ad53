/* What wine 8 lacks: bcryptprimitives.dll with the one function that Rust programs ask for. */
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T count) {
    return SystemFunction036(to, (ULONG)count);
}
