// zxing-cpp behind a C interface: the only file that includes its headers. No exception leaves it.
//
// A crash inside the library cannot be ruled out by this file. What it can do: the input is bounded, it is nothing but
// black and white dots, and one format is asked for at a time. In the service this runs in a renderer: a confined
// process of its own, which the keeper replaces (SECURITY.md).
#define ZX_USE_UTF8 1
#include "check/read_zxing.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>

#include <ReadBarcode.h>
#include <ZXVersion.h>

namespace {

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

} // namespace

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
