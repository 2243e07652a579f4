// Text: fonts, characters, TEXT, CONCAT, MULTILINE, font groups and outline text.
#include "base/utf8.h"
#include "lang/cpcl/cmd_table.h"

// ---- fonts

// Cells of the printer's own fonts by number and size. Width 0: letters have widths of their own, and `per_mille` is
// how wide they are beside those of font 0 of that height.
struct size {
    uint8_t font, size, resident;
    int16_t height, width, per_mille;
};
static const struct size SIZES[] = {
    {0, 0, PL_FONT_CPCL_0, 9, 8, 0},        {0, 1, PL_FONT_CPCL_0, 9, 16, 0},
    {0, 2, PL_FONT_CPCL_0, 18, 8, 0},       {0, 3, PL_FONT_CPCL_0, 18, 16, 0},
    {0, 4, PL_FONT_CPCL_0, 18, 32, 0},      {0, 5, PL_FONT_CPCL_0, 36, 16, 0},
    {0, 6, PL_FONT_CPCL_0, 36, 32, 0},      {1, 0, PL_FONT_SCALABLE, 48, 0, 900},
    {2, 0, PL_FONT_CPCL_2, 12, 20, 0},      {2, 1, PL_FONT_CPCL_2, 24, 20, 0},
    {4, 0, PL_FONT_SCALABLE, 47, 0, 1190},  {4, 1, PL_FONT_SCALABLE, 94, 0, 595},
    {4, 2, PL_FONT_SCALABLE, 45, 0, 2220},  {4, 3, PL_FONT_SCALABLE, 90, 0, 1110},
    {4, 4, PL_FONT_SCALABLE, 180, 0, 1190}, {4, 5, PL_FONT_SCALABLE, 270, 0, 1190},
    {4, 6, PL_FONT_SCALABLE, 360, 0, 1190}, {4, 7, PL_FONT_SCALABLE, 450, 0, 1190},
    {5, 0, PL_FONT_SCALABLE, 24, 0, 1100},  {5, 1, PL_FONT_SCALABLE, 48, 0, 550},
    {5, 2, PL_FONT_SCALABLE, 46, 0, 1100},  {5, 3, PL_FONT_SCALABLE, 92, 0, 550},
    {6, 0, PL_FONT_CPCL_6, 27, 28, 0},      {7, 0, PL_FONT_CPCL_7, 24, 12, 0},
    {7, 1, PL_FONT_CPCL_7, 48, 12, 0},
};

// Fonts that only other makers have; the size is ignored.
static const struct size OTHERS[] = {
    {3, 0, PL_FONT_TSPL_20, 20, 10, 0},   {8, 0, PL_FONT_TSPL_24, 24, 12, 0},  {10, 0, PL_FONT_TSPL_24, 48, 24, 0},
    {11, 0, PL_FONT_TSPL_16, 16, 8, 0},   {20, 0, PL_FONT_TSPL_16, 16, 8, 0},  {24, 0, PL_FONT_TSPL_24, 24, 12, 0},
    {28, 0, PL_FONT_SCALABLE, 28, 28, 0}, {41, 0, PL_FONT_TSPL_1, 12, 8, 0},   {42, 0, PL_FONT_TSPL_2, 20, 12, 0},
    {43, 0, PL_FONT_TSPL_3, 24, 16, 0},   {44, 0, PL_FONT_TSPL_4, 32, 24, 0},  {45, 0, PL_FONT_TSPL_5, 48, 32, 0},
    {46, 0, PL_FONT_TSPL_6, 19, 14, 0},   {47, 0, PL_FONT_TSPL_7, 27, 21, 0},  {48, 0, PL_FONT_TSPL_8, 25, 14, 0},
    {13, 0, PL_FONT_TSPL_24, 24, 12, 0},  {49, 0, PL_FONT_TSPL_24, 56, 28, 0}, {55, 0, PL_FONT_TSPL_16, 16, 8, 0},
    {56, 0, PL_FONT_TSPL_16, 16, 8, 0},
};

static struct pl_font_ref sized(const struct size *s)
{
    return (struct pl_font_ref){.resident = s->resident,
                                .height = s->height,
                                .width = s->width ? s->width : PL_MAX(s->height * s->per_mille / 1000, 1)};
}

struct pl_font_ref cpcl_plain_font(void)
{
    return (struct pl_font_ref){.resident = PL_FONT_CPCL_7, .height = 24, .width = 12};
}

