// formats FILE WIDTH_MM HEIGHT_MM DPMM [RUNS [QUALITY FORMAT]]: for each quality and format (or for the one), the time
// of Platen's whole work on the first label, of its encoder alone on the drawn page, and of a fast library's work on
// the finished picture alone (libdeflate 1, libjpeg-turbo 90, libwebp's fastest lossless setting). All three take
// turns. A line each: quality, format, the three medians in microseconds of processor time, Platen's and the library's
// bytes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <jpeglib.h>
#include <libdeflate.h>
#include <webp/encode.h>

#include "platen/platen.h"

#define MOST_RUNS 1000

struct picture {
    uint32_t width, height;
    bool grey;
    uint8_t *shades; // a byte for each dot
    uint8_t *rows;   // as PNG has them, each with its filter byte
    size_t row;
    uint8_t *out;
    size_t room;
    WebPPicture webp; // as libwebp wants it
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // one thread; what others do beside it counts for nothing
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *times, int n)
{
    qsort(times, (size_t)n, sizeof *times, by_value);
    return times[n / 2];
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "formats: %s\n", what);
    exit(1);
}

static void *room_for(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        die("no memory");
    return memory;
}

static int count_bytes(const uint8_t *data, size_t size, const WebPPicture *picture)
{
    (void)data;
    *(size_t *)picture->custom_ptr += size;
    return 1;
}

static void fill_webp(struct picture *p)
{
    WebPPicture *picture = &p->webp;
    if (!WebPPictureInit(picture))
        die("libwebp is another version");
    picture->use_argb = 1;
    picture->width = (int)p->width;
    picture->height = (int)p->height;
    picture->writer = count_bytes;
    if (!WebPPictureAlloc(picture))
        die("no memory");
    for (uint32_t y = 0; y < p->height; y++)
        for (uint32_t x = 0; x < p->width; x++)
            picture->argb[(size_t)y * (size_t)picture->argb_stride + x] =
                0xFF000000u | p->shades[(size_t)y * p->width + x] * 0x010101u;
}

// The picture in the forms that the libraries take, so that they are timed for compressing alone.
static struct picture take_picture(const struct platen_page *page)
{
    struct platen_bitmap b;
    platen_page_bitmap(page, &b);
    struct picture p = {.width = b.width, .height = b.height, .grey = b.grey};
    p.row = 1 + (b.grey ? b.width : ((size_t)b.width + 7) / 8);
    p.room = (size_t)b.width * b.height * 2 + 65536;
    p.shades = room_for((size_t)b.width * b.height);
    p.rows = room_for(p.row * b.height);
    p.out = room_for(p.room);
    memset(p.rows, 0, p.row * b.height);
    for (uint32_t y = 0; y < b.height; y++) {
        for (uint32_t x = 0; x < b.width; x++) {
            bool ink = !b.grey && (b.words[(size_t)y * b.words_per_row + x / 64] >> (63 - x % 64) & 1);
            uint8_t shade = b.grey ? b.bytes[(size_t)y * b.width + x] : ink ? 0 : 255;
            uint8_t *row = p.rows + y * p.row + 1;
            p.shades[(size_t)y * b.width + x] = shade;
            if (b.grey)
                row[x] = shade;
            else if (!ink)
                row[x / 8] |= (uint8_t)(0x80 >> x % 8);
        }
    }
    fill_webp(&p);
    return p;
}

static void free_picture(struct picture *p)
{
    WebPPictureFree(&p->webp);
    free(p->shades);
    free(p->rows);
    free(p->out);
}

static size_t by_libdeflate(struct picture *p)
{
    static struct libdeflate_compressor *compressor;
    if (!compressor)
        compressor = libdeflate_alloc_compressor(1);
    return compressor ? libdeflate_zlib_compress(compressor, p->rows, p->row * p->height, p->out, p->room) : 0;
}

