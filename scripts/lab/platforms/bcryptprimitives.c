/* The function that Wine 8 lacks in bcryptprimitives.dll. It gets random bytes from an older function. */
unsigned char __stdcall SystemFunction036(void *buffer, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *buffer, unsigned long long length)
{
    while (length > 0) {
        unsigned long part = length > 0x10000 ? 0x10000 : (unsigned long)length;
        if (!SystemFunction036(buffer, part)) return 0;
        buffer += part;
        length -= part;
    }
    return 1;
}
