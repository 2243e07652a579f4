// Calls beside rendering: comparing, rewriting, explaining, pictures to label code.
#include "native.h"

static PyObject *new_snapshot(struct platen_snapshot *snapshot)
{
    Snapshot *self = PyObject_New(Snapshot, snapshot_type);
    if (!self) {
        platen_snapshot_free(snapshot);
        return NULL;
    }
    self->snapshot = snapshot;
    return (PyObject *)self;
}

PyObject *engine_snapshot_of_picture(PyObject *self, PyObject *args)
{
    const char *file;
    Py_ssize_t size;
    struct platen_snapshot *snapshot;
    struct platen_error err = {0};
    enum platen_status status;
    if (!PyArg_ParseTuple(args, "y#", &file, &size))
        return NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_snapshot_of_picture(((Engine *)self)->engine, file, (size_t)size, &snapshot, &err);
    Py_END_ALLOW_THREADS;
    return status == PLATEN_OK ? new_snapshot(snapshot) : raise_status(&err);
}

// snapshot(index)
PyObject *document_snapshot(PyObject *self, PyObject *args)
{
    Document *document = (Document *)self;
    Engine *engine = (Engine *)document->engine;
    unsigned index;
    if (!PyArg_ParseTuple(args, "I", &index))
        return NULL;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    const struct platen_page *page;
    struct platen_snapshot *snapshot = NULL;
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_draw(slot->worker, document->document, index, &page, &err);
    if (status == PLATEN_OK)
        status = platen_snapshot_new(page, &snapshot, &err);
    Py_END_ALLOW_THREADS;
    give_slot(engine, slot);
    return status == PLATEN_OK ? new_snapshot(snapshot) : raise_status(&err);
}

static PyObject *side_of(const struct platen_element *e)
{
    if (!e)
        Py_RETURN_NONE;
    return element_tuple(e);
}

static PyObject *areas_of(const struct platen_comparison *c)
{
    PyObject *all = PyList_New(0);
    struct platen_area a;
    for (uint32_t i = 0; all && platen_comparison_area_at(c, i, &a); i++)
        all = append_item(all, Py_BuildValue("(IIIIK)", a.x, a.y, a.width, a.height, (unsigned long long)a.dots));
    return all;
}

static PyObject *changes_of(const struct platen_comparison *c)
{
    PyObject *all = PyList_New(0);
    struct platen_element_change e;
    for (uint32_t i = 0; all && platen_comparison_change_at(c, i, &e); i++)
        all = append_item(all,
                          Py_BuildValue("(sINNii)", e.change_name, e.differs, side_of(e.a), side_of(e.b), e.dx, e.dy));
    return all;
}

static PyObject *comparison_tuple(const struct platen_comparison *c, const struct platen_buffer *picture)
{
    struct platen_ink ink;
    platen_comparison_ink(c, &ink);
    return Py_BuildValue("(N(II)(II)KKKKdINNy#)", PyBool_FromLong(platen_comparison_is_same(c)), ink.width_a,
                         ink.height_a, ink.width_b, ink.height_b, (unsigned long long)ink.a, (unsigned long long)ink.b,
                         (unsigned long long)ink.only_a, (unsigned long long)ink.only_b, ink.share,
                         platen_comparison_area_count(c), areas_of(c), changes_of(c),
                         picture->data ? (const char *)picture->data : "", (Py_ssize_t)picture->size);
}

// compare(a, b, tolerance_dots, tolerance_percent, elements, timeout, cancel)
PyObject *native_compare(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *a, *b, *timeout, *cancel;
    unsigned long long tolerance;
    int elements;
    struct platen_compare_options options = PLATEN_COMPARE_OPTIONS(.elements = false);
    if (!PyArg_ParseTuple(args, "O!O!KdpOO", snapshot_type, &a, snapshot_type, &b, &tolerance,
                          &options.tolerance_percent, &elements, &timeout, &cancel) ||
        !read_timeout(timeout, &options.deadline_ns) || !read_cancel(cancel, &options.cancel))
        return NULL;
    options.tolerance_dots = tolerance;
    options.elements = elements;
    struct platen_comparison *comparison = NULL;
    struct platen_buffer picture = {0};
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_compare(((Snapshot *)a)->snapshot, ((Snapshot *)b)->snapshot, &options, &comparison, &err);
    if (status == PLATEN_OK)
        status = platen_comparison_picture(comparison, &picture, &err);
    Py_END_ALLOW_THREADS;
    PyObject *result = status == PLATEN_OK ? comparison_tuple(comparison, &picture) : raise_status(&err);
    platen_comparison_free(comparison);
    platen_buffer_free(&picture);
    return result;
}

