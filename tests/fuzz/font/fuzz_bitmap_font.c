// A downloaded bitmap font (~DB): the payload as text, then drawn.
#include "fuzz_font.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t id;
    struct stage *stage = stage_open();
    struct pl_font_file file = {PL_FONT_FILE_BITMAP, ++id, pl_slice_cstr("R:FUZZ.FNT"), {data, size}};
    struct bytes b = {data + (size > 12 ? size - 12 : 0), size > 12 ? 12 : size};
    uint32_t chars[] = {'A', 'B', '1', ' ', 0x25, 0x41};
    struct pl_element element = {.kind = PL_ELEMENT_TEXT, .rotation = (enum pl_rotation)(take(&b, 1) % 4)};
    element.text.font = (struct pl_font_ref){.resident = 'A', .file = &file, .height = (int32_t)take(&b, 1)};
    element.text.chars = chars;
    element.text.length = sizeof chars / sizeof *chars;
    stage_draw(stage, &element, &b);
    pl_writer_end_job(stage->writer);
    return 0;
}
