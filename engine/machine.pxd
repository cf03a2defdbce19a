# The memory that the machine has, and how much of it a page holds.
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
    #if defined(__linux__)
    #include <sys/mman.h>
    #endif
    static int64_t tengen_machine_bytes(void) {
        int64_t pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
        return pages > 0 && page_bytes > 0 ? pages * page_bytes : 0;
    }
    #endif
    #define TENGEN_HUGE_PAGE_BYTES 0x200000     /* where the usual page has 4 KiB */
    static int tengen_take_huge_page(char *page, int is_new) {
    #if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (madvise(page, TENGEN_HUGE_PAGE_BYTES, MADV_HUGEPAGE) != 0) return 0;
        if (is_new) {
            *(volatile char *)page = 0;                     /* its first use */
        } else {
            /* It may be unused still: then the collapse below would leave it so, and the search
             * would wait for it. */
            *(volatile char *)page = *(volatile char *)page;
            madvise(page, TENGEN_HUGE_PAGE_BYTES, 25);      /* MADV_COLLAPSE, from Linux 6.1 on */
        }
        return 1;
    #else
        (void)page; (void)is_new;
        return 0;
    #endif
    }
    """
    int64_t machine_bytes "tengen_machine_bytes" () noexcept    # 0 = the system does not tell
    enum: HUGE_PAGE_BYTES "TENGEN_HUGE_PAGE_BYTES"
    # Makes one huge page of so much aligned memory, which keeps its contents unless `is_new`: then it
    # must be zero. False = the system has none.
    bint take_huge_page "tengen_take_huge_page" (char* page, bint is_new) noexcept