static PyObject *rewritten_tuple(const struct platen_rewritten *r)
{
    size_t size;
    const char *code = platen_rewritten_code(r, &size);
    PyObject *notes = PyList_New(0);
    struct platen_diagnostic d;
    for (uint32_t i = 0; notes && platen_rewritten_note_at(r, i, &d); i++)
        notes = append_item(notes, finding_tuple(&d));
    return notes ? Py_BuildValue("(y#N)", code, (Py_ssize_t)size, notes) : NULL;
}

// rewrite(code, layout, graphics, dpmm, target_dpmm, width_mm, height_mm, rotation, rows or None, timeout, cancel)
PyObject *engine_rewrite(PyObject *self, PyObject *args)
{
    Engine *engine = (Engine *)self;
    struct platen_rewrite_options o = PLATEN_REWRITE_OPTIONS(.rotation = 0);
    const char *code, *rows;
    Py_ssize_t size, rows_size;
    int layout, graphics, rotation;
    PyObject *timeout, *cancel;
    if (!PyArg_ParseTuple(args, "y#iiddddiz#OO", &code, &size, &layout, &graphics, &o.dpmm, &o.target_dpmm, &o.width_mm,
                          &o.height_mm, &rotation, &rows, &rows_size, &timeout, &cancel) ||
        !read_timeout(timeout, &o.deadline_ns) || !read_cancel(cancel, &o.cancel))
        return NULL;
    o.layout = (enum platen_layout)layout;
    o.graphics = (enum platen_graphic_coding)graphics;
    o.rotation = (uint32_t)rotation;
    o.rows = rows;
    o.rows_size = rows ? (size_t)rows_size : 0;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    struct platen_rewritten *rewritten = NULL;
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_rewrite(slot->worker, code, (size_t)size, &o, &rewritten, &err);
    Py_END_ALLOW_THREADS;
    give_slot(engine, slot);
    PyObject *result = status == PLATEN_OK ? rewritten_tuple(rewritten) : raise_status(&err);
    platen_rewritten_free(rewritten);
    return result;
}

// explain(code, dpmm, timeout, cancel) -> bytes
PyObject *engine_explain(PyObject *self, PyObject *args)
{
    Engine *engine = (Engine *)self;
    const char *code;
    Py_ssize_t size;
    double dpmm;
    PyObject *timeout, *cancel_object;
    const struct platen_cancel *cancel;
    uint64_t deadline;
    if (!PyArg_ParseTuple(args, "y#dOO", &code, &size, &dpmm, &timeout, &cancel_object) ||
        !read_timeout(timeout, &deadline) || !read_cancel(cancel_object, &cancel))
        return NULL;
    struct slot *slot = take_slot(engine);
    if (!slot)
        return NULL;
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    platen_worker_set_cancel(slot->worker, cancel, deadline);
    status = platen_explain(slot->worker, code, (size_t)size, dpmm, PLATEN_TABLE_TEXT, &slot->buffer, &err);
    platen_worker_set_cancel(slot->worker, NULL, 0);
    Py_END_ALLOW_THREADS;
    PyObject *result = status != PLATEN_OK
                           ? raise_status(&err)
                           : PyBytes_FromStringAndSize((const char *)slot->buffer.data, (Py_ssize_t)slot->buffer.size);
    give_slot(engine, slot);
    return result;
}

// graphic(file, dither, coding, threshold, width_mm, height_mm, dpmm, rotation, x, y, invert, trim, stored, bare, name,
//         timeout, cancel) -> bytes
PyObject *engine_graphic(PyObject *self, PyObject *args)
{
    struct platen_graphic_options o = PLATEN_GRAPHIC_OPTIONS(.x = 0);
    const char *file;
    Py_ssize_t size;
    int dither, coding, rotation, invert, trim, stored, bare;
    PyObject *timeout, *cancel;
    if (!PyArg_ParseTuple(args, "y#iiddddiIIppppzOO", &file, &size, &dither, &coding, &o.threshold, &o.width_mm,
                          &o.height_mm, &o.dpmm, &rotation, &o.x, &o.y, &invert, &trim, &stored, &bare, &o.name,
                          &timeout, &cancel) ||
        !read_timeout(timeout, &o.deadline_ns) || !read_cancel(cancel, &o.cancel))
        return NULL;
    o.dither = (enum platen_dither)dither;
    o.coding = (enum platen_graphic_coding)coding;
    o.rotation = (uint32_t)rotation;
    o.invert = invert;
    o.trim = trim;
    o.stored = stored;
    o.bare = bare;
    struct platen_graphic *graphic = NULL;
    struct platen_error err = {0};
    enum platen_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = platen_graphic_new(((Engine *)self)->engine, file, (size_t)size, &o, &graphic, &err);
    Py_END_ALLOW_THREADS;
    size_t length;
    const char *code = platen_graphic_code(graphic, &length);
    PyObject *result = status == PLATEN_OK ? PyBytes_FromStringAndSize(code, (Py_ssize_t)length) : raise_status(&err);
    platen_graphic_free(graphic);
    return result;
}
