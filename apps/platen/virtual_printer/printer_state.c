// The folder of --state at the start of a service.
#include "printer_state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "os/files.h"
#include "printer/kept.h"
#include "printer_helper.h"
#include "process/say.h"

#define STATE_BYTES ((uint64_t)1 << 30)
#define PATH_BYTES 4096
#define DAMAGED_MOST 100

static enum pl_errc path_of(const struct printer_hub *hub, const char *name, const char *ext, char path[PATH_BYTES],
                            struct pl_error *err)
{
    int n = snprintf(path, PATH_BYTES, "%s/%s.%s", hub->options.state_dir, name, ext);
    return n > 0 && n < PATH_BYTES - 32 ? PL_OK : pl_fail(err, PL_E_INVALID, "--state: the path is too long");
}

// ---- one service

enum pl_errc printer_state_lock(struct printer_hub *hub, struct pl_error *err)
{
    char path[PATH_BYTES];
    if (!printer_state_asked(hub))
        return PL_OK;
    PL_TRY(path_of(hub, "platen", "lock", path, err));
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0640);
    if (fd < 0)
        return pl_fail(err, PL_E_IO, "--state: cannot write to the folder %s: %s", hub->options.state_dir,
                       strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
        bool taken = errno == EWOULDBLOCK;
        int reason = errno;
        close(fd);
        return taken ? pl_fail(err, PL_E_IO, "--state: another service uses the folder %s", hub->options.state_dir)
                     : pl_fail(err, PL_E_IO, "--state: cannot lock %s: %s", path, strerror(reason));
    }
    hub->state_lock = fd;
    return PL_OK;
}

void printer_state_unlock(struct printer_hub *hub)
{
    if (hub->state_lock > 0)
        close(hub->state_lock);
    hub->state_lock = 0;
}

// ---- what is there

enum state_file { STATE_NONE, STATE_EMPTY, STATE_LARGE, STATE_MAPPED };

// A file, mapped; *size is 0 where that is not possible.
static enum pl_errc map_state(const char *path, const void **bytes, size_t *size, enum state_file *found,
                              struct pl_error *err)
{
    *found = STATE_MAPPED;
    if (pl_os_map(path, STATE_BYTES, bytes, size))
        return PL_OK;
    *size = 0;
    *found = errno == 0 ? STATE_EMPTY : errno == EFBIG ? STATE_LARGE : STATE_NONE;
    if (*found != STATE_NONE || errno == ENOENT)
        return PL_OK;
    return errno == ENOMEM ? pl_fail_memory(err)
                           : pl_fail(err, PL_E_IO, "--state: cannot read %s: %s", path, strerror(errno));
}

// Under a name that no file has, for whoever wants to look at it. `why`: what it is, and what follows from that.
static enum pl_errc set_aside(const char *path, const char *suffix, const char *why, struct pl_error *err)
{
    char aside[PATH_BYTES + 32];
    int n = 1;
    snprintf(aside, sizeof aside, "%s.%s", path, suffix);
    while (!printer_rename_apart(path, aside)) {
        if (errno != EEXIST || ++n > DAMAGED_MOST)
            return pl_fail(err, PL_E_IO, "--state: %s %s. It cannot be renamed: %s", path, why, strerror(errno));
        snprintf(aside, sizeof aside, "%s.%s-%d", path, suffix, n);
    }
    pl_say("platen: --state: %s %s. It is now %s", path, why, aside);
    return PL_OK;
}

// What it holds and which settings it has is known after a job that changes nothing.
static enum pl_errc submit_first(struct printer *p, const char *code, struct pl_error *err)
{
    static const struct printer_source SELF = {.text = "start"};
    bool zpl = p->spec.language == PLATEN_LANGUAGE_ZPL;
    struct printer_job *job = printer_job_new(zpl ? pl_slice_cstr(code) : pl_slice_make("", 0), &SELF);
    if (!job)
        return pl_fail_memory(err);
    job->quiet = job->of_start = true;
    printer_submit(p, job);
    return PL_OK;
}