// The font's size, or the nearest smaller one that it has.
static const struct size *find_size(int32_t font, int32_t size)
{
    const struct size *best = NULL;
    for (size_t i = 0; i < PL_COUNTOF(SIZES); i++)
        if (SIZES[i].font == font && (!best || SIZES[i].size <= size))
            best = &SIZES[i];
    return best;
}

// Printers of other makers read a size of two digits as how many times the first size is wider and higher.
static struct pl_font_ref enlarged_by(const struct size *first, int32_t size)
{
    struct pl_font_ref font = sized(first);
    font.width *= PL_MAX(size / 10 % 10, 1);
    font.height *= PL_MAX(size % 10, 1);
    return font;
}

static struct pl_font_ref find_font(struct cpcl *e, const struct cpcl_args *a, int32_t font, int32_t size)
{
    const struct size *own = find_size(font, size);
    if (own && size > 9) {
        cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND,
                  "font %d has no size %d; its first size was drawn %d times as wide and %d times as high.", font, size,
                  PL_MAX(size / 10 % 10, 1), PL_MAX(size % 10, 1));
        return enlarged_by(find_size(font, 0), size);
    }
    if (own && own->size != size)
        cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND, "font %d has no size %d; size %u was used.", font, size, own->size);
    if (own)
        return sized(own);
    for (size_t i = 0; i < PL_COUNTOF(OTHERS); i++)
        if (OTHERS[i].font == font) {
            cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND, "only printers of other makers have font %d; their cell was used.",
                      font);
            return sized(&OTHERS[i]);
        }
    cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND, "there is no font %d; font 7 was used.", font);
    return cpcl_plain_font();
}

static enum pl_errc stored_font(struct cpcl *e, const struct cpcl_args *a, struct pl_slice name,
                                const struct pl_font_file **out)
{
    *out = NULL;
    const struct pl_object *object = cpcl_object(e, name);
    if (!object || object->kind != PL_OBJECT_FONT)
        return PL_REPORTED(cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND, "there is no font %.*s; a sans serif face was used.",
                                     (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr));
    struct pl_font_file *file = PL_ARENA_NEW(e->arena, struct pl_font_file);
    if (!file)
        return pl_fail_memory(e->err);
    *file = (struct pl_font_file){.kind = object->bitmap_font ? PL_FONT_FILE_BITMAP : PL_FONT_FILE_OUTLINE,
                                  .id = object->id,
                                  .name = name,
                                  .bytes = object->bytes};
    *out = file;
    return PL_OK;
}

static void enlarge(const struct cpcl *e, struct pl_font_ref *font)
{
    font->height *= e->settings.magnify_y;
    font->width *= e->settings.magnify_x;
}

// A number, or the name of a stored font, whose size is that of font 4. False: it was reported.
enum pl_errc cpcl_font(struct cpcl *e, struct cpcl_args *a, struct pl_font_ref *out, bool *found)
{
    struct pl_slice name = cpcl_word(a);
    double font;
    int32_t size = 0;
    *found = cpcl_whole(e, a, &size);
    if (!*found)
        return PL_OK;
    if (cpcl_read_number(name, &font) && font >= 0 && font <= 255) {
        *out = find_font(e, a, (int32_t)font, size);
    } else {
        *out = sized(find_size(4, PL_MIN(size, 9) == size ? size : 0));
        PL_TRY(stored_font(e, a, name, &out->file));
    }
    enlarge(e, out);
    return PL_OK;
}

// ---- characters

// The set that the bytes are in. Many files have UTF-8 or Chinese without saying so.
static const struct pl_charset *find_set(struct cpcl *e, const struct cpcl_args *a, struct pl_slice bytes)
{
    if (e->settings.charset)
        return e->settings.charset;
    if (pl_is_ascii(bytes) || !pl_utf8_valid(bytes))
        return cpcl_charset_find(pl_slice_cstr("CP850"));
    if (!e->told_utf8)
        cpcl_note(e, a, PL_DIAG_CHARSET_SUSPECT,
                  "the text is UTF-8, but there is no ENCODING UTF-8: a printer prints other letters. It is shown as "
                  "UTF-8.");
    e->told_utf8 = true;
    return cpcl_charset_find(pl_slice_cstr("UTF-8"));
}

