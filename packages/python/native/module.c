// The module: its types and functions, exceptions, Cancel.
#include "native.h"

PyTypeObject *engine_type, *document_type, *snapshot_type, *cancel_type;

PyObject *raise_status(const struct platen_error *err)
{
    // Each interpreter of a process has exceptions of its own, though all share this module.
    PyObject *errors = PyImport_ImportModule("platen._errors");
    PyObject *by_status = errors ? PyObject_GetAttrString(errors, "BY_STATUS") : NULL;
    PyObject *kind = by_status ? PyMapping_GetItemString(by_status, platen_status_name(err->status)) : NULL;
    if (kind) {
        // Messages may show bytes of the label code.
        PyObject *message = PyUnicode_DecodeUTF8(err->message, (Py_ssize_t)strlen(err->message), "replace");
        if (message)
            PyErr_SetObject(kind, message);
        Py_XDECREF(message);
    }
    Py_XDECREF(kind);
    Py_XDECREF(by_status);
    Py_XDECREF(errors);
    return NULL;
}

static PyObject *cancel_set(PyObject *self, PyObject *unused)
{
    (void)unused;
    platen_cancel_set(&((Cancel *)self)->cancel);
    Py_RETURN_NONE;
}

static PyObject *cancel_clear(PyObject *self, PyObject *unused)
{
    (void)unused;
    platen_cancel_clear(&((Cancel *)self)->cancel);
    Py_RETURN_NONE;
}

static PyObject *cancel_is_set(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyBool_FromLong(platen_cancel_is_set(&((Cancel *)self)->cancel));
}

static void cancel_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMethodDef cancel_methods[] = {{"set", cancel_set, METH_NOARGS, "Stops the calls that were given it."},
                                       {"clear", cancel_clear, METH_NOARGS, "Makes it usable for other calls."},
                                       {"is_set", cancel_is_set, METH_NOARGS, "Was it set?"},
                                       {NULL, NULL, 0, NULL}};
static PyType_Slot cancel_slots[] = {{Py_tp_methods, cancel_methods},
                                     {Py_tp_dealloc, cancel_dealloc},
                                     {Py_tp_doc, "Stops calls from another thread: cancel=Cancel()."},
                                     {0, NULL}};
PyType_Spec cancel_spec = {"platen.Cancel", sizeof(Cancel), 0, Py_TPFLAGS_DEFAULT, cancel_slots};

static PyObject *native_version(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyUnicode_FromString(platen_version());
}

static PyObject *native_rule_sets(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    PyObject *all = PyList_New(0);
    const char *name, *summary;
    for (uint32_t i = 0; all && platen_rule_set_at(i, &name, &summary); i++) {
        PyObject *one = PyUnicode_FromString(name);
        if (!one || PyList_Append(all, one) != 0)
            Py_CLEAR(all);
        Py_XDECREF(one);
    }
    return all;
}

static PyMethodDef functions[] = {{"version", native_version, METH_NOARGS, NULL},
                                  {"rule_sets", native_rule_sets, METH_NOARGS, NULL},
                                  {"compare", native_compare, METH_VARARGS, NULL},
                                  {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "platen._native", NULL, -1, functions, NULL, NULL, NULL, NULL};

static bool add_type(PyObject *module, const char *name, PyType_Spec *spec, PyTypeObject **out)
{
    PyObject *type = PyType_FromSpec(spec);
    if (!type)
        return false;
    *out = (PyTypeObject *)type;
    Py_INCREF(type); // one for `out`, one for the module
    if (PyModule_AddObject(module, name, type) == 0)
        return true;
    Py_DECREF(type);
    return false;
}

PyMODINIT_FUNC PyInit__native(void);
PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);
    if (module && add_type(module, "Engine", &engine_spec, &engine_type) &&
        add_type(module, "Document", &document_spec, &document_type) &&
        add_type(module, "Snapshot", &snapshot_spec, &snapshot_type) &&
        add_type(module, "Cancel", &cancel_spec, &cancel_type))
        return module;
    Py_XDECREF(module);
    return NULL;
}
