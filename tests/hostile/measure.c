// measure COMMAND [ARGUMENT...]: runs a command and prints what it took as the last line of standard error: exit status
// (-1: a signal ended it), most memory in KiB, milliseconds on the processor.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL); // whoever stops waiting for it ends it
        execv(argv[1], argv + 1);
        _exit(127);
    }
    int status;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    long ms =
        (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1000 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1000;
    fprintf(stderr, "%d %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1, used.ru_maxrss, ms);
    return 0;
}
