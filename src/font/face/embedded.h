// Font files inside the program (tools/embed makes the table), in the order of enum pl_blob.
#ifndef PL_FONT_FACE_EMBEDDED_H
#define PL_FONT_FACE_EMBEDDED_H

struct pl_embedded {
    const char *name;
    const unsigned char *begin, *end;
};

extern const struct pl_embedded pl_embedded_fonts[];

#endif
