// Multicast DNS. Names are written out whole: an answer for one printer is small enough without compression.
#include "printer/mdns.h"

#include <string.h>
#include <strings.h>

#include "base/ckd.h"

enum { TYPE_A = 1, TYPE_PTR = 12, TYPE_TXT = 16, TYPE_SRV = 33, TYPE_ANY = 255 };
enum { CLASS_IN = 1, CLASS_ANY = 255, TOP_BIT = 0x8000 }; // of a question: answer me alone; of a record: forget others
enum { TTL_HOST_S = 120, TTL_OTHER_S = 4500, TTL_PLAIN_S = 10 };

#define HEAD_BYTES 12u
#define NAME_MOST 256u
#define QUESTIONS_MOST 64u
#define JUMPS_MOST 16
#define BROWSE "_services._dns-sd._udp.local"
#define RAW "_pdl-datastream._tcp.local"
#define LPD "_printer._tcp.local"

static const char *const SERVICES[] = {RAW, LPD};

static uint16_t get16(const uint8_t *at)
{
    return (uint16_t)(at[0] << 8 | at[1]);
}

// One label of a name and a point behind it, in lower case.
static size_t put_label(const uint8_t *label, uint8_t size, char *name)
{
    for (uint8_t i = 0; i < size; i++)
        name[i] = (char)(pl_is_upper(label[i]) ? label[i] + 32 : label[i]);
    name[size] = '.';
    return size + 1u;
}

// A name as text with points, in lower case. False: it is none, or it is not whole.
static bool read_name(struct pl_slice packet, size_t *at, char name[NAME_MOST])
{
    size_t from = *at, len = 0;
    bool jumped = false;
    for (int jumps = 0; jumps <= JUMPS_MOST;) {
        if (from >= packet.len)
            return false;
        uint8_t size = packet.ptr[from];
        if (size >= 0xC0) {
            if (from + 1 >= packet.len)
                return false;
            size_t to = get16(packet.ptr + from) & 0x3FFFu;
            if (!jumped)
                *at = from + 2;
            if (to >= from) // only backwards: so it ends
                return false;
            from = to;
            jumped = true;
            jumps++;
            continue;
        }
        if (size > 63 || from + 1 + size > packet.len || len + size + 2 > NAME_MOST)
            return false;
        if (size == 0) {
            if (!jumped)
                *at = from + 1;
            name[len > 0 ? len - 1 : 0] = '\0';
            return true;
        }
        len += put_label(packet.ptr + from + 1, size, name + len);
        from += 1u + size;
    }
    return false;
}

// ---- writing

static void put16(struct pl_buf *out, unsigned value)
{
    pl_buf_append_byte(out, (uint8_t)(value >> 8));
    pl_buf_append_byte(out, (uint8_t)value);
}

// A name of text with points; `first`, which may be NULL, is a label of its own.
static void put_name(struct pl_buf *out, const char *first, const char *rest)
{
    if (first) {
        pl_buf_append_byte(out, (uint8_t)strlen(first));
        pl_buf_append_cstr(out, first);
    }
    while (*rest) {
        size_t len = strcspn(rest, ".");
        pl_buf_append_byte(out, (uint8_t)len);
        pl_buf_append(out, rest, len);
        rest += len + (rest[len] == '.');
    }
    pl_buf_append_byte(out, 0);
}

struct answer {
    const struct mdns_printer *printer;
    struct pl_buf *out;
    bool plain;    // DNS
    bool leaves;   // lives no longer
    unsigned sent; // bits of records that are in it
    unsigned count;
};

enum { SENT_TYPE = 1, SENT_POINTER = 4, SENT_SERVICE = 16, SENT_TEXT = 64, SENT_HOST = 256 }; // first three: << service

