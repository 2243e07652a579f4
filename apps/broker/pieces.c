// Putting pieces of results together.
#include "pieces.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "account.h"
#include "base/fmt.h"
#include "work_job.h"

bool piece_read(struct pl_slice text, struct piece *out)
{
    // "0123456789abcdef 8388608 25165824"
    const uint8_t *blank = text.len > 17 ? memchr(text.ptr + 17, ' ', text.len - 17) : NULL;
    if (!blank || text.ptr[16] != ' ' || !account_token_read(pl_slice_sub(text, 0, 16), &out->name))
        return false;
    size_t at = (size_t)(blank - text.ptr);
    return pl_parse_u64(pl_slice_sub(text, 17, at - 17), &out->begin) &&
           pl_parse_u64(pl_slice_sub(text, at + 1, text.len), &out->total) && out->total <= WORK_RESULT_MAX &&
           out->begin < out->total;
}

enum pl_errc piece_write(const char *folder, const struct piece *piece, struct pl_slice body, char *path, size_t size,
                         bool *whole, struct pl_error *err)
{
    struct stat st;
    snprintf(path, size, "%s/" PIECES_BEGIN "%016llx", folder, (unsigned long long)piece->name);
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && fstat(fd, &st) == 0;
    enum pl_errc code = PL_OK;
    if (ok && ((uint64_t)st.st_size < piece->begin || body.len > piece->total - piece->begin))
        code = pl_fail(err, PL_E_INVALID, "a result lacks a piece");
    for (size_t done = 0; ok && code == PL_OK && done < body.len;) {
        ssize_t n = pwrite(fd, body.ptr + done, body.len - done, (off_t)(piece->begin + done));
        ok = n > 0 || (n < 0 && errno == EINTR);
        done += n > 0 ? (size_t)n : 0;
    }
    int failure = errno;
    if (fd >= 0 && close(fd) != 0 && ok) {
        failure = errno;
        ok = false;
    }
    if (!ok)
        return pl_fail(err, PL_E_BUG, "%s: %s", path, strerror(failure));
    *whole = code == PL_OK && piece->begin + body.len == piece->total;
    return code;
}
