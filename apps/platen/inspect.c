// `platen inspect`: what is in a label file: its labels and elements, what is odd about it, or the scene as text.
#include <stdio.h>

#include "base/buf.h"
#include "base/ckd.h"
#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "cli/path_list.h"
#include "commands.h"
#include "describe/describe.h"

static const char USAGE[] =
    "usage: platen inspect FILE|DIR|- [FILE|DIR ...] [options]\n"
    "\n"
    "Prints what a label file contains: its labels, the position and data of every element, and problems.\n"
    "Of a folder its " CLI_LABEL_FILES ". `platen check` is the command for "
    "pipelines.\n"
    "\n"
    "  --json                as JSON, one object per file and line\n"
    "  --scene               the scene as text: elements in dots, before anything is drawn\n"
    "  --lint                only problems, as FILE:LINE:COLUMN: severity: message [code]\n"
    "  --profile P           draw like Labelary (reference, default), or like a printer (printer)\n" CLI_SIZING_HELP
        CLI_CHECKING_HELP "\n"
    "Exit status: 0 fine, 1 a file could not be read, or with --lint there is an error or a warning, 2 wrong usage.\n";

enum form { TEXT, JSON, SCENE, LINT };

struct inspection {
    struct platen_worker *worker;
    struct cli_options options;
    enum form form;
    struct pl_buf out;
    uint32_t complaints; // errors and warnings
};

static void show_diagnostic(struct inspection *in, const char *path, const struct platen_diagnostic *d, bool first)
{
    struct pl_buf *out = &in->out;
    in->complaints += d->severity != PLATEN_INFO;
    if (in->form == JSON) {
        struct pl_json_writer json;
        if (!first)
            pl_buf_append_byte(out, ',');
        pl_json_writer_init(&json, out);
        pl_describe_diagnostic(&json, d, PL_NO_FIX);
        return;
    }
    if (in->form == LINT)
        pl_buf_printf(out, "%s:", path);
    else
        pl_buf_append_cstr(out, "  ");
    pl_buf_printf(out, "%u:%u: %s: %s [%s]\n", d->line, d->column, platen_severity_name(d->severity), d->message,
                  d->code);
}

static void show_element(struct inspection *in, const struct platen_element *e)
{
    struct pl_buf *out = &in->out;
    const char *data = e->data ? e->data : "";
    pl_buf_printf(out, "  %-8s %-4s %5d,%-5d %4ux%-4u", e->symbology ? e->symbology : e->type_name, e->command, e->x,
                  e->y, e->width, e->height);
    if (e->data_size > 0) {
        pl_buf_append_byte(out, ' ');
        pl_buf_append_json_string(out, pl_slice_make(data, e->data_size));
    }
    if (!e->inside_label)
        pl_buf_append_cstr(out, " (outside the label)");
    if (e->type == PLATEN_BARCODE && (e->decoded >= 0 || e->no_reader_reason))
        pl_buf_append_cstr(out, e->decoded > 0 ? " (read)" : e->decoded == 0 ? " (cannot be read)" : " (not read: ");
    if (e->no_reader_reason)
        pl_buf_printf(out, "%s)", e->no_reader_reason);
    pl_buf_append_byte(out, '\n');
}

static const char *plural(uint32_t count)
{
    return count == 1 ? "" : "s";
}

static void show_label_text(struct inspection *in, uint32_t index, const struct platen_label *label,
                            const struct platen_page *page)
{
    uint32_t elements = platen_page_element_count(page);
    pl_buf_printf(&in->out, "label %u: %u element%s, %u cop%s, bytes %u to %u\n", index, elements, plural(elements),
                  label->copies, label->copies == 1 ? "y" : "ies", label->offset, label->offset + label->length);
    struct platen_element element;
    for (uint32_t i = 0; platen_page_element_at(page, i, &element); i++)
        show_element(in, &element);
}

// The elements are as the service's json has them.
static void show_label_json(struct inspection *in, uint32_t index, const struct platen_label *label,
                            const struct platen_page *page)
{
    struct pl_json_writer json;
    pl_buf_printf(&in->out, "%s{\"index\":%u,\"copies\":%u,\"offset\":%u,\"length\":%u,\"elements\":", index ? "," : "",
                  index, label->copies, label->offset, label->length);
    pl_json_writer_init(&json, &in->out);
    pl_describe_elements(&json, page);
    pl_buf_append_byte(&in->out, '}');
}

// Draws a label and prints its elements. The caller prints what drawing found, from `page`.
static enum platen_status show_label(struct inspection *in, struct platen_document *document, uint32_t index,
                                     const struct platen_page **page, struct platen_error *err)
{
    struct platen_label label;
    platen_label_at(document, index, &label);
    enum platen_status status = platen_draw(in->worker, document, index, page, err);
    if (status != PLATEN_OK || in->form == LINT)
        return status;
    if (in->form == JSON)
        show_label_json(in, index, &label, *page);
    else
        show_label_text(in, index, &label, *page);
    return PLATEN_OK;
}

