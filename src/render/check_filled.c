// What programs leave in data that was never meant for a label: see check/unfilled.h; addresses that lead nowhere, text
// that was encoded twice, and names of control characters.
#include "base/ckd.h"
#include "base/job.h"
#include "check/unfilled.h"
#include "render/checks.h"

enum { SHOWN_MOST = 40 };

static bool warn(const struct pl_check_run *run, uint32_t index, const char *what, struct pl_slice part,
                 const char *more)
{
    const struct pl_element *e = run->page->drawn.reports[index].element;
    size_t shown = PL_MIN(part.len, (size_t)SHOWN_MOST);
    while (shown > 0 && shown < part.len && (part.ptr[shown] & 0xC0) == 0x80) // not half a letter
        shown--;
    struct pl_diag *d = pl_check_find(run, index, PL_DIAG_FIELD_UNBOUND, pl_element_data_source(e), 0, "%s %.*s%s.",
                                      what, (int)shown, part.len ? (const char *)part.ptr : "", more);
    if (d)
        d->severity = PL_SEV_WARNING;
    return true;
}

// An address of the web that leads nowhere, or nowhere but on the machine that made it. True: there was a finding.
static bool check_address(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    static const char *const own[] = {"localhost", "127.0.0.1", "0.0.0.0", "[::1]"};
    const uint8_t *sign = data.len ? memmem(data.ptr, data.len, "://", 3) : NULL;
    if (!sign)
        return false;
    if (data.ptr[0] == ' ' && pl_slice_has_at(pl_slice_trim(data), 0, "http"))
        return warn(run, index, "The address in the barcode has blanks before", pl_slice_sub(pl_slice_trim(data), 0, 8),
                    ": scanners take it for text");
    const size_t host = (size_t)(sign - data.ptr) + 3, scheme = host - 3;
    size_t letters = 0, end = data.len;
    while (letters < scheme && data.ptr[letters] && strchr("htps", data.ptr[letters]))
        letters++;
    const struct pl_slice whole = pl_slice_sub(data, 0, host);
    const bool web = pl_slice_has_at(data, 0, "http://") || pl_slice_has_at(data, 0, "https://");
    // Its first letters are lost with a wrong start of a QR Code, which is told.
    const bool lost =
        pl_slice_has_at(data, 0, "ttps:") || pl_slice_has_at(data, 0, "ttp:") || pl_slice_has_at(data, 0, "tps:");
    if (!web && !lost && letters == scheme && scheme > 2 && scheme < 7)
        return warn(run, index, "The address in the barcode begins with", whole, ", which is no way into the web");
    if (!web)
        return false;
    if (host == data.len || data.ptr[host] == '/')
        return warn(run, index, "The address in the barcode has no host behind", whole, "");
    if (pl_slice_has_at(data, host, "http://") || pl_slice_has_at(data, host, "https://"))
        return warn(run, index, "The address in the barcode has twice", whole, "");
    const size_t length = pl_slice_word_at(data, host, own, PL_COUNTOF(own));
    if (length && (host + length == end || memchr(":/?", data.ptr[host + length], 3)))
        return warn(run, index, "The address in the barcode leads to", pl_slice_sub(data, host, length),
                    ", which is another machine wherever it is scanned");
    // Base64 may end with the same sign.
    size_t name = --end;
    while (name > host && (pl_is_letter(data.ptr[name - 1]) || data.ptr[name - 1] == '_'))
        name--;
    if (data.ptr[end] == '=' && name < end && (data.ptr[name - 1] == '?' || data.ptr[name - 1] == '&'))
        return warn(run, index, "The address in the barcode has nothing behind",
                    pl_slice_sub(data, name, end + 1 - name), "");
    return false;
}

// True: there was a finding.
static bool check_value(const struct pl_check_run *run, uint32_t index, struct pl_slice data, bool barcode)
{
    const struct pl_slice found = pl_unfilled_find(data, barcode);
    if (found.len == 0)
        return false;
    return warn(run, index, barcode ? "The barcode has" : "The text has", found, " in place of its data");
}

// UTF-8 that was taken for another character set and encoded again, of letters with accents (Ã¶), of signs (Â°) and of
// quotation marks (â€™); and what programs write for bytes that they could not read.
static void check_encoded_twice(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    static const char *const twice[] = {"\xC3\x83\xC2", "\xC3\x82\xC2", "\xC3\xA2\xE2\x82\xAC", "\xC3\x83\xC5",
                                        "\xC3\x83\xE2\x80"};
    static const char lost[] = "\xEF\xBF\xBD";
    size_t found = 0;
    while (found < PL_COUNTOF(twice) && !pl_slice_has(data, twice[found]))
        found++;
    const struct pl_source source = pl_element_data_source(run->page->drawn.reports[index].element);
    // Reading bytes that mean nothing gives the same sign, and is told.
    const bool replaced = found == PL_COUNTOF(twice) && pl_slice_has(data, lost) &&
                          source.offset <= run->document->input.len &&
                          pl_slice_has(pl_slice_sub(run->document->input, source.offset, source.length), lost);
    if (found == PL_COUNTOF(twice) && !replaced)
        return;
    struct pl_diag *d =
        pl_check_find(run, index, PL_DIAG_CHARSET_SUSPECT, source, 0, "%s",
                      replaced ? "The data has the sign U+FFFD, which programs write for a letter that they could not "
                                 "read."
                               : "The data looks like UTF-8 that was encoded twice: each letter with an accent prints "
                                 "as two or three wrong ones.");
    if (d)
        d->severity = PL_SEV_WARNING;
}

