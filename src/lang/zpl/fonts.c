// The fonts that letters stand for, and those that are linked to them.
#include "lang/zpl/state.h"

int zpl_letter_index(char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' : c >= '0' && c <= '9' ? 26 + c - '0' : -1;
}

bool zpl_is_resident(char letter)
{
    return (letter >= 'A' && letter <= 'H') || (letter >= 'P' && letter <= 'V') || letter == '0';
}

const struct pl_font_file *zpl_font_of_letter(const struct zpl *z, char letter)
{
    int i = zpl_letter_index(letter);
    return i < 0 ? NULL : z->printer.font_of[i];
}

// For a named font that is not there font 0 stands in: nearly all are outlines, and cells would be far too wide.
char zpl_font_stand_in(const struct zpl *z, char letter)
{
    int i = zpl_letter_index(letter);
    return i >= 0 && z->printer.missing_of[i] && !zpl_is_resident(letter) ? '0' : letter;
}

enum pl_errc zpl_link_fonts(struct zpl *z, const struct pl_object_name *missing, struct pl_font_ref *font)
{
    const struct zpl_printer *pr = &z->printer;
    if (pr->link_count == 0)
        return PL_OK;
    // Resident fonts are objects of drive Z:.
    struct pl_object_name name = {
        .drive = 'Z', .name = {(char)font->resident, '\0'}, .name_len = 1, .ext = "FNT", .ext_len = 3};
    if (font->file)
        pl_object_name_parse(font->file->name, "", "", &name);
    const struct pl_font_file *found[ZPL_MAX_LINKS];
    uint32_t n = 0;
    for (uint32_t i = 0; i < pr->link_count; i++) {
        const struct zpl_link *link = &pr->links[i];
        if (!pl_object_name_matches(&link->base, &name) && !(missing && pl_object_name_matches(&link->base, missing)))
            continue;
        uint32_t kept = 0;
        for (uint32_t k = 0; k < n; k++) {
            if (found[k]->id != link->file->id)
                found[kept++] = found[k];
        }
        n = kept;
        if (link->linked && n < ZPL_MAX_LINKS)
            found[n++] = link->file;
    }
    if (n == 0)
        return PL_OK;
    font->linked = pl_arena_copy(z->arena, found, n * sizeof(found[0]));
    if (!font->linked)
        return pl_fail_memory(z->err);
    font->linked_count = n;
    return PL_OK;
}
