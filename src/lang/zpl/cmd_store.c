// Stored formats and the handling of stored objects.
#include "lang/zpl/args.h"

void zpl_report_missing(struct zpl *z, const struct zpl_args *a, unsigned parameter, enum pl_diag_id id,
                        const char *what, const struct pl_object_name *name, const char *then)
{
    char wanted[PL_OBJECT_NAME_TEXT_MAX], there[PL_OBJECT_NAME_TEXT_MAX];
    pl_object_name_format(name, wanted);
    struct pl_object_name anywhere = *name;
    anywhere.drive = 0;
    const struct pl_object *other = name->drive ? pl_store_lookup(z->store, &anywhere) : NULL;
    if (other) {
        pl_object_name_format(&other->name, there);
        pl_diag_add(z->diags, id, a->source, parameter, "%s: there is no %s %s, but there is %s%s.", a->source.command,
                    what, wanted, there, then);
    } else {
        pl_diag_add(z->diags, id, a->source, parameter, "%s: there is no %s %s%s.", a->source.command, what, wanted,
                    then);
    }
}

enum pl_errc zpl_cmd_store_format(struct zpl *z, const struct zpl_args *a)
{
    if (!z->label.open || z->depth > 0)
        return PL_OK;
    PL_TRY(zpl_field_end(z, a->source.offset));
    struct zpl_label *l = &z->label;
    zpl_arg_object(z, a, 0, "UNKNOWN", "ZPL", &l->record_name);
    if (!l->record_name.drive)
        l->record_name.drive = 'R';
    l->recording = true;
    l->record_start = z->lex.pos;
    l->record_prefixes[0] = z->lex.caret;
    l->record_prefixes[1] = z->lex.tilde;
    l->record_prefixes[2] = z->lex.comma;
    return PL_OK;
}

enum pl_errc zpl_cmd_recall_format(struct zpl *z, const struct zpl_args *a)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "UNKNOWN", "ZPL", &name);
    const struct pl_object *format = pl_store_lookup(z->store, &name);
    if (!format)
        return PL_REPORTED(zpl_report_missing(z, a, 1, PL_DIAG_OBJECT_NOT_FOUND, "format", &name, ""));
    if (format->kind != PL_OBJECT_FORMAT)
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_OBJECT_INVALID, a->source, 1, "^XF: %s.%s is not a format.",
                                       name.name, name.ext));
    return zpl_recall(z, format, a->source);
}

