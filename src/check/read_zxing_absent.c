// Stands for read_zxing.cc in builds without zxing-cpp.
#include "check/read_zxing.h"

bool pl_zxing_present(void)
{
    return false;
}

const char *pl_zxing_version(void)
{
    return "";
}

enum pl_zxing_status pl_zxing_read(const struct pl_zxing_job *job, struct pl_zxing_result *result)
{
    (void)job;
    result->length = 0;
    return PL_ZXING_ABSENT;
}

enum pl_zxing_status pl_zxing_see(const struct pl_zxing_job *job, struct pl_zxing_result *result)
{
    (void)job;
    result->length = 0;
    return PL_ZXING_ABSENT;
}

enum pl_zxing_status pl_zxing_find(const struct pl_zxing_job *job, pl_zxing_found *found, void *context)
{
    (void)job;
    (void)found;
    (void)context;
    return PL_ZXING_ABSENT;
}
