// The engine: fonts, limits and idle workers; rendering in one call.
#include "native.h"

struct slot *take_slot(Engine *engine)
{
    struct slot *slot = engine->idle;
    if (slot) {
        engine->idle = slot->next;
        return slot;
    }
    struct platen_error err = {0};
    enum platen_status status = PLATEN_E_MEMORY;
    slot = PyMem_Calloc(1, sizeof *slot);
    if (!slot) {
        PyErr_NoMemory();
        return NULL;
    }
    Py_BEGIN_ALLOW_THREADS;
    status = platen_worker_new(engine->engine, &slot->worker, &err);
    Py_END_ALLOW_THREADS;
    if (status == PLATEN_OK)
        return slot;
    PyMem_Free(slot);
    raise_status(&err);
    return NULL;
}

void give_slot(Engine *engine, struct slot *slot)
{
    slot->next = engine->idle;
    engine->idle = slot;
}

void free_slot(struct slot *slot)
{
    platen_buffer_free(&slot->buffer);
    platen_worker_free(slot->worker);
    PyMem_Free(slot);
}

// What one render needs of the caller, and what comes of it.
struct render {
    const char *code;
    Py_ssize_t size;
    struct platen_options options;
    unsigned long label;
    enum platen_format format;
    struct platen_encode_options encoding;
    const char *title; // of a PDF
};

// All labels, with their copies, as one PDF.
static enum platen_status write_pdf(struct slot *slot, const struct platen_document *document, const struct render *r,
                                    struct platen_error *err)
{
    struct platen_buffer part = {0};
    struct platen_pdf *pdf;
    struct platen_label label;
    slot->buffer.size = 0;
    enum platen_status status = platen_pdf_new(r->title, &slot->buffer, &pdf, err);
    platen_pdf_set_cancel(pdf, r->options.cancel, r->options.deadline_ns);
    for (uint32_t i = 0; status == PLATEN_OK && platen_label_at(document, i, &label); i++) {
        const struct platen_page *page;
        status = platen_draw(slot->worker, document, i, &page, err);
        if (status == PLATEN_OK)
            status = platen_pdf_part(slot->worker, page, &part, err);
        if (status == PLATEN_OK)
            status = platen_pdf_add(pdf, &part, r->options.collapse_copies ? 1 : label.copies, err);
    }
    if (status == PLATEN_OK)
        status = platen_pdf_finish(pdf, err);
    platen_pdf_free(pdf);
    platen_buffer_free(&part);
    return status;
}

static enum platen_status render(struct slot *slot, const struct render *r, struct platen_error *err)
{
    struct platen_document *document;
    enum platen_status status = platen_parse(slot->worker, r->code, (size_t)r->size, &r->options, &document, err);
    if (status != PLATEN_OK)
        return status;
    if (r->format == PLATEN_PDF) {
        status = write_pdf(slot, document, r, err);
    } else {
        const struct platen_page *page;
        status = platen_draw(slot->worker, document, (uint32_t)r->label, &page, err);
        if (status == PLATEN_OK)
            status = platen_encode(slot->worker, page, r->format, &r->encoding, &slot->buffer, err);
    }
    platen_document_free(document);
    return status;
}

// render(code, options, label, format, jpeg_quality, title) -> bytes
static PyObject *engine_render(PyObject *self, PyObject *args)
{
    Engine *engine = (Engine *)self;
    struct render r = {.encoding = PLATEN_ENCODE_OPTIONS(.jpeg_quality = 0)};
    PyObject *code, *options, *cancel;
    unsigned label, quality;
    int format;
    if (!PyArg_ParseTuple(args, "SO!IiIs", &code, &PyTuple_Type, &options, &label, &format, &quality, &r.title) ||
        !read_options(options, &r.options, &cancel))
        return NULL;
    r.label = label;
    r.format = (enum platen_format)format;
    r.encoding.jpeg_quality = quality;
    if (PyBytes_AsStringAndSize(code, (char **)(void *)&r.code, &r.size) != 0)
        return NULL;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = render(slot, &r, &err);
    Py_END_ALLOW_THREADS;
    PyObject *bytes = status == PLATEN_OK
                          ? PyBytes_FromStringAndSize((const char *)slot->buffer.data, (Py_ssize_t)slot->buffer.size)
                          : raise_status(&err);
    give_slot(engine, slot);
    return bytes;
}

