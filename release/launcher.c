/* pbrain-tengen64.exe: starts Python inside this one process and runs tengen.pbrain.

   The folder of the program holds all it needs: python311.dll, the C runtime, library.zip (the
   standard library, protocol and tengen as bytecode) and engine\ with the compiled modules. Nothing
   is unpacked and no second process is started, so a manager that suspends or kills this process
   reaches all of the engine. */

#include <Python.h>
#include <windows.h>

#define PATH_SIZE 32768

static int fail(const char* what) {
    fprintf(stderr, "pbrain-tengen64: %s\n", what);
    return 3;
}

static int add_path(PyWideStringList* paths, const wchar_t* folder, const wchar_t* name) {
    static wchar_t path[PATH_SIZE];
    if (_snwprintf(path, PATH_SIZE, L"%ls%ls", folder, name) < 0) return -1;
    return PyStatus_Exception(PyWideStringList_Append(paths, path)) ? -1 : 0;
}

/* What a frozen program sets: tengen.pbrain finds its settings file beside sys.executable. */
static int set_frozen(const wchar_t* program) {
    PyObject* path = PyUnicode_FromWideChar(program, -1);
    int failed = !path || PySys_SetObject("executable", path) || PySys_SetObject("frozen", Py_True);
    Py_XDECREF(path);
    return failed;
}

int wmain(int argc, wchar_t** argv) {
    static wchar_t program[PATH_SIZE], folder[PATH_SIZE];
    DWORD length = GetModuleFileNameW(NULL, program, PATH_SIZE);
    if (length == 0 || length >= PATH_SIZE) return fail("the path of the program is too long");
    wcscpy(folder, program);
    while (length && folder[length] != L'\\') length--;
    folder[length] = 0;

    /* Isolated: no environment variable and no Python of this computer changes what runs. */
    PyPreConfig before;
    PyPreConfig_InitIsolatedConfig(&before);
    before.utf8_mode = 1;
    if (PyStatus_Exception(Py_PreInitialize(&before))) return fail("Python cannot be prepared");

    PyConfig config;
    PyConfig_InitIsolatedConfig(&config);
    config.site_import = 0;
    config.write_bytecode = 0;
    config.parse_argv = 0;
    config.pathconfig_warnings = 0;
    config.optimization_level = 2;
    PyStatus status = PyConfig_SetArgv(&config, argc, argv);
    if (!PyStatus_Exception(status)) status = PyConfig_SetString(&config, &config.home, folder);
    if (PyStatus_Exception(status)) return fail("out of memory");
    config.module_search_paths_set = 1;
    if (add_path(&config.module_search_paths, folder, L"\\library.zip")
        || add_path(&config.module_search_paths, folder, L""))
        return fail("the path of the program is too long");
    status = Py_InitializeFromConfig(&config);
    PyConfig_Clear(&config);
    if (PyStatus_Exception(status))
        return fail(status.err_msg ? status.err_msg : "Python cannot be started");

    if (set_frozen(program)) return fail("out of memory");
    PyObject* module = PyImport_ImportModule("tengen.pbrain");
    PyObject* result = module ? PyObject_CallMethod(module, "main", NULL) : NULL;
    if (!result) PyErr_Print(); /* a SystemExit ends the process here with its status */
    return Py_FinalizeEx() < 0 || !result;
}
