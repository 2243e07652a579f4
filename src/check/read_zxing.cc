// zxing-cpp behind a C interface: the only file that includes its headers. No exception leaves it.
//
// A crash inside the library cannot be ruled out by this file. What it can do: the input is bounded, it is nothing but
// black and white dots, and one format is asked for at a time. In the service this runs in a renderer: a confined
// process of its own, which the keeper replaces (SECURITY.md).
#define ZX_USE_UTF8 1
#include "check/read_zxing.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include <ReadBarcode.h>
#include <ZXVersion.h>

namespace
{

using ZXing::BarcodeFormat;

// zxing-cpp throws through std::call_once. The first time that happens, glibc loads its unwinder, and aborts if there
// is no memory for that. So it happens once when the library is loaded.
const bool unwinder_is_loaded = [] {
    std::once_flag once;
    try {
        std::call_once(once, [] { throw 0; });
    } catch (int) {
        return true;
    }
    return false;
}();

struct format_row {
    uint32_t ours;
    BarcodeFormat theirs;
};

constexpr format_row formats[] = {
    {PL_ZXING_AZTEC, BarcodeFormat::Aztec},
    {PL_ZXING_CODABAR, BarcodeFormat::Codabar},
    {PL_ZXING_CODE39, BarcodeFormat::Code39},
    {PL_ZXING_CODE93, BarcodeFormat::Code93},
    {PL_ZXING_CODE128, BarcodeFormat::Code128},
    {PL_ZXING_DATABAR, BarcodeFormat::DataBar},
    {PL_ZXING_DATABAR_EXPANDED, BarcodeFormat::DataBarExpanded},
    {PL_ZXING_DATAMATRIX, BarcodeFormat::DataMatrix},
    {PL_ZXING_EAN8, BarcodeFormat::EAN8},
    {PL_ZXING_EAN13, BarcodeFormat::EAN13},
    {PL_ZXING_ITF, BarcodeFormat::ITF},
    {PL_ZXING_MAXICODE, BarcodeFormat::MaxiCode},
    {PL_ZXING_PDF417, BarcodeFormat::PDF417},
    {PL_ZXING_QR, BarcodeFormat::QRCode},
    {PL_ZXING_UPCA, BarcodeFormat::UPCA},
    {PL_ZXING_UPCE, BarcodeFormat::UPCE},
};

ZXing::BarcodeFormats formats_of(uint32_t ours)
{
    ZXing::BarcodeFormats out;
    for (const format_row &row : formats)
        if (ours & row.ours)
            out |= row.theirs;
    return out;
}

// Dots as bytes: 0 is ink, 255 is paper.
void unpack_row(const uint64_t *words, uint32_t width, uint8_t *out)
{
    uint32_t x = 0;
    for (; x + 64 <= width; x += 64) {
        uint64_t word = words[x / 64];
        if (word == 0) {
            std::memset(out + x, 255, 64);
            continue;
        }
        for (uint32_t i = 0; i < 64; i++)
            out[x + i] = static_cast<uint8_t>((word >> (63 - i) & 1) - 1);
    }
    for (; x < width; x++)
        out[x] = static_cast<uint8_t>((words[x / 64] >> (63 - x % 64) & 1) - 1);
}

pl_zxing_status take(const ZXing::Result &found, pl_zxing_result *result)
{
    const ZXing::ByteArray &bytes = found.bytes();
    if (bytes.size() > result->capacity)
        return PL_ZXING_TOO_LARGE;
    if (!bytes.empty())
        std::memcpy(result->data, bytes.data(), bytes.size());
    result->length = static_cast<uint32_t>(bytes.size());
    result->gs1 = found.contentType() == ZXing::ContentType::GS1;
    const ZXing::Position &place = found.position();
    auto [left, right] = std::minmax({place[0].x, place[1].x, place[2].x, place[3].x});
    auto [top, bottom] = std::minmax({place[0].y, place[1].y, place[2].y, place[3].y});
    result->x0 = left;
    result->x1 = right + 1;
    result->y0 = top;
    result->y1 = bottom + 1;
    return PL_ZXING_READ;
}

// A picture of grey, 0 black.
struct picture {
    std::vector<uint8_t> dots;
    uint32_t width, height;
};

// Squares of `step` dots as one pixel each.
picture shrink(const pl_zxing_job *job, uint32_t step)
{
    picture out{{}, (job->width + step - 1) / step, (job->height + step - 1) / step};
    std::vector<uint8_t> row(job->width);
    std::vector<uint32_t> sums(out.width);
    out.dots.resize(static_cast<size_t>(out.width) * out.height);
    for (uint32_t v = 0; v < out.height; v++) {
        std::fill(sums.begin(), sums.end(), 0);
        for (uint32_t i = 0; i < step; i++) {
            const uint32_t y = v * step + i;
            if (y < job->height)
                unpack_row(job->words + static_cast<size_t>(y) * job->stride, job->width, row.data());
            else
                std::fill(row.begin(), row.end(), uint8_t{255});
            for (uint32_t x = 0; x < out.width * step; x++)
                sums[x / step] += x < job->width ? row[x] : 255;
        }
        for (uint32_t u = 0; u < out.width; u++)
            out.dots[static_cast<size_t>(v) * out.width + u] = static_cast<uint8_t>(sums[u] / (step * step));
    }
    return out;
}

// Weights 1 2 1, across and down: a lens.
void blur(picture &p)
{
    std::vector<uint8_t> before(p.dots);
    auto at = [&](uint32_t x, uint32_t y) -> uint32_t { return before[static_cast<size_t>(y) * p.width + x]; };
    for (uint32_t y = 1; y + 1 < p.height; y++)
        for (uint32_t x = 1; x + 1 < p.width; x++)
            p.dots[static_cast<size_t>(y) * p.width + x] = static_cast<uint8_t>(
                (at(x - 1, y - 1) + 2 * at(x, y - 1) + at(x + 1, y - 1) + 2 * at(x - 1, y) + 4 * at(x, y) +
                 2 * at(x + 1, y) + at(x - 1, y + 1) + 2 * at(x, y + 1) + at(x + 1, y + 1)) /
                16);
}

// How often 1:1:3:1:1 is found in every third row: zxing tries all triples of them.
uint32_t count_finders(const picture &p)
{
    uint32_t count = 0;
    for (uint32_t y = 0; y < p.height; y += 3) {
        uint32_t runs[5] = {0, 0, 0, 0, 0}, run = 0;
        bool dark = false;
        for (uint32_t x = 0; x <= p.width; x++) {
            const bool now = x < p.width && p.dots[static_cast<size_t>(y) * p.width + x] < 128;
            if (now == dark && x < p.width) {
                run++;
                continue;
            }
            std::memmove(runs, runs + 1, sizeof runs - sizeof *runs);
            runs[4] = run;
            const uint32_t unit = runs[0] + runs[1] + runs[3] + runs[4];
            count += dark && unit >= 4 && runs[2] * 4 > unit * 2 && runs[2] * 4 < unit * 4 &&
                     std::max({runs[0], runs[1], runs[3], runs[4]}) * 4 <= unit * 2;
            run = 1;
            dark = now;
        }
    }
    return count;
}

// As much as the largest symbol holds.
constexpr size_t PL_ZXING_MAX_DATA = 8192;
constexpr uint32_t SEEN_SIDE_MAX = 1024, FINDERS_MAX = 600;

pl_zxing_status see(const picture &p, ZXing::Binarizer threshold, const pl_zxing_job *job, pl_zxing_result *result)
{
    if (count_finders(p) > FINDERS_MAX)
        return PL_ZXING_ABSENT;
    ZXing::ImageView view(p.dots.data(), static_cast<int>(p.width), static_cast<int>(p.height),
                          ZXing::ImageFormat::Lum);
    ZXing::DecodeHints hints;
    hints.setFormats(formats_of(job->formats))
        .setBinarizer(threshold)
        .setTryHarder(true)
        .setTryRotate((job->formats & (PL_ZXING_DATAMATRIX | PL_ZXING_AZTEC)) != 0)
        .setTryDownscale(false)
        .setMinLineCount(1)
        .setMaxNumberOfSymbols(1)
        .setReturnCodabarStartEnd(true)
        .setEanAddOnSymbol(ZXing::EanAddOnSymbol::Ignore);
    ZXing::Result found = ZXing::ReadBarcode(view, hints);
    return found.isValid() ? take(found, result) : PL_ZXING_NOT_FOUND;
}

// Each pixel as a square of two by two.
picture enlarge(const picture &p)
{
    picture out{{}, p.width * 2, p.height * 2};
    out.dots.resize(static_cast<size_t>(out.width) * out.height);
    for (uint32_t y = 0; y < out.height; y++)
        for (uint32_t x = 0; x < out.width; x++)
            out.dots[static_cast<size_t>(y) * out.width + x] = p.dots[static_cast<size_t>(y / 2) * p.width + x / 2];
    return out;
}

// Scanners differ in lens, distance and threshold: one that reads it is enough.
pl_zxing_status see_at(const pl_zxing_job *job, uint32_t step, pl_zxing_result *result)
{
    if (job->width / step > SEEN_SIDE_MAX || job->height / step > SEEN_SIDE_MAX)
        return PL_ZXING_ABSENT;
    picture p = shrink(job, step);
    pl_zxing_status status = see(p, ZXing::Binarizer::LocalAverage, job, result);
    if (status == PL_ZXING_READ || job->module < 2)
        return status;
    picture large = enlarge(p);
    blur(p);
    status = std::min(status, see(p, ZXing::Binarizer::LocalAverage, job, result));
    if (status == PL_ZXING_READ || large.width > SEEN_SIDE_MAX || large.height > SEEN_SIDE_MAX)
        return status;
    blur(large);
    return std::min(status, see(large, ZXing::Binarizer::LocalAverage, job, result));
}

} // namespace

