// SHA-256 and HMAC with it.
#include "base/hmac.h"

#include <string.h>

#define BLOCK 64u

struct sha {
    uint32_t h[8];
    uint64_t len;
    uint8_t block[BLOCK];
};

// The first 32 bits of the fractions of the cube roots of the first 64 primes.
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned by)
{
    return x >> by | x << (32 - by);
}

static void mix(struct sha *s)
{
    uint32_t w[64];
    for (int i = 0; i < 16; i++)
        w[i] = (uint32_t)s->block[i * 4] << 24 | (uint32_t)s->block[i * 4 + 1] << 16 |
               (uint32_t)s->block[i * 4 + 2] << 8 | s->block[i * 4 + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = turn(w[i - 15], 7) ^ turn(w[i - 15], 18) ^ w[i - 15] >> 3;
        uint32_t b = turn(w[i - 2], 17) ^ turn(w[i - 2], 19) ^ w[i - 2] >> 10;
        w[i] = w[i - 16] + a + w[i - 7] + b;
    }
    // FIPS 180-4, 6.2.2; as single variables they stay in registers.
    uint32_t a = s->h[0], b = s->h[1], c = s->h[2], d = s->h[3], e = s->h[4], f = s->h[5], g = s->h[6], h = s->h[7];
    for (int i = 0; i < 64; i++) {
        uint32_t t1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + w[i];
        uint32_t t2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const uint32_t more[8] = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++)
        s->h[i] += more[i];
}

static void begin(struct sha *s)
{
    static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memset(s, 0, sizeof *s);
    memcpy(s->h, START, sizeof START);
}

static void add(struct sha *s, struct pl_slice text)
{
    while (text.len > 0) {
        size_t used = (size_t)(s->len % BLOCK), more = text.len < BLOCK - used ? text.len : BLOCK - used;
        memcpy(s->block + used, text.ptr, more);
        s->len += more;
        text = pl_slice_sub(text, more, text.len);
        if (used + more == BLOCK)
            mix(s);
    }
}

static void end(struct sha *s, uint8_t out[PL_HMAC_BYTES])
{
    uint64_t bits = s->len * 8;
    static const uint8_t FILL[BLOCK] = {0x80};
    size_t used = (size_t)(s->len % BLOCK);
    add(s, pl_slice_make(FILL, used < 56 ? 56 - used : 120 - used));
    uint8_t length[8];
    for (int i = 0; i < 8; i++)
        length[i] = (uint8_t)(bits >> (56 - i * 8));
    add(s, pl_slice_make(length, 8));
    for (int i = 0; i < PL_HMAC_BYTES; i++)
        out[i] = (uint8_t)(s->h[i / 4] >> (24 - i % 4 * 8));
}

// What SHA-256 is at after a block of the key, whose bytes are changed by `by`.
static void begin_with(const uint8_t key[BLOCK], uint8_t by, uint32_t out[8])
{
    struct sha s;
    uint8_t pad[BLOCK];
    for (unsigned i = 0; i < BLOCK; i++)
        pad[i] = key[i] ^ by;
    begin(&s);
    add(&s, pl_slice_make(pad, BLOCK));
    memcpy(out, s.h, sizeof s.h);
}

void pl_hmac_prepare(struct pl_hmac_key *out, struct pl_slice key)
{
    struct sha s;
    uint8_t block[BLOCK] = {0};
    if (key.len > BLOCK) {
        begin(&s);
        add(&s, key);
        end(&s, block);
    } else if (key.len > 0) {
        memcpy(block, key.ptr, key.len);
    }
    begin_with(block, 0x36, out->inner);
    begin_with(block, 0x5C, out->outer);
}

// `text` behind the block of the key.
static void go_on(const uint32_t from[8], struct pl_slice text, uint8_t out[PL_HMAC_BYTES])
{
    struct sha s = {.len = BLOCK};
    memcpy(s.h, from, sizeof s.h);
    add(&s, text);
    end(&s, out);
}

void pl_hmac_by(const struct pl_hmac_key *key, struct pl_slice text, uint8_t out[PL_HMAC_BYTES])
{
    go_on(key->inner, text, out);
    go_on(key->outer, pl_slice_make(out, PL_HMAC_BYTES), out);
}

void pl_hmac_sha256(struct pl_slice key, struct pl_slice text, uint8_t out[PL_HMAC_BYTES])
{
    struct pl_hmac_key prepared;
    pl_hmac_prepare(&prepared, key);
    pl_hmac_by(&prepared, text, out);
}

bool pl_secret_eq(struct pl_slice secret, struct pl_slice given)
{
    unsigned wrong = secret.len != given.len;
    for (size_t i = 0; i < secret.len && given.len > 0; i++)
        wrong |= (unsigned)(secret.ptr[i] ^ given.ptr[i % given.len]);
    return wrong == 0;
}
