// The changes of one message, one after the other. Each counts in the text that those before it made, so that the text
// is kept with a gap at the place of the last one: a change costs the way from there, not the length of the text.
#ifndef LSP_CHANGES_H
#define LSP_CHANGES_H

#include "lsp/text.h"

struct lsp_changes {
    struct lsp_text *text;
    enum lsp_encoding encoding;
    size_t left, right, end; // bytes before the gap; where those behind it begin, and end
    struct lsp_position at;  // of the gap; never between CR and LF
    bool is_first;           // no change has come yet
};

enum lsp_change { LSP_CHANGED, LSP_BACKWARDS, LSP_TOO_LONG };

// From here to lsp_changes_end nothing else may look at the text.
void lsp_changes_begin(struct lsp_changes *changes, struct lsp_text *text, enum lsp_encoding encoding);
// LSP_BACKWARDS: the range ends before it begins. LSP_TOO_LONG: or no memory. Then nothing changes.
enum lsp_change lsp_changes_replace(struct lsp_changes *changes, struct lsp_range range, struct pl_slice with);
// False: no memory for the lines.
bool lsp_changes_end(struct lsp_changes *changes) PL_MUST_USE;

#endif
