# Monotonic time in microseconds on POSIX and Windows; changes of the wall clock do not affect it.
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
    static int64_t tengen_now_us(void) {
        LARGE_INTEGER ticks, per_second;
        QueryPerformanceCounter(&ticks);
        QueryPerformanceFrequency(&per_second);
        return (int64_t)(ticks.QuadPart / per_second.QuadPart * 1000000
            + ticks.QuadPart % per_second.QuadPart * 1000000 / per_second.QuadPart);
    }
    #else
    #include <time.h>
    static int64_t tengen_now_us(void) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        return (int64_t)t.tv_sec * 1000000 + t.tv_nsec / 1000;
    }
    #endif
    """
    int64_t now_us "tengen_now_us" () noexcept
