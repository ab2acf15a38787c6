/* For Wine 8 and older, which lack this library of Windows: Rust's standard library takes random
 * bytes from it. Test equipment, never shipped. */

#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID bytes, ULONG count);

__declspec(dllexport) BOOL ProcessPrng(PBYTE bytes, SIZE_T count)
{
    return SystemFunction036(bytes, (ULONG)count);
}
