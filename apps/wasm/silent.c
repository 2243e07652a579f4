// Printing in the library's module, which has no system: it goes nowhere.
#include <stdio.h>

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
