// An open document: its text, and where its commands stand.
#ifndef LSP_DOCUMENT_H
#define LSP_DOCUMENT_H

#include <platen/platen.h>

#include "lang/lang.h"
#include "lsp/job.h"
#include "lsp/text.h"

struct lsp_command {
    const struct pl_lang_command *about; // NULL: unknown
    uint32_t start, end;                 // without blanks behind it
    uint32_t first_item;
    struct pl_lang_part data;
    uint16_t item_count;
    uint8_t name_length;
    char name[4]; // of ZPL: "^FO"
    bool is_text, in_dots;
};

struct lsp_document {
    struct lsp_document *next;
    char *uri;
    uint64_t number; // no other document has had it
    int64_t version;
    uint64_t revision;             // changes with each edit
    enum platen_language declared; // by the editor; PLATEN_LANGUAGE_DETECT: its name says nothing
    const struct pl_lang *language;
    struct lsp_text text;
    // Made when they are asked for: lsp_document_read, which reads only what changed where it can.
    struct lsp_command *commands;
    uint32_t command_count, command_capacity;
    struct pl_lang_part *items;
    uint8_t *params; // which parameter each item is, as pl_lang_span has it
    uint32_t item_count, item_capacity, param_capacity;
    bool is_read;
    const struct pl_lang *plain; // NULL: what commands mean depends on others before them; all are read again
    size_t read_bytes;           // of the text
    uint32_t whole_items;        // when all was read; those of labels that were read again stay among the items
    struct lsp_result *result;   // the last findings; NULL: there are none yet
};

struct lsp_document *lsp_document_new(struct pl_slice uri, struct pl_slice language_id);
void lsp_document_free(struct lsp_document *document);
// After each change of the text.
void lsp_document_changed(struct lsp_document *document);
// Finds the commands. False: no memory.
bool lsp_document_read(struct lsp_document *document) PL_MUST_USE;
// The command that an offset is in, or whose end it is; NULL: none. `before`: of two that meet there the first one.
const struct lsp_command *lsp_document_command_at(const struct lsp_document *document, size_t offset, bool before);
// The first command that ends behind an offset.
uint32_t lsp_document_first_behind(const struct lsp_document *document, size_t offset);

static inline struct pl_lang_part lsp_item(const struct lsp_document *d, const struct lsp_command *c, uint32_t item)
{
    return item < c->item_count ? d->items[c->first_item + item] : (struct pl_lang_part){0};
}

static inline struct pl_slice lsp_part_text(const struct lsp_document *d, struct pl_lang_part part)
{
    return pl_slice_sub(lsp_text_slice(&d->text), part.offset, part.length);
}

// Which parameter of the command an item is; the table may have none such.
static inline uint32_t lsp_item_param(const struct lsp_document *d, const struct lsp_command *c, uint32_t item)
{
    uint8_t param = item < c->item_count ? d->params[c->first_item + item] : 0;
    return param ? param - 1u : item;
}

// The parameter that the table has for an item; NULL: none.
static inline const struct pl_lang_param *lsp_param(const struct lsp_document *d, const struct lsp_command *c,
                                                    uint32_t item)
{
    uint32_t param = lsp_item_param(d, c, item);
    return c->about && param < c->about->param_count && c->about->params[param].name ? &c->about->params[param] : NULL;
}

static inline bool lsp_is(const struct lsp_command *c, const char *name)
{
    return memcmp(c->name, name, 4) == 0;
}

// Which parameter an offset is in; item_count: none.
uint32_t lsp_item_at(const struct lsp_document *document, const struct lsp_command *c, size_t offset);
// A length as millimetres; false: the parameter is none, or not written in dots.
bool lsp_item_mm(const struct lsp_document *document, const struct lsp_command *c, uint32_t item, double dpmm,
                 double *mm);

#endif
