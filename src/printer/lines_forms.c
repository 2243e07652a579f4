// What a printer holds of forms, programs and formats, as far as their recall has to be understood.
#include <string.h>

#include "printer/lines_parts.h"

static void guard(const struct printer_forms *forms, bool enter)
{
    if (forms->guard)
        forms->guard(forms->user, enter);
}

static struct printer_form *find(struct printer_forms *forms, const char *name)
{
    for (uint32_t i = 0; i < forms->count; i++)
        if (strcmp(forms->all[i].name, name) == 0)
            return &forms->all[i];
    return NULL;
}

void printer_forms_clear(struct printer_forms *forms)
{
    forms->count = 0;
    forms->full = false;
}

// Of two programs with one name in two memories, which is run is the interpreter's to say.
static void store(struct printer_forms *forms, const struct printer_form *form)
{
    struct printer_form *old = find(forms, form->name);
    bool other = old && old->memory != form->memory;
    if (!old && forms->count < PRINTER_FORMS)
        old = &forms->all[forms->count++];
    forms->full = forms->full || !old;
    if (!old)
        return;
    *old = *form;
    old->unclear = old->unclear || other;
}

// "*" at the end stands for the rest of a name. Of other patterns it is not known what they delete.
static void delete (struct printer_forms *forms, const char *pattern)
{
    const size_t length = strlen(pattern), plain = strcspn(pattern, "*?");
    const bool rest = plain + 1 == length && pattern[plain] == '*';
    if (plain < length && !rest) {
        printer_forms_clear(forms);
        forms->full = true;
        return;
    }
    for (uint32_t i = forms->count; i-- > 0;)
        if (strncmp(forms->all[i].name, pattern, rest ? plain : sizeof forms->all[i].name) == 0)
            forms->all[i] = forms->all[--forms->count];
    forms->full = forms->full && length > 1;
}

bool lines_find_form(const struct printer_lines *l, const char *name, struct printer_form *out, bool *full)
{
    *full = false;
    if (!l->forms)
        return false;
    guard(l->forms, true);
    const struct printer_form *found = find(l->forms, name);
    if (found)
        *out = *found;
    *full = l->forms->full;
    guard(l->forms, false);
    return found;
}

void lines_note_change(struct printer_lines *l)
{
    enum line_change change = (enum line_change)l->change;
    l->change = LINE_NO_CHANGE;
    if (!l->forms || change == LINE_NO_CHANGE)
        return;
    guard(l->forms, true);
    l->forms->touched = true;
    l->forms->unsent += !l->noted;
    l->noted = true;
    if (change == LINE_FORM_STORED && l->form.name[0])
        store(l->forms, &l->form);
    else if (change == LINE_FORM_DELETED && l->form.name[0])
        delete (l->forms, l->form.name);
    guard(l->forms, false);
}

void lines_sent(struct printer_lines *l)
{
    if (!l->noted)
        return;
    l->noted = false;
    guard(l->forms, true);
    l->forms->unsent--;
    guard(l->forms, false);
}

bool lines_form_name(struct pl_slice text, const char *extension, char out[PRINTER_FORM_NAME + 1])
{
    enum { NAME = 16, EXTENSION = 4 };
    size_t n = 0, parts[2] = {0, 0};
    bool dot = false, good = true;
    for (size_t i = 0; i < text.len && good; i++) {
        uint8_t c = text.ptr[i];
        bool plain = pl_is_letter(c) || pl_is_digit(c) || c == '_' || c == '-';
        if (c == '.' && !dot)
            dot = true;
        else
            good = plain && ++parts[dot] <= (dot ? EXTENSION : NAME);
        if (good)
            out[n++] = (char)pl_upper(c);
    }
    good = good && parts[0] > 0 && (!dot || parts[1] > 0);
    out[good ? n : 0] = '\0';
    if (good && !dot && extension[0]) {
        out[n] = '.';
        memcpy(out + n + 1, extension, strlen(extension) + 1);
    }
    return good;
}

void lines_name_deleted(struct printer_lines *l, struct pl_slice name)
{
    l->form = (struct printer_form){0};
    l->change = LINE_FORM_DELETED;
    if (!lines_form_name(name, "", l->form.name))
        memcpy(l->form.name, "?", sizeof "?");
}
