// Numbers of a label that must agree.
#include "render/check_keys.h"

#include <math.h>

#include "base/ckd.h"
#include "base/fmt.h"
#include "check/epc.h"
#include "check/read.h"

// Tags of a label that are looked at: a label has one.
enum { TAGS_MOST = 4 };

void pl_check_keys_add(struct pl_check_keys *keys, struct pl_check_key key)
{
    if (keys->count < PL_CHECK_KEYS_MOST)
        keys->items[keys->count++] = key;
    else
        keys->left_out = true;
}

// The serial number of an item, and of a place: elements of their own. NULL: it is in the key, or there is none.
static const char *serial_of(const char *ai)
{
    return strcmp(ai, "01") == 0 ? "21" : strcmp(ai, "414") == 0 ? "254" : NULL;
}

void pl_check_keys_add_element(struct pl_check_keys *keys, uint32_t index, enum pl_check_symbology symbology,
                               const char *ai, struct pl_slice value)
{
    static const struct {
        const char *ai;
        enum pl_key_kind kind;
    } rows[] = {{"00", PL_KEY_UNIT},    {"01", PL_KEY_ITEM},   {"21", PL_KEY_OTHER},   {"253", PL_KEY_OTHER},
                {"254", PL_KEY_OTHER},  {"414", PL_KEY_OTHER}, {"8003", PL_KEY_OTHER}, {"8004", PL_KEY_OTHER},
                {"8017", PL_KEY_OTHER}, {"8018", PL_KEY_OTHER}};
    keys->measured = keys->measured || ai[0] == '3' || strcmp(ai, "8001") == 0;
    struct pl_check_key *last = keys->count ? &keys->items[keys->count - 1] : NULL;
    const char *wanted = last && last->index == index && last->ai ? serial_of(last->ai) : NULL;
    if (wanted && last->serial.len == 0 && strcmp(ai, wanted) == 0) {
        last->serial = value;
        return;
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].ai, ai) == 0)
            pl_check_keys_add(keys, (struct pl_check_key){.digits = value,
                                                          .index = index,
                                                          .symbology = symbology,
                                                          .kind = rows[i].kind,
                                                          .marked = true,
                                                          .ai = rows[i].ai});
}

// The UPC-A number that the eight digits of a UPC-E stand for.
static enum pl_errc expand_upce(const struct pl_check_run *run, struct pl_slice *digits)
{
    enum { UPCE = 8, UPCA = 12 };
    if (digits->len != UPCE || !pl_all_digits(*digits))
        return PL_OK;
    uint8_t *out = (uint8_t *)pl_arena_alloc(&run->worker->scratch, UPCA, 1);
    if (!out)
        return pl_fail_memory(run->err);
    pl_read_upca_form(digits->ptr, out);
    *digits = pl_slice_make(out, UPCA);
    return PL_OK;
}

// Numbers that shops give themselves, often with a price or a weight in them, name no item elsewhere.
static bool is_of_shop(struct pl_slice digits)
{
    const size_t at = digits.len == 13 && digits.ptr[0] == '0' ? 1 : 0; // a UPC-A
    const bool is_ean = digits.len == 13 && at == 0, is_short = digits.len == 8;
    if (digits.len != 8 && digits.len != 12 && digits.len != 13)
        return false;
    return digits.ptr[at] == '2' || (is_short ? digits.ptr[0] == '0' : !is_ean && digits.ptr[at] == '4');
}

