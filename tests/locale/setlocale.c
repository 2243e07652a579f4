// Loaded before a program (LD_PRELOAD): the process has the locale of its environment from the start, as in a host that
// calls setlocale. It must be one whose numbers have a comma: otherwise nothing would be tested.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((constructor)) static void begin(void)
{
    if (!setlocale(LC_ALL, "") || strcmp(localeconv()->decimal_point, ",") != 0) {
        fprintf(stderr, "the locale %s is not there\n", getenv("LC_ALL") ? getenv("LC_ALL") : "");
        _Exit(99);
    }
    // Programs that a test starts, such as pdfinfo, print their numbers as ever.
    unsetenv("LC_ALL");
    unsetenv("LD_PRELOAD");
}
