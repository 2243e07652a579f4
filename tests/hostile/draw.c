// draw FILE [MS [MIB [grayscale] [json]]]: parses and draws all labels of a file under a deadline of MS milliseconds
// and a memory limit of MIB, and prints one line: how it ended, milliseconds, those of them on the processor, most
// memory used in KiB beyond what a plain label needs, labels drawn, and whether
// a plain label is the same picture afterwards. `json` asks for the elements as the service does
// for json.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "platen/platen.h"

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static long most_memory(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    long length = ftell(file);
    rewind(file);
    char *bytes = length < 0 ? NULL : malloc((size_t)length + 1);
    *size = bytes ? fread(bytes, 1, (size_t)length, file) : 0;
    fclose(file);
    return bytes;
}

static enum platen_status draw_all(struct platen_worker *worker, const void *zpl, size_t size,
                                   const struct platen_options *options, uint32_t *drawn, struct platen_buffer *out,
                                   struct platen_error *err)
{
    *drawn = 0;
    struct platen_document *document;
    enum platen_status status = platen_parse(worker, zpl, size, options, &document, err);
    if (status != PLATEN_OK)
        return status;
    uint32_t count = platen_label_count(document);
    for (; status == PLATEN_OK && *drawn < count; ++*drawn) {
        const struct platen_page *page;
        status = platen_draw(worker, document, *drawn, &page, err);
        if (status == PLATEN_OK)
            status = platen_encode(worker, page, PLATEN_PNG, NULL, out, err);
        if (status != PLATEN_OK)
            break;
    }
    platen_document_free(document);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    uint64_t ms = argc > 2 ? strtoull(argv[2], NULL, 10) : 1000;
    struct platen_engine_options limits =
        PLATEN_ENGINE_OPTIONS(.arena_bytes = (argc > 3 ? strtoull(argv[3], NULL, 10) : 0) << 20);
    struct platen_options options = PLATEN_OPTIONS();
    for (int i = 4; i < argc; i++) {
        if (strcmp(argv[i], "grayscale") == 0)
            options.quality = PLATEN_GRAYSCALE;
        if (strcmp(argv[i], "json") == 0)
            options.want_elements = true;
    }
    size_t size;
    void *zpl = read_file(argv[1], &size);
    struct platen_engine *engine;
    struct platen_worker *worker;
    struct platen_error err = {0};
    if (!zpl || platen_engine_new(&limits, &engine, &err) || platen_worker_new(engine, &worker, &err))
        return 1;
    static const char PLAIN[] = "^XA^FO10,10^A0N,30,30^FDA^FS^XZ";
    uint32_t drawn, again;
    struct platen_buffer before_it = {0}, picture = {0};
    struct platen_options plain = options;
    if (draw_all(worker, PLAIN, sizeof PLAIN - 1, &plain, &drawn, &before_it, &err))
        return 1;
    long before = most_memory();
    uint64_t start = now_ns(CLOCK_MONOTONIC), start_cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID);
    options.deadline_ns = start + ms * 1000000u;
    enum platen_status status = draw_all(worker, zpl, size, &options, &drawn, &picture, &err);
    uint64_t took = now_ns(CLOCK_MONOTONIC) - start, cpu = now_ns(CLOCK_PROCESS_CPUTIME_ID) - start_cpu;
    long memory = most_memory() - before;
    bool same = draw_all(worker, PLAIN, sizeof PLAIN - 1, &plain, &again, &picture, &err) == PLATEN_OK &&
                picture.size == before_it.size && memcmp(picture.data, before_it.data, picture.size) == 0;
    printf("%s %llu %llu %ld %u %s\n", platen_status_name(status), (unsigned long long)(took / 1000000u),
           (unsigned long long)(cpu / 1000000u), memory, drawn, same ? "same" : "differs");
    platen_buffer_free(&before_it);
    platen_buffer_free(&picture);
    platen_worker_free(worker);
    platen_engine_free(engine);
    free(zpl);
    return 0;
}
