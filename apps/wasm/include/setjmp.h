// setjmp for WebAssembly, which Debian's C library for it does not have: FreeType leaves its rasterizer and its checks
// of tables by longjmp. The compiler (-wasm-enable-sjlj) turns the calls into those of ../jump.c.
#ifndef PLATEN_WASM_SETJMP_H
#define PLATEN_WASM_SETJMP_H

struct platen_jump {
    void *invocation; // of the function that called setjmp
    unsigned label;   // which of its calls
    struct {
        void *buffer;
        int value;
    } thrown;
};
typedef struct platen_jump jmp_buf[1];

int setjmp(jmp_buf buffer) __attribute__((returns_twice));
_Noreturn void longjmp(jmp_buf buffer, int value);

#endif