extern "C" pl_zxing_status pl_zxing_see(const pl_zxing_job *job, pl_zxing_result *result)
{
    result->length = 0;
    // Never a QR Code: that detector of zxing 1.4 ends the program by an assertion on damaged ones.
    if (job->formats == 0 || job->formats & PL_ZXING_QR || job->width == 0 || job->height == 0)
        return PL_ZXING_ABSENT;
    try {
        const uint32_t far = std::max(job->module / 3, 1u), farther = std::max(job->module / 2, 2u);
        pl_zxing_status status = see_at(job, far, result);
        if (status != PL_ZXING_READ && far > 1)
            status = std::min(status, see_at(job, 1, result));
        if (status != PL_ZXING_READ && farther > far && job->module >= 2)
            status = std::min(status, see_at(job, farther, result));
        return status;
    } catch (const std::bad_alloc &) {
        result->length = 0;
        return PL_ZXING_FAILED;
    } catch (...) {
        result->length = 0;
        return PL_ZXING_NOT_FOUND;
    }
}

extern "C" bool pl_zxing_present(void)
{
    return true;
}

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

extern "C" const char *pl_zxing_version(void)
{
    return TEXT(ZXING_VERSION_MAJOR) "." TEXT(ZXING_VERSION_MINOR) "." TEXT(ZXING_VERSION_PATCH);
}

