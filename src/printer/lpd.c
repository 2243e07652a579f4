// LPD: lines that begin with a byte for the command, and files of stated lengths.
#include "printer/lpd.h"

#include "base/ckd.h"

enum { LINE, FILE_BYTES, FILE_MARK };

#define LENGTH_MOST ((uint64_t)1 << 40)

static void acknowledge(struct pl_buf *out, bool good)
{
    pl_buf_append_byte(out, good ? 0 : 1);
}

static void begin_file(struct lpd *l, bool is_data, struct pl_buf *out)
{
    uint64_t length = 0;
    size_t at = 1;
    while (at < l->line_len && pl_is_digit(l->line[at])) {
        length = PL_MIN(length * 10 + (uint64_t)(l->line[at] - '0'), LENGTH_MOST);
        at++;
    }
    bool good = at > 1 && at < l->line_len && l->line[at] == ' ';
    acknowledge(out, good);
    if (!good)
        return;
    l->is_data = is_data;
    l->length = l->left = length;
    l->until_end = length == 0 && is_data;
    l->state = length > 0 || l->until_end ? FILE_BYTES : FILE_MARK;
}

static bool obey_line(struct lpd *l, struct pl_buf *out)
{
    uint8_t command = l->line_len > 0 ? l->line[0] : 0;
    if (l->in_job) {
        if (command == 2 || command == 3)
            begin_file(l, command == 3, out);
        else
            acknowledge(out, command == 1); // abort
        return command >= 1 && command <= 3;
    }
    switch (command) {
    case 1: // print what waits
    case 2: // receive a job
        l->in_job = command == 2;
        acknowledge(out, true);
        return true;
    case 3: // the queue, short and long
    case 4:
        pl_buf_append_cstr(out, "no entries\n");
        return false;
    default:
        acknowledge(out, false);
        return false;
    }
}

// Bytes of a file; how many were taken.
static size_t take_file_bytes(struct lpd *l, struct pl_slice bytes, const struct lpd_sink *sink)
{
    size_t used = l->until_end ? bytes.len : (size_t)PL_MIN((uint64_t)bytes.len, l->left);
    if (l->is_data)
        used = sink->data(sink->user, pl_slice_sub(bytes, 0, used));
    if (!l->until_end) {
        l->left -= used;
        if (l->left == 0)
            l->state = FILE_MARK;
    }
    return used;
}

// The byte behind a file. False: the connection ends.
static bool take_mark(struct lpd *l, uint8_t mark, const struct lpd_sink *sink, struct pl_buf *out)
{
    bool good = mark == 0;
    acknowledge(out, good);
    if (l->is_data)
        sink->file_end(sink->user, good);
    l->state = LINE;
    l->line_len = 0;
    return good;
}

// A byte of a line. False: the connection ends.
static bool take_line_byte(struct lpd *l, uint8_t byte, struct pl_buf *out)
{
    if (byte == '\n') {
        bool goes_on = obey_line(l, out);
        l->line_len = 0;
        return goes_on;
    }
    if (l->line_len == sizeof l->line) {
        acknowledge(out, false);
        return false;
    }
    l->line[l->line_len++] = byte;
    return true;
}

bool lpd_feed(struct lpd *l, struct pl_slice *bytes, const struct lpd_sink *sink, struct pl_buf *out)
{
    bool goes_on = true;
    l->pauses = false;
    while (goes_on && bytes->len > 0 && !l->pauses) {
        size_t used = 1;
        if (l->state == FILE_BYTES)
            used = take_file_bytes(l, *bytes, sink);
        else if (l->state == FILE_MARK)
            goes_on = take_mark(l, bytes->ptr[0], sink, out);
        else
            goes_on = take_line_byte(l, bytes->ptr[0], out);
        if (goes_on)
            *bytes = pl_slice_sub(*bytes, used, bytes->len);
    }
    return goes_on;
}

void lpd_end(struct lpd *l, const struct lpd_sink *sink)
{
    // Some clients leave out the last zero byte. A file whose stated length has not come broke off.
    bool whole = l->state == FILE_MARK || l->until_end;
    if (l->state != LINE && l->is_data)
        sink->file_end(sink->user, whole);
    l->state = LINE;
}

bool lpd_is_between(const struct lpd *l)
{
    return l->state == LINE && l->line_len == 0;
}
