// What assistants can read: the command reference, pages of the documentation, prompts.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include <platen/platen.h>

#include "answer/commands_json.h"
#include "base/ckd.h"
#include "everyday_words.h"
#include "http/route/docs.h"
#include "mcp_tools.h"

extern const struct http_embedded platen_pages[];

#define COMMANDS_URI "platen://commands"
#define PAGES_URI "platen://docs/"
#define WORDS_MAX 12 // of a question
#define COMMANDS_MAX 512
#define SEARCH_MAX 40 // commands that a search returns: ZPL II has 29 barcodes

// ---- commands

static struct pl_buf command_list; // made once, for as long as the program runs

enum pl_errc reference_prepare(struct pl_error *err)
{
    struct platen_command c;
    if (command_list.len > 0)
        return PL_OK;
    pl_buf_init(&command_list, (size_t)1 << 20);
    pl_buf_append_cstr(&command_list, "# ZPL II commands\n\nOne command in full: " COMMANDS_URI
                                      "/NAME, such as " COMMANDS_URI "/FO.\n\n");
    for (uint32_t i = 0; platen_command_at(PLATEN_LANGUAGE_ZPL, i, &c); i++)
        pl_buf_printf(&command_list, "- `%s` %s (%s)\n", c.name, c.summary, c.support_name);
    return pl_buf_check(&command_list, err);
}

// "^FO", "fo" and "FO" are one command; ^ and ~ differ where both are given.
static bool is_named(const char *command, struct pl_slice name)
{
    if (pl_slice_eq_nocase(name, pl_slice_cstr(command)))
        return true;
    // ^A stands for all fonts.
    bool font = strcmp(command, "^A") == 0 && name.len == 3 && name.ptr[0] == '^' && (name.ptr[1] | 0x20) == 'a' &&
                name.ptr[2] != '@';
    bool has_sign = command[0] == '^' || command[0] == '~';
    return font || (has_sign && pl_slice_eq_nocase(name, pl_slice_cstr(command + 1)));
}

static uint32_t find_one(enum platen_language language, struct pl_slice name, struct pl_buf *out)
{
    struct platen_command c;
    uint32_t count = 0;
    for (uint32_t i = 0; name.len > 0 && platen_command_at(language, i, &c); i++) {
        if (!is_named(c.name, name))
            continue;
        if (out->len > 0)
            pl_buf_append_byte(out, '\n');
        commands_json_one(out, language, i, &c);
        count++;
    }
    return count;
}

// The next word of a list; false: there is none.
static bool next_word(struct pl_slice list, const char *between, size_t *at, struct pl_slice *word)
{
    while (*at < list.len && strchr(between, list.ptr[*at]))
        ++*at;
    const size_t from = *at;
    while (*at < list.len && !strchr(between, list.ptr[*at]))
        ++*at;
    *word = pl_slice_sub(list, from, *at - from);
    return word->len > 0;
}

uint32_t reference_find(enum platen_language language, struct pl_slice names, struct pl_buf *out)
{
    struct pl_slice name;
    uint32_t count = 0;
    size_t at = 0;
    for (unsigned asked = 0; asked < SEARCH_MAX && next_word(names, " ,", &at, &name); asked++) {
        const uint32_t found = find_one(language, name, out);
        if (found == 0)
            pl_buf_printf(out, "%sThere is no command '%.*s'.", out->len > 0 ? "\n" : "",
                          (int)PL_MIN(name.len, (size_t)20), (const char *)name.ptr);
        count += found;
    }
    return count;
}

static bool has_word(const char *text, struct pl_slice word)
{
    size_t length = strlen(text);
    for (size_t i = 0; i + word.len <= length; i++) {
        if (strncasecmp(text + i, (const char *)word.ptr, word.len) == 0)
            return true;
    }
    return false;
}

// How many of the words a command is about: `close`: what it does has them; `found`: with its note and its parameters.
struct match {
    uint8_t close, found;
};

static bool is_about(enum platen_language language, const struct platen_command *c, struct pl_slice word)
{
    // Barcodes of ZPL II are called by their symbology alone.
    return pl_slice_eq_nocase(word, pl_slice_cstr(c->name)) || has_word(c->summary, word) ||
           (strncmp(c->name, "^B", 2) == 0 && has_word("barcode", word)) ||
           everyday_words_have(language, c->name, word);
}

static bool mentions(enum platen_language language, uint32_t command, const char *note, struct pl_slice word)
{
    struct platen_command_parameter p;
    bool found = has_word(note, word);
    for (uint32_t i = 0; !found && platen_command_parameter_at(language, command, i, &p); i++)
        found = has_word(p.name, word) || has_word(p.about, word);
    return found;
}

// A digit alone is an amount: "3 copies" is not about Code 39. Those of "2 of 5" and "3 of 9" are of a barcode's name.
static bool is_amount(struct pl_slice question, struct pl_slice word)
{
    const size_t at = (size_t)(word.ptr - question.ptr);
    return word.len == 1 && pl_is_digit(word.ptr[0]) && !pl_slice_has_at(question, at + 1, " of ") &&
           (at < 4 || !pl_slice_has_at(question, at - 4, " of "));
}

