// Chunked bodies (RFC 9112, 7.1), strict: CR LF only, sizes of at most 15 hexadecimal digits, extensions and trailers
// in their syntax. What one program passes over and another one reads is how requests are smuggled.
#include "http/message/chunked.h"

#include "base/fmt.h"
#include "http/message/parser.h"

#define MAX_DIGITS 15
#define MAX_OVERHEAD 16384u

enum {
    SIZE,         // digits of the size
    BEFORE_NEXT,  // after the size or an extension: blanks, then ';' or CR
    BEFORE_NAME,  // after ';': blanks, then a name
    NAME,         // of an extension
    AFTER_NAME,   // blanks, then '=', ';' or CR
    BEFORE_VALUE, // after '=': blanks, then a value
    VALUE,        // a token
    QUOTED,       // a value in quotes
    ESCAPED,      // in it, after a backslash
    SIZE_LF,      // LF of the size line
    DATA,         // bytes of the chunk
    DATA_CR,      // CR after them
    DATA_LF,      // its LF
    TRAILER,      // start of a trailer line
    TRAILER_NAME, // in its name, up to ':'
    TRAILER_TEXT, // in its value
    TRAILER_LF,   // LF of a trailer line
    LAST_LF,      // LF of the empty line at the end
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

static bool is_blank(uint8_t byte)
{
    return byte == ' ' || byte == '\t';
}

// A byte behind a size, a name or a value: what has begun may go on or end.
static bool step_between(struct http_chunked *c, uint8_t byte, bool token)
{
    bool named = c->state == NAME || c->state == AFTER_NAME;
    if (token && (c->state == NAME || c->state == VALUE))
        return true;
    if (byte == '\r')
        c->state = SIZE_LF;
    else if (byte == ';')
        c->state = BEFORE_NAME;
    else if (byte == '=' && named)
        c->state = BEFORE_VALUE;
    else if (is_blank(byte))
        c->state = named ? AFTER_NAME : BEFORE_NEXT;
    else
        return false;
    return true;
}

// A byte behind the size: its line's end, or an extension.
static bool step_extension(struct http_chunked *c, uint8_t byte)
{
    bool token = http_is_token(byte);
    c->overhead += byte != '\r'; // a body may have any number of chunks
    if (c->overhead > MAX_OVERHEAD)
        return false;
    switch (c->state) {
    case BEFORE_NAME:
        c->state = token ? NAME : BEFORE_NAME;
        return token || is_blank(byte);
    case BEFORE_VALUE:
        c->state = byte == '"' ? QUOTED : token ? VALUE : BEFORE_VALUE;
        return byte == '"' || token || is_blank(byte);
    case QUOTED:
        c->state = byte == '"' ? BEFORE_NEXT : byte == '\\' ? ESCAPED : QUOTED;
        return is_text(byte);
    case ESCAPED:
        c->state = QUOTED;
        return is_text(byte);
    default: // BEFORE_NEXT, NAME, AFTER_NAME, VALUE
        return step_between(c, byte, token);
    }
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
        c->state = BEFORE_NEXT;
        return c->digits > 0 && step_extension(c, byte);
    }
    case BEFORE_NEXT:
    case BEFORE_NAME:
    case NAME:
    case AFTER_NAME:
    case BEFORE_VALUE:
    case VALUE:
    case QUOTED:
    case ESCAPED:
        return step_extension(c, byte);
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
        c->state = TRAILER_NAME;
        return http_is_token(byte) && ++c->overhead <= MAX_OVERHEAD;
    case TRAILER_NAME:
        if (byte == ':')
            c->state = TRAILER_TEXT;
        return (byte == ':' || http_is_token(byte)) && ++c->overhead <= MAX_OVERHEAD;
    case TRAILER_TEXT:
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