enum pl_errc pl_check_keys_add_item(const struct pl_check_run *run, struct pl_check_keys *keys, uint32_t index,
                                    struct pl_slice written)
{
    const struct pl_element_report *r = &run->page->drawn.reports[index];
    const struct platen_element *e = &run->page->elements[index];
    struct pl_check_key key = {
        .digits = written, .index = index, .symbology = pl_check_symbology(r), .kind = PL_KEY_ITEM};
    const struct pl_rule_result rule = pl_rules_check(PL_RULE_KEY, key.symbology, written);
    switch (r->element->barcode.symbology) {
    case PL_SYM_EAN13:
    case PL_SYM_EAN8:
    case PL_SYM_UPCA:
    case PL_SYM_UPCE:
        if (rule.match == PL_RULE_BROKEN) // that is told
            return PL_OK;
        key.digits = pl_slice_make(e->text, e->text_size);
        if (key.symbology == PL_CHECK_UPCE)
            PL_TRY(expand_upce(run, &key.digits));
        if (is_of_shop(key.digits))
            return PL_OK;
        break;
    default:
        if (rule.match != PL_RULE_HOLDS)
            return PL_OK;
    }
    if (key.digits.len)
        pl_check_keys_add(keys, key);
    return PL_OK;
}

// Numbers of items, from the right: without zeros before it; and without check digit, those of its other packages.
static bool same_key(const struct pl_check_key *a, const struct pl_check_key *b)
{
    struct pl_slice x = a->digits, y = b->digits;
    if (pl_slice_eq(x, y))
        return true;
    if (a->kind != PL_KEY_ITEM || x.len < 8 || y.len < 8)
        return false;
    const struct pl_slice longer = x.len > y.len ? x : y, shorter = x.len > y.len ? y : x;
    for (size_t i = 2; i <= shorter.len && i <= 13; i++)
        if (shorter.ptr[shorter.len - i] != longer.ptr[longer.len - i])
            return false;
    for (size_t i = shorter.len + 1; i <= longer.len && i <= 13; i++)
        if (longer.ptr[longer.len - i] != '0')
            return false;
    return true;
}

// Symbols that stand for each other: those that hold nothing but the number are one kind.
static uint64_t kind_of_symbol(const struct pl_check_key *key)
{
    _Static_assert(PL_CHECK_SYMBOLOGY_COUNT < 63, "a bit for each symbology");
    return UINT64_C(1) << (key->marked ? key->symbology : PL_CHECK_SYMBOLOGY_COUNT + 1);
}

static bool are_comparable(const struct pl_check_key *a, const struct pl_check_key *b)
{
    return a->kind != PL_KEY_OTHER && a->kind == b->kind && a->index != b->index;
}

// The kinds of the other symbols that hold the same number.
static uint64_t find_partners(const struct pl_check_keys *keys, const struct pl_check_key *key)
{
    uint64_t found = 0;
    for (uint32_t i = 0; i < keys->count; i++)
        if (&keys->items[i] != key && keys->items[i].kind == key->kind && same_key(key, &keys->items[i]))
            found |= kind_of_symbol(&keys->items[i]);
    return found;
}

static uint32_t count_of_kind(const struct pl_check_keys *keys, const struct pl_check_key *like)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < keys->count; i++)
        n += keys->items[i].kind == like->kind && kind_of_symbol(&keys->items[i]) == kind_of_symbol(like);
    return n;
}

// Between the middles of two symbols, squared.
static double distance(const struct pl_check_run *run, const struct pl_check_key *a, const struct pl_check_key *b)
{
    const struct platen_element *p = &run->page->elements[a->index], *q = &run->page->elements[b->index];
    const double x = p->x + p->width / 2.0 - q->x - q->width / 2.0, y = p->y + p->height / 2.0 - q->y - q->height / 2.0;
    return x * x + y * y;
}

// A symbol without identifiers has none of the kind of `marked` that agrees with it. Is this one meant for it, and a
// copy of that of another item: does it agree with another of its symbology, are there enough for all, and is it nearer
// to it than to all others?
static bool is_meant_for(const struct pl_check_run *run, const struct pl_check_keys *keys,
                         const struct pl_check_key *marked, const struct pl_check_key *plain)
{
    bool copied = false;
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct pl_check_key *k = &keys->items[i];
        if (k == plain || k->kind != plain->kind || k->marked)
            continue;
        if (distance(run, marked, k) <= distance(run, marked, plain))
            return false;
        copied = copied || (k->symbology == plain->symbology && same_key(k, marked));
    }
    return copied && count_of_kind(keys, marked) >= count_of_kind(keys, plain);
}

