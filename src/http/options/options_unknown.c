// Variables of the environment that look like options and are none: a misspelt one would have no effect in silence.
#include <stdio.h>
#include <string.h>

#include "base/suggest.h"
#include "http/options/options.h"

#define MOST_LINES 20u
#define LONGEST_NAME 100u // of which as much is shown

extern char **environ;

static bool ends_with(struct pl_slice text, const char *end)
{
    struct pl_slice tail = pl_slice_cstr(end);
    return text.len >= tail.len && memcmp(text.ptr + text.len - tail.len, tail.ptr, tail.len) == 0;
}

// What Kubernetes gives every container for each service whose name begins like ours: PLATEN_SERVICE_HOST,
// PLATEN_SERVICE_PORT_HTTP, PLATEN_PORT=tcp://10.0.0.1:8080, PLATEN_PORT_8080_TCP_ADDR. Such a name may hold "port".
static bool is_service_link(struct pl_slice name, const char *value)
{
    static const char PORT[] = "_PORT_", SERVICE[] = "_SERVICE_PORT_";
    const char *at = (const char *)name.ptr, *end = at + name.len;
    while ((at = memmem(at, (size_t)(end - at), PORT, sizeof PORT - 1)) != NULL) {
        at += sizeof PORT - 2; // the next one may begin with the '_' that ends this one
        if (at + 1 < end && at[1] >= '0' && at[1] <= '9')
            return true;
    }
    return ends_with(name, "_SERVICE_HOST") || ends_with(name, "_SERVICE_PORT") ||
           memmem(name.ptr, name.len, SERVICE, sizeof SERVICE - 1) ||
           (ends_with(name, "_PORT") && strstr(value, "://"));
}

// A variable without its prefix, and as options are written: MAX_BODY and "max-body".
struct variable {
    const char *env_prefix;
    struct pl_slice name, word;
    struct pl_suggestions best;
};

// The name as options are written: "max-body" of MAX_BODY.
static struct pl_slice option_form(struct pl_slice name, char *room, size_t size)
{
    size_t len = 0;
    for (; len < name.len && len < size; len++) {
        char c = (char)name.ptr[len];
        room[len] = (char)(c == '_' ? '-' : c >= 'A' && c <= 'Z' ? c + 32 : c);
    }
    return pl_slice_make(room, len);
}

// True: it is that of this option. Otherwise it may have been meant to be.
static bool is_of(struct variable *v, const char *option)
{
    char known[HTTP_ENV_NAME_SIZE];
    http_option_env_name(v->env_prefix, option, known, sizeof(known));
    pl_suggest(&v->best, v->word, option);
    return pl_slice_eq_cstr(v->name, known + strlen(v->env_prefix) + 1);
}

// True: nobody is to be warned of it. The nearest option is in v->best.
static bool is_known(const struct http_option_set *sets, size_t set_count, const char *const *others,
                     struct variable *v)
{
    bool of_others = false;
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            if (is_of(v, sets[s].rows[i].name))
                return true;
        }
    }
    for (; others && *others; others++) {
        size_t len = strlen(*others);
        if (len > 0 && (*others)[len - 1] != '-') {
            if (is_of(v, *others))
                return true;
        } else if (v->word.len >= len && memcmp(v->word.ptr, *others, len) == 0) {
            of_others = true;
        }
    }
    // One letter of three may be wrong: who writes PLATEN_PORT does not mean PLATEN_CORS.
    if (v->best.count > 0 && v->best.far[0] > v->name.len / 3)
        v->best.count = 0;
    // WORK_ERS means WORKERS, though others begin with WORK_.
    return of_others && (v->best.count == 0 || v->best.far[0] > 2);
}

static void tell(const struct variable *v, const char *who)
{
    char shown[LONGEST_NAME + 1], nearest[HTTP_ENV_NAME_SIZE];
    size_t len = 0;
    for (; len < v->word.len; len++) {
        uint8_t c = v->name.ptr[len];
        shown[len] = (char)(c > ' ' && c <= '~' ? c : '?'); // a newline would begin a line of its own
    }
    shown[len] = '\0';
    fprintf(stderr, "%s: %s_%s is not an option; ", who, v->env_prefix, shown);
    if (v->best.count > 0) {
        http_option_env_name(v->env_prefix, v->best.names[0], nearest, sizeof(nearest));
        fprintf(stderr, "did you mean %s?\n", nearest);
    } else {
        fprintf(stderr, "--help lists them\n");
    }
}

void http_options_warn(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                       const char *const *others, const char *who)
{
    size_t prefix = strlen(env_prefix), lines = 0;
    for (char **at = environ; at && *at; at++) {
        const char *equals = strchr(*at, '=');
        if (strncmp(*at, env_prefix, prefix) != 0 || (*at)[prefix] != '_' || !equals || equals[1] == '\0')
            continue;
        // With the '_' before it: a service may have the prefix alone as its name.
        struct pl_slice link = pl_slice_make(*at + prefix, (size_t)(equals - *at) - prefix);
        char room[LONGEST_NAME];
        struct variable v = {.env_prefix = env_prefix, .name = pl_slice_sub(link, 1, link.len - 1)};
        v.word = option_form(v.name, room, sizeof(room));
        if (is_service_link(link, equals + 1) || is_known(sets, set_count, others, &v))
            continue;
        if (lines++ == MOST_LINES) {
            fprintf(stderr, "%s: there are more variables that are not options\n", who);
            return;
        }
        tell(&v, who);
    }
}
