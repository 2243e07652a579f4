// libplaten: label code (ZPL II, EPL2, TSPL, CPCL) to bitmaps and image files. The only public header.
//
//   engine    what all renders share: fonts, limits, preloaded objects. Read-only once made.
//   worker    what one thread needs to render: fonts opened, glyph cache, memory kept warm.
//   document  the parsed input: its labels, and diagnostics. Made by a worker and given back to it, or
//             detached from it.
//   page      one label, drawn. It is the worker's, until that draws again, is trimmed or freed, or it is detached.
//             platen_memory, _describe, _extract and _rewrite draw, too, and so does platen_parse for a size that fits.
//
//   platen_parse -> platen_draw for each label -> platen_encode for each format wanted
//
// A worker that has rendered labels of a kind asks the system for no more memory to render others like them.
// Bad label code is not an error: it gives diagnostics, and the rest is rendered.
//
// Ownership: what a function with _new in its name makes is the caller's, and ends with the function with _free, which
// takes NULL, too. A pointer to const that a function gives is borrowed: its comment says how long it lasts. What a
// caller gives is borrowed during the call, unless the comment says that it must last longer. Nothing of the caller's
// is freed.
//
// NULL: `err` may be NULL everywhere; it is filled only when a call fails. Options may be NULL where the comment says
// so. NULL for any other object is PLATEN_E_INVALID; functions without a status then return 0, false or "" and change
// nothing. Bytes may be NULL if their size is 0.
//
// Order of the ends: an engine lives on until its workers and the detached documents of them have ended, and a document
// until the documents after it and its detached pages have. So the caller may free them in any order, but each once.
//
// Threads: an engine, a detached document and a detached page may be used by any number of threads at once, and freed
// by any. A worker, its document and its page, a buffer, a PDF and a comparison are for one thread at a time; other
// workers may draw labels of a worker's document on other threads while it lives. The functions on struct platen_cancel
// may be called from any thread at any time. The library has no locale of its own and does not care for the process's.
// It starts no thread and holds no lock from call to call: after fork the child may use what no other thread was using.
//
// Growth: a structure of options starts with its size, so that later versions can add members at its end. Set it with
// the macro of the structure, or by hand (`options.size = sizeof options`) after clearing the rest. It is a whole
// number of words (size_t). An older program with a smaller structure gets the defaults for what it does not know.
// Functions that fill a structure take its size as their last argument: in C and C++ a macro of the same name adds it
// (platen_label_at(document, 0, &label)), bindings give it. Structures without either (platen_error, platen_cancel,
// platen_buffer, platen_font) stay as they are.
//
// Label code of strangers belongs in a process of its own, with a limit of time and memory (examples/isolated.c). The
// library bounds what it does itself: the engine's limits count bytes, labels, dots, elements and memory, and deadline
// and cancellation are checked between fields and in its own loops. It cannot interrupt a call of FreeType, HarfBuzz,
// libzint or zxing-cpp, does not count all that they allocate, and a fault in one of them ends the process.
#ifndef PLATEN_H
#define PLATEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Of this header; platen_version() is that of the library.
#define PLATEN_VERSION_MAJOR 1
#define PLATEN_VERSION_MINOR 2
#define PLATEN_VERSION_PATCH 0
#define PLATEN_VERSION "1.2.0"