static PyObject *engine_parse(PyObject *self, PyObject *args)
{
    Engine *engine = (Engine *)self;
    PyObject *code, *tuple, *cancel;
    struct platen_options options;
    char *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "SO!", &code, &PyTuple_Type, &tuple) || !read_options(tuple, &options, &cancel) ||
        PyBytes_AsStringAndSize(code, &bytes, &size) != 0)
        return NULL;
    options.copy_input = true;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    struct platen_error err = {0};
    struct platen_document *document = NULL;
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_parse(slot->worker, bytes, (size_t)size, &options, &document, &err);
    if (status == PLATEN_OK) {
        status = platen_document_detach(&document, NULL, &err);
        if (status != PLATEN_OK)
            platen_document_free(document);
    }
    Py_END_ALLOW_THREADS;
    give_slot(engine, slot);
    if (status != PLATEN_OK)
        return raise_status(&err);
    Document *self_of = PyObject_New(Document, document_type);
    if (!self_of) {
        platen_document_free(document);
        return NULL;
    }
    self_of->document = document;
    self_of->engine = self;
    self_of->cancel = cancel;
    Py_INCREF(self);
    Py_INCREF(cancel);
    return (PyObject *)self_of;
}

// Engine(objects_dir, input_bytes, labels, dots_per_label, arena_bytes)
static PyObject *engine_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.reserved = 0);
    struct platen_error err = {0};
    PyObject *folder = NULL;
    unsigned long long input_bytes = 0, dots = 0, arena = 0;
    unsigned labels = 0;
    enum platen_status status;
    if (kwargs && PyDict_Size(kwargs) > 0) {
        PyErr_SetString(PyExc_TypeError, "platen._native.Engine takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "|OKIKK", &folder, &input_bytes, &labels, &dots, &arena))
        return NULL;
    PyObject *path = NULL;
    if (folder && folder != Py_None && !PyUnicode_FSConverter(folder, &path))
        return NULL;
    options.objects_dir = path ? PyBytes_AsString(path) : NULL;
    options.input_bytes = (size_t)input_bytes;
    options.labels = labels;
    options.dots_per_label = dots;
    options.arena_bytes = (size_t)arena;
    struct platen_engine *made = NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_engine_new(&options, &made, &err);
    Py_END_ALLOW_THREADS;
    Py_XDECREF(path);
    if (status != PLATEN_OK)
        return raise_status(&err);
    allocfunc alloc = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Engine *self = (Engine *)alloc(type, 0);
    if (!self) {
        platen_engine_free(made);
        return NULL;
    }
    self->engine = made;
    return (PyObject *)self;
}

static void engine_dealloc(PyObject *self)
{
    Engine *engine = (Engine *)self;
    PyTypeObject *type = Py_TYPE(self);
    while (engine->idle) {
        struct slot *slot = engine->idle;
        engine->idle = slot->next;
        free_slot(slot);
    }
    platen_engine_free(engine->engine);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMethodDef methods[] = {{"render", engine_render, METH_VARARGS, NULL},
                                {"parse", engine_parse, METH_VARARGS, NULL},
                                {"rewrite", engine_rewrite, METH_VARARGS, NULL},
                                {"explain", engine_explain, METH_VARARGS, NULL},
                                {"graphic", engine_graphic, METH_VARARGS, NULL},
                                {"snapshot_of_picture", engine_snapshot_of_picture, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static PyType_Slot slots[] = {
    {Py_tp_new, engine_new}, {Py_tp_methods, methods}, {Py_tp_dealloc, engine_dealloc}, {0, NULL}};
PyType_Spec engine_spec = {"platen._native.Engine", sizeof(Engine), 0, Py_TPFLAGS_DEFAULT, slots};
