// A symbol laid out from the data of a field, and what became of it.
#ifndef PL_TESTS_BAR_LAYOUT_FIXTURE_H
#define PL_TESTS_BAR_LAYOUT_FIXTURE_H

#include <stdio.h>
#include <string.h>

#include "bar/bar.h"
#include "unit.h"
#include "zpl_field.h"

static struct pl_arena arena;
static struct pl_diags diags;

static inline int set_up(void **state)
{
    (void)state;
    pl_arena_init(&arena, 64u << 20);
    pl_diags_init(&diags, &arena, 100);
    return 0;
}

static inline int tear_down(void **state)
{
    (void)state;
    pl_arena_fini(&arena);
    return 0;
}

static inline struct pl_barcode spec_of(enum pl_symbology symbology, const char *data)
{
    struct zpl_barcode field;
    zpl_barcode_init(&field, symbology);
    struct pl_barcode spec = field.symbol;
    spec.data = pl_slice_cstr(data);
    spec.module = 2;
    spec.ratio_tenths = 30;
    spec.default_height = 10;
    spec.height = 100;
    spec.text = true;
    return spec;
}

static inline enum pl_errc layout_field(const struct zpl_barcode *field, struct pl_bar_context context,
                                        struct pl_bar_layout *layout, struct pl_error *err)
{
    struct pl_barcode read = field->symbol;
    PL_TRY(zpl_barcode_read(field, field->symbol.data, context.arena, &read, err));
    return pl_bar_layout(&read, &context, layout, err);
}

// The data of `spec` is a field's.
static inline struct pl_bar_layout build_field(const struct pl_barcode *spec, char mode, char escape, int32_t size)
{
    struct zpl_barcode field = {.symbol = *spec, .mode = mode, .escape = (uint8_t)escape, .size = size};
    struct pl_bar_layout layout;
    struct pl_error err = {0};
    if (layout_field(&field,
                     (struct pl_bar_context){
                         .profile = &pl_profile_reference.bar, .dpmm = 8, .scale = 1, .arena = &arena, .diags = &diags},
                     &layout, &err) != PL_OK)
        fail_msg("%s", err.message);
    return layout;
}

static inline struct pl_bar_layout build(const struct pl_barcode *spec)
{
    return build_field(spec, 0, 0, -1);
}

static inline struct pl_bar_layout build_data(enum pl_symbology symbology, const char *data)
{
    struct pl_barcode spec = spec_of(symbology, data);
    return build(&spec);
}

static inline void assert_text(const struct pl_bar_layout *layout, const char *text)
{
    char got[256];
    snprintf(got, sizeof got, "%.*s", (int)layout->text.len, (const char *)layout->text.ptr);
    assert_string_equal(got, text);
}

// The whole interpretation line, pieces in order.
static inline void assert_line(const struct pl_bar_layout *layout, const char *text)
{
    char got[256] = {0};
    size_t n = 0;
    for (uint32_t i = 0; i < layout->text_count; i++)
        for (uint32_t k = 0; k < layout->texts[i].length; k++)
            got[n++] = (char)layout->texts[i].chars[k];
    assert_string_equal(got, text);
}

static inline bool said(enum pl_diag_id id)
{
    for (uint32_t i = 0; i < diags.count; i++)
        if (diags.items[i].id == id)
            return true;
    return false;
}

#endif
