// Measures what a newcomer sees: opens a connection, asks for the health document, reads the answer. probe PORT COUNT
// prints the median and the 99th percentile in microseconds.
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int argc, char **argv)
{
    static const char REQUEST[] = "GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    int count = argc > 2 ? atoi(argv[2]) : 0;
    if (count < 1 || count > 100000) {
        fputs("usage: probe PORT COUNT\n", stderr);
        return 2;
    }
    double *times = calloc((size_t)count, sizeof(*times));
    if (!times)
        return 1;
    for (int i = 0; i < count; i++) {
        struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(argv[1]))};
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        char answer[4096];
        double began = now_us();
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0 ||
            send(fd, REQUEST, sizeof(REQUEST) - 1, MSG_NOSIGNAL) < 0 || recv(fd, answer, sizeof(answer), 0) < 12 ||
            memcmp(answer, "HTTP/1.1 200", 12) != 0) {
            fputs("probe: no answer\n", stderr);
            return 1;
        }
        times[i] = now_us() - began;
        close(fd);
        struct timespec pause = {.tv_nsec = 5000000};
        nanosleep(&pause, NULL);
    }
    qsort(times, (size_t)count, sizeof(*times), compare);
    printf("%.0f %.0f\n", times[count / 2], times[count * 99 / 100]);
    free(times);
    return 0;
}
