// The interpreter's loop: commands from the lexer to their handlers, formats opened, recalled, closed.
#include <string.h>

#include "lang/zpl/payload.h"
#include "lang/zpl/zpl.h"

#define MAX_REPLAY (32u << 20) // bytes that ^XF may replay in one job

// Years 1 to 9999: what a date can show.
static int64_t now_of(const struct zpl *z)
{
    return pl_clamp_i64(z->options->time, -62135596800, 253402300799);
}

void zpl_printer_reset(struct zpl *z)
{
    if (z->has_saved) {
        z->printer = z->saved;
        z->printer.clock.now = now_of(z);
    } else {
        zpl_printer_defaults(z);
    }
}

void zpl_printer_defaults(struct zpl *z)
{
    z->printer = (struct zpl_printer){
        .device =
            {.darkness_tenths = 100, .mode = 'T', .tracking = 'Y', .media = 'T', .speed = 4, .slew = 6, .backfeed = 2},
        .cf_letter = z->profile->font,
        .by_module = z->profile->module,
        .by_ratio_tenths = z->profile->ratio_tenths,
        .by_height = z->profile->bar_height,
        .unit = 'D',
        .unit_from = 1,
        .unit_to = 1,
        .unit_plain = true,
        .bidi = true,
        .shaping = true,
        .clock = {.now = now_of(z), .language = 1},
        .drive_names = {'B', 'E', 'R', 'A'},
    };
}

// ^DF: between it and ^XZ commands are text. Prefix changes count, so that the end is found.
static enum pl_errc record_end(struct zpl *z, size_t end)
{
    struct zpl_label *l = &z->label;
    struct pl_slice text = pl_slice_sub(z->lex.text, l->record_start, end - l->record_start);
    struct pl_object object = {
        .name = l->record_name,
        .kind = PL_OBJECT_FORMAT,
        .bytes = text,
        .cost = text.len,
        .origin = z->lex.mapped ? z->lex.origin + (uint32_t)l->record_start : UINT32_MAX,
    };
    memcpy(object.prefixes, l->record_prefixes, sizeof(object.prefixes));
    struct pl_error why;
    enum pl_errc code = pl_store_put(z->store, &object, &why);
    if (code == PL_E_MEMORY)
        return pl_fail_memory(z->err);
    if (code != PL_OK)
        pl_diag_add(z->diags, PL_DIAG_STORE_FULL, zpl_source(&z->lex, l->record_start, end, "^DF"), 0,
                    "^DF: the format was not stored: %s.", why.message);
    zpl_label_drop(z);
    return PL_OK;
}

enum pl_errc zpl_recall(struct zpl *z, const struct pl_object *format, struct pl_source source)
{
    if (z->depth >= z->options->limits.recall_depth || z->depth >= ZPL_MAX_FRAMES)
        return PL_REPORTED(pl_diag_add(z->diags, PL_DIAG_RECALL_DEPTH, source, 0,
                                       "%s: %s is recalled from within %u other formats; it was left out.",
                                       source.command, format->name.name, z->depth));
    z->replayed += format->bytes.len;
    if (z->replayed > MAX_REPLAY)
        return pl_fail(z->err, PL_E_LIMIT, "stored formats were recalled until their text passed %u bytes", MAX_REPLAY);
    z->frames[z->depth++] = z->lex;
    struct zpl_lexer *lex = &z->lex;
    zpl_lexer_init(lex, format->bytes);
    zpl_lexer_prefixes(lex, format->prefixes[0], format->prefixes[1], format->prefixes[2]);
    lex->mapped = format->origin != UINT32_MAX;
    lex->origin = lex->mapped ? format->origin : 0;
    lex->recall = source;
    return PL_OK;
}

static void report_unknown(struct zpl *z, const struct zpl_token *t, struct pl_source source)
{
    char near[5];
    if (z->options->linter) {
        source.command[0] = '\0';
        pl_diag_add(z->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "Ignored unrecognized content");
    } else if (zpl_row_suggest(t->prefix, t->first, t->second, near))
        pl_diag_add(z->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "%s is not a ZPL II command. Was %s meant?",
                    source.command, near);
    else
        pl_diag_add(z->diags, PL_DIAG_UNKNOWN_COMMAND, source, 0, "%s is not a ZPL II command; it was skipped.",
                    source.command);
}

static char printable(uint8_t c)
{
    return (char)(c > 0x20 && c < 0x7F ? c : '?');
}

