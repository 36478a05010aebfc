/* What Wine 8 lacks of bcryptprimitives.dll: random bytes, by the function that every Windows has. */
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