// The only symbol of this kind with the same number; NULL: there is none, or there are several.
static const struct pl_check_key *find_twin(const struct pl_check_keys *keys, const struct pl_check_key *key,
                                            uint64_t of)
{
    const struct pl_check_key *twin = NULL;
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct pl_check_key *k = &keys->items[i];
        if (!are_comparable(key, k) || kind_of_symbol(k) != of || !same_key(key, k))
            continue;
        if (twin)
            return NULL;
        twin = k;
    }
    return twin;
}

// Squares of distances, as distance() gives them: the next symbol is a tenth farther.
#define CLEARLY_FARTHER (1.1 * 1.1)

// The symbol of this kind that is clearly nearest to `key`. NULL: none is.
static const struct pl_check_key *find_nearest(const struct pl_check_run *run, const struct pl_check_keys *keys,
                                               const struct pl_check_key *key, uint64_t of)
{
    const struct pl_check_key *nearest = NULL;
    double least = 0, next = 0;
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct pl_check_key *k = &keys->items[i];
        if (!are_comparable(key, k) || kind_of_symbol(k) != of)
            continue;
        const double d = distance(run, key, k);
        if (!nearest || d < least) {
            next = nearest ? least : INFINITY;
            least = d;
            nearest = k;
        } else if (d < next) {
            next = d;
        }
    }
    return nearest && next > least * CLEARLY_FARTHER ? nearest : NULL;
}

// Does the symbol lie beside one of this kind, and that beside it?
static const struct pl_check_key *find_neighbour(const struct pl_check_run *run, const struct pl_check_keys *keys,
                                                 const struct pl_check_key *key, uint64_t of)
{
    const struct pl_check_key *nearest = find_nearest(run, keys, key, of);
    return nearest && find_nearest(run, keys, nearest, kind_of_symbol(key)) == key ? nearest : NULL;
}

// Items have a symbol of each kind, and two lie side by side that are of different items.
static bool are_exchanged(const struct pl_check_run *run, const struct pl_check_keys *keys,
                          const struct pl_check_key *a, const struct pl_check_key *b)
{
    enum { COUNT_MOST = 64 };
    const uint64_t x = kind_of_symbol(a), y = kind_of_symbol(b);
    if (keys->count > COUNT_MOST || find_neighbour(run, keys, a, y) != b)
        return false;
    const struct pl_check_key *mine = find_twin(keys, a, y), *theirs = find_twin(keys, b, x);
    return mine && theirs && find_neighbour(run, keys, mine, x) && find_neighbour(run, keys, theirs, y);
}

// A label may have several things side by side, each with all of its symbols.
static bool are_apart(const struct pl_check_run *run, const struct pl_check_keys *keys, const uint64_t *partners,
                      uint32_t i, uint32_t k)
{
    const struct pl_check_key *a = &keys->items[i], *b = &keys->items[k];
    const uint64_t x = kind_of_symbol(a), y = kind_of_symbol(b);
    if (x == y)
        return (partners[i] & ~x) && (partners[k] & ~y);
    if ((partners[i] & y) && (partners[k] & x))
        return !are_exchanged(run, keys, a, b);
    // Symbols without identifiers are not compared with each other: one may have no other symbol.
    return (!b->marked && (partners[i] & y) && !is_meant_for(run, keys, a, b)) ||
           (!a->marked && (partners[k] & x) && !is_meant_for(run, keys, b, a));
}

