// What setjmp and longjmp become in WebAssembly: names and arguments are the compiler's.
#include <setjmp.h>

// The exception that a longjmp throws.
__asm__(".globl __c_longjmp\n.tagtype __c_longjmp i32\n__c_longjmp:\n");

void __wasm_setjmp(struct platen_jump *buffer, unsigned label, void *invocation);
unsigned __wasm_setjmp_test(const struct platen_jump *buffer, const void *invocation);
_Noreturn void __wasm_longjmp(struct platen_jump *buffer, int value);

void __wasm_setjmp(struct platen_jump *buffer, unsigned label, void *invocation)
{
    buffer->invocation = invocation;
    buffer->label = label;
}

// The label of the setjmp that a jump goes to; 0: it is one of another function.
unsigned __wasm_setjmp_test(const struct platen_jump *buffer, const void *invocation)
{
    return buffer->invocation == invocation ? buffer->label : 0;
}

void __wasm_longjmp(struct platen_jump *buffer, int value)
{
    buffer->thrown.buffer = buffer;
    buffer->thrown.value = value ? value : 1;
    __builtin_wasm_throw(1, &buffer->thrown); // 1: C's jumps; 0 would be C++
}