enum pl_errc cpcl_chars(struct cpcl *e, const struct cpcl_args *a, struct pl_slice bytes, struct pl_text *out)
{
    uint32_t *chars = PL_ARENA_ARRAY(e->arena, uint32_t, bytes.len + 1), bad, n = 0;
    if (!chars)
        return pl_fail_memory(e->err);
    const struct pl_charset *set = find_set(e, a, bytes);
    uint32_t length = pl_charset_decode(set, bytes, chars, &bad);
    if (bad)
        cpcl_note(e, a, PL_DIAG_CHARSET_INVALID, "%u byte%s mean%s nothing in %s.", bad, bad == 1 ? "" : "s",
                  bad == 1 ? "s" : "", set->name);
    for (uint32_t i = 0; i < length; i++)
        if (chars[i] >= 0x20)
            chars[n++] = chars[i];
    out->chars = chars;
    out->length = n;
    out->gap = e->settings.spacing;
    out->bold = e->settings.bold;
    out->underline = e->settings.underline;
    out->no_bidi = out->no_shaping = true;
    return PL_OK;
}

// ---- TEXT

static enum pl_rotation rotation_of(const struct cpcl_args *a)
{
    // Counter-clockwise: a quarter turn reads upwards.
    return a->vertical ? PL_ROT_B : (enum pl_rotation)(a->row->kind % 4);
}

// The cells of a line, seen from the text's place: along it and across.
static struct pl_box cells_of(const struct pl_element *text)
{
    int64_t width = (int64_t)text->text.length * (text->text.font.width + text->text.gap) +
                    (int64_t)pl_text_squares(&text->text) * text->text.font.width;
    int32_t along = pl_clamp_i32(width, 1, 32000), from = 0;
    if (text->at.justify == PL_JUSTIFY_CENTER)
        from = -along / 2;
    else if (text->at.justify == PL_JUSTIFY_RIGHT)
        from = -along;
    return (struct pl_box){from, 0, from + along, text->text.font.height};
}

// INVERSE-TEXT: a box over the text that inverts its cells.
static enum pl_errc invert_cells(struct cpcl *e, const struct cpcl_args *a, const struct pl_element *text)
{
    if (text->text.font.resident == PL_FONT_SCALABLE || text->text.choice_count > 0 || text->at.x_goes_on ||
        text->at.y_goes_on)
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "text whose letters have no cells stays black on white."));
    const struct pl_frame place = {text->at.x, text->at.y, text->rotation};
    struct pl_element *box = pl_element_new_solid(&e->labels, a->source, pl_frame_box(place, cells_of(text)));
    if (!box)
        return pl_fail_memory(e->err);
    box->reverse = true;
    return cpcl_add(e, box);
}

static enum pl_errc add_text(struct cpcl *e, const struct cpcl_args *a, struct pl_element *text, struct pl_slice data)
{
    PL_TRY(cpcl_chars(e, a, data, &text->text));
    if (text->text.length == 0)
        return PL_OK;
    PL_TRY(cpcl_add(e, text));
    return e->settings.inverse ? invert_cells(e, a, text) : PL_OK;
}

static int32_t bottom_of(const struct pl_element *text)
{
    bool upright = pl_is_upright(text->rotation);
    return text->at.y + (upright ? text->text.font.height : 0);
}

// `FG g`: the largest member of a group that has room.
static bool read_group(struct cpcl *e, struct cpcl_args *a, const struct cpcl_font_group **out)
{
    int32_t number;
    if (!cpcl_whole(e, a, &number))
        return false;
    *out = e->same_group ? e->same_group : &e->groups[pl_clamp_i32(number, 0, CPCL_GROUPS - 1)];
    if ((*out)->count > 0)
        return true;
    cpcl_note(e, a, PL_DIAG_FONT_NOT_FOUND, "no fonts were put into group %d; nothing was drawn.", number);
    return false;
}

static enum pl_errc choose_from_group(struct cpcl *e, const struct cpcl_font_group *group, int32_t x, int32_t y,
                                      struct pl_element *text)
{
    struct pl_font_ref *choices = PL_ARENA_ARRAY(e->arena, struct pl_font_ref, group->count);
    if (!choices)
        return pl_fail_memory(e->err);
    memcpy(choices, group->font, group->count * sizeof *choices);
    for (uint32_t i = 0; i < group->count; i++)
        for (uint32_t k = i + 1; k < group->count; k++) // by height; those of one height by width
            if (choices[k].height > choices[i].height ||
                (choices[k].height == choices[i].height && choices[k].width > choices[i].width)) {
                struct pl_font_ref other = choices[i];
                choices[i] = choices[k];
                choices[k] = other;
            }
    int32_t room = text->rotation == PL_ROT_B ? y : cpcl_page_width(e) - x;
    text->text.font = choices[0];
    text->text.choices = choices;
    text->text.choice_count = group->count;
    text->text.fit_width = PL_MAX(room, 1);
    return PL_OK;
}

