// usage COMMAND [ARGUMENT...]: runs a command; prints what it and its threads used, as the kernel counted it:
// microseconds of user and system time, page faults, times that a thread gave its core away, and times that it was
// taken away.
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static long us(struct timeval t)
{
    return t.tv_sec * 1000000 + t.tv_usec;
}

int main(int argc, char **argv)
{
    struct rusage used;
    int status;
    if (argc < 2)
        return 2;
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    printf("%ld %ld %ld %ld %ld\n", us(used.ru_utime), us(used.ru_stime), used.ru_minflt + used.ru_majflt,
           used.ru_nvcsw, used.ru_nivcsw);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
