// Draws labels and reads every barcode back from the page's dots. `read_labels [-d DPMM] [-w MM] [-h MM] [-t REPEATS]
// FILE...` prints a line for each barcode: file, symbology, rotation, outcome, lines read and tried, microseconds, the
// data and what the symbol says to a human in hexadecimal; with -t a line for each file: the mean time of all its
// barcodes.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <platen/platen.h>

#include "check/read.h"
#include "check/read_zxing.h"

struct tool {
    struct platen_worker *worker;
    struct platen_options options;
    struct pl_arena arena;
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

// The quiet zone of a symbology in modules: left, right, above and below.
static void quiet_of(enum pl_check_symbology s, double dpmm, uint32_t module, int32_t out[3])
{
    static const uint8_t table[PL_CHECK_SYMBOLOGY_COUNT][3] = {[PL_CHECK_CODABAR] = {10, 10, 0},
                                                               [PL_CHECK_CODABLOCK_A] = {10, 10, 0},
                                                               [PL_CHECK_CODABLOCK_E] = {10, 10, 0},
                                                               [PL_CHECK_CODABLOCK_F] = {10, 10, 0},
                                                               [PL_CHECK_CODE11] = {10, 10, 0},
                                                               [PL_CHECK_CODE128] = {10, 10, 0},
                                                               [PL_CHECK_CODE39] = {10, 10, 0},
                                                               [PL_CHECK_CODE49] = {10, 1, 0},
                                                               [PL_CHECK_CODE93] = {10, 10, 0},
                                                               [PL_CHECK_DATAMATRIX] = {1, 1, 1},
                                                               [PL_CHECK_EAN13] = {11, 7, 0},
                                                               [PL_CHECK_EAN8] = {7, 7, 0},
                                                               [PL_CHECK_GS1_128] = {10, 10, 0},
                                                               [PL_CHECK_GS1_DATAMATRIX] = {1, 1, 1},
                                                               [PL_CHECK_GS1_QR] = {4, 4, 4},
                                                               [PL_CHECK_INDUSTRIAL_2OF5] = {10, 10, 0},
                                                               [PL_CHECK_INTERLEAVED_2OF5] = {10, 10, 0},
                                                               [PL_CHECK_LOGMARS] = {10, 10, 0},
                                                               [PL_CHECK_MAXICODE] = {1, 1, 1},
                                                               [PL_CHECK_MICROPDF417] = {1, 1, 1},
                                                               [PL_CHECK_MSI] = {12, 12, 0},
                                                               [PL_CHECK_PDF417] = {2, 2, 2},
                                                               [PL_CHECK_PLESSEY] = {12, 12, 0},
                                                               [PL_CHECK_QR] = {4, 4, 4},
                                                               [PL_CHECK_STANDARD_2OF5] = {10, 10, 0},
                                                               [PL_CHECK_TLC39] = {10, 10, 0},
                                                               [PL_CHECK_UPCA] = {9, 9, 0},
                                                               [PL_CHECK_UPCE] = {9, 7, 0},
                                                               [PL_CHECK_UPC_EAN_EXTENSION] = {9, 5, 0}};
    for (int i = 0; i < 3; i++)
        out[i] = (int32_t)(table[s][i] * module);
    if (pl_check_shape_of(s) == PL_SHAPE_POSTAL) {
        out[0] = out[1] = ((int32_t)dpmm * 3175 + 999) / 1000;
        out[2] = ((int32_t)dpmm * 1016 + 999) / 1000;
    }
}

static bool request_of(const struct platen_element *e, const struct pl_bitmap *page, double dpmm,
                       struct pl_read_request *out)
{
    int32_t quiet[3];
    enum pl_check_symbology symbology = pl_check_symbology_of(e->symbology);
    if (symbology == PL_CHECK_SYMBOLOGY_COUNT)
        return false;
    quiet_of(symbology, dpmm, e->module_dots, quiet);
    int32_t before = quiet[0], behind = quiet[1], across = quiet[2];
    struct pl_box area = {e->quiet_x, e->quiet_y, e->quiet_x + (int32_t)e->quiet_width,
                          e->quiet_y + (int32_t)e->quiet_height};
    struct pl_box bars = area;
    switch (e->rotation) {
    case 0:
        bars = (struct pl_box){area.x0 + before, area.y0 + across, area.x1 - behind, area.y1 - across};
        break;
    case 90:
        bars = (struct pl_box){area.x0 + across, area.y0 + before, area.x1 - across, area.y1 - behind};
        break;
    case 180:
        bars = (struct pl_box){area.x0 + behind, area.y0 + across, area.x1 - before, area.y1 - across};
        break;
    default:
        bars = (struct pl_box){area.x0 + across, area.y0 + behind, area.x1 - across, area.y1 - before};
    }
    *out = (struct pl_read_request){.page = page,
                                    .area = area,
                                    .bars = bars,
                                    .rotation = (enum pl_rotation)(e->rotation / 90),
                                    .module = e->module_dots,
                                    .symbology = symbology};
    return true;
}

static uint64_t read_page(struct tool *tool, const struct platen_page *page, const char *name, bool print)
{
    static const char *const outcomes[] = {"decoded", "unreadable", "no-reader", "too-large"};
    struct platen_bitmap bitmap;
    struct platen_element e;
    uint64_t all = 0;
    platen_page_bitmap(page, &bitmap);
    struct pl_bitmap dots = {bitmap.width, bitmap.height, bitmap.words_per_row, (uint64_t *)bitmap.words};
    for (uint32_t i = 0; platen_page_element_at(page, i, &e); i++) {
        struct pl_read_request request;
        struct pl_read_result result;
        struct pl_error err = {0};
        if (e.type != PLATEN_BARCODE || e.quiet_width == 0)
            continue;
        if (!request_of(&e, &dots, bitmap.dpmm, &request)) {
            printf("%s %s: no such symbology\n", name, e.symbology);
            continue;
        }
        uint64_t begin = now_ns();
        if (pl_read_symbol(&request, NULL, &tool->arena, &result, &err) != PL_OK) {
            fprintf(stderr, "%s: %s\n", name, err.message);
            exit(EXIT_FAILURE);
        }
        uint64_t took = now_ns() - begin;
        all += took;
        if (print) {
            printf("%s %s %" PRIu32 " %s %" PRIu32 "/%" PRIu32 " %" PRIu64, name, e.symbology, e.rotation,
                   outcomes[result.outcome], result.lines_read, result.lines_tried, took / 1000);
            print_hex(result.data.ptr, result.data.len);
            print_hex(e.text, e.text_size);
            putchar('\n');
        }
        pl_arena_reset(&tool->arena, SIZE_MAX);
    }
    return all;
}

static bool read_file(struct tool *tool, const char *name)
{
    struct platen_error err = {0};
    struct platen_document *document = NULL;
    const struct platen_page *page = NULL;
    static char zpl[8 << 20];
    FILE *file = fopen(name, "rb");
    if (!file)
        return false;
    size_t size = fread(zpl, 1, sizeof zpl, file);
    fclose(file);
    if (platen_parse(tool->worker, zpl, size, &tool->options, &document, &err) != PLATEN_OK)
        return false;
    for (uint32_t i = 0; i < platen_label_count(document); i++) {
        if (platen_draw(tool->worker, document, i, &page, &err) != PLATEN_OK)
            break;
        uint64_t all = read_page(tool, page, name, tool->repeats == 0);
        for (uint32_t k = 1; k < tool->repeats; k++)
            all += read_page(tool, page, name, false);
        if (tool->repeats)
            printf("%s %" PRIu64 "\n", name, all / tool->repeats / 1000);
    }
    platen_document_free(document);
    return true;
}

int main(int argc, char **argv)
{
    struct tool tool = {.options = PLATEN_OPTIONS(.want_elements = true, .collapse_copies = true)};
    struct platen_engine *engine = NULL;
    struct platen_error err = {0};
    int option;
    while ((option = getopt(argc, argv, "d:w:h:t:V")) != -1) {
        if (option == 'd')
            tool.options.dpmm = atof(optarg);
        else if (option == 'w')
            tool.options.width_mm = atof(optarg);
        else if (option == 'h')
            tool.options.height_mm = atof(optarg);
        else if (option == 'V')
            return puts(pl_zxing_version()) < 0;
        else if (option == 't')
            tool.repeats = (uint32_t)atoi(optarg);
        else
            return 2;
    }
    pl_arena_init(&tool.arena, (size_t)256 << 20);
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
    pl_arena_fini(&tool.arena);
    return status;
}
