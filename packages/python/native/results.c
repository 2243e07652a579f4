// Findings, elements and dots from libplaten to Python: tuples in the order of the dataclasses.
#include "native.h"

PyObject *append_item(PyObject *list, PyObject *item)
{
    if (list && (!item || PyList_Append(list, item) != 0))
        Py_CLEAR(list);
    Py_XDECREF(item);
    return list;
}

static PyObject *text_of(const char *text, size_t size)
{
    return PyUnicode_DecodeUTF8(text ? text : "", (Py_ssize_t)size, "replace");
}

static PyObject *words_of(const char *text)
{
    if (!text)
        Py_RETURN_NONE;
    return text_of(text, strlen(text));
}

PyObject *finding_tuple(const struct platen_diagnostic *d)
{
    return Py_BuildValue("(ssNNIIIIiIid)", d->code, platen_severity_name(d->severity), words_of(d->message),
                         words_of(d->command), d->offset, d->length, d->line, d->column, d->label, d->parameter,
                         d->element, d->missing_mm);
}

PyObject *document_findings(const struct platen_document *document)
{
    PyObject *all = PyList_New(0);
    struct platen_diagnostic d;
    for (uint32_t i = 0; all && platen_diagnostic_at(document, i, &d); i++)
        all = append_item(all, finding_tuple(&d));
    return all;
}

PyObject *page_findings(const struct platen_page *page)
{
    PyObject *all = PyList_New(0);
    struct platen_diagnostic d;
    for (uint32_t i = 0; all && platen_page_diagnostic_at(page, i, &d); i++)
        all = append_item(all, finding_tuple(&d));
    return all;
}

static PyObject *overlaps_of(const struct platen_element *e)
{
    uint32_t count = e->overlaps ? e->overlap_count : 0;
    PyObject *all = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; all && i < count; i++) {
        PyObject *one = PyLong_FromUnsignedLong(e->overlaps[i]);
        if (!one || PyTuple_SetItem(all, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(all);
    }
    return all;
}

// 1, 0 and -1 as True, False and None.
static PyObject *maybe(int32_t value)
{
    if (value < 0)
        Py_RETURN_NONE;
    return PyBool_FromLong(value);
}

static PyObject *symbol_tuple(const struct platen_element *e)
{
    if (e->type != PLATEN_BARCODE)
        Py_RETURN_NONE;
    return Py_BuildValue("(NIN(iiII)(iiII)NNy#NN)", words_of(e->symbology), e->module_dots,
                         PyBool_FromLong(e->quiet_zone_ok), e->quiet_x, e->quiet_y, e->quiet_width, e->quiet_height,
                         e->bars_x, e->bars_y, e->bars_width, e->bars_height, maybe(e->decoded), maybe(e->matches),
                         e->decoded_data ? e->decoded_data : "", (Py_ssize_t)(e->decoded_data ? e->decoded_size : 0),
                         words_of(e->no_reader_reason), words_of(e->margin));
}

PyObject *element_tuple(const struct platen_element *e)
{
    return Py_BuildValue("(sNiiIIINNNNIIy#NN)", e->type_name, words_of(e->command), e->x, e->y, e->width, e->height,
                         e->rotation, PyBool_FromLong(e->reverse), PyBool_FromLong(e->clipped),
                         PyBool_FromLong(e->inside_label), overlaps_of(e), e->offset, e->length, e->data ? e->data : "",
                         (Py_ssize_t)(e->data ? e->data_size : 0), text_of(e->text, e->text ? e->text_size : 0),
                         symbol_tuple(e));
}

PyObject *page_elements(const struct platen_page *page)
{
    PyObject *all = PyList_New(0);
    struct platen_element e;
    for (uint32_t i = 0; all && platen_page_element_at(page, i, &e); i++)
        all = append_item(all, element_tuple(&e));
    return all;
}

// Rows of whole bytes, the leftmost dot in the most significant bit: out of words in the machine's order.
static PyObject *packed_dots(const struct platen_bitmap *b)
{
    size_t stride = ((size_t)b->width + 7) / 8;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(stride * b->height));
    if (!bytes)
        return NULL;
    unsigned char *to = (unsigned char *)PyBytes_AsString(bytes);
    for (uint32_t y = 0; y < b->height; y++)
        for (size_t x = 0; x < stride; x++)
            *to++ = (unsigned char)(b->words[(size_t)y * b->words_per_row + x / 8] >> (56 - x % 8 * 8));
    return bytes;
}

PyObject *page_bitmap(const struct platen_page *page)
{
    struct platen_bitmap b;
    platen_page_bitmap(page, &b);
    if (b.grey && !b.bytes)
        return PyErr_NoMemory();
    PyObject *dots = b.grey ? PyBytes_FromStringAndSize((const char *)b.bytes, (Py_ssize_t)((size_t)b.width * b.height))
                            : packed_dots(&b);
    return dots ? Py_BuildValue("(IIdNN)", b.width, b.height, b.dpmm, PyBool_FromLong(b.grey), dots) : NULL;
}