static enum pl_errc load_memory(struct printer_hub *hub, struct printer *p, struct pl_error *err)
{
    char path[PATH_BYTES];
    const void *bytes;
    size_t size;
    enum state_file found;
    PL_TRY(path_of(hub, p->spec.name, printer_language_name(&p->spec), path, err));
    PL_TRY(map_state(path, &bytes, &size, &found, err));
    if (found == STATE_LARGE)
        return set_aside(path, "damaged", "is too large: the printer starts without what it holds", err);
    if (size == 0) // a printer that holds nothing has an empty file
        return PL_OK;
    struct blob *lasting = blob_new(pl_slice_make(bytes, size));
    pl_os_unmap(bytes, size);
    if (!lasting)
        return pl_fail_memory(err);
    blob_release(p->memory[0]);
    p->memory[0] = lasting;
    return PL_OK;
}

// A service that was killed in the moment of its start has left it: some of its jobs may have been printed.
static enum pl_errc set_taken_aside(struct printer_hub *hub, const struct printer *p, struct pl_error *err)
{
    static const char LEFT[] = "was left by a service that was killed: its jobs are not printed";
    char path[PATH_BYTES];
    PL_TRY(path_of(hub, p->spec.name, "jobs.taken", path, err));
    return access(path, F_OK) == 0 ? set_aside(path, "left", LEFT, err) : PL_OK;
}

static enum pl_errc load_jobs(struct printer *p, const char *path, struct pl_slice file, struct pl_error *err)
{
    enum kept_kind kind = kept_check(file);
    if (kind == KEPT_NO_MEMORY)
        return pl_fail_memory(err);
    if (kind == KEPT_BROKEN) {
        PL_TRY(set_aside(path, "damaged", "is damaged: its jobs are not printed", err));
        return submit_first(p, "\x10JR", err);
    }
    // Drive R: is as it was when the jobs were kept.
    PL_TRY(submit_first(p, "\x02\x03", err));
    return printer_load_left(p, file, err);
}

enum pl_errc printer_state_load(struct printer_hub *hub, struct printer *p, struct pl_error *err)
{
    char path[PATH_BYTES];
    const void *bytes = "";
    size_t size = 0;
    enum state_file found = STATE_NONE;
    if (printer_state_asked(hub) && !p->spec.is_spare) {
        PL_TRY(load_memory(hub, p, err));
        PL_TRY(set_taken_aside(hub, p, err));
        PL_TRY(path_of(hub, p->spec.name, "jobs", path, err));
        PL_TRY(map_state(path, &bytes, &size, &found, err));
    }
    if (found == STATE_NONE)
        return submit_first(p, "\x10JR", err);
    enum pl_errc code = load_jobs(p, path, pl_slice_make(bytes, size), err);
    if (size > 0)
        pl_os_unmap(bytes, size);
    return code;
}

// ---- taking it over

static bool rename_all(const struct printer_hub *hub, const char *from, const char *to)
{
    char before[PATH_BYTES], after[PATH_BYTES];
    bool good = true;
    for (uint32_t i = 0; printer_state_asked(hub) && i < hub->count; i++) {
        const char *name = hub->printers[i].spec.name;
        if (hub->printers[i].spec.is_spare)
            continue;
        bool named = path_of(hub, name, from, before, NULL) == PL_OK && path_of(hub, name, to, after, NULL) == PL_OK;
        good = named && (rename(before, after) == 0 || errno == ENOENT) && good;
    }
    return good;
}

bool printer_state_take(struct printer_hub *hub)
{
    bool taken = rename_all(hub, "jobs", "jobs.taken");
    if (!taken)
        printer_state_give_back(hub);
    return taken;
}

void printer_state_give_back(struct printer_hub *hub)
{
    rename_all(hub, "jobs.taken", "jobs");
}

void printer_state_forget(struct printer_hub *hub)
{
    char path[PATH_BYTES];
    for (uint32_t i = 0; printer_state_asked(hub) && i < hub->count; i++) {
        if (!hub->printers[i].spec.is_spare &&
            path_of(hub, hub->printers[i].spec.name, "jobs.taken", path, NULL) == PL_OK)
            unlink(path);
    }
}
