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
    while (at < l->line_len && l->line[at] >= '0' && l->line[at] <= '9') {
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

bool lpd_feed(struct lpd *l, struct pl_slice *bytes, const struct lpd_sink *sink, struct pl_buf *out)
{
    l->pauses = false;
    while (bytes->len > 0 && !l->pauses) {
        size_t used = 1;
        if (l->state == FILE_BYTES) {
            used = l->until_end ? bytes->len : (size_t)PL_MIN((uint64_t)bytes->len, l->left);
            if (l->is_data)
                used = sink->data(sink->user, pl_slice_sub(*bytes, 0, used));
            l->left -= l->until_end ? 0 : used;
            if (!l->until_end && l->left == 0)
                l->state = FILE_MARK;
        } else if (l->state == FILE_MARK) {
            bool good = bytes->ptr[0] == 0;
            acknowledge(out, good);
            if (l->is_data)
                sink->file_end(sink->user, good);
            l->state = LINE;
            l->line_len = 0;
            if (!good)
                return false;
        } else if (bytes->ptr[0] == '\n') {
            if (!obey_line(l, out))
                return false;
            l->line_len = 0;
        } else if (l->line_len == sizeof l->line) {
            acknowledge(out, false);
            return false;
        } else {
            l->line[l->line_len++] = bytes->ptr[0];
        }
        *bytes = pl_slice_sub(*bytes, used, bytes->len);
    }
    return true;
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
