// A downloaded outline font: the bytes are the file; the last ones choose the text.
#include "fuzz_font.h"

#include "font/face/sfnt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint64_t id;
    struct stage *stage = stage_open();
    struct pl_font_file file = {PL_FONT_FILE_OUTLINE, ++id, pl_slice_cstr("E:FUZZ.TTF"), {data, size}};
    struct bytes b = {data + (size > 16 ? size - 16 : 0), size > 16 ? 16 : size};
    uint32_t chars[] = {'A', 'b', '1', 0x627, 0x644, take(&b, 2), take(&b, 1), 0xE01, 0x4E2D};
    struct pl_element element = {.kind = PL_ELEMENT_TEXT, .rotation = (enum pl_rotation)(take(&b, 1) % 4)};
    element.text.font = (struct pl_font_ref){.resident = '0', .file = &file, .height = (int32_t)take(&b, 2) % 2000};
    element.text.chars = chars;
    element.text.length = sizeof chars / sizeof *chars;
    stage_draw(stage, &element, &b);
    pl_writer_end_job(stage->writer);
    // What is whole stays so with more behind it.
    if (size > 1 && pl_sfnt_is_whole(pl_slice_make(data, size - 1)) && !pl_sfnt_is_whole(pl_slice_make(data, size)))
        abort();
    return 0;
}
