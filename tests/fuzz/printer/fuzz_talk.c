// What clients say beside label code: SGD lines, LPD, packets of discovery and multicast DNS.
#include <stdlib.h>

#include "printer/discovery.h"
#include "printer/lpd.h"
#include "printer/mdns.h"
#include "printer/sgd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void inside(struct pl_slice part, struct pl_slice whole)
{
    if (part.len > 0 && (part.ptr < whole.ptr || part.ptr + part.len > whole.ptr + whole.len))
        abort();
}

static size_t count(void *user, struct pl_slice bytes)
{
    *(size_t *)user += bytes.len;
    return bytes.len;
}

static void nothing(void *user, bool whole)
{
    (void)user;
    (void)whole;
}

static void sgd(const struct printer_face *face, struct pl_slice text)
{
    struct sgd_line line;
    struct pl_buf out;
    bool known;
    struct sgd_values values = {0};
    sgd_read(text, &line);
    inside(line.name, text);
    inside(line.value, text);
    pl_buf_init(&out, 65536);
    sgd_get(face, line.name, &out);
    pl_buf_clear(&out);
    if (sgd_act(line.name, line.value, &known, &out, &values) == SGD_CODE && (out.len == 0 || out.len > 64))
        abort();
    pl_buf_clear(&out);
    printer_reply(face, text, &out);
    pl_buf_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pl_slice text = pl_slice_make(data, size);
    const struct printer_face face = {
        .name = "n", .model = "m", .firmware = "f", .serial = "s", .address = "a", .dpmm = 8};
    uint8_t answer[DISCOVERY_ANSWER];
    const uint8_t ip[4] = {127, 0, 0, 1};
    size_t bytes = 0;
    struct lpd lpd = {0};
    const struct lpd_sink sink = {count, nothing, &bytes};
    struct pl_buf out;
    pl_buf_init(&out, 1 << 20);
    sgd(&face, text);
    struct pl_slice first = pl_slice_sub(text, 0, size / 2), second = pl_slice_sub(text, size / 2, size);
    if (lpd_feed(&lpd, &first, &sink, &out))
        lpd_feed(&lpd, &second, &sink, &out);
    lpd_end(&lpd, &sink);
    if (bytes > size || out.len > size + 16)
        abort();
    if (discovery_is_probe(text))
        discovery_answer(&face, ip, answer);
    const struct mdns_printer printer = {.name = "dock", .host = "platen-1", .model = "m", .ip = {127, 0, 0, 1}};
    pl_buf_fini(&out);
    pl_buf_init(&out, MDNS_PACKET);
    for (int plain = 0; plain < 2; plain++) {
        if (mdns_answer(&printer, text, plain, &out) != MDNS_SILENT && (out.len < 24 || out.failed))
            abort();
    }
    pl_buf_fini(&out);
    return 0;
}
