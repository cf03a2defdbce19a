"""How long ago a process was created, for the clock of the first move (protocol/start_up.py).

The time itself, which the search reads, is in clock.pxd.
"""

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
    static int64_t tengen_ticks(FILETIME t) {           /* of 100 ns */
        return (int64_t)t.dwHighDateTime << 32 | t.dwLowDateTime;
    }
    static int64_t tengen_age_us(int process) {
        FILETIME created, ended, kernel, user, now;
        int64_t age_us = -1;
        HANDLE handle = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, (DWORD)process);
        if (handle == NULL) return -1;
        if (GetProcessTimes(handle, &created, &ended, &kernel, &user)) {
            GetSystemTimePreciseAsFileTime(&now);
            age_us = (tengen_ticks(now) - tengen_ticks(created)) / 10;
        }
        CloseHandle(handle);
        return age_us;
    }
    #elif defined(__APPLE__)
    #include <sys/types.h>
    #include <sys/sysctl.h>
    #include <sys/time.h>
    static int64_t tengen_age_us(int process) {
        int name[4] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
        struct kinfo_proc found;
        struct timeval now, created;
        size_t size = sizeof(found);
        if (sysctl(name, 4, &found, &size, NULL, 0) != 0 || size < sizeof(found)) return -1;
        created = found.kp_proc.p_starttime;
        if (gettimeofday(&now, NULL) != 0) return -1;
        return ((int64_t)now.tv_sec - created.tv_sec) * 1000000 + now.tv_usec - created.tv_usec;
    }
    #elif defined(__linux__)
    #include <stdio.h>
    #include <string.h>
    #include <time.h>
    #include <unistd.h>
    static int64_t tengen_age_us(int process) {
        char text[1024], *field;
        size_t length;
        int i;
        unsigned long long created;                     /* in ticks since the system started */
        int64_t per_second = sysconf(_SC_CLK_TCK);
        struct timespec now;
        FILE *file;
        snprintf(text, sizeof(text), "/proc/%d/stat", process);
        file = fopen(text, "r");
        if (file == NULL) return -1;
        length = fread(text, 1, sizeof(text) - 1, file);
        fclose(file);
        text[length] = 0;
        field = strrchr(text, ')');                     /* the end of field 2, a name of any bytes */
        for (i = 3; field != NULL && i <= 22; i++) field = strchr(field + 1, ' ');
        if (field == NULL || sscanf(field, "%llu", &created) != 1 || per_second <= 0) return -1;
        if (clock_gettime(CLOCK_BOOTTIME, &now) != 0) return -1;
        return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000
            - (int64_t)(created / per_second * 1000000 + created % per_second * 1000000 / per_second);
    }
    #else
    static int64_t tengen_age_us(int process) { (void)process; return -1; }
    #endif
    """
    int64_t tengen_age_us(int process) noexcept


def process_age_ns(int process):
    """How long ago a process, given by its id, was created, in nanoseconds; None where the system
    does not tell. Windows and macOS know it by the clock of the wall: after a change of that the
    answer can be any number, also a negative one."""
    cdef int64_t age_us
    with nogil:
        age_us = tengen_age_us(process)
    return None if age_us == -1 else 1000 * age_us
