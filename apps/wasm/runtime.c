// What the libraries of the compiler and FreeType call and nothing else here has.
#include <stddef.h>
#include <stdint.h>

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