// The beginning of a record behind its name; returns where its length goes.
static size_t begin_record(struct answer *a, unsigned type, bool unique, unsigned ttl)
{
    put16(a->out, type);
    put16(a->out, unique && !a->plain ? CLASS_IN | TOP_BIT : CLASS_IN);
    pl_buf_append_be32(a->out, a->leaves ? 0 : a->plain ? PL_MIN(ttl, (unsigned)TTL_PLAIN_S) : ttl);
    put16(a->out, 0);
    a->count++;
    return a->out->len;
}

static void end_record(struct answer *a, size_t from)
{
    if (a->out->failed)
        return;
    size_t size = a->out->len - from;
    a->out->data[from - 2] = (uint8_t)(size >> 8);
    a->out->data[from - 1] = (uint8_t)size;
}

// Once for each answer.
static bool is_new(struct answer *a, unsigned bit)
{
    bool fresh = !(a->sent & bit);
    a->sent |= bit;
    return fresh;
}

static void put_type(struct answer *a, int service)
{
    if (!is_new(a, (unsigned)SENT_TYPE << service))
        return;
    put_name(a->out, NULL, BROWSE);
    size_t from = begin_record(a, TYPE_PTR, false, TTL_OTHER_S);
    put_name(a->out, NULL, SERVICES[service]);
    end_record(a, from);
}

static void put_pointer(struct answer *a, int service)
{
    if (!is_new(a, (unsigned)SENT_POINTER << service))
        return;
    put_name(a->out, NULL, SERVICES[service]);
    size_t from = begin_record(a, TYPE_PTR, false, TTL_OTHER_S);
    put_name(a->out, a->printer->name, SERVICES[service]);
    end_record(a, from);
}

static void put_host(struct answer *a)
{
    if (!is_new(a, SENT_HOST))
        return;
    put_name(a->out, a->printer->host, "local");
    size_t from = begin_record(a, TYPE_A, true, TTL_HOST_S);
    pl_buf_append(a->out, a->printer->ip, sizeof a->printer->ip);
    end_record(a, from);
}

// Port 0 says that there is no LPD: the name is taken by this printer nevertheless.
static void put_service(struct answer *a, int service)
{
    if (!is_new(a, (unsigned)SENT_SERVICE << service))
        return;
    put_name(a->out, a->printer->name, SERVICES[service]);
    size_t from = begin_record(a, TYPE_SRV, true, TTL_HOST_S);
    put16(a->out, 0);
    put16(a->out, 0);
    put16(a->out, service == 0 ? a->printer->port : a->printer->lpd_port);
    put_name(a->out, a->printer->host, "local");
    end_record(a, from);
}

static void put_pair(struct pl_buf *out, const char *key, const char *before, const char *value, const char *behind)
{
    pl_buf_append_byte(out, (uint8_t)(strlen(key) + 1 + strlen(before) + strlen(value) + strlen(behind)));
    pl_buf_printf(out, "%s=%s%s%s", key, before, value, behind);
}

static void put_text(struct answer *a, int service)
{
    if (!is_new(a, (unsigned)SENT_TEXT << service))
        return;
    put_name(a->out, a->printer->name, SERVICES[service]);
    size_t from = begin_record(a, TYPE_TXT, true, TTL_OTHER_S);
    put_pair(a->out, "txtvers", "", "1", "");
    put_pair(a->out, "qtotal", "", "1", "");
    put_pair(a->out, "priority", "", "50", "");
    put_pair(a->out, "ty", "Zebra ", a->printer->model, "");
    put_pair(a->out, "product", "(", a->printer->model, ")");
    put_pair(a->out, "note", "", "Platen's virtual printer", "");
    put_pair(a->out, "pdl", "", "application/vnd.zebra-zpl,application/octet-stream", "");
    put_pair(a->out, "usb_MFG", "", "Zebra Technologies", "");
    put_pair(a->out, "usb_MDL", "", a->printer->model, "");
    put_pair(a->out, "usb_CMD", "", "ZPL", "");
    end_record(a, from);
}

static void put_instance(struct answer *a, int service)
{
    put_service(a, service);
    put_text(a, service);
    put_host(a);
}

// ---- questions

