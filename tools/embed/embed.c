// Build step: puts files into the program. Writes an assembler source with the files' bytes and a table of them.
//
//   embed OUTPUT.S TABLE_SYMBOL NAME=PATH...
//
// In C: struct pl_embedded { const char *name; const unsigned char *begin, *end; }; the row after the last is all NULL.
#include <stdio.h>
#include <string.h>

static void quote(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fputs("usage: embed OUTPUT.S TABLE_SYMBOL NAME=PATH...\n", stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++) {
        const char *path = strchr(argv[i], '=');
        FILE *file = path ? fopen(path + 1, "rb") : NULL;
        if (!file) {
            fprintf(stderr,
                    "embed: cannot open %s; install the Debian packages of tools/apt-run.txt and run `npm ci`\n",
                    path ? path + 1 : argv[i]);
            return 1;
        }
        fclose(file);
    }
    FILE *out = fopen(argv[1], "w");
    if (!out) {
        fprintf(stderr, "embed: cannot write %s\n", argv[1]);
        return 1;
    }
    fputs("/* Made by tools/embed. */\n.section .rodata\n", out);
    for (int i = 3; i < argc; i++) {
        const char *path = strchr(argv[i], '=') + 1;
        *(char *)strchr(argv[i], '=') = 0;
        fprintf(out, ".balign 16\n.Lbegin%d:\n.incbin ", i);
        quote(out, path);
        fprintf(out, "\n.Lend%d:\n.byte 0\n.Lname%d:\n.asciz ", i, i);
        quote(out, argv[i]);
        fputc('\n', out);
    }
    // Addresses need relocation in a position-independent program, hence the section's name.
    fputs(".section .data.rel.ro, \"aw\"\n.balign 8\n", out);
    fprintf(out, ".globl %s\n.hidden %s\n%s:\n", argv[2], argv[2], argv[2]);
    for (int i = 3; i < argc; i++)
        fprintf(out, ".quad .Lname%d, .Lbegin%d, .Lend%d\n", i, i, i);
    fputs(".quad 0, 0, 0\n.section .note.GNU-stack, \"\", %progbits\n", out);
    if (fclose(out) != 0) {
        fprintf(stderr, "embed: cannot write %s\n", argv[1]);
        return 1;
    }
    return 0;
}
