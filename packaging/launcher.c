// Starts a program of the Linux tarball with the loader, the libraries and the fonts that lie beside it. It is linked
// statically and needs no /proc: a root file system with nothing but the tarball is enough.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#ifndef LOADER
#error "LOADER: the name of the loader in lib/"
#endif
#define PATH_LONGEST 4096
#define OWN_ARGUMENTS 6 // loader, --library-path LIB, --argv0 NAME, program

int main(int argc, char **argv)
{
    static char lib[PATH_LONGEST], loader[PATH_LONGEST], program[PATH_LONGEST], fonts[PATH_LONGEST];
    const char *own = (const char *)getauxval(AT_EXECFN);
    const char *slash = own ? strrchr(own, '/') : NULL;
    const char *name = slash ? slash + 1 : own;
    int folder = slash ? (int)(slash - own) : 1;
    const char *start = slash ? own : ".";
    char **arguments = calloc((size_t)argc + OWN_ARGUMENTS + 1, sizeof(*arguments));
    if (!name || !arguments || (size_t)folder + strlen(name) + sizeof("/lib/" LOADER) > PATH_LONGEST) {
        fprintf(stderr, "this program cannot find its folder\n");
        return 1;
    }
    snprintf(lib, sizeof lib, "%.*s/lib", folder, start);
    snprintf(loader, sizeof loader, "%.*s/lib/%s", folder, start, LOADER);
    snprintf(program, sizeof program, "%.*s/lib/%s", folder, start, name);
    snprintf(fonts, sizeof fonts, "%.*s/fonts", folder, start);
    setenv("PLATEN_FONTS", fonts, 0);
    char *const first[OWN_ARGUMENTS] = {loader, "--library-path", lib, "--argv0", argv[0], program};
    memcpy(arguments, first, sizeof first);
    if (argc > 1)
        memcpy(arguments + OWN_ARGUMENTS, argv + 1, ((size_t)argc - 1) * sizeof(*argv));
    execv(loader, arguments);
    fprintf(stderr, "%s: %s\n", loader, strerror(errno));
    return 1;
}