extern "C" pl_zxing_status pl_zxing_read(const pl_zxing_job *job, pl_zxing_result *result)
{
    result->length = 0;
    result->gs1 = false;
    result->x0 = result->y0 = result->x1 = result->y1 = 0;
    if (job->formats == 0 || job->width == 0 || job->height == 0)
        return PL_ZXING_NOT_FOUND;
    if (job->width > PL_ZXING_MAX_SIDE || job->height > PL_ZXING_MAX_SIDE ||
        static_cast<uint64_t>(job->width) * job->height > PL_ZXING_MAX_DOTS)
        return PL_ZXING_TOO_LARGE;
    try {
        const size_t size = static_cast<size_t>(job->width) * job->height;
        std::unique_ptr<uint8_t[]> dots(new uint8_t[size]);
        for (uint32_t y = 0; y < job->height; y++)
            unpack_row(job->words + static_cast<size_t>(y) * job->stride, job->width,
                       dots.get() + static_cast<size_t>(y) * job->width);
        ZXing::ImageView view(dots.get(), static_cast<int>(job->width), static_cast<int>(job->height),
                              ZXing::ImageFormat::Lum);
        ZXing::DecodeHints hints;
        hints.setFormats(formats_of(job->formats))
            .setBinarizer(ZXing::Binarizer::BoolCast)
            .setTryHarder(!job->pure)
            .setTryRotate(false)
            .setTryDownscale(false)
            .setIsPure(job->pure)
            .setMinLineCount(1)
            .setMaxNumberOfSymbols(1)
            .setReturnCodabarStartEnd(true)
            .setEanAddOnSymbol(ZXing::EanAddOnSymbol::Ignore);
        ZXing::Result found = ZXing::ReadBarcode(view, hints);
        return found.isValid() ? take(found, result) : PL_ZXING_NOT_FOUND;
    } catch (const std::bad_alloc &) {
        result->length = 0;
        return PL_ZXING_FAILED;
    } catch (...) {
        // Checks of its own that fail, as for a corner outside of the picture: it read nothing.
        result->length = 0;
        return PL_ZXING_NOT_FOUND;
    }
}