static bool is_instance(const struct mdns_printer *p, const char *name, int service)
{
    size_t len = strlen(p->name);
    return strncasecmp(name, p->name, len) == 0 && name[len] == '.' && strcmp(name + len + 1, SERVICES[service]) == 0;
}

static bool is_host(const struct mdns_printer *p, const char *name)
{
    size_t len = strlen(p->host);
    return strncasecmp(name, p->host, len) == 0 && strcmp(name + len, ".local") == 0;
}

static void answer_question(struct answer *a, const char *name, unsigned type)
{
    bool any = type == TYPE_ANY;
    for (int i = 0; i < (int)PL_COUNTOF(SERVICES); i++) {
        if ((any || type == TYPE_PTR) && strcmp(name, BROWSE) == 0)
            put_type(a, i);
        if ((any || type == TYPE_PTR) && strcmp(name, SERVICES[i]) == 0) {
            put_pointer(a, i);
            put_instance(a, i);
        }
        if ((any || type == TYPE_SRV) && is_instance(a->printer, name, i)) {
            put_service(a, i);
            put_host(a);
        }
        if ((any || type == TYPE_TXT) && is_instance(a->printer, name, i))
            put_text(a, i);
    }
    if ((any || type == TYPE_A) && is_host(a->printer, name))
        put_host(a);
}

static void put_head(struct pl_buf *out, unsigned id, unsigned questions)
{
    put16(out, id);
    put16(out, 0x8400); // an answer, and by who knows
    put16(out, questions);
    put16(out, 0); // how many records: known at the end
    put16(out, 0);
    put16(out, 0);
}

static void end_packet(const struct answer *a)
{
    if (a->out->failed)
        return;
    a->out->data[6] = (uint8_t)(a->count >> 8);
    a->out->data[7] = (uint8_t)a->count;
}

enum mdns_reach mdns_answer(const struct mdns_printer *printer, struct pl_slice packet, bool plain_dns,
                            struct pl_buf *out)
{
    struct answer a = {.printer = printer, .out = out, .plain = plain_dns};
    char name[NAME_MOST];
    pl_buf_clear(out);
    if (packet.len < HEAD_BYTES || (packet.ptr[2] & 0xF8) != 0) // an answer, or another operation
        return MDNS_SILENT;
    unsigned questions = get16(packet.ptr + 4);
    if (questions == 0 || questions > QUESTIONS_MOST)
        return MDNS_SILENT;
    // Plain DNS has one question and wants it back.
    unsigned repeated = plain_dns ? 1 : 0;
    put_head(out, plain_dns ? get16(packet.ptr) : 0, repeated);
    size_t at = HEAD_BYTES;
    bool to_all = false;
    for (unsigned i = 0; i < (plain_dns ? 1 : questions); i++) {
        if (!read_name(packet, &at, name) || packet.len - at < 4)
            return MDNS_SILENT;
        unsigned type = get16(packet.ptr + at), class = get16(packet.ptr + at + 2);
        at += 4;
        if (plain_dns) {
            put_name(out, NULL, name);
            put16(out, type);
            put16(out, class & ~(unsigned)TOP_BIT);
        }
        unsigned before = a.count;
        if ((class & ~(unsigned)TOP_BIT) == CLASS_IN || (class & ~(unsigned)TOP_BIT) == CLASS_ANY)
            answer_question(&a, name, type);
        to_all = to_all || (a.count > before && !(class & TOP_BIT));
    }
    end_packet(&a);
    if (a.count == 0 || out->failed)
        return MDNS_SILENT;
    return to_all && !plain_dns ? MDNS_TO_ALL : MDNS_TO_ASKER;
}

void mdns_announce(const struct mdns_printer *printer, bool leaves, struct pl_buf *out)
{
    struct answer a = {.printer = printer, .out = out, .leaves = leaves};
    pl_buf_clear(out);
    put_head(out, 0, 0);
    for (int i = 0; i < (int)PL_COUNTOF(SERVICES); i++) {
        put_pointer(&a, i);
        put_instance(&a, i);
    }
    end_packet(&a);
}