// The numbers of TEXT, with an element at their place; NULL: they are not there.
static enum pl_errc begin_text(struct cpcl *e, struct cpcl_args *a, struct pl_element **out, int32_t at[2])
{
    struct pl_slice ahead = a->rest, word = cpcl_next_word(&ahead);
    struct pl_font_ref font = {0};
    const struct cpcl_font_group *group = NULL;
    bool found = true;
    *out = NULL;
    if (pl_slice_eq_cstr(word, "FG")) {
        (void)cpcl_word(a);
        found = read_group(e, a, &group);
    } else {
        PL_TRY(cpcl_font(e, a, &font, &found));
    }
    if (!found || !cpcl_all_dots(e, a, 2, at))
        return PL_OK;
    struct pl_element *text = pl_element_new(&e->labels, PL_ELEMENT_TEXT, a->source, 0, 0);
    if (!text)
        return pl_fail_memory(e->err);
    text->text.font = font;
    cpcl_place(e, text, at[0], at[1], rotation_of(a));
    if (group)
        PL_TRY(choose_from_group(e, group, at[0], at[1], text));
    *out = text;
    return PL_OK;
}

enum pl_errc cpcl_cmd_text(struct cpcl *e, struct cpcl_args *a)
{
    struct pl_element *text;
    int32_t at[2];
    PL_TRY(begin_text(e, a, &text, at));
    if (!text)
        return PL_OK;
    cpcl_page_drawn(e, bottom_of(text));
    return add_text(e, a, text, cpcl_data(e, a));
}

// FG group font size font size …
enum pl_errc cpcl_cmd_font_group(struct cpcl *e, struct cpcl_args *a)
{
    int32_t number;
    if (!cpcl_whole(e, a, &number))
        return PL_OK;
    struct cpcl_font_group *group = &e->groups[number];
    group->count = 0;
    while (cpcl_more(a) && group->count < CPCL_GROUP_MEMBERS) {
        bool found;
        PL_TRY(cpcl_font(e, a, &group->font[group->count], &found));
        if (!found)
            return PL_OK;
        group->count++;
    }
    return PL_OK;
}

// ---- CONCAT and MULTILINE

// A name, and width and height in points or, to fit, in units.
static enum pl_errc outline_font(struct cpcl *e, struct cpcl_args *a, bool points, struct pl_font_ref *out, bool *found)
{
    struct pl_slice name = cpcl_word(a);
    double unit = e->settings.unit;
    if (points)
        e->settings.unit = e->options->dpmm * 25.4 / 72;
    *found = cpcl_dots(e, a, &out->width) && cpcl_dots(e, a, &out->height);
    e->settings.unit = unit;
    out->resident = PL_FONT_SCALABLE;
    out->width = pl_clamp_i32(out->width, 1, 32000);
    out->height = pl_clamp_i32(out->height, 1, 32000);
    return *found ? stored_font(e, a, name, &out->file) : PL_OK;
}

// ST name w h, or a font's number and size, then the offset from the line.
static enum pl_errc concat_line(struct cpcl *e, struct cpcl_args *a, int32_t x, int32_t y, bool first)
{
    struct pl_slice ahead = a->rest;
    struct pl_font_ref font = {.resident = PL_FONT_SCALABLE};
    bool found = true;
    int32_t offset;
    if (pl_slice_eq_cstr(cpcl_next_word(&ahead), "ST")) {
        (void)cpcl_word(a);
        PL_TRY(outline_font(e, a, true, &font, &found));
    } else {
        PL_TRY(cpcl_font(e, a, &font, &found));
    }
    if (!found || !cpcl_dots(e, a, &offset))
        return PL_OK;
    struct pl_element *text = pl_element_new(&e->labels, PL_ELEMENT_TEXT, a->source, 0, 0);
    if (!text)
        return pl_fail_memory(e->err);
    enum pl_justify justify = e->settings.justify;
    e->settings.justify = PL_JUSTIFY_LEFT; // the length of all is not known here
    cpcl_place(e, text, a->vertical ? x + offset : x, a->vertical ? y : y + offset, a->vertical ? PL_ROT_B : PL_ROT_N);
    e->settings.justify = justify;
    text->at.x_goes_on = !first && !a->vertical;
    text->at.y_goes_on = !first && a->vertical;
    text->text.font = font;
    cpcl_page_drawn(e, bottom_of(text));
    return add_text(e, a, text, cpcl_data(e, a));
}