// First of symbols that nothing agrees with; then of any.
static bool tell_first(const struct pl_check_run *run, const struct pl_check_keys *keys, const uint64_t *partners,
                       enum pl_key_kind kind, bool alone)
{
    static const char *const names[] = {"GTIN", "SSCC", "tracking number"};
    for (uint32_t i = 0; i < keys->count; i++)
        for (uint32_t k = i + 1; k < keys->count && keys->items[i].kind == kind; k++) {
            const struct pl_check_key *a = &keys->items[i], *b = &keys->items[k];
            if (!are_comparable(a, b) || !(a->marked || b->marked) || (alone && (partners[i] || partners[k])) ||
                same_key(a, b) || are_apart(run, keys, partners, i, k))
                continue;
            pl_check_find(run, b->index, PL_DIAG_KEYS_DIFFER, run->page->drawn.reports[b->index].element->source, 0,
                          "The %s %.*s is not that of the barcode at %d,%d, which has %.*s.", names[kind],
                          (int)b->digits.len, (const char *)b->digits.ptr, run->page->elements[a->index].x,
                          run->page->elements[a->index].y, (int)a->digits.len, (const char *)a->digits.ptr);
            return true;
        }
    return false;
}

static bool is_ean(const struct pl_check_key *key)
{
    return key->symbology == PL_CHECK_EAN13 || key->symbology == PL_CHECK_EAN8 || key->symbology == PL_CHECK_UPCA ||
           key->symbology == PL_CHECK_UPCE;
}

// A 2D symbol with the number of an item, in a field of its own.
static bool is_matrix(const struct pl_check_run *run, const struct pl_check_key *key)
{
    return key->marked && key->kind == PL_KEY_ITEM && run->page->drawn.reports[key->index].part_count &&
           pl_check_shape_of(key->symbology) == PL_SHAPE_MATRIX;
}

// From the middle of the bars to the farthest corner of the 2D symbol with its quiet zone.
static double reach(const struct pl_check_run *run, const struct pl_check_key *ean, const struct pl_check_key *matrix)
{
    const struct pl_box b = run->page->drawn.reports[ean->index].bars;
    const struct pl_box z = run->page->drawn.reports[matrix->index].quiet_zone;
    const double x = (b.x0 + b.x1) / 2.0, y = (b.y0 + b.y1) / 2.0;
    const double wide = PL_MAX(x - z.x0, z.x1 - x), high = PL_MAX(y - z.y0, z.y1 - y);
    return pl_check_mm(run, sqrt(wide * wide + high * high));
}

// The 2D symbol of an item and its EAN or UPC must be in view together; a second one, for consumers, may be elsewhere.
static void tell_apart(const struct pl_check_run *run, const struct pl_check_keys *keys, uint32_t first)
{
    const struct pl_check_key *nearest = NULL, *ean = NULL;
    double least = INFINITY;
    for (uint32_t i = 0; i < first; i++)
        if (is_matrix(run, &keys->items[i]) && same_key(&keys->items[i], &keys->items[first]))
            return; // that was looked at
    for (uint32_t i = first; i < keys->count; i++) {
        const struct pl_check_key *matrix = &keys->items[i];
        if (!is_matrix(run, matrix) || !same_key(matrix, &keys->items[first]))
            continue;
        for (uint32_t k = 0; k < keys->count; k++) {
            const struct pl_check_key *other = &keys->items[k];
            if (!is_ean(other) || !run->page->drawn.reports[other->index].part_count || !same_key(matrix, other) ||
                reach(run, other, matrix) >= least)
                continue;
            least = reach(run, other, matrix);
            nearest = matrix;
            ean = other;
        }
    }
    const double allowed = run->document->rules->apart_mm;
    if (!nearest || least <= allowed)
        return;
    char shown[PL_FMT_DOUBLE_MAX];
    pl_format_fixed(least, 1, shown);
    pl_check_find(
        run, nearest->index, PL_DIAG_SYMBOLS_APART, run->page->drawn.reports[nearest->index].element->source,
        least - allowed,
        "The symbol reaches %s mm from the middle of the barcode at %d,%d, which has the same GTIN: GS1 asks for "
        "%.0f mm at most, with its quiet zone, so that a scanner at the checkout sees both together.",
        shown, run->page->elements[ean->index].x, run->page->elements[ean->index].y, allowed);
}

