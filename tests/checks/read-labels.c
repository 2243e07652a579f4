// Draws labels and reads every barcode back from the page's dots. `read_labels [-d DPMM] [-w MM] [-h MM] [-p] [-t
// REPEATS] FILE...` (-p: by the profile of a printer) prints a line for each barcode: file, symbology, rotation,
// outcome, whether it matches, the data and what the symbol says to a human in hexadecimal; with -t a line for each
// file: microseconds that checking and reading take.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <platen/platen.h>

#include "check/read_zxing.h"

struct tool {
    struct platen_worker *worker;
    struct platen_options options;
    uint32_t repeats;
};

// Processor time: others may use the machine.
static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void print_hex(const void *data, size_t size)
{
    putchar(' ');
    if (size == 0)
        putchar('-');
    for (size_t i = 0; i < size; i++)
        printf("%02x", ((const uint8_t *)data)[i]);
}

static void print_page(const struct platen_page *page, const char *name)
{
    struct platen_element e;
    for (uint32_t i = 0; platen_page_element_at(page, i, &e); i++) {
        if (e.type != PLATEN_BARCODE || e.quiet_width == 0)
            continue;
        printf("%s %s %" PRIu32 " %s %s", name, e.symbology, e.rotation,
               e.decoded > 0    ? "decoded"
               : e.decoded == 0 ? "unreadable"
                                : "no-reader",
               e.matches > 0    ? "matches"
               : e.matches == 0 ? "differs"
                                : "unknown");
        print_hex(e.decoded_data, e.decoded_size);
        print_hex(e.text, e.text_size);
        putchar('\n');
    }
}

// What drawing all labels takes, as often as asked for.
static bool draw(struct tool *tool, const char *name, const char *zpl, size_t size, bool verify, uint64_t *took)
{
    struct platen_error err = {0};
    struct platen_document *document = NULL;
    const struct platen_page *page = NULL;
    tool->options.verify = verify;
    tool->options.rules = verify ? NULL : "none";
    if (platen_parse(tool->worker, zpl, size, &tool->options, &document, &err) != PLATEN_OK)
        return false;
    uint64_t begin = now_ns();
    for (uint32_t k = 0; k == 0 || k < tool->repeats; k++) {
        for (uint32_t i = 0; i < platen_label_count(document); i++) {
            if (platen_draw(tool->worker, document, i, &page, &err) != PLATEN_OK)
                break;
            if (!tool->repeats)
                print_page(page, name);
        }
    }
    *took = now_ns() - begin;
    platen_document_free(document);
    return true;
}

static bool read_file(struct tool *tool, const char *name)
{
    static char zpl[8 << 20];
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    size_t size = fread(zpl, 1, sizeof zpl, file);
    fclose(file);
    uint64_t with = 0, without = 0;
    if (!draw(tool, name, zpl, size, true, &with))
        return false;
    if (tool->repeats && draw(tool, name, zpl, size, false, &without))
        printf("%s %" PRId64 "\n", name, ((int64_t)with - (int64_t)without) / (int64_t)tool->repeats / 1000);
    return true;
}

int main(int argc, char **argv)
{
    struct tool tool = {.options = PLATEN_OPTIONS(.want_elements = true, .collapse_copies = true)};
    struct platen_engine *engine = NULL;
    struct platen_error err = {0};
    int option;
    while ((option = getopt(argc, argv, "d:w:h:pt:V")) != -1) {
        if (option == 'd')
            tool.options.dpmm = atof(optarg);
        else if (option == 'w')
            tool.options.width_mm = atof(optarg);
        else if (option == 'h')
            tool.options.height_mm = atof(optarg);
        else if (option == 'p')
            tool.options.profile = PLATEN_PRINTER;
        else if (option == 'V')
            return puts(pl_zxing_version()) < 0;
        else if (option == 't')
            tool.repeats = (uint32_t)atoi(optarg);
        else
            return 2;
    }
    if (platen_engine_new(NULL, &engine, &err) != PLATEN_OK ||
        platen_worker_new(engine, &tool.worker, &err) != PLATEN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return EXIT_FAILURE;
    }
    int status = EXIT_SUCCESS;
    for (int i = optind; i < argc; i++)
        if (!read_file(&tool, argv[i])) {
            fprintf(stderr, "%s: cannot be read\n", argv[i]);
            status = EXIT_FAILURE;
        }
    platen_worker_free(tool.worker);
    platen_engine_free(engine);
    return status;
}
