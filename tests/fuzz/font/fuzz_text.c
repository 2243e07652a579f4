// Layout: any characters, font, size, block, rotation and place.
#include "fuzz_font.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct stage *stage = stage_open();
    struct bytes b = {data, size};
    static const char letters[] = "0ABCDEFGHPQRSTUV$X9";
    struct pl_element element = {.kind = PL_ELEMENT_TEXT, .rotation = (enum pl_rotation)(take(&b, 1) % 4)};
    element.at = (struct pl_placement){.x = (int16_t)take(&b, 2),
                                       .y = (int16_t)take(&b, 2),
                                       .typeset = take(&b, 1) % 2,
                                       .x_goes_on = take(&b, 1) % 2,
                                       .y_goes_on = take(&b, 1) % 2,
                                       .justify = (enum pl_justify)(take(&b, 1) % 3),
                                       .pivot = take(&b, 1) % 2};
    struct pl_text *text = &element.text;
    text->font = (struct pl_font_ref){.resident = (uint8_t)letters[take(&b, 1) % (sizeof letters - 1)],
                                      .height = (int16_t)take(&b, 2),
                                      .width = (int16_t)take(&b, 2)};
    text->block = (struct pl_block){.kind = (enum pl_block_kind)(take(&b, 1) % 3),
                                    .width = (int16_t)take(&b, 2),
                                    .height = (int16_t)take(&b, 2),
                                    .max_lines = (int16_t)take(&b, 2),
                                    .spacing = (int16_t)take(&b, 2),
                                    .indent = (int16_t)take(&b, 2),
                                    .align = (enum pl_block_align)(take(&b, 1) % 4)};
    text->direction = (enum pl_text_direction)(take(&b, 1) % 3);
    text->gap = (int16_t)take(&b, 2);
    static const uint32_t pages[] = {0x20,   0x20,   0x600, 0x5D0,  0xE00, 0x900,  0x4E00, 0x300,   0x2000,
                                     0xAC00, 0xFE00, 0xA0,  0x3000, 0xE80, 0x1000, 0x1100, 0x1F1E0, 0x1F3F0};
    enum { PAGES = sizeof pages / sizeof *pages, WAYS = PAGES + 4 };
    static uint32_t chars[512];
    uint32_t *copy = chars;
    while (b.left > 3 && text->length < 512) {
        uint32_t page = take(&b, 1);
        if (page % WAYS < PAGES)
            copy[text->length++] = pages[page % WAYS] + take(&b, 1) % 128;
        else if (page % WAYS == PAGES)
            copy[text->length++] = '\n';
        else
            copy[text->length++] = take(&b, 3) % 0x110000;
    }
    text->chars = chars;
    stage_draw(stage, &element, &b);
    return 0;
}
