// Comparing one pair: each of its labels is said as text or JSON, with its picture.
#include "diff_pair.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/clock.h"

struct side {
    struct cli_input input;
    struct compare_side compared;
    struct platen_snapshot *picture;
    uint64_t deadline_ns; // of the document; 0: none
};

struct pair_job {
    const struct diff_request *request;
    const struct diff_pair *pair;
    const char *name; // for lines and pictures
    struct platen_worker *worker;
    const struct message_sink *sink;
    struct message_sink messages;
    struct side *sides; // two
    bool numbered;      // there is more than one label
};

// What is said may wait for the turn of the pair, and that does not count in the time of its files.
static bool say(const struct pair_job *job, enum diff_kind kind, const char *path, const void *data, size_t size)
{
    uint64_t began = pl_now_ns();
    bool ok = diff_say(job->sink, kind, path, data, size);
    uint64_t waited = pl_now_ns() - began;
    for (struct side *side = job->sides; side < job->sides + 2; side++) {
        if (side->deadline_ns)
            platen_document_set_deadline(side->compared.document, side->deadline_ns += waited);
    }
    return ok;
}

// "out/label.png" for the only label, "out/label-3.png" for the third of several.
static char *picture_path(const struct pair_job *job, uint32_t index)
{
    const struct diff_request *d = job->request;
    const char *name = d->folders ? job->pair->name : d->picture;
    const char *slash = strrchr(name, '/'), *dot = strrchr(name, '.');
    bool whole = job->pair->keeps_ending || !dot || dot <= (slash ? slash + 1 : name);
    size_t stem = whole ? strlen(name) : (size_t)(dot - name);
    const char *ending = d->folders ? ".png" : name + stem;
    char *path, number[16] = "";
    if (job->numbered)
        snprintf(number, sizeof number, "-%u", index + 1);
    int n = d->folders ? asprintf(&path, "%s/%.*s%s%s", d->picture, (int)stem, name, number, ending)
                       : asprintf(&path, "%.*s%s%s", (int)stem, name, number, ending);
    return n < 0 ? NULL : path;
}

static bool say_picture(const struct pair_job *job, const struct compared_label *label)
{
    const struct platen_buffer *picture = label->picture;
    if (!picture || (job->request->folders && label->same))
        return true;
    char *path = picture_path(job, label->index);
    bool ok = path && say(job, DIFF_PICTURE, path, picture->data, picture->size);
    free(path);
    return ok;
}

static bool say_label(void *user, const struct compared_label *label)
{
    const struct pair_job *job = user;
    struct compared_label plain = *label;
    struct pl_json_writer json;
    struct pl_buf out;
    plain.picture = NULL; // it is a file
    pl_buf_init(&out, job->request->output_limit);
    pl_json_writer_init(&json, &out);
    if (job->request->json)
        compared_label_json(&json, &plain);
    else if (!job->request->quiet)
        diff_write_label(&out, job->name, label);
    bool ok = !out.failed && say_picture(job, label) && (out.len == 0 || say(job, DIFF_LABEL, NULL, out.data, out.len));
    pl_buf_fini(&out);
    return ok;
}

// The `say` of messages.
static void say_message(void *user, const char *text, size_t len)
{
    const struct pair_job *job = user;
    (void)say(job, DIFF_MESSAGE, NULL, text, len);
}

// ---- a pair

static bool is_png(const struct cli_input *input)
{
    return input->size >= 8 && memcmp(input->data, "\x89PNG\r\n\x1A\n", 8) == 0;
}

static bool open_side(const struct pair_job *job, const char *path, struct side *side)
{
    const struct diff_request *d = job->request;
    struct platen_options options = d->common.render;
    struct platen_error err;
    if (!cli_read(path, d->input_limit, &side->input, &job->messages))
        return false;
    const struct cli_input *in = &side->input;
    if (is_png(in)) {
        if (platen_snapshot_of_picture(d->engine, in->data, in->size, &side->picture, &err) != PLATEN_OK)
            return cli_print_failure(path, &err, &job->messages);
        side->compared.picture = side->picture;
        return true;
    }
    struct platen_document **document = &side->compared.document;
    options.deadline_ns = cli_deadline(&d->common.limits);
    if (platen_parse(job->worker, in->data, in->size, &options, document, &err) != PLATEN_OK)
        return cli_print_failure(path, &err, &job->messages);
    // So that the worker can read the other side.
    if (platen_document_detach(document, NULL, &err) != PLATEN_OK)
        return cli_print_failure(path, &err, &job->messages);
    uint32_t labels = platen_label_count(*document);
    side->deadline_ns = cli_deadline_of(&d->common.limits, options.deadline_ns, labels);
    platen_document_set_deadline(*document, side->deadline_ns);
    if (labels == 0)
        message_print(&job->messages, "platen: %s: there is no label in it\n", path);
    return labels > 0;
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
static void note_left_out(const struct pair_job *job, const struct side *side, const struct side *other,
                          const char *path)
{
    uint32_t from = 0;
    const char *cut = side->compared.document ? compare_next_cut(side->compared.document, &from) : NULL;
    if (job->request->quiet)
        return;
    if (cut)
        message_print(&job->messages, "platen diff: %s: %s\n", path, cut);
    if (!job->request->one_page && other->picture && has_several(side))
        message_print(&job->messages,
                      "platen diff: %s: only label 0 of %u was compared, since the picture shows one (--page N)\n",
                      path, platen_label_count(side->compared.document));
}

// False: something cannot be read; lines were said.
static bool compare_files(struct pair_job *job, bool *same)
{
    const struct diff_request *d = job->request;
    struct side sides[2] = {0}, *a = &sides[0], *b = &sides[1];
    struct platen_error err;
    char *const *paths = job->pair->paths;
    job->sides = sides;
    bool ok = open_side(job, paths[0], a) && open_side(job, paths[1], b);
    if (ok) {
        struct compare_plan plan = {.worker = job->worker,
                                    .a = a->compared,
                                    .b = b->compared,
                                    .options = d->options,
                                    .dpmm = d->common.render.dpmm > 0 ? d->common.render.dpmm : 8,
                                    .one_page = d->one_page,
                                    .page = d->page,
                                    .want_pictures = d->picture != NULL,
                                    .each = say_label,
                                    .user = job};
        bool single = d->one_page || a->picture || b->picture;
        job->numbered = !single && (has_several(a) || has_several(b));
        note_left_out(job, a, b, paths[0]);
        note_left_out(job, b, a, paths[1]);
        ok = compare_documents(&plan, same, &err) == PLATEN_OK || cli_print_failure(job->name, &err, &job->messages);
    }
    close_side(a);
    close_side(b);
    return ok;
}

void diff_pair_compare(const struct diff_request *request, const struct diff_pair *pair, struct platen_worker *worker,
                       const struct message_sink *sink)
{
    struct pair_job job = {.request = request,
                           .pair = pair,
                           .name = pair->name ? pair->name : pair->paths[0],
                           .worker = worker,
                           .sink = sink,
                           .messages = {.say = say_message, .user = &job}};
    bool same = false, readable = true;
    if (pair->paths[0] && pair->paths[1])
        readable = compare_files(&job, &same);
    diff_say_end(sink, !readable ? DIFF_UNREADABLE : same ? DIFF_SAME : DIFF_DIFFERENT);
}
