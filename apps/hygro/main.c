// hygro: one program for the grain service and its command line.
#include <stdio.h>

int main(void)
{
    fprintf(stderr, "usage: hygro COMMAND [options]\n");
    return 2;
}
