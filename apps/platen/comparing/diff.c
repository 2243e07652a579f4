// `platen diff`: are two versions of labels the same picture, and what differs?
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "answer/compare_documents.h"
#include "base/fmt.h"
#include "cli/arguments.h"
#include "cli/cli_io.h"
#include "commands.h"
#include "diff_files.h"
#include "diff_write.h"

static const char USAGE[] =
    "usage: platen diff A B [options]\n"
    "\n"
    "Compares two label files, or two folders by the names of their files (*.zpl, *.epl, *.tspl, *.cpcl, *.txt, *.prn, "
    "*.lbl), dot by dot.\n"
    "Either side may be a picture (*.png) that a label file is compared with. - is standard input.\n"
    "\n"
    "  --tolerance T         dots that may differ (12), or percent of the ink (0.5%); 0 by default\n"
    "  --elements            changes of elements count, too, even those that do not show\n"
    "  --picture OUT         PNG of both: black in both, orange only in A, blue only in B. For folders the folder to\n"
    "                        write to: a file for each label that differs\n"
    "  --page N              only this page, from 0; of a file that is compared with a picture 0 by default\n"
    "  --profile P           draw both sides like Labelary (reference, default), or like a printer (printer)\n"
    "  -f, --format FORMAT   text (default) or json\n"
    "  -q, --quiet           only the exit status\n"
    "  --size auto, --width-mm W, --height-mm H, --dpmm D, --rotation R, --language L, --time T, --objects DIR\n"
    "                        as for `platen render`\n"
    "\n"
    "Exit status: 0 the same, 1 different, 2 wrong usage or a file that cannot be read.\n";

struct diff {
    struct cli_options common;
    struct platen_compare_options options;
    const char *picture;
    bool json, quiet, one_page;
    uint32_t page;
    struct platen_engine *engine;
    struct platen_worker *worker;
    size_t input_limit, output_limit;
    bool folders;
    struct pl_buf out;
    size_t same, different, unreadable; // pairs
};

// One pair of files while it is compared.
struct pair_job {
    struct diff *diff;
    const struct diff_pair *pair;
    const char *name; // for lines and pictures
    bool numbered;    // there is more than one label
    bool picture_failed;
    struct pl_json_writer *json;
};

// ---- pictures

// Makes the folders of a path.
static bool make_folders(char *path)
{
    for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
        *at = '\0';
        bool ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        if (!ok)
            fprintf(stderr, "platen: %s: %s\n", path, strerror(errno));
        *at = '/';
        if (!ok)
            return false;
    }
    return true;
}

// "out/label.png" for the only label, "out/label-3.png" for the third of several.
static char *picture_path(const struct pair_job *job, uint32_t index)
{
    const struct diff *d = job->diff;
    const char *name = d->folders ? job->pair->name : d->picture;
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    size_t stem = dot && dot > (slash ? slash + 1 : name) ? (size_t)(dot - name) : strlen(name);
    const char *ending = d->folders ? ".png" : name + stem;
    char *path, number[16] = "";
    if (job->numbered)
        snprintf(number, sizeof number, "-%u", index + 1);
    int n = d->folders ? asprintf(&path, "%s/%.*s%s%s", d->picture, (int)stem, name, number, ending)
                       : asprintf(&path, "%.*s%s%s", (int)stem, name, number, ending);
    return n < 0 ? NULL : path;
}

static bool write_picture(const struct pair_job *job, const struct compared_label *label)
{
    if (job->diff->folders && label->same)
        return true;
    char *path = picture_path(job, label->index);
    bool ok = path && (!job->diff->folders || make_folders(path)) &&
              cli_write(path, label->picture->data, label->picture->size, NULL);
    free(path);
    return ok;
}

static bool note_label(void *user, const struct compared_label *label)
{
    struct pair_job *job = user;
    struct diff *d = job->diff;
    if (label->picture && !write_picture(job, label))
        job->picture_failed = true;
    if (d->json) {
        struct compared_label plain = *label;
        plain.picture = NULL; // it is a file
        compared_label_json(job->json, &plain);
    } else if (!d->quiet) {
        diff_write_label(&d->out, job->name, label);
    }
    return !d->out.failed;
}

// ---- a pair

struct side {
    struct cli_input input;
    struct compare_side compared;
    struct platen_snapshot *picture;
};

static bool is_png(const struct cli_input *input)
{
    return input->size >= 8 && memcmp(input->data, "\x89PNG\r\n\x1A\n", 8) == 0;
}