void pl_check_keys_compare(const struct pl_check_run *run, const struct pl_check_keys *keys)
{
    uint64_t partners[PL_CHECK_KEYS_MOST];
    for (uint32_t i = 0; i < keys->count; i++)
        partners[i] = find_partners(keys, &keys->items[i]);
    for (int kind = PL_KEY_ITEM; kind < PL_KEY_OTHER; kind++)
        if (!tell_first(run, keys, partners, (enum pl_key_kind)kind, true))
            tell_first(run, keys, partners, (enum pl_key_kind)kind, false);
    for (uint32_t i = 0; i < keys->count && run->document->rules->apart_mm; i++)
        if (is_matrix(run, &keys->items[i]))
            tell_apart(run, keys, i);
}

// ---- radio tags

// The first PL_EPC_BYTES of the digits; false: one is none.
static bool read_hex(struct pl_slice hex, uint8_t out[PL_EPC_BYTES])
{
    memset(out, 0, PL_EPC_BYTES);
    for (size_t i = 0; i < hex.len; i++) {
        const int digit = pl_hex_value(hex.ptr[i]);
        if (digit < 0)
            return false;
        if (i / 2 < PL_EPC_BYTES)
            out[i / 2] = (uint8_t)(out[i / 2] | digit << (i % 2 ? 0 : 4));
    }
    return true;
}

static bool is_of(const struct pl_check_key *key, const struct pl_epc *epc)
{
    return strcmp(epc->ai, "01") == 0 ? key->kind == PL_KEY_ITEM : key->ai && strcmp(key->ai, epc->ai) == 0;
}

// Some keys have their serial number behind them.
static bool has_same_number(const struct pl_check_key *key, const struct pl_epc *epc, bool key_alone)
{
    const struct pl_slice number = pl_slice_cstr(epc->key);
    if (key->kind == PL_KEY_ITEM)
        return same_key(key, &(const struct pl_check_key){.digits = number, .kind = PL_KEY_ITEM});
    const struct pl_slice rest = pl_slice_sub(key->digits, number.len, key->digits.len);
    return pl_slice_eq(pl_slice_sub(key->digits, 0, number.len), number) &&
           (key_alone || rest.len == 0 || pl_slice_eq(rest, pl_slice_cstr(epc->serial)));
}

// The serial number that is not the tag's: the key's own, or that of a symbol without a key, where none is the tag's.
static const struct pl_check_key *find_other_serial(const struct pl_check_keys *keys, const struct pl_check_key *key,
                                                    const struct pl_epc *epc)
{
    const struct pl_slice serial = pl_slice_cstr(epc->serial);
    const struct pl_check_key *other = NULL;
    const char *ai = serial_of(epc->ai);
    if (key->serial.len)
        return pl_slice_eq(key->serial, serial) ? NULL : key;
    for (uint32_t i = 0; ai && i < keys->count; i++) {
        const struct pl_check_key *k = &keys->items[i];
        if (!k->ai || strcmp(k->ai, ai) != 0)
            continue;
        if (pl_slice_eq(k->digits, serial))
            return NULL;
        other = k;
    }
    return other;
}

// One symbol that has all of the tag's number is enough. A key without serial number says nothing of another symbol
// that has the key with another serial number.
static const struct pl_check_key *find_other(const struct pl_check_keys *keys, const struct pl_epc *epc, bool key_alone)
{
    const struct pl_check_key *other = NULL, *conflict = NULL;
    bool agreed = false;
    for (uint32_t i = 0; i < keys->count; i++) {
        const struct pl_check_key *key = &keys->items[i];
        if (!is_of(key, epc))
            continue;
        const bool same = has_same_number(key, epc, key_alone);
        const struct pl_check_key *serial = same && !key_alone ? find_other_serial(keys, key, epc) : NULL;
        const bool whole = key->serial.len || !epc->serial[0] || key->digits.len > strlen(epc->key);
        if (same && !serial && (whole || key_alone))
            return NULL;
        if (same && !serial)
            agreed = true;
        else if (serial || has_same_number(key, epc, true))
            conflict = serial ? serial : key;
        else
            other = key;
    }
    return conflict ? conflict : agreed ? NULL : other;
}

