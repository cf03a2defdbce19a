# The memory that the machine has.
from engine.types cimport int64_t

cdef extern from * nogil:
    """
    #include <stdint.h>
    #if defined(_WIN32)
    #ifndef WIN32_LEAN_AND_MEAN
    #define WIN32_LEAN_AND_MEAN
    #endif
    #ifndef NOMINMAX
    #define NOMINMAX
    #endif
    #include <windows.h>
    static int64_t tengen_machine_bytes(void) {
        MEMORYSTATUSEX status;
        status.dwLength = sizeof(status);
        return GlobalMemoryStatusEx(&status) ? (int64_t)status.ullTotalPhys : 0;
    }
    #else
    #include <unistd.h>
    static int64_t tengen_machine_bytes(void) {
        int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
        return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
    }
    #endif
    """
    int64_t machine_bytes "tengen_machine_bytes" () noexcept    # 0 = the system does not tell