static bool open_side(struct diff *d, const char *path, struct side *side)
{
    struct platen_error err;
    if (!cli_read(path, d->input_limit, &side->input, NULL))
        return false;
    const struct cli_input *in = &side->input;
    if (is_png(in)) {
        if (platen_snapshot_of_picture(d->engine, in->data, in->size, &side->picture, &err) != PLATEN_OK)
            return cli_print_failure(path, &err);
        side->compared.picture = side->picture;
        return true;
    }
    struct platen_document **document = &side->compared.document;
    d->common.render.deadline_ns = cli_deadline(&d->common.limits);
    if (platen_parse(d->worker, in->data, in->size, &d->common.render, document, &err) != PLATEN_OK)
        return cli_print_failure(path, &err);
    // So that the worker can read the other side.
    if (platen_document_detach(document, NULL, &err) != PLATEN_OK)
        return cli_print_failure(path, &err);
    cli_more_time(&d->common.limits, d->common.render.deadline_ns, *document);
    if (platen_label_count(*document) == 0)
        fprintf(stderr, "platen: %s: there is no label in it\n", path);
    return platen_label_count(*document) > 0;
}

static void close_side(struct side *side)
{
    platen_document_free(side->compared.document);
    platen_snapshot_free(side->picture);
    cli_input_free(&side->input);
}

static bool has_several(const struct side *side)
{
    return side->compared.document && platen_label_count(side->compared.document) > 1;
}

// Labels that were not compared: nobody must think that they were. A picture stands for one label.
static void note_left_out(const struct diff *d, const struct side *side, const struct side *other, const char *path)
{
    uint32_t from = 0;
    const char *cut = side->compared.document ? compare_next_cut(side->compared.document, &from) : NULL;
    if (cut && !d->quiet)
        fprintf(stderr, "platen diff: %s: %s\n", path, cut);
    if (!d->one_page && !d->quiet && other->picture && has_several(side))
        fprintf(stderr, "platen diff: %s: only label 0 of %u was compared, since the picture shows one (--page N)\n",
                path, platen_label_count(side->compared.document));
}

// False: something cannot be read; lines were printed.
static bool compare_files(struct diff *d, struct pair_job *job, bool *same)
{
    struct side a = {0}, b = {0};
    struct platen_error err;
    char *const *paths = job->pair->paths;
    bool ok = open_side(d, paths[0], &a) && open_side(d, paths[1], &b);
    if (ok) {
        struct compare_plan plan = {.worker = d->worker,
                                    .a = a.compared,
                                    .b = b.compared,
                                    .options = d->options,
                                    .dpmm = d->common.render.dpmm > 0 ? d->common.render.dpmm : 8,
                                    .one_page = d->one_page,
                                    .page = d->page,
                                    .want_pictures = d->picture != NULL,
                                    .each = note_label,
                                    .user = job};
        bool single = d->one_page || a.picture || b.picture;
        job->numbered = !single && (has_several(&a) || has_several(&b));
        note_left_out(d, &a, &b, paths[0]);
        note_left_out(d, &b, &a, paths[1]);
        ok = compare_documents(&plan, same, &err) == PLATEN_OK || cli_print_failure(job->name, &err);
    }
    close_side(&a);
    close_side(&b);
    return ok && !job->picture_failed;
}

static void put_path(struct pl_json_writer *json, const char *key, const char *path)
{
    pl_json_key(json, key);
    if (path)
        pl_json_cstr(json, path);
    else
        pl_json_null(json);
}

static void compare_pair(struct diff *d, const struct diff_pair *pair, struct pl_json_writer *out)
{
    bool same = false, readable = true;
    struct pair_job job = {.diff = d, .pair = pair, .name = pair->name ? pair->name : pair->paths[0], .json = out};
    if (d->json) {
        pl_json_object(out);
        put_path(out, "a", pair->paths[0]);
        put_path(out, "b", pair->paths[1]);
        pl_json_kv_array(out, "labels");
    }
    if (pair->paths[0] && pair->paths[1])
        readable = compare_files(d, &job, &same);
    else if (!d->json && !d->quiet)
        pl_buf_printf(&d->out, "%s: only in %s\n", job.name, pair->paths[0] ? "A" : "B");
    if (d->json) {
        pl_json_end(out);
        pl_json_kv_bool(out, "readable", readable);
        pl_json_kv_bool(out, "same", readable && same);
        pl_json_end(out);
    }
    size_t *count = !readable ? &d->unreadable : same ? &d->same : &d->different;
    ++*count;
}

// ---- the command

static void put_summary(struct diff *d, size_t pairs)
{
    if (d->folders)
        pl_buf_printf(&d->out, "%zu compared: %zu same, %zu different, %zu unreadable\n", pairs, d->same, d->different,
                      d->unreadable);
    else if (d->unreadable == 0)
        pl_buf_append_cstr(&d->out, d->different ? "different\n" : "same\n");
}

