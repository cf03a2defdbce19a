#include <wchar.h>

/* python.exe for tests under wine: the interpreter of python311.dll. */
__declspec(dllimport) int Py_Main(int count, wchar_t** words);
int wmain(int count, wchar_t** words) { return Py_Main(count, words); }