namespace
{

constexpr size_t FOUND_MOST = 16;

bool is_linear(BarcodeFormat format)
{
    return ZXing::BarcodeFormats(BarcodeFormat::LinearCodes).testFlag(format);
}

// A part of a picture.
struct area {
    int32_t x0, y0, x1, y1;
};

// Rows of dots across the bars of a linear symbol.
struct bar_rows {
    const picture &p;
    area a; // where lines of it were read
    bool upright;

    uint8_t dot(int32_t row, int32_t i) const
    {
        const int32_t x = upright ? i : row, y = upright ? row : i;
        return p.dots[static_cast<size_t>(y) * p.width + static_cast<size_t>(x)];
    }
    int32_t from() const
    {
        return upright ? a.x0 : a.y0;
    }
    int32_t to() const
    {
        return upright ? a.x1 : a.y1;
    }
    int32_t most() const
    {
        return static_cast<int32_t>(upright ? p.height : p.width);
    }
    // How many dots of the rows differ.
    int32_t others(int32_t row, int32_t than) const
    {
        int32_t n = 0;
        for (int32_t i = from(); i < to(); i++)
            n += dot(row, i) != dot(than, i);
        return n;
    }
    int32_t ink(int32_t row) const
    {
        int32_t n = 0;
        for (int32_t i = from(); i < to(); i++)
            n += dot(row, i) == 0;
        return n;
    }
};

// The bars of a symbol: their place, how many rows are as those that were read, and how many are there, with those of
// what lies over the bars.
struct bars {
    area place;
    int32_t same, all;
};

// From a row that was read on: rows that are the same but for rounding, and others up to half of the symbol's length,
// if the same ones follow; then what has nearly as much ink as bars.
int32_t follow(const bar_rows &rows, int32_t from, int32_t step, bars &out)
{
    const int32_t length = rows.to() - rows.from(), far = length / 2, dense = rows.ink(from) * 6 / 10;
    int32_t last = from, row = from + step;
    for (; row >= 0 && row < rows.most() && std::abs(row - last) <= far; row += step)
        if (rows.others(row, last) * 8 <= length || rows.others(row, from) * 4 <= length) {
            out.same++;
            last = row;
        }
    for (row = last + step; row >= 0 && row < rows.most() && rows.ink(row) >= dense;)
        row += step;
    out.all += std::abs(row - from) - 1;
    return last;
}

// How often the row changes between ink and paper.
int32_t changes(const bar_rows &rows)
{
    const int32_t row = rows.upright ? (rows.a.y0 + rows.a.y1) / 2 : (rows.a.x0 + rows.a.x1) / 2;
    int32_t n = 0;
    for (int32_t i = rows.from() + 1; i < rows.to(); i++)
        n += rows.dot(row, i) != rows.dot(row, i - 1);
    return n;
}

bars bars_of(const picture &p, const ZXing::Position &place)
{
    auto [left, right] = std::minmax({place[0].x, place[1].x, place[2].x, place[3].x});
    auto [top, bottom] = std::minmax({place[0].y, place[1].y, place[2].y, place[3].y});
    const int32_t width = static_cast<int32_t>(p.width), height = static_cast<int32_t>(p.height);
    const area lines{std::clamp(left, 0, width - 1), std::clamp(top, 0, height - 1), std::clamp(right + 1, 1, width),
                     std::clamp(bottom + 1, 1, height)};
    const bool upright = std::abs(place[1].x - place[0].x) >= std::abs(place[1].y - place[0].y);
    // Of a symbol that is turned, zxing 1.4 gives the place upside down.
    const area turned{lines.x0, height - lines.y1, lines.x1, height - lines.y0};
    const bool other = !upright && changes({p, turned, upright}) > changes({p, lines, upright});
    const bar_rows rows{p, other ? turned : lines, upright};
    bars out{rows.a, 1, 1};
    const int32_t middle = upright ? (rows.a.y0 + rows.a.y1) / 2 : (rows.a.x0 + rows.a.x1) / 2;
    const int32_t from = follow(rows, middle, -1, out), to = follow(rows, middle, 1, out) + 1;
    (upright ? out.place.y0 : out.place.x0) = from;
    (upright ? out.place.y1 : out.place.x1) = to;
    return out;
}

void erase(picture &p, const area &a)
{
    for (int32_t y = a.y0; y < a.y1; y++)
        std::fill_n(p.dots.begin() + static_cast<ptrdiff_t>(y) * p.width + a.x0, a.x1 - a.x0, uint8_t{255});
}

// False: the caller wants no more of them.
bool tell(const ZXing::Result &one, const bars *found_bars, std::vector<uint8_t> &data, pl_zxing_found *found,
          void *context)
{
    pl_zxing_result result{};
    result.data = data.data();
    result.capacity = static_cast<uint32_t>(data.size());
    if (take(one, &result) != PL_ZXING_READ)
        return true;
    if (found_bars) {
        result.x0 = found_bars->place.x0;
        result.y0 = found_bars->place.y0;
        result.x1 = found_bars->place.x1;
        result.y1 = found_bars->place.y1;
        result.rows = static_cast<uint32_t>(found_bars->all);
        result.rows_same = static_cast<uint32_t>(found_bars->same);
    }
    for (const format_row &row : formats)
        result.format |= row.theirs == one.format() ? row.ours : 0;
    return found(context, &result);
}

// zxing 1.4 ends the program by an assertion where it finds a linear symbol twice in one picture: it is asked for one
// at a time, which is then erased.
pl_zxing_status find_linear(picture &p, ZXing::DecodeHints hints, pl_zxing_found *found, void *context)
{
    ZXing::ImageView view(p.dots.data(), static_cast<int>(p.width), static_cast<int>(p.height),
                          ZXing::ImageFormat::Lum);
    std::vector<uint8_t> data(PL_ZXING_MAX_DATA);
    pl_zxing_status status = PL_ZXING_NOT_FOUND;
    hints.setMaxNumberOfSymbols(1);
    for (size_t tries = 0; tries < FOUND_MOST; tries++) {
        const ZXing::Result one = ZXing::ReadBarcode(view, hints);
        if (!one.isValid() || !is_linear(one.format()))
            break;
        const bars b = bars_of(p, one.position());
        erase(p, b.place);
        status = PL_ZXING_READ;
        if (!tell(one, &b, data, found, context))
            break;
    }
    return status;
}

pl_zxing_status find_others(const picture &p, ZXing::DecodeHints hints, pl_zxing_found *found, void *context)
{
    ZXing::ImageView view(p.dots.data(), static_cast<int>(p.width), static_cast<int>(p.height),
                          ZXing::ImageFormat::Lum);
    std::vector<uint8_t> data(PL_ZXING_MAX_DATA);
    pl_zxing_status status = PL_ZXING_NOT_FOUND;
    hints.setMaxNumberOfSymbols(FOUND_MOST);
    for (const ZXing::Result &one : ZXing::ReadBarcodes(view, hints)) {
        if (!one.isValid())
            continue;
        status = PL_ZXING_READ;
        if (!tell(one, nullptr, data, found, context))
            break;
    }
    return status;
}

} // namespace