// Commands of RFID encoders, and the ribbon of ^MTT.
static void check_model(struct zpl *z, const struct zpl_args *a, const char *command)
{
    const struct pl_model *model = z->options->model;
    if (!model->rfid &&
        pl_slice_is_one_of(pl_slice_cstr(command),
                           "^HR|^RA|^RE|^RF|^RI|^RL|^RM|^RN|^RR|^RS|^RT|^RW|^RZ|^WF|^WT|^WV|^RB|~RV|^RU|^RQ|^HL|~HL"))
        pl_diag_add(z->diags, PL_DIAG_PRINTER_COMMAND, a->source, 0, "%s has no RFID encoder; %s does nothing.",
                    model->title, command);
    if (!model->transfer && strcmp(command, "^MT") == 0 && a->count > 0 && a->item[0].len == 1 &&
        (a->item[0].ptr[0] | 0x20) == 't')
        pl_diag_add(z->diags, PL_DIAG_PRINTER_COMMAND, a->source, 1, "%s prints without a ribbon; ^MTT does nothing.",
                    model->title);
}

// Of commands outside of formats the first is told, and the first that has the data of a field: it is not printed.
static void report_outside(struct zpl *z, const struct zpl_args *a, const char *command)
{
    const bool data =
        strcmp(command + 1, "FD") == 0 || strcmp(command + 1, "FV") == 0 || strcmp(command + 1, "SN") == 0;
    const bool lost = data && !z->options->linter && pl_slice_trim(a->raw).len > 0 && !z->lost_reported;
    if (z->outside_reported && !lost)
        return;
    struct pl_diag *d = pl_diag_add(z->diags, PL_DIAG_OUTSIDE_FORMAT, a->source, 0,
                                    "%s is outside of ^XA and ^XZ and was ignored.", command);
    if (d && lost)
        d->severity = PL_SEV_WARNING;
    z->outside_reported = true;
    z->lost_reported = z->lost_reported || lost;
}

static enum pl_errc carry_out(struct zpl *z, const struct zpl_token *t)
{
    const struct zpl_row *row = t->row;
    char command[5] = {t->prefix, printable(t->first), t->second ? printable(t->second) : '\0', '\0', '\0'};
    struct zpl_args a;
    a.row = row;
    a.raw = t->args;
    a.font = (char)t->raw_second;
    a.item = t->item;
    a.count = t->item_count;
    a.source = zpl_source(&z->lex, t->start, z->lex.pos, command);
    if (!row)
        return PL_REPORTED(report_unknown(z, t, a.source));
    if (row->in_format && !z->label.open) {
        report_outside(z, &a, command);
        if (row->lex == ZPL_LEX_PAYLOAD)
            z->lex.pos = zpl_lex_payload_end(&z->lex, z->lex.pos);
        return PL_OK;
    }
    if (z->options->model)
        check_model(z, &a, command);
    return row->run(z, &a);
}

static enum pl_errc record_token(struct zpl *z, const struct zpl_token *t)
{
    if (t->prefix == '^' && t->first == 'X' && t->second == 'Z')
        return record_end(z, t->start);
    if (t->row && t->row->lex == ZPL_LEX_CHAR)
        return carry_out(z, t);
    if (t->row && t->row->lex == ZPL_LEX_PAYLOAD)
        zpl_payload_skip(&z->lex, t);
    return PL_OK;
}

static void report_skipped(struct zpl *z, const struct zpl_token *t)
{
    if (z->outside_reported || z->label.open)
        return;
    // Editors put a byte order mark in front of UTF-8 text; nobody wants to hear of it.
    struct pl_slice skipped = pl_slice_sub(z->lex.text, t->skipped_from, t->skipped_to - t->skipped_from);
    if (t->skipped_from == 0 && pl_slice_eq_cstr(pl_slice_trim(skipped), "\xEF\xBB\xBF"))
        return;
    // Nor of Zebra's driver, whose files begin with CT~~CD,~CC^~CT~ where their first byte, a DLE, was lost.
    if (pl_slice_eq_cstr(pl_slice_trim(skipped), "CT"))
        return;
    // The linter counts it as a warning.
    pl_diag_add(z->diags, z->options->linter ? PL_DIAG_UNKNOWN_COMMAND : PL_DIAG_OUTSIDE_FORMAT,
                zpl_source(&z->lex, t->skipped_from, t->skipped_to, ""), 0, "%s",
                z->options->linter ? "Ignored unrecognized content" : "Text outside of ^XA and ^XZ was ignored.");
    z->outside_reported = true;
}

// A prefix behind field data that no name follows was meant as data.
static void report_lost(struct zpl *z, size_t from, size_t to)
{
    const uint8_t lost = z->lex.text.ptr[from];
    if (z->options->linter || z->label.recording || !z->label.open || (lost != z->lex.caret && lost != z->lex.tilde))
        return;
    struct pl_diag *d =
        pl_diag_add(z->diags, PL_DIAG_DATA_DROPPED, zpl_source(&z->lex, from, to, ""), 0,
                    "The %c behind the data begins no command and was left out; ^FH and _%02X write it.", lost, lost);
    if (d && z->field.has_barcode)
        d->severity = PL_SEV_ERROR; // a scanner sends other data
}

