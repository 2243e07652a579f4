// A label file as JSON on standard output: elements with their places and data, and warnings. Characters that the
// label's font lacks come from the font files on the command line, not from the system's.
//
//   cc describe.c $(pkg-config --cflags --libs platen) -o describe && ./describe label.zpl NotoSans-Bold.ttf
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <platen/platen.h>

struct file {
    char *data;
    size_t size;
};

struct fonts {
    char **names;
    struct file *files;
    uint32_t count;
};

static int read_file(const char *name, struct file *out)
{
    FILE *in = fopen(name, "rb");
    long size = -1;
    if (in && fseek(in, 0, SEEK_END) == 0)
        size = ftell(in);
    out->data = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (out->data) {
        rewind(in);
        out->size = fread(out->data, 1, (size_t)size, in);
    } else {
        fprintf(stderr, "%s cannot be read\n", name);
    }
    if (in)
        fclose(in);
    return out->data != NULL;
}

static bool font_at(void *context, uint32_t index, struct platen_font *out)
{
    const struct fonts *fonts = context;
    if (index >= fonts->count)
        return false;
    const char *slash = strrchr(fonts->names[index], '/');
    out->name = slash ? slash + 1 : fonts->names[index];
    out->data = fonts->files[index].data;
    out->size = fonts->files[index].size;
    return true;
}

static int describe(const struct file *zpl, struct fonts *fonts)
{
    struct platen_error err;
    struct platen_engine *engine = NULL;
    struct platen_worker *worker = NULL;
    struct platen_document *document = NULL;
    struct platen_buffer json = {0};
    int status = 1;
    struct platen_engine_options engine_options = PLATEN_ENGINE_OPTIONS(.font_at = font_at, .font_context = fonts);
    struct platen_options options = PLATEN_OPTIONS(.want_elements = true);
    struct platen_describe_options describe_options = PLATEN_DESCRIBE_OPTIONS(.no_png = true);
    if (platen_engine_new(&engine_options, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &worker, &err) != PLATEN_OK ||
        platen_parse(worker, zpl->data, zpl->size, &options, &document, &err) != PLATEN_OK ||
        platen_describe(worker, document, &describe_options, &json, &err) != PLATEN_OK)
        fprintf(stderr, "%s\n", err.message);
    else if (puts((const char *)json.data) < 0 || fflush(stdout) != 0) // a disk may be full
        perror("standard output");
    else
        status = 0;
    platen_buffer_free(&json);
    platen_document_free(document);
    platen_worker_free(worker);
    platen_engine_free(engine); // after this the fonts may go
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2) {
        fprintf(stderr, "usage: describe LABEL [FONT ...]\n");
        return 2;
    }
    struct file *files = calloc((size_t)argc, sizeof *files);
    int ok = files != NULL;
    for (int i = 1; ok && i < argc; i++)
        ok = read_file(argv[i], &files[i]);
    struct fonts fonts = {argv + 2, files ? files + 2 : NULL, (uint32_t)argc - 2};
    int status = ok ? describe(&files[1], &fonts) : 1;
    for (int i = 1; files && i < argc; i++)
        free(files[i].data);
    free(files);
    return status;
}
