// Arguments from Python to libplaten's options.
#include <math.h>
#include <time.h>

#include "native.h"

#define LONGEST_SECONDS 1e9 // more is as good as none

bool read_timeout(PyObject *seconds, uint64_t *deadline_ns)
{
    *deadline_ns = 0;
    if (seconds == Py_None)
        return true;
    if (PyBool_Check(seconds)) {
        PyErr_SetString(PyExc_TypeError, "'timeout' must be a number of seconds, not bool");
        return false;
    }
    double value = PyFloat_AsDouble(seconds);
    if (PyErr_Occurred())
        return false;
    if (!(value >= 0)) {
        PyErr_SetString(PyExc_ValueError, "'timeout' must be a number of seconds from 0");
        return false;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (value <= LONGEST_SECONDS)
        *deadline_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec + (uint64_t)(value * 1e9) + 1;
    return true;
}

bool read_cancel(PyObject *object, const struct platen_cancel **out)
{
    *out = NULL;
    if (object == Py_None)
        return true;
    if (!PyObject_TypeCheck(object, cancel_type)) {
        PyErr_SetString(PyExc_TypeError, "'cancel' must be a platen.Cancel");
        return false;
    }
    *out = &((Cancel *)object)->cancel;
    return true;
}

bool read_options(PyObject *tuple, struct platen_options *out, PyObject **cancel)
{
    int quality, profile, language, rotation, fit_size, collapse_copies, elements, verify, linter;
    PyObject *seconds, *timeout;
    *out = (struct platen_options)PLATEN_OPTIONS(.dpmm = 0);
    if (!PyArg_ParseTuple(tuple, "dddiiiippppzdzOpOO", &out->width_mm, &out->height_mm, &out->dpmm, &quality, &profile,
                          &language, &rotation, &fit_size, &collapse_copies, &elements, &verify, &out->rules,
                          &out->min_module_mm, &out->printer_model, &seconds, &linter, &timeout, cancel))
        return false;
    out->quality = (enum platen_quality)quality;
    out->profile = (enum platen_profile)profile;
    out->language = (enum platen_language)language;
    out->rotation = (uint32_t)rotation;
    out->fit_size = fit_size;
    out->collapse_copies = collapse_copies;
    out->want_elements = elements;
    out->verify = verify;
    out->linter = linter;
    out->has_time = seconds != Py_None;
    out->time = out->has_time ? PyLong_AsLongLong(seconds) : 0;
    return !PyErr_Occurred() && read_timeout(timeout, &out->deadline_ns) && read_cancel(*cancel, &out->cancel);
}