extern "C" pl_zxing_status pl_zxing_find(const pl_zxing_job *job, pl_zxing_found *found, void *context)
{
    constexpr uint32_t NEVER = PL_ZXING_QR | PL_ZXING_PDF417 | PL_ZXING_DATABAR | PL_ZXING_DATABAR_EXPANDED;
    constexpr uint32_t MATRIX = PL_ZXING_AZTEC | PL_ZXING_DATAMATRIX | PL_ZXING_MAXICODE;
    const uint32_t wanted = job->formats & ~NEVER;
    if (wanted == 0 || job->width == 0 || job->height == 0)
        return PL_ZXING_NOT_FOUND;
    if (job->width > PL_ZXING_MAX_SIDE || job->height > PL_ZXING_MAX_SIDE ||
        static_cast<uint64_t>(job->width) * job->height > PL_ZXING_MAX_DOTS)
        return PL_ZXING_TOO_LARGE;
    try {
        picture p = shrink(job, 1);
        ZXing::DecodeHints hints;
        hints.setBinarizer(ZXing::Binarizer::BoolCast)
            .setTryHarder(true)
            .setTryRotate(!job->pure)
            .setTryDownscale(false)
            .setIsPure(job->pure)
            .setMinLineCount(3)
            .setReturnCodabarStartEnd(true)
            .setEanAddOnSymbol(ZXing::EanAddOnSymbol::Ignore);
        pl_zxing_status status = PL_ZXING_NOT_FOUND;
        if (wanted & MATRIX)
            status = find_others(p, ZXing::DecodeHints(hints).setFormats(formats_of(wanted & MATRIX)), found, context);
        if (wanted & ~MATRIX)
            status = std::min(status, find_linear(p, ZXing::DecodeHints(hints).setFormats(formats_of(wanted & ~MATRIX)),
                                                  found, context));
        return status;
    } catch (const std::bad_alloc &) {
        return PL_ZXING_FAILED;
    } catch (...) {
        return PL_ZXING_NOT_FOUND;
    }
}
