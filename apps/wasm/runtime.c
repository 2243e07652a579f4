// What the libraries of the compiler and FreeType call and nothing else here has.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

// Debian's compiler-rt is built with guards on the stack. A guard that was overwritten ends the instance.
uintptr_t __stack_chk_guard = 0x5BD1E995;
_Noreturn void __stack_chk_fail(void);

void __stack_chk_fail(void)
{
    __builtin_trap();
}

// FreeType opens files by their names with it. There are none.
struct FT_StreamRec_;
int FT_Stream_Open(struct FT_StreamRec_ *stream, const char *path);

int FT_Stream_Open(struct FT_StreamRec_ *stream, const char *path)
{
    (void)stream, (void)path;
    return 0x01; // FT_Err_Cannot_Open_Resource
}

// FreeType expands WOFF files and SVG glyphs with it. libplaten reads neither.
int FT_Gzip_Uncompress(void *memory, uint8_t *output, unsigned long *output_length, const uint8_t *input,
                       unsigned long input_length);

int FT_Gzip_Uncompress(void *memory, uint8_t *output, unsigned long *output_length, const uint8_t *input,
                       unsigned long input_length)
{
    (void)memory, (void)output, (void)output_length, (void)input, (void)input_length;
    return 0x07; // FT_Err_Unimplemented_Feature
}

// There is no place to print to. libzint prints when it is debugged, and the C library before it gives up on a number
// of type long double: the file that it would print to is only ever given to fputs below.
unsigned char __stderr_FILE[1];

int printf(const char *restrict format, ...)
{
    (void)format;
    return 0;
}

int puts(const char *text)
{
    (void)text;
    return 0;
}

int putchar(int c)
{
    return c;
}

int fputs(const char *restrict text, FILE *restrict file)
{
    (void)text, (void)file;
    return 0;
}
