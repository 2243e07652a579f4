// What a renderer answers, as the front reads it: whatever the bytes are, the summary is refused or agrees with itself.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "renderer/summary.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct render_answer answer = {0};
    uint32_t head[5];
    if (size < sizeof head)
        return 0;
    memcpy(head, data, sizeof head);
    answer.pages = head[0] & 1 ? head[0] >> 1 : head[0] >> 1 & 0xFF;
    answer.labels = head[1] & 1 ? head[1] >> 1 : head[1] >> 1 & 0x3F;
    answer.finding_count = head[2] & 1 ? head[2] >> 1 : head[2] >> 1 & 0xF;
    answer.findings_dropped = head[3];
    answer.language = head[4] >> 1 & 7;
    answer.looks_like = head[4] >> 4 & 7;
    struct pl_slice rest = pl_slice_make(data + sizeof head, size - sizeof head);
    size_t copies = (size_t)answer.labels * sizeof(uint32_t);
    copies = copies < rest.len ? copies : rest.len;
    struct summary s;
    bool sound;
    if (!summary_of_answer(&answer, pl_slice_sub(rest, 0, copies), pl_slice_sub(rest, copies, rest.len), 500,
                           head[4] & 1, &s, &sound))
        return 0;
    if (s.labels > 500 || s.pages > 500)
        abort();
    size_t texts = 0;
    for (uint32_t i = 0; i < s.findings.count; i++) {
        const struct platen_diagnostic *d = &s.findings.items[i];
        texts += strlen(d->code) + strlen(d->message) + strlen(d->command) + 3;
    }
    if (texts > rest.len)
        abort();
    for (uint32_t page = 0; page < s.pages; page++) {
        if (summary_label_of_page(&s, page, head[4] & 1) >= s.labels)
            abort();
    }
    summary_free(&s);
    return 0;
}
