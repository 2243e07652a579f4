// The smallest useful program with libplaten: ZPL on standard input, the first label as PNG on standard output,
// findings on standard error.
//
//   cc render.c $(pkg-config --cflags --libs platen) -o render && ./render < label.zpl > label.png
#include <stdio.h>
#include <stdlib.h>

#include <platen/platen.h>

static char *read_all(FILE *in, size_t *size)
{
    size_t capacity = 1 << 16;
    char *data = malloc(capacity);
    *size = 0;
    while (data && !feof(in) && !ferror(in)) {
        if (*size == capacity) {
            char *bigger = realloc(data, capacity *= 2);
            if (!bigger)
                break;
            data = bigger;
        }
        *size += fread(data + *size, 1, capacity - *size, in);
    }
    return data;
}

static void print_finding(const struct platen_diagnostic *d)
{
    fprintf(stderr, "%u:%u: %s\n", d->line, d->column, d->message);
}

int main(void)
{
    struct platen_error err;
    struct platen_engine *engine = NULL;     // shared by all threads
    struct platen_worker *worker = NULL;     // one per thread
    struct platen_document *document = NULL; // the input, understood
    const struct platen_page *page = NULL;   // one label, drawn
    struct platen_buffer png = {0};
    struct platen_diagnostic finding;
    size_t size;
    char *zpl = read_all(stdin, &size);
    int status = 1;

    struct platen_options options = PLATEN_OPTIONS(.width_mm = 101.6, .height_mm = 152.4, .dpmm = 8);
    if (!zpl || platen_engine_new(NULL, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &worker, &err) != PLATEN_OK ||
        platen_parse(worker, zpl, size, &options, &document, &err) != PLATEN_OK) {
        fprintf(stderr, "%s\n", zpl ? err.message : "no memory");
    } else if (platen_label_count(document) == 0) {
        fprintf(stderr, "the ZPL prints no label\n");
    } else if (platen_draw(worker, document, 0, &page, &err) != PLATEN_OK ||
               platen_encode(worker, page, PLATEN_PNG, NULL, &png, &err) != PLATEN_OK) {
        fprintf(stderr, "%s\n", err.message);
    } else {
        for (uint32_t i = 0; platen_diagnostic_at(document, i, &finding); i++)
            print_finding(&finding);
        for (uint32_t i = 0; platen_page_diagnostic_at(page, i, &finding); i++)
            print_finding(&finding);
        status = fwrite(png.data, 1, png.size, stdout) == png.size ? 0 : 1;
    }
    platen_buffer_free(&png);
    if (document)
        platen_document_free(document);
    platen_worker_free(worker);
    platen_engine_free(engine);
    free(zpl);
    return status;
}
