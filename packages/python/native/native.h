// The extension module on libplaten's public header: what its files share. Stable ABI of Python 3.9.
#ifndef PLATEN_PYTHON_NATIVE_H
#define PLATEN_PYTHON_NATIVE_H

#define Py_LIMITED_API 0x03090000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <platen/platen.h>

// A worker with its buffer. An engine keeps those that no thread uses.
struct slot {
    struct platen_worker *worker;
    struct platen_buffer buffer;
    struct slot *next;
};

typedef struct {
    PyObject_HEAD struct platen_engine *engine;
    struct slot *idle; // the GIL guards the list
} Engine;

typedef struct {
    PyObject_HEAD struct platen_document *document; // detached: any thread may use and free it
    PyObject *engine;
    PyObject *cancel;
} Document;

typedef struct {
    PyObject_HEAD struct platen_snapshot *snapshot;
} Snapshot;

typedef struct {
    PyObject_HEAD struct platen_cancel cancel;
} Cancel;

extern PyTypeObject *engine_type, *document_type, *snapshot_type, *cancel_type;

// Raises the exception of the status; returns NULL.
PyObject *raise_status(const struct platen_error *err);
// Borrows an idle worker of the engine, or makes one. NULL: an exception is set.
struct slot *take_slot(Engine *engine);
void give_slot(Engine *engine, struct slot *slot);
void free_slot(struct slot *slot);

// Reads the options of a render, a tuple that platen/_options.py makes, in its order. `cancel` is borrowed from the
// tuple. False: an exception is set.
bool read_options(PyObject *tuple, struct platen_options *out, PyObject **cancel);
// The moment that many seconds from now (None: none) as deadline_ns. False: an exception is set.
bool read_timeout(PyObject *seconds, uint64_t *deadline_ns);
// None or a Cancel. False: an exception is set.
bool read_cancel(PyObject *object, const struct platen_cancel **out);

// Results as tuples, in the order of the dataclasses of platen/_results.py. NULL: an exception is set.
// Appends an item that was made for it, and returns the list. NULL, and the list is gone: there is no item or no
// memory.
PyObject *append_item(PyObject *list, PyObject *item);
PyObject *finding_tuple(const struct platen_diagnostic *d);
PyObject *element_tuple(const struct platen_element *e);
PyObject *document_findings(const struct platen_document *document);
PyObject *page_findings(const struct platen_page *page);
PyObject *page_elements(const struct platen_page *page);
PyObject *page_bitmap(const struct platen_page *page);

extern PyType_Spec engine_spec, document_spec, snapshot_spec, cancel_spec;
// Methods of an engine that need no document (convert.c), and functions of the module.
PyObject *engine_rewrite(PyObject *self, PyObject *args);
PyObject *engine_explain(PyObject *self, PyObject *args);
PyObject *engine_graphic(PyObject *self, PyObject *args);
PyObject *engine_snapshot_of_picture(PyObject *self, PyObject *args);
PyObject *document_snapshot(PyObject *self, PyObject *args);
PyObject *native_compare(PyObject *module, PyObject *args);

#endif
