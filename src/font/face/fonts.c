// The fonts of an engine: embedded ones, symbols, and the fallbacks of the system or of a provider.
#include "font/face/fonts.h"

#include <stdlib.h>
#include <string.h>

#include "font/face/embedded.h"
#include "font/face/faces.h"
#include "font/face/font_ft.h"
#include "font/face/font_hb.h"
#include "font/face/sfnt.h"
#include "font/face/system_fonts.h"

static enum pl_errc take_given(struct pl_fonts *fonts, const struct pl_font_provider *provider, struct pl_error *err)
{
    struct pl_given_font font;
    for (uint32_t i = 0; memset(&font, 0, sizeof font), provider->font_at(provider->context, i, &font); i++) {
        if (fonts->fallback_count + 1 == PL_MAX_FALLBACKS)
            return pl_fail(err, PL_E_LIMIT, "the provider has more than %d fonts", PL_MAX_FALLBACKS - 1);
        int32_t height = 1000, width = 1000;
        pl_system_font_sizes(font.name ? font.name : "", &height, &width);
        fonts->fallbacks[fonts->fallback_count++] =
            (struct pl_fallback){.name = font.name,
                                 .bytes = font.bytes,
                                 .height_1000 = font.height_1000 ? font.height_1000 : height,
                                 .width_1000 = font.width_1000 ? font.width_1000 : width};
    }
    return PL_OK;
}

enum pl_errc pl_fonts_new(const struct pl_font_provider *provider, struct pl_fonts **out, struct pl_error *err)
{
    struct pl_fonts *fonts = calloc(1, sizeof *fonts);
    *out = fonts;
    if (!fonts)
        return pl_fail_memory(err);
    for (size_t i = 0; i < PL_BLOB_COUNT; i++)
        fonts->blobs[i] =
            pl_slice_make(pl_embedded_fonts[i].begin, (size_t)(pl_embedded_fonts[i].end - pl_embedded_fonts[i].begin));
    struct pl_ft *ft;
    enum pl_errc code = pl_ft_new(NULL, &ft, err);
    if (code == PL_OK) {
        struct pl_ft_face *face = pl_ft_open(ft, fonts->blobs[PL_BLOB_MONO]);
        if (face)
            pl_symbols_compose(&fonts->symbols, face);
        if (!face || pl_ft_starved(ft) || !pl_hb_prepare(fonts->blobs[PL_BLOB_MONO]))
            code = pl_fail(err, PL_E_MEMORY, "no memory to open the embedded fonts");
        pl_ft_close(face);
        pl_ft_free(ft);
    }
    if (code == PL_OK)
        code = provider ? take_given(fonts, provider, err) : pl_system_fonts_load(fonts, err);
    // Always there: the face of the device fonts has Greek, Cyrillic and many signs.
    fonts->fallbacks[fonts->fallback_count++] =
        (struct pl_fallback){"DejaVuSansMono-Bold.ttf", fonts->blobs[PL_BLOB_MONO_BOLD], 1000, 850, false};
    if (code != PL_OK) {
        pl_fonts_free(fonts);
        *out = NULL;
    }
    return code;
}

enum pl_errc pl_font_check(struct pl_slice bytes, struct pl_error *err)
{
    struct pl_ft *ft;
    PL_TRY(pl_ft_new(NULL, &ft, err));
    struct pl_ft_face *face = pl_sfnt_is_whole(bytes) ? pl_ft_open(ft, bytes) : NULL;
    bool starved = pl_ft_starved(ft), opens = face != NULL;
    pl_ft_close(face);
    pl_ft_free(ft);
    if (starved)
        return pl_fail_memory(err);
    return opens ? PL_OK : pl_fail(err, PL_E_INVALID, "the file is no whole TrueType or OpenType font");
}

void pl_fonts_free(struct pl_fonts *fonts)
{
    if (!fonts)
        return;
    pl_system_fonts_unload(fonts);
    free(fonts);
}

enum pl_errc pl_fonts_unpack(struct pl_slice woff, struct pl_buf *out, struct pl_error *err)
{
    struct pl_ft *ft;
    PL_TRY(pl_ft_new(NULL, &ft, err));
    enum pl_errc code = pl_ft_unwrap(ft, woff, out, err);
    pl_ft_free(ft);
    return code;
}
