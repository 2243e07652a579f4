// The table of font files for scripts, and loading those that are installed.
#include "font/face/system_fonts.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/ckd.h"
#include "os/files.h"

#define PATH_LONGEST 4096
#define LARGEST_FILE ((uint64_t)256 << 20)

// Bold faces go with font 0. The Chinese and Japanese face lacks Hangul, which has one of its own. Sizes bring the
// capitals to font 0's height; Latin, Greek and Cyrillic are narrowed as well.
static const struct {
    const char *file;
    int16_t height_1000, width_1000;
    bool cjk;
} faces[] = {
    // clang-format off
    {"noto/NotoSans-Bold.ttf", 1040, 760, false},
    {"noto/NotoSansHebrew-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansArabic-Bold.ttf", 900, 900, false},
    {"noto/NotoSansThai-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansDevanagari-Bold.ttf", 950, 850, false},
    {"noto/NotoSansBengali-Bold.ttf", 950, 850, false},
    {"noto/NotoSansGurmukhi-Bold.ttf", 950, 850, false},
    {"noto/NotoSansGujarati-Bold.ttf", 950, 850, false},
    {"noto/NotoSansOriya-Bold.ttf", 950, 850, false},
    {"noto/NotoSansTamil-Bold.ttf", 950, 850, false},
    {"noto/NotoSansTelugu-Bold.ttf", 950, 850, false},
    {"noto/NotoSansKannada-Bold.ttf", 950, 850, false},
    {"noto/NotoSansMalayalam-Bold.ttf", 950, 850, false},
    {"noto/NotoSansSinhala-Bold.ttf", 950, 850, false},
    {"noto/NotoSansLao-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansKhmer-Bold.ttf", 950, 850, false},
    {"noto/NotoSansMyanmar-Bold.ttf", 950, 850, false},
    {"noto/NotoSansGeorgian-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansArmenian-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansEthiopic-Bold.ttf", 1000, 850, false},
    {"noto/NotoSansCherokee-Bold.ttf", 1000, 850, false},
    {"noto/NotoSerifTibetan-Bold.ttf", 900, 850, false},
    {"noto/NotoSansSymbols-Bold.ttf", 1000, 1000, false},
    {"noto/NotoSansSymbols2-Regular.ttf", 1000, 1000, false},
    {"noto/NotoSansMath-Regular.ttf", 1000, 1000, false},
    {"droid/DroidSansFallbackFull.ttf", 920, 1000, true},
    {"nanum/NanumGothicBold.ttf", 920, 1000, false},
    // clang-format on
};

enum pl_errc pl_system_fonts_load(struct pl_fonts *fonts, struct pl_error *err)
{
    bool has_cjk = false;
    for (size_t i = 0; i < PL_COUNTOF(faces) && fonts->fallback_count + 1 < PL_MAX_FALLBACKS; i++) {
        char path[PATH_LONGEST];
        snprintf(path, sizeof path, "%s/%s", pl_os_fonts(), faces[i].file);
        const void *bytes;
        size_t size;
        if (!pl_os_map(path, LARGEST_FILE, &bytes, &size)) {
            if (errno == ENOMEM)
                return pl_fail_memory(err); // it is there: labels would look different without it
            fonts->system_fonts_missing++;
            continue;
        }
        fonts->fallbacks[fonts->fallback_count++] = (struct pl_fallback){
            faces[i].file, pl_slice_make(bytes, size), faces[i].height_1000, faces[i].width_1000, true};
        has_cjk = has_cjk || faces[i].cjk;
    }
    fonts->system_lacks_cjk = !has_cjk;
    return PL_OK;
}

void pl_system_fonts_unload(struct pl_fonts *fonts)
{
    for (uint32_t i = 0; i < fonts->fallback_count; i++)
        if (fonts->fallbacks[i].mapped)
            pl_os_unmap(fonts->fallbacks[i].bytes.ptr, fonts->fallbacks[i].bytes.len);
    fonts->fallback_count = 0;
}

bool pl_system_font_sizes(const char *name, int32_t *height_1000, int32_t *width_1000)
{
    for (size_t i = 0; i < PL_COUNTOF(faces); i++)
        if (strcmp(strchr(faces[i].file, '/') + 1, name) == 0) {
            *height_1000 = faces[i].height_1000;
            *width_1000 = faces[i].width_1000;
            return true;
        }
    return false;
}