// Digits that are lost or too many; data of another kind may begin with the same byte by chance.
static void tell_length(const struct pl_check_run *run, const struct pl_tag *tag, const uint8_t *bytes,
                        const struct pl_epc *epc)
{
    enum { DIGITS_LEAST = 16 };
    bool text = true;
    for (size_t i = 0; i < tag->hex.len / 2 && i < PL_EPC_BYTES; i++)
        text = text && bytes[i] >= ' ' && bytes[i] <= '~';
    const bool meant = tag->hex.len >= DIGITS_LEAST && !text;
    struct pl_diag *d =
        pl_diag_add(&run->page->diags, meant ? PL_DIAG_GS1_VALUE : PL_DIAG_NOT_COMPARED, tag->source, 0,
                    "^RF: the tag's EPC begins as one of the scheme %s, which has %u bits, but there are %zu: it is "
                    "not compared with the barcodes.",
                    epc->scheme, epc->bits, tag->hex.len * 4);
    if (d && meant)
        d->severity = PL_SEV_WARNING;
}

static void check_tag(const struct pl_check_run *run, const struct pl_tag *tag, const struct pl_check_keys *keys)
{
    uint8_t bytes[PL_EPC_BYTES];
    struct pl_epc epc;
    struct pl_diags *diags = &run->page->diags;
    diags->element = -1;
    if (tag->empty) {
        struct pl_diag *d = pl_diag_add(diags, PL_DIAG_FIELD_EMPTY, tag->source, 0,
                                        "^RF: no data is given for the tag: it is not written.");
        if (d)
            d->severity = PL_SEV_WARNING; // what is printed is whole
        return;
    }
    if (!read_hex(tag->hex, bytes)) {
        pl_diag_add(diags, PL_DIAG_GS1_VALUE, tag->source, 0,
                    "^RF: the tag's data has a character that is no hexadecimal digit.");
        return;
    }
    const enum pl_epc_state state = pl_epc_read(bytes, tag->hex.len * 4, &epc);
    if (state == PL_EPC_OTHER)
        return;
    if (state == PL_EPC_LENGTH) {
        tell_length(run, tag, bytes, &epc);
        return;
    }
    if (epc.problem) {
        pl_diag_add(diags, PL_DIAG_GS1_VALUE, tag->source, 0, "^RF: the tag's EPC is no %s: %s.", epc.scheme,
                    epc.problem);
        return;
    }
    if (state != PL_EPC_READ)
        pl_diag_add(diags, PL_DIAG_NOT_COMPARED, tag->source, 0,
                    "^RF: the tag's EPC is of the scheme %s: %s is not compared with the barcodes.", epc.scheme,
                    state == PL_EPC_KEY_READ ? "what stands behind its key" : "it");
    const struct pl_check_key *other =
        state == PL_EPC_NOT_DECODED ? NULL : find_other(keys, &epc, state == PL_EPC_KEY_READ);
    if (!other)
        return;
    const struct platen_element *e = &run->page->elements[other->index];
    const bool serial = other->ai && !is_of(other, &epc);
    pl_diag_add(diags, PL_DIAG_KEYS_DIFFER, tag->source, 0,
                "^RF: the tag gets the %s (%s)%s%s%s, but the barcode at %d,%d has %s%.*s%s%.*s.", epc.scheme, epc.ai,
                epc.key, epc.serial[0] ? " with serial number " : "", epc.serial, e->x, e->y,
                serial ? "serial number " : "", (int)PL_MIN(other->digits.len, (size_t)40),
                (const char *)other->digits.ptr, other->serial.len ? " with serial number " : "",
                (int)PL_MIN(other->serial.len, (size_t)20), other->serial.len ? (const char *)other->serial.ptr : "");
}

void pl_check_tags(const struct pl_check_run *run, const struct pl_check_keys *keys)
{
    const struct pl_tag *tag = run->document->scene.labels[run->page->label].tags;
    for (int i = 0; tag && i < TAGS_MOST; i++, tag = tag->next)
        check_tag(run, tag, keys);
}
