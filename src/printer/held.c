// What jobs of EPL2 and TSPL leave for later ones: of a connection, and of its printer.
#include "printer/held.h"

void printer_held_init(struct printer_held *held)
{
    for (size_t i = 0; i < PRINTER_HELD; i++) {
        held[i] = (struct printer_held){0};
        pl_buf_init(&held[i].settings, PRINTER_SETTINGS_BYTES);
        pl_buf_init(&held[i].definitions, PRINTER_DEFINITIONS_BYTES);
    }
}

void printer_held_fini(struct printer_held *held)
{
    for (size_t i = 0; i < PRINTER_HELD; i++) {
        pl_buf_fini(&held[i].settings);
        pl_buf_fini(&held[i].definitions);
    }
}

static void copy_bytes(struct pl_buf *to, const struct pl_buf *from)
{
    pl_buf_clear(to);
    to->failed = to->short_of_memory = false;
    pl_buf_append_slice(to, pl_buf_slice(from));
    if (to->failed)
        pl_buf_clear(to);
}

void printer_held_take(struct printer_held *held, const struct printer_held *of_printer)
{
    for (size_t i = 0; i < PRINTER_HELD; i++) {
        if (held[i].version == of_printer[i].version)
            continue;
        copy_bytes(&held[i].settings, &of_printer[i].settings);
        copy_bytes(&held[i].definitions, &of_printer[i].definitions);
        held[i].version = of_printer[i].version;
    }
}

void printer_held_give(struct printer_held *held, struct printer_held *of_printer)
{
    for (size_t i = 0; i < PRINTER_HELD; i++) {
        if (!held[i].changed)
            continue;
        copy_bytes(&of_printer[i].settings, &held[i].settings);
        copy_bytes(&of_printer[i].definitions, &held[i].definitions);
        held[i].version = ++of_printer[i].version;
        held[i].changed = false;
    }
}

void printer_held_forget(struct printer_held *of_printer)
{
    for (size_t i = 0; i < PRINTER_HELD; i++) {
        pl_buf_clear(&of_printer[i].settings);
        pl_buf_clear(&of_printer[i].definitions);
        of_printer[i].version++;
    }
}

size_t printer_held_bytes(const struct printer_held *held)
{
    size_t bytes = 0;
    for (size_t i = 0; i < PRINTER_HELD; i++)
        bytes += held[i].settings.len + held[i].definitions.len;
    return bytes;
}