static bool is_field_data(const struct zpl_token *t)
{
    return t->row && t->row->lex == ZPL_LEX_DATA && t->first == 'F' && (t->second == 'D' || t->second == 'V');
}

static enum pl_errc run(struct zpl *z)
{
    struct zpl_token token;
    size_t data_end = SIZE_MAX; // of field data that came last
    for (;;) {
        PL_TRY(pl_job_check_often(z->job, &z->since_check, z->err));
        bool more = zpl_lex_next(&z->lex, &token);
        if (token.skipped_to > token.skipped_from)
            report_skipped(z, &token);
        if (more && token.start > data_end)
            report_lost(z, data_end, token.start);
        data_end = more && is_field_data(&token) ? z->lex.pos : SIZE_MAX;
        if (more) {
            PL_TRY(z->label.recording ? record_token(z, &token) : carry_out(z, &token));
            if (token.row && token.row->lex == ZPL_LEX_PAYLOAD)
                z->since_check = 64; // a graphic may take as long as thousands of commands
            continue;
        }
        if (z->depth == 0)
            return PL_OK;
        if (z->label.recording)
            PL_TRY(record_end(z, z->lex.text.len));
        bool changed = z->lex.prefixes_since > 0;
        z->lex = z->frames[--z->depth];
        if (changed)
            z->lex.prefixes_since = UINT32_MAX;
    }
}

static enum pl_errc finish(struct zpl *z)
{
    if (!z->label.open)
        return PL_OK;
    struct pl_source source = {.offset = z->label.start, .command = "^XA"};
    source.length = (uint32_t)z->input.len - source.offset;
    pl_diag_add(z->diags, PL_DIAG_FORMAT_UNTERMINATED, (struct pl_source){source.offset, 3, "^XA"}, 0,
                "The format that starts here has no ^XZ; it was ended at the end of the input.");
    if (z->label.recording)
        return record_end(z, z->lex.text.len);
    return zpl_label_end(z, (struct pl_source){(uint32_t)z->input.len, 0, ""});
}

// The printer as an input before this one left it, or as it is switched on.
static void start_after(struct zpl *z, const struct zpl *before)
{
    if (!before) {
        zpl_printer_reset(z);
        return;
    }
    z->printer = before->printer;
    z->printer.clock.now = now_of(z);
    z->saved = before->saved;
    z->has_saved = before->has_saved;
    z->has_units = !z->printer.unit_plain;
    zpl_lexer_prefixes(&z->lex, before->lex.caret, before->lex.tilde, before->lex.comma);
}

// Label code that was saved as UTF-16, with a mark or without one.
static bool is_utf16(struct pl_slice input)
{
    if (input.len < 6)
        return false;
    const uint8_t *p = input.ptr;
    bool marked = (p[0] == 0xFF && p[1] == 0xFE) || (p[0] == 0xFE && p[1] == 0xFF);
    return marked || memcmp(p, "^\0X\0A", 5) == 0 || memcmp(p, "\0^\0X\0A", 6) == 0;
}

static const char *why_nothing(struct pl_slice input)
{
    return is_utf16(input) ? "The input is UTF-16, which has no commands for a printer: save it as UTF-8, and write "
                             "^CI28 behind ^XA."
                           : "Nothing in the input prints: no format between ^XA and ^XZ draws anything.";
}

enum pl_errc pl_zpl_interpret(struct pl_slice input, const struct pl_lang_options *options, struct pl_store *store,
                              struct pl_arena *arena, struct pl_diags *diags, const struct pl_job *job,
                              struct pl_scene *out, struct pl_error *err)
{
    *out = (struct pl_scene){.profile = options->profile};
    struct zpl *z = PL_ARENA_NEW(arena, struct zpl);
    if (!z)
        return pl_fail_memory(err);
    z->options = options;
    z->profile = &options->profile->zpl;
    z->store = store;
    z->arena = arena;
    z->diags = diags;
    z->job = job;
    z->err = err;
    z->input = input;
    z->labels = (struct pl_label_list){.options = options, .arena = arena, .diags = diags, .err = err};
    z->img = (struct pl_img_env){.arena = arena, .job = job, .limit = options->limits.decoded_graphics};
    zpl_lexer_init(&z->lex, input);
    start_after(z, options->after);
    zpl_label_drop(z);
    PL_TRY(run(z));
    PL_TRY(finish(z));
    pl_label_list_end(&z->labels, input, why_nothing(input), out);
    out->pictures = z->pictures;
    out->picture_count = z->picture_count;
    if (options->end)
        *options->end = z;
    return PL_OK;
}