#pragma GCC visibility push(default)
#ifdef __cplusplus
extern "C" {
#endif

enum platen_status {
    PLATEN_OK = 0,
    PLATEN_E_MEMORY,    // the system or a memory limit refused
    PLATEN_E_LIMIT,     // more labels, elements, graphics … than the limits allow
    PLATEN_E_INVALID,   // an option is out of its bounds
    PLATEN_E_IO,        // a file could not be read
    PLATEN_E_NOT_FOUND, // no such label, no such format, no value for a name
    PLATEN_E_DEADLINE,
    PLATEN_E_CANCELLED,
    PLATEN_E_BUG,
    PLATEN_E_PROGRAM = 100 // from here on: for programs that have statuses of their own. The library returns none
};

struct platen_error {
    enum platen_status status;
    char message[256]; // a sentence
};

const char *platen_status_name(enum platen_status status); // "deadline"
const char *platen_version(void);

// ---- engine

struct platen_engine;

// A font file (TrueType or OpenType) that is searched for characters which a label's own font lacks.
struct platen_font {
    const char *name; // of the file, without its folder; may be NULL
    const void *data;
    size_t size;
    // Size of its em and of its width once more, in 1/1000 of the size that a label asks for. 0: what the library knows
    // about a file of this name (docs/fonts.md), otherwise 1000.
    uint32_t height_1000, width_1000;
};

// PLATEN_E_INVALID: the file is no TrueType or OpenType font, or it is cut off. The search would pass it by, or draw
// nothing, and say nothing.
enum platen_status platen_font_check(const struct platen_font *font, struct platen_error *err);

struct platen_engine_options {
    size_t size;             // sizeof(struct platen_engine_options): PLATEN_ENGINE_OPTIONS
    const char *objects_dir; // graphics, formats and fonts to preload as drive E:, or NULL; read by platen_engine_new
    // Limits; 0 means the default. docs/library.md says what happens beyond each.
    size_t input_bytes;
    uint32_t labels;
    uint64_t dots_per_label;
    size_t decoded_graphics;
    size_t stored_bytes;
    size_t arena_bytes; // memory of one document and the page that is drawn of it, with the fonts that came with it
    uint32_t elements_per_label;
    uint32_t diagnostics;
    size_t glyph_cache_bytes; // of each worker
    // Gives the fonts to search, instead of those that are installed on the system; may be NULL. platen_engine_new asks
    // for 0, 1, … (63 at most) until it returns false; *out is zero before each. Names and data must outlive the
    // engine.
    bool (*font_at)(void *font_context, uint32_t index, struct platen_font *out);
    void *font_context;
    uint32_t copies;   // limit of the labels that come of a ^PQ above 1, beside that of all labels; 0: no other
    uint32_t reserved; // 0
};
// struct platen_engine_options options = PLATEN_ENGINE_OPTIONS(.labels = 10); in C, and in C++ from 2020 on.
#define PLATEN_ENGINE_OPTIONS(...)                                                                                     \
    {                                                                                                                  \
        .size = sizeof(struct platen_engine_options), __VA_ARGS__                                                      \
    }

struct platen_limits {
    size_t input_bytes;
    uint32_t labels;
    uint64_t dots_per_label;
    size_t decoded_graphics, stored_bytes, arena_bytes;
    uint32_t elements_per_label, diagnostics;
};

// `options` may be NULL: the defaults. *out is the caller's: platen_engine_free.
enum platen_status platen_engine_new(const struct platen_engine_options *options, struct platen_engine **out,
                                     struct platen_error *err);
void platen_engine_free(struct platen_engine *engine);
void platen_engine_limits(const struct platen_engine *engine, struct platen_limits *out, size_t size);
uint32_t platen_engine_object_count(const struct platen_engine *engine);

// ---- worker

struct platen_worker;

// *out is the caller's: platen_worker_free, which ends its document and its page unless they are detached.
enum platen_status platen_worker_new(const struct platen_engine *engine, struct platen_worker **out,
                                     struct platen_error *err);
void platen_worker_free(struct platen_worker *worker);
// Frees the worker's page, and memory that only a large page needed: for a worker that may be idle for a while. Drawing
// does the same at its start. Also closes the fonts that came with a document of another worker; otherwise they stay
// open until the worker draws or parses another one.
void platen_worker_trim(struct platen_worker *worker);
// Stops calls of the worker that have neither options nor a document: platen_explain. `cancel` may be NULL, and
// outlives the worker or is replaced; `deadline_ns` is on CLOCK_MONOTONIC, 0: none.
struct platen_cancel;
void platen_worker_set_cancel(struct platen_worker *worker, const struct platen_cancel *cancel, uint64_t deadline_ns);
// Overwrites what documents and pages have left in the worker's memory: before it serves another client. Not while it
// has a document.
void platen_worker_wipe(struct platen_worker *worker);

// ---- parsing

enum platen_quality { PLATEN_BITONAL, PLATEN_GRAYSCALE };
// Whose dots: those of the renderer that everybody compares with, or a printer's own.
enum platen_profile { PLATEN_REFERENCE, PLATEN_PRINTER };

// Which language the label code is in. PLATEN_LANGUAGE_DETECT: the one that recognises it, or else ZPL.
enum platen_language {
    PLATEN_LANGUAGE_DETECT,
    PLATEN_LANGUAGE_ZPL,
    PLATEN_LANGUAGE_EPL,
    PLATEN_LANGUAGE_TSPL,
    PLATEN_LANGUAGE_CPCL
};

// A request to stop, made by another thread, or by another process if it is in memory that both share. Starts as {0}
// and belongs to the caller; only these functions read and write it. Each may be called from any thread at any time.
struct platen_cancel {
    unsigned char state;
};
void platen_cancel_set(struct platen_cancel *cancel);
void platen_cancel_clear(struct platen_cancel *cancel); // to use it for another document
bool platen_cancel_is_set(const struct platen_cancel *cancel);

struct platen_options {
    size_t size;                // sizeof(struct platen_options): PLATEN_OPTIONS
    double width_mm, height_mm; // 0: 101.6 and 152.4
    double dpmm;                // 0: 8; 1 to 48
    enum platen_quality quality;
    enum platen_profile profile;
    uint32_t rotation; // of the finished page, clockwise: 0, 90, 180, 270
    // The size is taken from the labels (^PW, ^LL, content; docs/library.md). width_mm and height_mm, where given,
    // stay.
    bool fit_size;
    bool collapse_copies; // ^PQ counts in platen_label.copies only; otherwise there are that many pages
    bool has_time;
    int64_t time;       // the printer's clock for ^FC: seconds since 1970, read as local time. Default: now
    bool want_elements; // platen_page_element_at and its checks
    // Checks (docs/checking.md). They need want_elements; what they find are diagnostics of the page.
    bool verify;          // every barcode is read back from the page's dots: platen_element.decoded. PLATEN_E_INVALID
                          // without want_elements
    const char *rules;    // name of a rule set; NULL: "default"; "none": nothing is checked
    double min_module_mm; // above 0, to 1000: barcodes with narrower modules give module_below_minimum
    // The printer is as this document left it, with its stored objects and settings, and answers its host
    // (platen_reply_at). It must be detached; the new document keeps it, so the caller may free it. NULL: a printer
    // that was just switched on.
    const struct platen_document *after;
    // These two stop parsing, drawing and encoding, but not within a call of another library (see above).
    const struct platen_cancel *cancel; // outlives the document and its pages, detached ones, too; may be NULL
    uint64_t deadline_ns;               // on CLOCK_MONOTONIC; 0: none
    // Findings about values out of range, and about text that is no command, in the words of the reference's linter;
    // they point at the value instead of the command. It also reports what is corrected without a word otherwise.
    bool linter;
    bool copy_input;     // the document has a copy of the label code, and the caller's may end or change
    uint8_t reserved[2]; // 0
    enum platen_language language;
    // Name of a printer model (platen_printer_model_at): what it would not print gives printer_width, printer_length,
    // printer_density and printer_command. All but the last need want_elements. NULL: "none".
    const char *printer_model;
};
// struct platen_options options = PLATEN_OPTIONS(.dpmm = 12);
#define PLATEN_OPTIONS(...)                                                                                            \
    {                                                                                                                  \
        .size = sizeof(struct platen_options), __VA_ARGS__                                                             \
    }

// Size of the page in dots, before rotation. `options` may be NULL: the defaults, here and below. PLATEN_E_INVALID: out
// of bounds, with a sentence that names the field.
enum platen_status platen_size_in_dots(const struct platen_engine *engine, const struct platen_options *options,
                                       uint32_t *width, uint32_t *height, struct platen_error *err);

struct platen_document;

// *out is the caller's: platen_document_free. The label code must stay as it is while the document lives, but with
// options.copy_input. A worker has one document at a time; see platen_document_detach.
enum platen_status platen_parse(struct platen_worker *worker, const void *zpl, size_t size,
                                const struct platen_options *options, struct platen_document **out,
                                struct platen_error *err);
// `document` may be NULL. On the thread of the worker that parsed, or on any thread if the document is detached; after
// all drawing of it has ended.
void platen_document_free(struct platen_document *document);
// Separates the document from the worker that parsed it, on that worker's thread: it gets memory of its own, and the
// worker can parse another one. *document is its new address, also for its page; *bytes (may be NULL) is what it holds.
// When there is no memory for that, all is as before. One that is detached stays where it is.
enum platen_status platen_document_detach(struct platen_document **document, size_t *bytes, struct platen_error *err);
// The size of its pages, before rotation: that of the options, or with fit_size the one that was found. Each pointer
// may be NULL.
void platen_document_size(const struct platen_document *document, double *width_mm, double *height_mm, uint32_t *width,
                          uint32_t *height);
// The language that it was read as.
enum platen_language platen_document_language(const struct platen_document *document);
// Another deadline than that of its options (0: none), for pages drawn from now on. Not while a label is drawn.
void platen_document_set_deadline(struct platen_document *document, uint64_t deadline_ns);

struct platen_label {
    uint32_t copies;         // identical ones, at least 1 (the label limit already applied unless collapsed)
    uint32_t offset, length; // ^XA to ^XZ in the input
};

uint32_t platen_label_count(const struct platen_document *document); // distinct labels
bool platen_label_at(const struct platen_document *document, uint32_t index, struct platen_label *out, size_t size);
// Pages are labels with their copies counted out (just the labels, when collapsed).
uint32_t platen_page_count(const struct platen_document *document);
bool platen_label_of_page(const struct platen_document *document, uint32_t page, uint32_t *label);

enum platen_severity { PLATEN_INFO, PLATEN_WARNING, PLATEN_ERROR };

struct platen_diagnostic {
    const char *code; // "unknown_command"; stable
    enum platen_severity severity;
    const char *message;
    const char *command;     // "^FO" or ""
    uint32_t offset, length; // bytes of the input
    uint32_t line, column;   // from 1
    int32_t label;           // index, or -1
    uint32_t parameter;      // from 1; 0: the command as a whole
    int32_t element;         // index of the page's element that it is about, or -1
    double missing_mm;       // how much is missing (or too much), where that is a length; 0: it is none
};

// What parsing found; the texts last as long as the document. Drawing finds more: see platen_page_diagnostic_at.
uint32_t platen_diagnostic_count(const struct platen_document *document);
bool platen_diagnostic_at(const struct platen_document *document, uint32_t index, struct platen_diagnostic *out,
                          size_t size);
uint32_t platen_diagnostics_dropped(const struct platen_document *document); // beyond the limit

// ---- drawing

struct platen_page;

// Draws label `index` (not page number: copies are identical). `worker` may be another one than the parser's. *out is
// the worker's, until it draws again, is trimmed or freed; the document must outlive it. Each worker has one page, so
// the next page has the same address: who keeps pages (a binding of a language with a garbage collector) detaches them.
enum platen_status platen_draw(struct platen_worker *worker, const struct platen_document *document, uint32_t index,
                               const struct platen_page **out, struct platen_error *err);

// Separates the worker's last page from it: it gets memory of its own, keeps its document, and *page is its new
// address. PLATEN_E_INVALID: its document is not detached. When there is no memory for that, all is as before.
enum platen_status platen_page_detach(struct platen_worker *worker, const struct platen_page **page,
                                      struct platen_error *err);
// Ends a detached page; a worker's own page stays.
void platen_page_free(const struct platen_page *page);

// A character that the labels' own fonts lack, so that it was searched in those of font_at: of the pages that the
// worker has drawn since its last platen_parse or _forget_searched; index from 0, false: there are no more. After 1,024
// the rest is left out. A program that has more fonts than it gave can find out which of them the labels need.
bool platen_worker_searched_at(const struct platen_worker *worker, uint32_t index, uint32_t *character);
// Forgets those of earlier pages.
void platen_worker_forget_searched(struct platen_worker *worker);

struct platen_bitmap {
    uint32_t width, height; // in dots, after rotation
    double dpmm;
    bool grey;
    // Bitonal: rows of 64-bit words, the leftmost dot in the most significant bit, 1 = ink.
    const uint64_t *words;
    uint32_t words_per_row;
    // Grey: one byte a dot, 0 black, 255 white, `width` bytes a row. NULL: there was no memory for them.
    const uint8_t *bytes;
};

// The dots, and the texts of diagnostics, last as long as the page.
void platen_page_bitmap(const struct platen_page *page, struct platen_bitmap *out, size_t size);
uint32_t platen_page_diagnostic_count(const struct platen_page *page);
bool platen_page_diagnostic_at(const struct platen_page *page, uint32_t index, struct platen_diagnostic *out,
                               size_t size);

enum platen_element_type { PLATEN_TEXT, PLATEN_BARCODE, PLATEN_BOX, PLATEN_ELLIPSE, PLATEN_DIAGONAL, PLATEN_IMAGE };

struct platen_element {
    enum platen_element_type type;
    const char *type_name; // "text", "barcode", "box", "circle", "ellipse", "line", "image"
    const char *command;   // the one that makes it what it is: "^A0", "^BC"
    int32_t x, y;          // ink box on the finished page; may lie outside of it
    uint32_t width, height;
    uint32_t rotation; // degrees clockwise, on the finished page
    bool reverse;
    bool clipped; // text did not fit its block
    bool inside_label;
    const uint32_t *overlaps; // other elements whose ink this one's box meets
    uint32_t overlap_count;
    uint32_t overlaps_left_out; // more of them, where there are very many
    uint32_t offset, length;    // in the input
    // The field that gave its data to this one by ^FN, in the input; length 0: the field has data of its own, or none.
    uint32_t data_offset, data_length;
    // Field data after ^FH, ^FE, ^FC and serial numbers, text also after its character set and the escapes of its
    // block, as UTF-8 (barcodes: bytes, which may be anything); what it says to a human; for images its name.
    const char *data;
    size_t data_size;
    const char *text;
    size_t text_size;
    // barcodes
    const char *symbology;
    uint32_t module_dots;
    bool quiet_zone_ok;
    int32_t quiet_x, quiet_y; // the bars with the quiet zone around them, on the finished page
    uint32_t quiet_width, quiet_height;
    int32_t bars_x, bars_y; // the bars or modules alone, without captions
    uint32_t bars_width, bars_height;
    // barcodes, with options.verify
    int32_t decoded;          // 1: it can be read; 0: it cannot; -1: not tried
    int32_t matches;          // 1: what was read is what the field says; 0: it is not; -1: cannot be said
    const char *decoded_data; // what was read: bytes; "" where nothing was
    size_t decoded_size;
    const char *no_reader_reason; // why `decoded` is -1: a sentence, "time" for want of time; NULL
    const char *margin;           // what a print that is a dot too dark or too light does: a sentence; NULL
    // Linear symbols: scan lines over the height of the bars, and how many of them give the data; 0: not tried.
    uint32_t lines_tried, lines_read;
    // Damaged 2D symbols: 1: a reader that does not know where the modules are reads it; 0: it does not; -1: not tried
    int32_t read_as_seen;
    uint32_t reserved;
};

// The rule sets that options.rules can name; false: there is no set of this index. The texts live as long as the
// program.
bool platen_rule_set_at(uint32_t index, const char **name, const char **summary);
// The printer models that options.printer_model can name; the first is "none".
struct platen_printer_model {
    const char *name, *title;  // they live as long as the program
    uint32_t dpmm, head;       // dots a millimetre, and in a row of the print head
    bool head_is_measured;     // otherwise the nominal print width times the density
    bool has_rfid, has_ribbon; // there are units with an RFID encoder, or with a ribbon
    uint8_t reserved;          // 0
    uint16_t longest_mm;       // of a label; 0: not known
    uint8_t reserved2[2];      // 0
};
bool platen_printer_model_at(uint32_t index, struct platen_printer_model *out, size_t size);

// None unless options.want_elements. What an element points to lasts as long as the page and the document.
uint32_t platen_page_element_count(const struct platen_page *page);
bool platen_page_element_at(const struct platen_page *page, uint32_t index, struct platen_element *out, size_t size);
// Where the element's own command puts it (^FO or ^FT, with ^LH), before rotation of the page: not its ink box. Text
// that goes on where the last one ended has its ink box's corner.
bool platen_page_place_at(const struct platen_page *page, uint32_t index, int32_t *x, int32_t *y);

// The numbers that place an element: where they stand in the input, and what they do. For those who change them.
struct platen_place_source {
    const char *command;         // "^FO" or "^FT"; it lasts as long as the document
    uint32_t offset, length;     // the command with its parameters
    uint32_t x_offset, x_length; // the number itself; length 0: it is not written
    uint32_t y_offset, y_length;
    int32_t x, y;     // what was read, in dots, before ^LH and the like are added
    double unit_dots; // dots that a unit of the numbers stands for: 1, unless ^MU says otherwise
    // Dots that the ink box moves on the page, before rotation of the page, for each unit more: negative where ^PO or
    // ^PM turns the label. 0: the number is not written, and the text goes on where the last one ended.
    double step_x, step_y;
    // Dots of the label by which a printer's profile moved the bars onto it, to the right and down: the ink stays where
    // it is until the numbers have grown by as much.
    int32_t moved_x, moved_y;
};
// False: the element is placed by nothing that stands in the input, as with formats out of the printer's memory.
bool platen_page_place_source_at(const struct platen_page *page, uint32_t index, struct platen_place_source *out,
                                 size_t size);

// ---- a printer's memory
//
// A printer keeps stored objects and settings from job to job. platen_memory writes them as label code; a document of
// that code, detached, is what `after` of the next one's options names:
//
//     job = parse(worker, bytes, .after = memory);        // draw it, read its answers
//     if (platen_memory_changed(job)) { text = platen_memory(job, part); memory = parse(text), detached; }
//
// There are three parts, each a document after the one before it, so that a change of settings leaves the objects.
// Objects on R: and settings are lost at power-off; objects on other drives, and what ^JUS saved, are not. What ^MCN
// keeps for the next label is not part of it.

struct platen_buffer; // of `encoding` below

enum platen_memory_part {
    PLATEN_MEMORY_LASTING,  // objects of all drives but R:, and the settings that ^JUS saved
    PLATEN_MEMORY_FLEETING, // objects on R:
    PLATEN_MEMORY_SETTINGS  // settings that hold at the end of the document, and its prefixes
};
enum { // of platen_memory_changed, as a sum
    PLATEN_CHANGED_OBJECTS = 1,
    PLATEN_CHANGED_SETTINGS = 2
};
// What differs at the end of the document from what it started with.
unsigned platen_memory_changed(const struct platen_document *document);
// Replaces the buffer's content. Draws what ^IS saved: the worker's page
// before is gone. Objects that the engine preloaded are not part of it.
enum platen_status platen_memory(struct platen_worker *worker, const struct platen_document *document,
                                 enum platen_memory_part part, struct platen_buffer *out, struct platen_error *err);

struct platen_stored {
    char name[28];    // "R:LOGO.GRF"
    const char *kind; // "graphic", "format", "font", "file"
    size_t bytes;
    bool preloaded;
    uint8_t reserved[7];
};
// The index-th stored object at the end of the document; false: there are no more.
bool platen_stored_at(const struct platen_document *document, uint32_t index, struct platen_stored *out, size_t size);

struct platen_settings {
    uint32_t print_width, label_length; // in dots; 0: not set
    int32_t darkness_tenths, tear_off;
    char mode, tracking, media; // letters of ^MM, ^MN and ^MT
    uint8_t speed, slew, backfeed;
    uint8_t prefixes[4]; // format prefix, control prefix, delimiter, 0
    uint8_t reserved[2];
};
void platen_document_settings(const struct platen_document *document, struct platen_settings *out, size_t size);

// What the printer sends to its host. The text lasts as long as the document.
enum platen_reply_kind {
    PLATEN_REPLY_TEXT,
    PLATEN_REPLY_CONFIGURATION, // ^HH: the caller knows the rest of what the printer says of itself
    PLATEN_REPLY_XML            // ^HZ: the same in XML; the text is the letter of the part
};
struct platen_reply {
    enum platen_reply_kind kind;
    const char *data;
    size_t size;
};
bool platen_reply_at(const struct platen_document *document, uint32_t index, struct platen_reply *out, size_t size);

// ---- encoding

enum platen_format { PLATEN_PNG, PLATEN_JPEG, PLATEN_WEBP, PLATEN_PDF };

struct platen_encode_options {
    size_t size;           // sizeof(struct platen_encode_options): PLATEN_ENCODE_OPTIONS
    uint32_t jpeg_quality; // 0: 90
    uint32_t max_width;    // of a picture, in dots: a wider page is made smaller, in shades; 0: none. Not for PDF
};
#define PLATEN_ENCODE_OPTIONS(...)                                                                                     \
    {                                                                                                                  \
        .size = sizeof(struct platen_encode_options), __VA_ARGS__                                                      \
    }

// Bytes that grow as needed and are used again from call to call; starts as {0}. The buffer and its bytes are the
// caller's: platen_buffer_free, which leaves it as {0}.
struct platen_buffer {
    uint8_t *data;
    size_t size, capacity;
};
void platen_buffer_free(struct platen_buffer *buffer);

bool platen_format_by_name(const char *name, enum platen_format *out); // "png", "jpg", …
const char *platen_format_name(enum platen_format format);
const char *platen_format_mime(enum platen_format format);
// Replaces the buffer's content. `options` may be NULL. A PDF made this way has this one page.
enum platen_status platen_encode(struct platen_worker *worker, const struct platen_page *page,
                                 enum platen_format format, const struct platen_encode_options *options,
                                 struct platen_buffer *out, struct platen_error *err);

// ---- description
//
// A document as JSON: size, labels with their elements, PNGs and warnings: what `POST /api/render/json` and
// `platen render --format json` give, member by member in docs/library.md. Elements need options.want_elements.

struct platen_describe_options {
    size_t size;         // sizeof(struct platen_describe_options): PLATEN_DESCRIBE_OPTIONS
    bool no_png;         // without the PNG of each label
    bool no_elements;    // without elements, and without the warnings of each label
    uint8_t reserved[6]; // 0
};
#define PLATEN_DESCRIBE_OPTIONS(...)                                                                                   \
    {                                                                                                                  \
        .size = sizeof(struct platen_describe_options), __VA_ARGS__                                                    \
    }

// Replaces the buffer's content by the description of the whole document, with a NUL behind it that does not count in
// out->size. Draws every label: the worker's page before is gone. `options` may be NULL.
enum platen_status platen_describe(struct platen_worker *worker, const struct platen_document *document,
                                   const struct platen_describe_options *options, struct platen_buffer *out,
                                   struct platen_error *err);
// The same for one label that was drawn: the object that the description has for it. PLATEN_E_INVALID: `page` is of
// another document.
enum platen_status platen_describe_page(struct platen_worker *worker, const struct platen_document *document,
                                        const struct platen_page *page, const struct platen_describe_options *options,
                                        struct platen_buffer *out, struct platen_error *err);

// ---- comparing
//
// Are two pages the same picture, and if not, what differs? Dots are compared one by one, from the top left corner of
// both pages; what one page has beyond the other's edge counts as different where it has ink. Elements are matched by
// the rules of docs/library.md.

struct platen_snapshot;

// Keeps a page: its dots (shades darker than half are ink) and its elements, which need options.want_elements. *out is
// the caller's: platen_snapshot_free. It does not need the page, the document or the worker any more.
enum platen_status platen_snapshot_new(const struct platen_page *page, struct platen_snapshot **out,
                                       struct platen_error *err);
// The same from the bytes of a picture file (PNG, BMP or PCX): dots darker than half are ink, and it has no elements.
// PLATEN_E_INVALID: it cannot be read.
enum platen_status platen_snapshot_of_picture(const struct platen_engine *engine, const void *data, size_t size,
                                              struct platen_snapshot **out, struct platen_error *err);
void platen_snapshot_free(struct platen_snapshot *snapshot);

struct platen_compare_options {
    size_t size;                        // sizeof(struct platen_compare_options): PLATEN_COMPARE_OPTIONS
    uint64_t tolerance_dots;            // as many dots may differ, and
    double tolerance_percent;           // if above 0, as many percent of the ink: the larger of both counts
    bool elements;                      // a change of an element is a difference, too, even one that does not show
    uint8_t reserved[7];                // 0
    const struct platen_cancel *cancel; // outlives the comparison; may be NULL
    uint64_t deadline_ns;               // on CLOCK_MONOTONIC; 0: none
};
#define PLATEN_COMPARE_OPTIONS(...)                                                                                    \
    {                                                                                                                  \
        .size = sizeof(struct platen_compare_options), __VA_ARGS__                                                     \
    }

struct platen_comparison;

// *out is the caller's: platen_comparison_free. Both snapshots must outlive it. `options` may be NULL.
enum platen_status platen_compare(const struct platen_snapshot *a, const struct platen_snapshot *b,
                                  const struct platen_compare_options *options, struct platen_comparison **out,
                                  struct platen_error *err);
void platen_comparison_free(struct platen_comparison *comparison);
// The same size, and no more difference than the options allow?
bool platen_comparison_is_same(const struct platen_comparison *comparison);

struct platen_ink {
    uint32_t width_a, height_a, width_b, height_b; // of the pages, in dots
    uint64_t a, b;                                 // dots of ink
    uint64_t only_a, only_b;
    double share; // only_a and only_b, of all dots that have ink in a or b: 0 to 1
};
void platen_comparison_ink(const struct platen_comparison *comparison, struct platen_ink *out, size_t size);

// Where ink differs: boxes around dots that lie close together, those with the most dots first. No more than 64 are
// kept; the count is that of all.
struct platen_area {
    uint32_t x, y, width, height;
    uint64_t dots;
};
uint32_t platen_comparison_area_count(const struct platen_comparison *comparison);
bool platen_comparison_area_at(const struct platen_comparison *comparison, uint32_t index, struct platen_area *out,
                               size_t size);

enum platen_change { PLATEN_REMOVED, PLATEN_ADDED, PLATEN_MOVED, PLATEN_CHANGED };
enum { // what differs, as a sum
    PLATEN_DIFFERS_TYPE = 1,
    PLATEN_DIFFERS_DATA = 2,
    PLATEN_DIFFERS_SIZE = 4,
    PLATEN_DIFFERS_PLACE = 8,
    PLATEN_DIFFERS_LOOK = 16 // rotation, reverse, font, thickness, dots of an image …
};

struct platen_element_change {
    enum platen_change change;
    const char *change_name;        // "moved"
    uint32_t differs;               // of moved and changed ones
    const struct platen_element *a; // NULL: added. Both last as long as the snapshots; `overlaps` is NULL
    const struct platen_element *b; // NULL: removed
    uint32_t index_a, index_b;      // among the elements of each page
    int32_t dx, dy;                 // from the top left corner of a's box to that of b's
};
// None unless both snapshots have elements. In the order of a's elements, then added ones in the order of b's.
bool platen_comparison_has_elements(const struct platen_comparison *comparison);
uint32_t platen_comparison_change_count(const struct platen_comparison *comparison);
bool platen_comparison_change_at(const struct platen_comparison *comparison, uint32_t index,
                                 struct platen_element_change *out, size_t size);
// Replaces the buffer's content by a PNG of both: white paper, black where both have ink, orange where only a has,
// blue where only b has.
enum platen_status platen_comparison_picture(const struct platen_comparison *comparison, struct platen_buffer *out,
                                             struct platen_error *err);

// ---- PDF of many pages
//
// Each page is first made a part, by any worker on its own thread; parts are then put together in order. The text layer
// needs options.want_elements.

enum platen_status platen_pdf_part(struct platen_worker *worker, const struct platen_page *page,
                                   struct platen_buffer *part, struct platen_error *err);

struct platen_pdf;

// *pdf is the caller's: platen_pdf_free. `out` grows with the document and must outlive it. `title` may be NULL.
// One layout, pages and end come in this order; a call out of order is PLATEN_E_INVALID and changes nothing. After one
// that failed otherwise while it wrote, all are PLATEN_E_INVALID: the PDF can then only be freed.
enum platen_status platen_pdf_new(const char *title, struct platen_buffer *out, struct platen_pdf **pdf,
                                  struct platen_error *err);
// Several labels on a page, and PDF/A. Lengths are millimetres.
enum platen_align { PLATEN_JUSTIFY, PLATEN_START, PLATEN_CENTER, PLATEN_END };
enum platen_border { PLATEN_NO_BORDER, PLATEN_SOLID, PLATEN_DASHED };
struct platen_pdf_layout {
    size_t size;                          // sizeof(struct platen_pdf_layout): PLATEN_PDF_LAYOUT
    double page_width_mm, page_height_mm; // 0: as large as the labels on it need
    uint32_t columns, rows;               // 0: as many as there is room for; both 0 without a page size: one label
    enum platen_align across, down;       // PLATEN_JUSTIFY: what is left over is spread evenly
    double margin_mm, gap_x_mm, gap_y_mm; // gaps are the least between two labels
    enum platen_border border;            // around each label
    uint32_t first;                       // places of the first page that stay empty
    bool cut_marks, by_columns, shrink;   // shrink: labels that do not fit are made smaller
    bool archive;                         // PDF/A-2b
    uint8_t reserved[4];                  // 0
};
#define PLATEN_PDF_LAYOUT(...)                                                                                         \
    {                                                                                                                  \
        .size = sizeof(struct platen_pdf_layout), __VA_ARGS__                                                          \
    }
enum platen_status platen_pdf_set_layout(struct platen_pdf *pdf, const struct platen_pdf_layout *layout,
                                         struct platen_error *err);
// Do labels of this size fit? PLATEN_E_INVALID with a sentence that names the numbers otherwise.
enum platen_status platen_pdf_layout_check(const struct platen_pdf_layout *layout, double label_width_mm,
                                           double label_height_mm, struct platen_error *err);
// Stops platen_pdf_add and platen_pdf_finish. As for platen_worker_set_cancel; `cancel`
// outlives the PDF. Pages that are made parts have the cancellation of their document.
void platen_pdf_set_cancel(struct platen_pdf *pdf, const struct platen_cancel *cancel, uint64_t deadline_ns);
// `copies` pages of one content: they share one image. With 0 copies the part is checked, and nothing is added; a part
// that fails the check, or is too large for the layout, is PLATEN_E_INVALID and changes nothing. PLATEN_E_LIMIT: the
// PDF would have more than 8,388,607 labels, the most objects that a file may have.
enum platen_status platen_pdf_add(struct platen_pdf *pdf, const struct platen_buffer *part, uint32_t copies,
                                  struct platen_error *err);
// Makes `out` empty while the document continues, for a caller that has used the bytes so far (it may also free the
// buffer, before or after): what comes next is written to its start, and makes one document with what was taken before.
void platen_pdf_take(struct platen_pdf *pdf);
// Ends the document; at least one page was added. `out` is complete after PLATEN_OK.
enum platen_status platen_pdf_finish(struct platen_pdf *pdf, struct platen_error *err);
void platen_pdf_free(struct platen_pdf *pdf);

// ---- label code to label code
//
// Label code is read command by command and written anew: in another layout, for another density, turned, or once for
// each row of values. For another density or a turn it is drawn before and after, and notes say what differs.
// docs/rewriting.md has the rules.

enum platen_layout {
    PLATEN_LAYOUT_LINES,  // one field a line
    PLATEN_LAYOUT_COMPACT // without comments and whatever has no effect
};
enum platen_graphic_coding {
    PLATEN_GRAPHIC_KEEP,
    PLATEN_GRAPHIC_ACS, // hex digits with run lengths: every printer takes them
    PLATEN_GRAPHIC_HEX,
    PLATEN_GRAPHIC_Z64, // needs newer firmware
    PLATEN_GRAPHIC_SMALLEST
};

// Of lengths in ZPL: ^MU.
enum platen_length_unit { PLATEN_UNIT_KEEP, PLATEN_UNIT_DOTS, PLATEN_UNIT_MM, PLATEN_UNIT_INCHES };

struct platen_rewrite_options {
    size_t size; // sizeof(struct platen_rewrite_options): PLATEN_REWRITE_OPTIONS
    enum platen_layout layout;
    enum platen_graphic_coding graphics; // of ^GF and ~DG
    double dpmm;                         // that the code is made for; 0: 8
    double target_dpmm;                  // 0: as it is
    double width_mm, height_mm;          // of the label, for rotation; 0: 101.6 and 152.4
    uint32_t rotation;                   // clockwise: 0, 90, 180, 270
    // Where nothing but `rows` changes the code, unverified code is taken to be drawn next: notes have their places in
    // it, and what drawing finds itself is not noted.
    bool unverified;     // labels are not drawn to compare them with those before
    bool to_utf8;        // ^CI28 is added to UTF-8 code that chooses no character set
    bool fit_size;       // with to_language: as fit_size of platen_options
    uint8_t reserved[1]; // 0
    // Values to fill in: a JSON array of objects, or CSV with a line of names. NULL: none. A value that is missing is
    // PLATEN_E_NOT_FOUND.
    const void *rows;
    size_t rows_size;
    const struct platen_cancel *cancel; // may be NULL
    uint64_t deadline_ns;               // on CLOCK_MONOTONIC; 0: none
    enum platen_language language;      // that the code is in
    // PLATEN_LANGUAGE_DETECT: it stays as it is. ZPL: texts and barcodes stay what they are where ZPL prints the same
    // dots. Others: each label becomes a graphic. Width and height of 0 are then those that the code states: in
    // ZPL ^PW and ^LL, where every label has both.
    enum platen_language to_language;
    enum platen_length_unit unit; // that lengths are written in; each stays the same number of dots
    uint32_t reserved2;           // 0
};
#define PLATEN_REWRITE_OPTIONS(...)                                                                                    \
    {                                                                                                                  \
        .size = sizeof(struct platen_rewrite_options), __VA_ARGS__                                                     \
    }

struct platen_rewritten;

// *out is the caller's: platen_rewritten_free. `options` may be NULL: one field a line. The worker has no document.
enum platen_status platen_rewrite(struct platen_worker *worker, const void *zpl, size_t size,
                                  const struct platen_rewrite_options *options, struct platen_rewritten **out,
                                  struct platen_error *err);
void platen_rewritten_free(struct platen_rewritten *rewritten);
// The code, with a NUL behind it that does not count in *size; it lasts as long as `rewritten`. `size` may be NULL.
const char *platen_rewritten_code(const struct platen_rewritten *rewritten, size_t *size);
// What could not be kept or scaled exactly.
uint32_t platen_rewritten_note_count(const struct platen_rewritten *rewritten);
bool platen_rewritten_note_at(const struct platen_rewritten *rewritten, uint32_t index, struct platen_diagnostic *out,
                              size_t size);

enum platen_table { PLATEN_TABLE_TEXT, PLATEN_TABLE_JSON, PLATEN_TABLE_CSV };

// Replaces the buffer's content by each command in words, of any language: text or JSON. `dpmm` (0: 8) makes
// millimetres of dots.
enum platen_status platen_explain(struct platen_worker *worker, const void *zpl, size_t size, double dpmm,
                                  enum platen_table table, struct platen_buffer *out, struct platen_error *err);
// Replaces the buffer's content by the texts and barcodes of all labels with their places: JSON or CSV. Draws every
// label. PLATEN_E_INVALID: the document was parsed without want_elements.
enum platen_status platen_extract(struct platen_worker *worker, const struct platen_document *document,
                                  enum platen_table table, struct platen_buffer *out, struct platen_error *err);

// ---- pictures and fonts to label code

enum platen_dither {
    PLATEN_DITHER_THRESHOLD,
    PLATEN_DITHER_AUTO, // shades beside black or white are thresholded, the others ordered: bars stay crisp
    PLATEN_DITHER_FLOYD_STEINBERG,
    PLATEN_DITHER_ATKINSON,
    PLATEN_DITHER_ORDERED
};

struct platen_graphic_options {
    size_t size; // sizeof(struct platen_graphic_options): PLATEN_GRAPHIC_OPTIONS
    enum platen_dither dither;
    enum platen_graphic_coding coding; // PLATEN_GRAPHIC_KEEP: PLATEN_GRAPHIC_ACS
    double threshold;                  // in percent of white, 1 to 99; 0: 50
    double width_mm, height_mm;        // it fits into; both 0: a dot for each dot of the picture
    double dpmm;                       // 0: 8
    uint32_t rotation;                 // clockwise: 0, 90, 180, 270
    uint32_t x, y;                     // of the field
    bool invert, trim;                 // trim: edges without ink are cut off
    bool exact_fit;                    // larger by any factor, not only by whole numbers
    bool stored;                       // ~DG and ^XG instead of ^GF
    bool bare;                         // without ^XA and ^XZ
    uint8_t reserved[7];               // 0
    const char *name;                  // of a stored one; NULL: R:IMAGE.GRF
    const struct platen_cancel *cancel;
    uint64_t deadline_ns;
};
#define PLATEN_GRAPHIC_OPTIONS(...)                                                                                    \
    {                                                                                                                  \
        .size = sizeof(struct platen_graphic_options), __VA_ARGS__                                                     \
    }

struct platen_graphic;
struct platen_graphic_info {
    uint32_t width, height; // in dots
    uint32_t row_bytes;
    size_t total_bytes; // before coding
    enum platen_graphic_coding coding;
    uint32_t reserved;
};

// PNG, JPEG, GIF, WebP, BMP, PCX, PBM or PGM to label code. *out is the caller's: platen_graphic_free.
// PLATEN_E_INVALID: it cannot be read; PLATEN_E_LIMIT: more dots than the engine's decoded_graphics.
enum platen_status platen_graphic_new(const struct platen_engine *engine, const void *file, size_t size,
                                      const struct platen_graphic_options *options, struct platen_graphic **out,
                                      struct platen_error *err);
void platen_graphic_free(struct platen_graphic *graphic);
void platen_graphic_info(const struct platen_graphic *graphic, struct platen_graphic_info *out, size_t size);
// The label code, and the coded data alone, each with a NUL behind it that does not count in *size; both last as long
// as `graphic`. `size` may be NULL.
const char *platen_graphic_code(const struct platen_graphic *graphic, size_t *size);
const char *platen_graphic_data(const struct platen_graphic *graphic, size_t *size);
// Bytes of the data in another coding.
size_t platen_graphic_coded_size(const struct platen_graphic *graphic, enum platen_graphic_coding coding);
bool platen_graphic_ink(const struct platen_graphic *graphic, uint32_t x, uint32_t y);
const char *platen_graphic_coding_name(enum platen_graphic_coding coding); // "acs"

struct platen_font_options {
    size_t size;          // sizeof(struct platen_font_options): PLATEN_FONT_OPTIONS
    const char *path;     // E:NAME.TTF; NULL: R:FONT.TTF
    const char *chars;    // UTF-8: only these characters; NULL: all
    const char *unicodes; // and these ranges: 0030-0039,0041-005A; NULL: none
    char letter;          // ^CW gives it this letter; 0: none
    bool bare;            // without ^XA and ^XZ
    bool as_file;         // ~DY instead of ~DU; the extension is then TTF or TTE
    uint8_t reserved;     // 0
    uint32_t face;        // of a collection (TTC), from 0
    const char *instance; // of a variable font: "SemiBold"; NULL: the font as it is
    // Gets lines about characters that the font lacks and about its embedding rights; NULL: they are not wanted.
    struct platen_buffer *notes;
};
#define PLATEN_FONT_OPTIONS(...)                                                                                       \
    {                                                                                                                  \
        .size = sizeof(struct platen_font_options), __VA_ARGS__                                                        \
    }
// Replaces the buffer's content by the label code that stores a TrueType or OpenType font (~DU or ~DY). The file may
// also be WOFF, WOFF2 or a collection.
enum platen_status platen_font_code(const struct platen_engine *engine, const void *file, size_t size,
                                    const struct platen_font_options *options, struct platen_buffer *out,
                                    struct platen_error *err);

// ---- languages
//
// What the interpreters know, for completion lists, help and documents. The texts live as long as the program.

// "zpl", "ZPL II"; false: there is no such language (PLATEN_LANGUAGE_DETECT is none).
bool platen_language_names(enum platen_language language, const char **name, const char **title);

enum platen_support { PLATEN_SUPPORT_FULL, PLATEN_SUPPORT_PARTIAL, PLATEN_SUPPORT_NO_EFFECT };

struct platen_command {
    const char *name; // "^FO", "~DG"; "^A" stands for all fonts
    enum platen_support support;
    const char *support_name; // "full", "partial", "no effect"
    const char *summary;
    const char *note; // what is missing, or why there is no effect; may be empty
    uint32_t parameter_count;
    uint32_t reserved;
};

struct platen_command_parameter {
    const char *name;
    const char *type; // "dots", "number", "choice", "character", "text", "object", "data"
    bool has_range;   // min and max count
    int32_t min, max;
    const char *values;   // of a choice: the allowed characters
    const char *fallback; // the default, in words where need be; empty: none
    const char *about;    // what it sets, as a phrase; empty: not known
};

uint32_t platen_command_count(enum platen_language language);
bool platen_command_at(enum platen_language language, uint32_t index, struct platen_command *out, size_t size);
bool platen_command_parameter_at(enum platen_language language, uint32_t command, uint32_t index,
                                 struct platen_command_parameter *out, size_t size);
// What a character of a choice means, in words. They are `*length` bytes long, without a zero byte behind them; 0: not
// known.
const char *platen_command_value_about(enum platen_language language, uint32_t command, uint32_t index, char value,
                                       size_t *length);

// The kinds of diagnostics: code, severity and summary of each.
uint32_t platen_diagnostic_kind_count(void);
bool platen_diagnostic_kind_at(uint32_t index, const char **code, enum platen_severity *severity, const char **summary);
const char *platen_severity_name(enum platen_severity severity);

// Replaces the buffer's content by the scene as text, one line per label and element: for tests and for looking into a
// label.
enum platen_status platen_dump_scene(const struct platen_document *document, struct platen_buffer *out,
                                     struct platen_error *err);

// The size of the caller's structure, for the functions that fill one.
#define platen_engine_limits(object, out) platen_engine_limits(object, out, sizeof *(out))
#define platen_printer_model_at(index, out) platen_printer_model_at(index, out, sizeof *(out))
#define platen_label_at(object, index, out) platen_label_at(object, index, out, sizeof *(out))
#define platen_diagnostic_at(object, index, out) platen_diagnostic_at(object, index, out, sizeof *(out))
#define platen_page_diagnostic_at(object, index, out) platen_page_diagnostic_at(object, index, out, sizeof *(out))
#define platen_rewritten_note_at(object, index, out) platen_rewritten_note_at(object, index, out, sizeof *(out))
#define platen_page_bitmap(object, out) platen_page_bitmap(object, out, sizeof *(out))
#define platen_page_element_at(object, index, out) platen_page_element_at(object, index, out, sizeof *(out))
#define platen_page_place_source_at(object, index, out) platen_page_place_source_at(object, index, out, sizeof *(out))
#define platen_stored_at(object, index, out) platen_stored_at(object, index, out, sizeof *(out))
#define platen_document_settings(object, out) platen_document_settings(object, out, sizeof *(out))
#define platen_reply_at(object, index, out) platen_reply_at(object, index, out, sizeof *(out))
#define platen_comparison_ink(object, out) platen_comparison_ink(object, out, sizeof *(out))
#define platen_comparison_area_at(object, index, out) platen_comparison_area_at(object, index, out, sizeof *(out))
#define platen_comparison_change_at(object, index, out) platen_comparison_change_at(object, index, out, sizeof *(out))
#define platen_graphic_info(object, out) platen_graphic_info(object, out, sizeof *(out))
#define platen_command_at(object, index, out) platen_command_at(object, index, out, sizeof *(out))
#define platen_command_parameter_at(language, command, index, out)                                                     \
    platen_command_parameter_at(language, command, index, out, sizeof *(out))

#ifdef __cplusplus
}
#endif
#pragma GCC visibility pop

#endif
