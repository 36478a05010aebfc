// Preloaded by transaction_syscalls.rs: each write to a file writes at most HASHLINE_SHORT bytes, and every third write
// fails as if a signal had interrupted it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

typedef ssize_t (*write_function)(int, const void *, size_t);
typedef ssize_t (*pwrite_function)(int, const void *, size_t, off64_t);

static size_t cut(size_t wanted) {
    const char *given = getenv("HASHLINE_SHORT");
    size_t most = given ? strtoul(given, NULL, 10) : 1;
    return wanted < most ? wanted : most;
}

static int interrupted(void) {
    static int writes;
    if (++writes % 3 != 0) return 0;
    errno = EINTR;
    return 1;
}

ssize_t write(int file, const void *bytes, size_t count) {
    write_function system_write = (write_function)dlsym(RTLD_NEXT, "write");
    // The standard streams belong to the test runner.
    if (file <= STDERR_FILENO) return system_write(file, bytes, count);
    return interrupted() ? -1 : system_write(file, bytes, cut(count));
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t at) {
    pwrite_function system_pwrite = (pwrite_function)dlsym(RTLD_NEXT, "pwrite64");
    return interrupted() ? -1 : system_pwrite(file, bytes, cut(count), at);
}