static size_t by_libjpeg(struct picture *p)
{
    struct jpeg_compress_struct info;
    struct jpeg_error_mgr errors;
    unsigned char *bytes = p->out;
    unsigned long size = p->room;
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    jpeg_mem_dest(&info, &bytes, &size);
    info.image_width = p->width;
    info.image_height = p->height;
    info.input_components = 1;
    info.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 90, TRUE);
    jpeg_start_compress(&info, TRUE);
    while (info.next_scanline < p->height) {
        JSAMPROW line = p->shades + (size_t)info.next_scanline * p->width;
        jpeg_write_scanlines(&info, &line, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    return size;
}

static size_t by_libwebp(struct picture *p)
{
    WebPConfig config;
    size_t size = 0;
    if (!WebPConfigInit(&config))
        return 0;
    config.lossless = 1;
    config.method = 0;
    config.quality = 0;
    p->webp.custom_ptr = &size;
    return WebPEncode(&config, &p->webp) ? size : 0;
}

struct format {
    const char *name;
    enum platen_format format;
    size_t (*floor)(struct picture *p);
};

static const struct format FORMATS[] = {{"png", PLATEN_PNG, by_libdeflate},
                                        {"jpeg", PLATEN_JPEG, by_libjpeg},
                                        {"webp", PLATEN_WEBP, by_libwebp},
                                        {"pdf", PLATEN_PDF, by_libdeflate}};

struct job {
    struct platen_worker *worker;
    const char *zpl;
    size_t size;
    struct platen_options options;
    struct platen_buffer out, part;
};

static void parse_and_draw(struct job *j, struct platen_document **document, const struct platen_page **page)
{
    struct platen_error err;
    if (platen_parse(j->worker, j->zpl, j->size, &j->options, document, &err) != PLATEN_OK ||
        platen_draw(j->worker, *document, 0, page, &err) != PLATEN_OK)
        die(err.message);
}

static void encode(struct job *j, const struct platen_page *page, enum platen_format format)
{
    struct platen_error err;
    enum platen_status status;
    if (format == PLATEN_PDF) {
        struct platen_pdf *pdf = NULL;
        status = platen_pdf_new("Labels", &j->out, &pdf, &err);
        if (status == PLATEN_OK)
            status = platen_pdf_part(j->worker, page, &j->part, &err);
        if (status == PLATEN_OK)
            status = platen_pdf_add(pdf, &j->part, 1, &err);
        if (status == PLATEN_OK)
            status = platen_pdf_finish(pdf, &err);
        platen_pdf_free(pdf);
    } else {
        struct platen_encode_options options = PLATEN_ENCODE_OPTIONS(.jpeg_quality = 0);
        status = platen_encode(j->worker, page, format, &options, &j->out, &err);
    }
    if (status != PLATEN_OK)
        die(err.message);
}

enum { WHOLE, ENCODER, LIBRARY, PARTS };

// One turn: the whole work from label code to the bytes of a file, the encoder once more on the same page, the library.
// Before it the whole work is done once unmeasured: libraries leave the processor's caches full of their own data, and
// one of them more than another, which made WebP look half as fast again.
static size_t take_turn(struct job *j, const struct format *f, struct picture *p, double times[PARTS])
{
    struct platen_document *document;
    const struct platen_page *page;
    parse_and_draw(j, &document, &page);
    encode(j, page, f->format);
    platen_document_free(document);
    double start = now_us();
    parse_and_draw(j, &document, &page);
    encode(j, page, f->format);
    double encoded = now_us();
    encode(j, page, f->format);
    double again = now_us();
    platen_document_free(document);
    double freed = now_us();
    size_t theirs = f->floor(p);
    times[LIBRARY] = now_us() - freed;
    times[ENCODER] = again - encoded;
    times[WHOLE] = encoded - start + (freed - again);
    if (theirs == 0)
        die("the floor could not be measured");
    return theirs;
}

static void measure(struct job *j, const struct format *f, const char *quality, int runs)
{
    static double all[PARTS][MOST_RUNS];
    double times[PARTS];
    struct platen_document *document;
    const struct platen_page *page;
    parse_and_draw(j, &document, &page);
    struct picture p = take_picture(page);
    platen_document_free(document);
    size_t theirs = take_turn(j, f, &p, times); // one to warm up
    for (int i = 0; i < runs; i++) {
        take_turn(j, f, &p, times);
        for (int part = 0; part < PARTS; part++)
            all[part][i] = times[part];
    }
    printf("%s %s %.1f %.1f %.1f %zu %zu\n", quality, f->name, median(all[WHOLE], runs), median(all[ENCODER], runs),
           median(all[LIBRARY], runs), j->out.size, theirs);
    free_picture(&p);
}

int main(int argc, char **argv)
{
    if (argc != 5 && argc != 6 && argc != 8)
        die("usage: formats FILE WIDTH_MM HEIGHT_MM DPMM [RUNS [QUALITY FORMAT]]");
    FILE *f = fopen(argv[1], "rb");
    if (!f)
        die("the file cannot be read");
    static char zpl[8 << 20];
    size_t size = fread(zpl, 1, sizeof zpl, f);
    fclose(f);
    int runs = argc > 5 ? atoi(argv[5]) : 25;
    if (runs < 1 || runs > MOST_RUNS)
        die("RUNS is from 1 to 1000");
    struct platen_engine *engine;
    struct platen_error err;
    struct job j = {.zpl = zpl, .size = size};
    if (platen_engine_new(NULL, &engine, &err) != PLATEN_OK || platen_worker_new(engine, &j.worker, &err) != PLATEN_OK)
        die(err.message);
    int measured = 0;
    for (int smooth = 0; smooth < 2; smooth++) {
        const char *quality = smooth ? "smooth" : "dots";
        j.options = (struct platen_options)PLATEN_OPTIONS(.width_mm = atof(argv[2]), .height_mm = atof(argv[3]),
                                                          .dpmm = atof(argv[4]),
                                                          .quality = smooth ? PLATEN_GRAYSCALE : PLATEN_BITONAL);
        for (size_t i = 0; i < sizeof FORMATS / sizeof FORMATS[0]; i++) {
            if (argc == 8 && (strcmp(argv[6], quality) != 0 || strcmp(argv[7], FORMATS[i].name) != 0))
                continue;
            measure(&j, &FORMATS[i], quality, runs);
            measured++;
        }
    }
    if (measured == 0)
        die("QUALITY is dots or smooth, FORMAT png, jpeg, webp or pdf");
    platen_buffer_free(&j.out);
    platen_buffer_free(&j.part);
    platen_worker_free(j.worker);
    platen_engine_free(engine);
    return 0;
}