enum pl_errc cpcl_cmd_concat(struct cpcl *e, struct cpcl_args *a)
{
    int32_t at[2];
    bool placed = cpcl_all_dots(e, a, 2, at);
    struct pl_slice line;
    uint32_t before = e->drawn.count;
    while (cpcl_block_line(e, a, a->row->end, NULL, &line)) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        size_t start = (size_t)(line.ptr - e->lex.text.ptr);
        struct cpcl_args part = {.row = cpcl_row_lookup(pl_slice_cstr("TEXT")),
                                 .rest = line,
                                 .vertical = a->vertical,
                                 .source = cpcl_source(&e->lex, start, start + line.len, a->row->info.title)};
        if (placed && pl_slice_trim(line).len > 0)
            PL_TRY(concat_line(e, &part, at[0], at[1], e->drawn.count == before));
    }
    return PL_OK;
}

// One line of several, `down` dots below the first.
static enum pl_errc multi_line(struct cpcl *e, const struct cpcl_args *a, const struct pl_element *first, int32_t down,
                               struct pl_slice line)
{
    struct pl_element *text = pl_arena_copy(e->arena, first, sizeof *first);
    if (!text)
        return pl_fail_memory(e->err);
    size_t start = (size_t)(line.ptr - e->lex.text.ptr);
    text->source = cpcl_source(&e->lex, start, start + line.len, a->source.command);
    switch (text->rotation) {
    case PL_ROT_N:
        text->at.y += down;
        break;
    case PL_ROT_R:
        text->at.x -= down;
        break;
    case PL_ROT_I:
        text->at.y -= down;
        break;
    case PL_ROT_B:
        text->at.x += down;
        break;
    }
    cpcl_page_drawn(e, bottom_of(text));
    return add_text(e, a, text, line);
}

enum pl_errc cpcl_cmd_multiline(struct cpcl *e, struct cpcl_args *a)
{
    int32_t step, at[2];
    struct pl_slice line, word;
    struct pl_element *first = NULL;
    if (!cpcl_dots(e, a, &step))
        return PL_OK;
    if (!cpcl_block_line(e, a, a->row->end, "ENDML", &line))
        return PL_REPORTED(
            cpcl_note(e, a, PL_DIAG_PARAMETER_MISSING, "a TEXT command must follow; nothing was drawn."));
    size_t start = (size_t)(line.ptr - e->lex.text.ptr);
    struct cpcl_args text = {.rest = line};
    word = cpcl_next_word(&text.rest);
    text.row = cpcl_row_lookup(word);
    text.vertical = word.len > 0 && word.ptr[0] == 'V';
    text.source = cpcl_source(&e->lex, start, start + line.len, "TEXT");
    if (text.row && text.row->run == cpcl_cmd_text)
        PL_TRY(begin_text(e, &text, &first, at));
    else
        cpcl_note(e, a, PL_DIAG_PARAMETER_MISSING, "a TEXT command must follow; nothing was drawn.");
    for (int32_t i = 0; cpcl_block_line(e, a, a->row->end, "ENDML", &line); i++) {
        PL_TRY(pl_job_check_often(e->job, &e->since_check, e->err));
        if (first)
            PL_TRY(multi_line(e, a, first, pl_clamp_i32((int64_t)step * i, -CPCL_FAR, CPCL_FAR), line));
    }
    return PL_OK;
}

// ---- outline text

enum pl_errc cpcl_cmd_scale_text(struct cpcl *e, struct cpcl_args *a)
{
    bool fits = a->row->kind != 0, found;
    struct pl_font_ref font = {0};
    int32_t at[2];
    PL_TRY(outline_font(e, a, !fits, &font, &found));
    if (!found || !cpcl_all_dots(e, a, 2, at))
        return PL_OK;
    struct pl_element *text = pl_element_new(&e->labels, PL_ELEMENT_TEXT, a->source, 0, 0);
    if (!text)
        return pl_fail_memory(e->err);
    text->text.fit_width = fits ? font.width : 0;
    text->text.font = font;
    if (e->settings.pattern != 100)
        cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "text with a pattern is drawn black.");
    if (e->settings.angle != 0)
        cpcl_note(e, a, PL_DIAG_UNSUPPORTED, "text is not turned by %d degrees.", e->settings.angle);
    cpcl_place(e, text, at[0], at[1], a->vertical ? PL_ROT_B : PL_ROT_N);
    cpcl_page_drawn(e, bottom_of(text));
    return add_text(e, a, text, cpcl_data(e, a));
}