// The words of a question that count.
static uint32_t words_of(struct pl_slice question, struct pl_slice *words)
{
    struct pl_slice word;
    uint32_t count = 0;
    for (size_t at = 0; count < WORDS_MAX && next_word(question, " ,.?!", &at, &word);)
        if (!everyday_words_ignore(word) && !is_amount(question, word))
            words[count++] = word;
    return count;
}

// Lists the commands that are about so many words, the closest first.
static uint32_t put_matches(enum platen_language language, const struct match *matches, uint32_t words,
                            struct pl_buf *out)
{
    struct platen_command c;
    uint32_t count = 0;
    for (uint32_t close = words + 1; close-- > 0;) {
        for (uint32_t i = 0; i < COMMANDS_MAX && platen_command_at(language, i, &c); i++) {
            if (matches[i].found == words && matches[i].close == close && count++ < SEARCH_MAX)
                pl_buf_printf(out, "%s%s %s (%s)", out->len > 0 ? "\n" : "", c.name, c.summary, c.support_name);
        }
    }
    return count;
}

uint32_t reference_search(enum platen_language language, struct pl_slice question, struct pl_buf *out)
{
    struct platen_command c;
    struct match matches[COMMANDS_MAX] = {{0}};
    struct pl_slice words[WORDS_MAX];
    const uint32_t word_count = words_of(question, words);
    uint32_t most = 0;
    for (uint32_t i = 0; i < COMMANDS_MAX && platen_command_at(language, i, &c); i++) {
        for (uint32_t w = 0; w < word_count; w++) {
            const bool about = is_about(language, &c, words[w]);
            const bool found = about || mentions(language, i, c.note, words[w]);
            matches[i].close += about;
            matches[i].found += found;
        }
        most = PL_MAX(most, (uint32_t)matches[i].found);
    }
    if (most * 2 < word_count + (most < 2)) // one word of two is about another thing
        return 0;
    if (most < word_count)
        pl_buf_append_cstr(out, "No command is about all of these words; these are about most:");
    const uint32_t count = put_matches(language, matches, most, out);
    if (count > SEARCH_MAX)
        pl_buf_printf(out, "\n(%u more: search for a word more)", count - SEARCH_MAX);
    return count;
}

bool reference_read_command(struct mcp_call *call, struct pl_buf *out)
{
    struct pl_slice name = call->arguments;
    uint8_t room[8];
    // A circumflex and a tilde may come percent-encoded.
    if (name.len > 3 && name.len - 2 <= sizeof room && name.ptr[0] == '%') {
        room[0] = strncasecmp((const char *)name.ptr, "%5e", 3) == 0 ? '^' : '~';
        memcpy(room + 1, name.ptr + 3, name.len - 3);
        name = pl_slice_make(room, name.len - 2);
    }
    return find_one(PLATEN_LANGUAGE_ZPL, name, out) > 0 ||
           mcp_refuse(call, "There is no command '%.*s'; " COMMANDS_URI " lists them.",
                      (int)PL_MIN(name.len, (size_t)40), (const char *)name.ptr);
}

// ---- pages

bool reference_resource_at(size_t index, struct mcp_resource *out, struct pl_slice *text)
{
    static char uris[32][64]; // filled with the same each time
    if (index == 0) {
        *out = (struct mcp_resource){.uri = COMMANDS_URI,
                                     .name = "commands",
                                     .title = "ZPL II commands",
                                     .description = "Every command with what it does.",
                                     .type = "text/markdown"};
        *text = pl_buf_slice(&command_list);
        return true;
    }
    const struct http_embedded *page = &platen_pages[index - 1];
    if (!page->name || index - 1 >= PL_COUNTOF(uris))
        return false;
    snprintf(uris[index - 1], sizeof uris[0], PAGES_URI "%s", page->name);
    *out = (struct mcp_resource){.uri = uris[index - 1], .name = page->name, .type = "text/markdown"};
    *text = pl_slice_make(page->begin, (size_t)(page->end - page->begin));
    return true;
}

// ---- prompts

const struct mcp_prompt reference_prompts[] = {
    {"make_label",
     "Make a label",
     "Write ZPL code for a label, with every step checked.",
     {{"purpose", "What the label is for and what must be on it.", true},
      {"size", "Size and density, such as 100 x 50 mm at 203 dpi. Default: 101.6 x 152.4 mm at 203 dpi.", false}},
     "Write ZPL II code for this label: {purpose}\nSize: {size} (where nothing is given: 101.6 x 152.4 mm at 8 dots "
     "per "
     "millimetre).\n\nWork in this order:\n1. Read the resource " PAGES_URI
     "writing-zpl.\n2. Convert the size to dots, and plan the place of each field inside the label.\n3. For GS1 data "
     "call encode_barcode_data, and use the field that it returns.\n4. Write the code. Call check_label with the size, "
     "and apply its fixes until it has no finding.\n5. Call render_label and look at the picture: nothing is cut off, "
     "overlaps or is too small.\n6. Answer with the code and its size."},
    {"fix_label",
     "Fix this label",
     "Repair ZPL code until nothing is left to report.",
     {{"zpl", "The label code.", true}},
     "Repair this ZPL II code:\n\n{zpl}\n\nCall check_label. Apply the fix of each finding; where a finding has none, "
     "look the command up with look_up_command and change the code. Check again until there is no finding. Then call "
     "compare_labels with the code before and after, and name every change that shows."},
};
const size_t reference_prompt_count = PL_COUNTOF(reference_prompts);