// Prints what parsing found in a label; -1: in none.
static void show_parsed(struct inspection *in, const char *path, const struct platen_document *document, int32_t label,
                        bool *first)
{
    struct platen_diagnostic d;
    int32_t labels = (int32_t)platen_label_count(document);
    for (uint32_t k = 0; platen_diagnostic_at(document, k, &d); k++) {
        if ((d.label >= labels ? -1 : d.label) != label)
            continue;
        show_diagnostic(in, path, &d, *first);
        *first = false;
    }
}

static enum platen_status show_document(struct inspection *in, const char *path, struct platen_document *document,
                                        struct platen_error *err)
{
    struct pl_buf *out = &in->out;
    if (in->form == SCENE) {
        struct platen_buffer text = {0};
        enum platen_status status = platen_dump_scene(document, &text, err);
        if (status == PLATEN_OK)
            pl_buf_append(out, text.data, text.size);
        platen_buffer_free(&text);
        return status;
    }
    uint32_t labels = platen_label_count(document);
    if (in->form == JSON) {
        pl_buf_append_cstr(out, "{\"file\":");
        pl_buf_append_json_string(out, pl_slice_cstr(path));
        pl_buf_append_cstr(out, ",\"labels\":[");
    } else if (in->form == TEXT) {
        pl_buf_printf(out, "%s: %u label%s\n", path, labels, plural(labels));
    }
    // Diagnostics of drawing belong to the page, which the next drawing overwrites. The order is that of the service's
    // json: those of no label, then of each label what parsing found and what drawing did.
    struct pl_buf later;
    pl_buf_init(&later, out->max);
    struct platen_diagnostic d;
    bool first = true;
    struct pl_buf body = *out;
    enum platen_status status = PLATEN_OK;
    in->out = later;
    show_parsed(in, path, document, -1, &first);
    later = in->out;
    in->out = body;
    for (uint32_t i = 0; i < labels && status == PLATEN_OK; i++) {
        const struct platen_page *page;
        status = show_label(in, document, i, &page, err);
        if (status != PLATEN_OK)
            break;
        body = in->out;
        in->out = later;
        show_parsed(in, path, document, (int32_t)i, &first);
        for (uint32_t k = 0; platen_page_diagnostic_at(page, k, &d); k++, first = false)
            show_diagnostic(in, path, &d, first);
        later = in->out;
        in->out = body;
    }
    if (in->form == JSON)
        pl_buf_append_cstr(out, "],\"warnings\":[");
    pl_buf_append_slice(out, pl_buf_slice(&later));
    pl_buf_take_over(out, &later);
    if (in->form == JSON)
        pl_buf_append_cstr(out, "]}\n");
    return status;
}

static bool inspect_file(struct inspection *in, const char *path, size_t limit)
{
    struct cli_input zpl;
    if (!cli_read(path, limit, &zpl, NULL))
        return false;
    struct platen_document *document;
    struct platen_error err;
    in->options.render.want_elements = true;
    in->options.render.collapse_copies = true;
    in->options.render.deadline_ns = cli_deadline(&in->options.limits);
    enum platen_status status = platen_parse(in->worker, zpl.data, zpl.size, &in->options.render, &document, &err);
    if (status == PLATEN_OK) {
        cli_more_time(&in->options.limits, in->options.render.deadline_ns, document);
        status = show_document(in, path, document, &err);
        platen_document_free(document);
    }
    cli_input_free(&zpl);
    return status == PLATEN_OK || cli_print_failure(path, &err, NULL);
}

int command_inspect(int argc, char **argv)
{
    static const struct cli_row ROWS[] = {
        CLI_ROW_GROUPS(GROUP_LABELS),
        CLI_ROW_LIMITS,
        {"scene", '\0', CLI_TO_CHOICE(struct inspection, enum form, form, SCENE)},
        {"json", '\0', CLI_TO_CHOICE(struct inspection, enum form, form, JSON)},
        {"lint", '\0', CLI_TO_CHOICE(struct inspection, enum form, form, LINT)},
    };
    static const struct cli_command COMMAND = {"inspect", USAGE, CLI_ROWS(ROWS), .shows_usage = true,
                                               .shows_limits = true};
    struct inspection in = {.form = TEXT, .options = cli_options_init()};
    int status = cli_arguments(&COMMAND, argc, argv, &in, &in.options);
    if (status)
        return status - 1;
    if (optind == argc) {
        cli_help(stderr, USAGE);
        return 2;
    }
    struct path_list inputs = {0};
    struct platen_limits limits;
    bool ok = path_list_add_all(&inputs, path_list_add_input, argc - optind, argv + optind);
    struct platen_engine *engine = ok ? cli_engine_new(&in.options, &in.worker, &limits) : NULL;
    if (!engine) {
        path_list_free(&inputs);
        return 1;
    }
    for (size_t i = 0; i < inputs.count; i++) {
        pl_buf_init(&in.out, limits.arena_bytes);
        ok = inspect_file(&in, inputs.paths[i], limits.input_bytes) && ok;
        ok = cli_output_fits(inputs.paths[i], &in.out) &&
             (in.out.len == 0 || cli_write("-", in.out.data, in.out.len, NULL)) && ok;
        pl_buf_fini(&in.out);
    }
    platen_worker_free(in.worker);
    platen_engine_free(engine);
    path_list_free(&inputs);
    return !ok || (in.form == LINT && in.complaints > 0) ? 1 : 0;
}