enum pl_errc zpl_delete_objects(struct zpl *z, const struct zpl_args *a, const struct pl_object_name *pattern)
{
    uint32_t deleted;
    struct pl_error why;
    enum pl_errc code = pl_store_delete(z->store, pattern, &deleted, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(z->err);
    if (code != PL_OK)
        pl_diag_add(z->diags, PL_DIAG_STORE_FULL, a->source, 0, "%s: not all objects were deleted: %s.",
                    a->source.command, why.message);
    return PL_OK;
}

enum pl_errc zpl_cmd_delete_object(struct zpl *z, const struct zpl_args *a)
{
    struct pl_object_name name;
    zpl_arg_object(z, a, 0, "UNKNOWN", "GRF", &name);
    PL_TRY(pl_job_check(z->job, z->err));
    return zpl_delete_objects(z, a, &name);
}

// The destination's name: a '*' in it stands for what the source's '*' stood for.
static void rename_by(const char *source_pattern, const char *source, const char *pattern, char *out, size_t max)
{
    const char *star = strchr(source_pattern, '*');
    size_t head = star ? (size_t)(star - source_pattern) : 0;
    size_t tail = star ? strlen(star + 1) : 0;
    size_t len = strlen(source);
    struct pl_slice middle = pl_slice_make(source, len);
    if (star && len >= head + tail)
        middle = pl_slice_make(source + head, len - head - tail);
    size_t n = 0;
    for (; *pattern && n < max; pattern++) {
        if (*pattern != '*') {
            out[n++] = *pattern;
            continue;
        }
        for (size_t i = 0; i < middle.len && n < max; i++)
            out[n++] = (char)middle.ptr[i];
    }
    out[n] = '\0';
}

enum pl_errc zpl_cmd_copy_object(struct zpl *z, const struct zpl_args *a)
{
    struct pl_object_name from, to;
    if (!zpl_arg_object(z, a, 0, "*", "*", &from) || !zpl_arg_object(z, a, 1, "*", "*", &to))
        return PL_REPORTED(
            pl_diag_add(z->diags, PL_DIAG_PARAMETER_MISSING, a->source, 1, "^TO: source and destination are needed."));
    if (!from.drive)
        from.drive = 'R';
    uint32_t cursor = 0, copied = 0, last = 0;
    // The copies are put behind the last object and must not be copied again.
    for (const struct pl_store *s = z->store; s; s = s->base)
        last += s->count;
    const struct pl_object *object;
    while ((object = pl_store_next(z->store, &from, &cursor)) && cursor <= last) {
        PL_TRY(pl_job_check(z->job, z->err));
        struct pl_object copy = *object;
        copy.name.drive = to.drive ? to.drive : 'R';
        rename_by(from.name, object->name.name, to.name, copy.name.name, PL_STORE_NAME_MAX);
        rename_by(from.ext, object->name.ext, to.ext, copy.name.ext, PL_STORE_EXT_MAX);
        copy.name.name_len = (uint8_t)strlen(copy.name.name);
        copy.name.ext_len = (uint8_t)strlen(copy.name.ext);
        struct pl_error why;
        enum pl_errc code = pl_store_put(z->store, &copy, &why);
        if (code == PL_E_MEMORY)
            return pl_fail_memory(z->err);
        if (code != PL_OK)
            return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_STORE_FULL, a->source, 0, "^TO: %s was not copied: %s.",
                                           object->name.name, why.message));
        copied++;
    }
    if (copied == 0)
        pl_diag_add(z->diags, PL_DIAG_OBJECT_NOT_FOUND, a->source, 1, "^TO: there is nothing to copy.");
    return PL_OK;
}

// ^CM: which letters mean B:, E:, R: and A:. A letter given twice, or one that is none, leaves all as before.
enum pl_errc zpl_cmd_drive_letters(struct zpl *z, const struct zpl_args *a)
{
    char letters[4] = {'B', 'E', 'R', 'A'};
    for (unsigned i = 0; i < 4; i++)
        zpl_arg_choice(z, a, i, &letters[i]);
    bool multiple = zpl_arg_given(a, 4);
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < i && !multiple; k++) {
            if (letters[i] == letters[k] && letters[i] != 'N') {
                pl_diag_add(z->diags, PL_DIAG_PARAMETER_INVALID, a->source, (unsigned)i + 1,
                            "^CM: %c: is given to two devices; the letters are the usual ones again.", letters[i]);
                memcpy(z->printer.drive_names, "BERA", 4);
                return PL_OK;
            }
        }
    }
    memcpy(z->printer.drive_names, letters, 4);
    return PL_OK;
}

static enum pl_errc erase(struct zpl *z, const struct zpl_args *a, const char *pattern)
{
    struct pl_object_name name;
    pl_object_name_parse(pl_slice_cstr(pattern), "", "", &name);
    PL_TRY(pl_job_check(z->job, z->err));
    return zpl_delete_objects(z, a, &name);
}

enum pl_errc zpl_cmd_erase(struct zpl *z, const struct zpl_args *a)
{
    return erase(z, a, a->row->kind ? "R:*.GRF" : "R:*.ZPL");
}

enum pl_errc zpl_cmd_format_drive(struct zpl *z, const struct zpl_args *a)
{
    char drive = 'B'; // ~JB has no parameter and means the optional memory
    if (!zpl_arg_choice(z, a, 0, &drive) && a->row->info.title[0] == '^')
        return PL_OK;
    char pattern[] = {drive, ':', '*', '.', '*', '\0'};
    return erase(z, a, pattern);
}
