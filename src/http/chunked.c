// Chunked bodies (RFC 9112, 7.1), strict: CR LF only, sizes of at most 15 hexadecimal digits.
#include "http/chunked.h"

#include "base/fmt.h"

#define MAX_DIGITS 15
#define MAX_OVERHEAD 16384u

enum {
    SIZE,       // digits of the size
    EXTENSION,  // after them, up to CR
    SIZE_LF,    // LF of the size line
    DATA,       // bytes of the chunk
    DATA_CR,    // CR after them
    DATA_LF,    // its LF
    TRAILER,    // start of a trailer line
    TRAILER_IN, // inside a trailer line
    TRAILER_LF, // LF of a trailer line
    LAST_LF,    // LF of the empty line at the end
    DONE
};

void http_chunked_init(struct http_chunked *c)
{
    *c = (struct http_chunked){.state = SIZE};
}

static bool is_text(uint8_t byte)
{
    return byte == '\t' || (byte >= ' ' && byte != 0x7F);
}

// One byte of framing. False when it does not belong there.
static bool step(struct http_chunked *c, uint8_t byte)
{
    switch (c->state) {
    case SIZE: {
        int digit = pl_hex_value(byte);
        if (digit >= 0) {
            if (++c->digits > MAX_DIGITS)
                return false;
            c->left = c->left << 4 | (uint64_t)digit;
            return true;
        }
        if (c->digits == 0)
            return false;
        if (byte == '\r')
            c->state = SIZE_LF;
        else if (byte == ';' || byte == ' ' || byte == '\t')
            c->state = EXTENSION;
        else
            return false;
        return true;
    }
    case EXTENSION:
        if (byte == '\r') {
            c->state = SIZE_LF;
            return true;
        }
        return is_text(byte) && ++c->overhead <= MAX_OVERHEAD;
    case SIZE_LF:
        c->state = c->left > 0 ? DATA : TRAILER;
        return byte == '\n';
    case DATA_CR:
        c->state = DATA_LF;
        return byte == '\r';
    case DATA_LF:
        c->state = SIZE;
        c->digits = 0;
        c->left = 0;
        return byte == '\n';
    case TRAILER:
        if (byte == '\r') {
            c->state = LAST_LF;
            return true;
        }
        c->state = TRAILER_IN;
        return byte != ' ' && byte != '\t' && byte != ':' && is_text(byte) && ++c->overhead <= MAX_OVERHEAD;
    case TRAILER_IN:
        if (byte == '\r') {
            c->state = TRAILER_LF;
            return true;
        }
        return is_text(byte) && ++c->overhead <= MAX_OVERHEAD;
    case TRAILER_LF:
        c->state = TRAILER;
        c->overhead += 2;
        return byte == '\n';
    case LAST_LF:
        c->state = DONE;
        return byte == '\n';
    default:
        return false;
    }
}

enum http_chunk http_chunked_feed(struct http_chunked *c, const uint8_t *in, size_t len, size_t *used,
                                  const uint8_t **data, size_t *data_len)
{
    while (*used < len) {
        if (c->state == DATA) {
            size_t n = len - *used;
            if (n > c->left)
                n = (size_t)c->left;
            *data = in + *used;
            *data_len = n;
            *used += n;
            c->left -= n;
            if (c->left == 0)
                c->state = DATA_CR;
            return HTTP_CHUNK_DATA;
        }
        if (!step(c, in[(*used)++]))
            return HTTP_CHUNK_BAD;
        if (c->state == DONE)
            return HTTP_CHUNK_DONE;
    }
    return HTTP_CHUNK_MORE;
}