static bool compare_all(struct diff *d, const struct diff_pairs *pairs)
{
    struct pl_json_writer json;
    pl_buf_init(&d->out, d->output_limit);
    pl_json_writer_init(&json, &d->out);
    if (d->json) {
        pl_json_object(&json);
        pl_json_kv_array(&json, "files");
    }
    bool ok = true;
    for (size_t i = 0; i < pairs->count && ok; i++) {
        compare_pair(d, &pairs->items[i], &json);
        // Text is written as it comes, JSON as a whole.
        if (!d->json && d->out.len > 0) {
            ok = cli_output_fits("standard output", &d->out) && cli_write("-", d->out.data, d->out.len, NULL);
            pl_buf_clear(&d->out);
        }
    }
    if (d->json) {
        pl_json_end(&json);
        pl_json_kv_u64(&json, "sameFiles", d->same);
        pl_json_kv_u64(&json, "differentFiles", d->different);
        pl_json_kv_u64(&json, "unreadableFiles", d->unreadable);
        pl_json_kv_bool(&json, "same", d->different + d->unreadable == 0);
        pl_json_end(&json);
        pl_buf_append_byte(&d->out, '\n');
    } else if (!d->quiet) {
        put_summary(d, pairs->count);
    }
    ok = ok && cli_output_fits("standard output", &d->out) &&
         (d->out.len == 0 || cli_write("-", d->out.data, d->out.len, NULL));
    pl_buf_fini(&d->out);
    return ok;
}

static bool read_tolerance(void *command, const char *text)
{
    struct platen_compare_options *options = &((struct diff *)command)->options;
    struct pl_slice s = pl_slice_cstr(text);
    if (s.len > 0 && s.ptr[s.len - 1] == '%') {
        s.len--;
        return pl_parse_double(s, &options->tolerance_percent) && options->tolerance_percent >= 0 &&
               options->tolerance_percent <= 100;
    }
    return pl_parse_u64(s, &options->tolerance_dots);
}

static bool read_page(void *command, const char *text)
{
    struct diff *d = command;
    uint64_t number;
    if (!pl_parse_u64(pl_slice_cstr(text), &number) || number >= UINT32_MAX)
        return false;
    d->page = (uint32_t)number;
    return d->one_page = true;
}

static bool read_format(void *command, const char *text)
{
    struct diff *d = command;
    d->json = strcmp(text, "json") == 0;
    return d->json || strcmp(text, "text") == 0;
}

// 0: go on; otherwise the exit status plus one.
static int read_arguments(int argc, char **argv, struct diff *d)
{
    static const struct cli_row ROWS[] = {
        CLI_ROW_CONTROL(CONTROL_PROFILE),
        CLI_ROW_GROUPS(GROUP_SIZING),
        CLI_ROW_LIMITS,
        {"picture", '\0', CLI_TO_TEXT(struct diff, picture)},
        {"tolerance", '\0', CLI_READ(read_tolerance, "must be a number of dots, or percent of the ink such as 0.5%")},
        {"elements", '\0', CLI_TO_FLAG(struct diff, options.elements)},
        {"page", '\0', CLI_READ(read_page, "must be a whole number from 0")},
        {"format", 'f', CLI_READ(read_format, "must be text or json")},
        {"quiet", 'q', CLI_TO_FLAG(struct diff, quiet)},
    };
    static const struct cli_command COMMAND = {"diff", USAGE, CLI_ROWS(ROWS), .shows_limits = true};
    int status = cli_arguments(&COMMAND, argc, argv, d, &d->common);
    if (status)
        return status;
    if (argc - optind != 2)
        return cli_usage_error(&COMMAND, "name two files or two folders (see --help)");
    if (strcmp(argv[optind], "-") == 0 && strcmp(argv[optind + 1], "-") == 0)
        return cli_usage_error(&COMMAND, "only one side can be standard input");
    return 0;
}

int command_diff(int argc, char **argv)
{
    struct diff d = {.common = cli_options_init(), .options = PLATEN_COMPARE_OPTIONS()};
    int status = read_arguments(argc, argv, &d);
    if (status)
        return status - 1;
    struct platen_options *render = &d.common.render;
    render->want_elements = true;
    render->collapse_copies = d.page == 0 && !d.one_page;
    // Both sides are drawn at the same time of the printer's clock.
    if (!render->has_time) {
        render->has_time = true;
        render->time = (int64_t)time(NULL);
    }
    struct diff_pairs pairs = {0};
    struct platen_limits limits;
    status = 2;
    if (diff_pairs_read(&pairs, argv[optind], argv[optind + 1]) &&
        (d.engine = cli_engine_new(&d.common, &d.worker, &limits)) != NULL) {
        d.input_limit = limits.input_bytes;
        d.output_limit = limits.arena_bytes;
        d.folders = pairs.folders;
        bool written = compare_all(&d, &pairs);
        status = !written || d.unreadable ? 2 : d.different ? 1 : 0;
        platen_worker_free(d.worker);
        platen_engine_free(d.engine);
    }
    diff_pairs_free(&pairs);
    return status;
}
