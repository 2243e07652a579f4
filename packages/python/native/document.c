// A parsed document: its size and findings, and its labels, drawn one by one.
#include "native.h"

static PyObject *not_made_by_calls(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    (void)type;
    (void)args;
    (void)kwargs;
    PyErr_SetString(PyExc_TypeError, "platen.parse and platen.compare make these objects");
    return NULL;
}

static PyObject *document_count(PyObject *self, PyObject *unused)
{
    (void)unused;
    return PyLong_FromUnsignedLong(platen_label_count(((Document *)self)->document));
}

static PyObject *document_info(PyObject *self, PyObject *unused)
{
    (void)unused;
    const struct platen_document *document = ((Document *)self)->document;
    double width_mm, height_mm;
    uint32_t width, height;
    platen_document_size(document, &width_mm, &height_mm, &width, &height);
    const char *language = NULL, *title;
    platen_language_names(platen_document_language(document), &language, &title);
    return Py_BuildValue("(ddIIIIzN)", width_mm, height_mm, width, height, platen_page_count(document),
                         platen_diagnostics_dropped(document), language, document_findings(document));
}

// draw(index, format or -1, jpeg_quality, bitmap) -> (copies, offset, length, data, elements, findings, bitmap)
static PyObject *document_draw(PyObject *self, PyObject *args)
{
    Document *document = (Document *)self;
    Engine *engine = (Engine *)document->engine;
    struct platen_encode_options encoding = PLATEN_ENCODE_OPTIONS(.jpeg_quality = 0);
    unsigned index, quality;
    int format, wants_bitmap;
    if (!PyArg_ParseTuple(args, "IiIp", &index, &format, &quality, &wants_bitmap))
        return NULL;
    encoding.jpeg_quality = quality;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    struct platen_error err = {0};
    const struct platen_page *page;
    enum platen_status status;
    slot->buffer.size = 0;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_draw(slot->worker, document->document, index, &page, &err);
    if (status == PLATEN_OK && format >= 0)
        status = platen_encode(slot->worker, page, (enum platen_format)format, &encoding, &slot->buffer, &err);
    Py_END_ALLOW_THREADS;
    PyObject *result = NULL;
    struct platen_label label = {0};
    if (status != PLATEN_OK) {
        raise_status(&err);
    } else {
        PyObject *bitmap = Py_None;
        if (wants_bitmap)
            bitmap = page_bitmap(page);
        else
            Py_INCREF(bitmap);
        platen_label_at(document->document, index, &label);
        if (bitmap)
            result = Py_BuildValue("(IIIy#NNN)", label.copies, label.offset, label.length,
                                   slot->buffer.data ? (const char *)slot->buffer.data : "",
                                   (Py_ssize_t)slot->buffer.size, page_elements(page), page_findings(page), bitmap);
    }
    give_slot(engine, slot);
    return result;
}

static void document_dealloc(PyObject *self)
{
    Document *document = (Document *)self;
    PyTypeObject *type = Py_TYPE(self);
    platen_document_free(document->document);
    Py_XDECREF(document->engine);
    Py_XDECREF(document->cancel);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyMethodDef document_methods[] = {{"count", document_count, METH_NOARGS, NULL},
                                         {"info", document_info, METH_NOARGS, NULL},
                                         {"draw", document_draw, METH_VARARGS, NULL},
                                         {"snapshot", document_snapshot, METH_VARARGS, NULL},
                                         {NULL, NULL, 0, NULL}};
static PyType_Slot document_slots[] = {
    {Py_tp_new, not_made_by_calls}, {Py_tp_methods, document_methods}, {Py_tp_dealloc, document_dealloc}, {0, NULL}};
PyType_Spec document_spec = {"platen._native.Document", sizeof(Document), 0, Py_TPFLAGS_DEFAULT, document_slots};

static void snapshot_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    platen_snapshot_free(((Snapshot *)self)->snapshot);
    PyObject_Free(self);
    Py_DECREF(type);
}

static PyType_Slot snapshot_slots[] = {{Py_tp_new, not_made_by_calls}, {Py_tp_dealloc, snapshot_dealloc}, {0, NULL}};
PyType_Spec snapshot_spec = {"platen._native.Snapshot", sizeof(Snapshot), 0, Py_TPFLAGS_DEFAULT, snapshot_slots};