// Signs that nobody sees, from a text processor or a web page: a mark of the order of bytes, blanks without width.
static void check_invisible(const struct pl_check_run *run, uint32_t index, struct pl_slice data)
{
    static const char *const signs[] = {"\xEF\xBB\xBF", "\xE2\x80\x8B", "\xE2\x80\x8C", "\xE2\x80\x8D", "\xC2\xA0"};
    static const char *const names[] = {"U+FEFF", "U+200B", "U+200C", "U+200D", "U+00A0"};
    for (size_t i = 0; i < PL_COUNTOF(signs); i++) {
        if (!pl_slice_has(data, signs[i]))
            continue;
        struct pl_diag *d = pl_check_find(
            run, index, PL_DIAG_CHARSET_SUSPECT, pl_element_data_source(run->page->drawn.reports[index].element), 0,
            "The barcode has the sign %s, which nobody sees and every scanner sends.", names[i]);
        if (d)
            d->severity = PL_SEV_WARNING;
        return;
    }
}

// The names of separators, written out; and a message of ISO/IEC 15434, whose "[)>" no RS follows: the escapes of ^FH
// without ^FH, mostly.
static void check_separators(const struct pl_check_run *run, uint32_t index, struct pl_slice data, bool gs1)
{
    enum { RS = 0x1E };
    static const char *const names[] = {"<GS>",  "<FNC1>",  "<RS>",    "<EOT>", "{GS}",    "{FNC1}",   "[GS]",
                                        "\\x1d", "\\u001d", "\\u001D", "\\x1D", "CHR(29)", "CHAR(29)", "Chr(29)"};
    const struct pl_element *e = run->page->drawn.reports[index].element;
    if (pl_slice_has_at(data, 0, "[)>") && !(data.len > 3 && data.ptr[3] == RS)) {
        const bool escaped = pl_slice_has_at(data, 3, "_1E") || pl_slice_has_at(data, 3, "_1e");
        struct pl_diag *d = pl_check_find(
            run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, e, data, PL_MIN((size_t)3, data.len - 1)), 0,
            "The data begins with \"[)>\", and no RS (1E) follows: a receiver finds no message in it.%s",
            escaped ? " Write ^FH before the data." : "");
        if (d && !escaped)
            d->severity = PL_SEV_WARNING;
        return;
    }
    const bool is_markup = pl_slice_has(data, "</");
    for (size_t at = 0; at < data.len && !is_markup; at++) {
        size_t length = pl_slice_word_at(data, at, names, PL_COUNTOF(names));
        length = !length && gs1 && (pl_slice_has_at(data, at, "%1D") || pl_slice_has_at(data, at, "%1d")) ? 3 : length;
        if (!length)
            continue;
        pl_check_find(run, index, PL_DIAG_GS1_SYNTAX, pl_check_place(run, e, data, at), 0,
                      "'%.*s' is encoded as %zu characters: no scanner takes it for a separator.", (int)length,
                      (const char *)data.ptr + at, length);
        return;
    }
}

void pl_check_filled(const struct pl_check_run *run, uint32_t index, const struct pl_symbol_data *data)
{
    const struct pl_slice written = data->written;
    const struct pl_element *e = run->page->drawn.reports[index].element;
    if (check_value(run, index, written, true) || check_address(run, index, written))
        return;
    const size_t twice = pl_unfilled_twice(written);
    if (twice)
        warn(run, index, "The barcode has its data twice:", pl_slice_sub(written, 0, twice), "");
    if (written.len && pl_slice_trim(written).len == 0) {
        struct pl_diag *d = pl_check_find(run, index, PL_DIAG_FIELD_EMPTY, pl_element_data_source(e), 0,
                                          "The barcode has nothing but blanks.");
        if (d)
            d->severity = PL_SEV_WARNING;
    }
    check_encoded_twice(run, index, written);
    check_invisible(run, index, written);
    check_separators(run, index, written, data->gs1);
}

enum pl_errc pl_check_filled_texts(const struct pl_check_run *run)
{
    for (uint32_t i = 0; i < run->page->drawn.report_count; i++) {
        const struct platen_element *e = &run->page->elements[i];
        PL_TRY(pl_job_check(&run->document->job, run->err));
        if (e->type != PLATEN_TEXT || e->data_size == 0)
            continue;
        const struct pl_slice data = pl_slice_make(e->data, e->data_size);
        check_value(run, i, data, false);
        check_encoded_twice(run, i, data);
    }
    return PL_OK;
}
