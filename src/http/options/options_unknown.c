// Variables of the environment that look like options and are none: a misspelt one would have no effect in silence.
#include <string.h>

#include "base/suggest.h"
#include "http/options/options.h"

extern char **environ;

static bool ends_with(struct pl_slice text, const char *end)
{
    struct pl_slice tail = pl_slice_cstr(end);
    return text.len >= tail.len && memcmp(text.ptr + text.len - tail.len, tail.ptr, tail.len) == 0;
}

// What Kubernetes gives every container for each service whose name begins like ours: PLATEN_SERVICE_HOST,
// PLATEN_SERVICE_PORT_HTTP, PLATEN_PORT=tcp://10.0.0.1:8080, PLATEN_PORT_8080_TCP_ADDR.
static bool is_service_link(struct pl_slice name, const char *value)
{
    static const char PORT[] = "_PORT_", SERVICE[] = "_SERVICE_PORT_";
    const char *port = memmem(name.ptr, name.len, PORT, sizeof PORT - 1);
    size_t digit = port ? (size_t)(port - (const char *)name.ptr) + sizeof PORT - 1 : name.len;
    return ends_with(name, "_SERVICE_HOST") || ends_with(name, "_SERVICE_PORT") ||
           memmem(name.ptr, name.len, SERVICE, sizeof SERVICE - 1) ||
           (ends_with(name, "_PORT") && strstr(value, "://")) ||
           (digit < name.len && name.ptr[digit] >= '0' && name.ptr[digit] <= '9');
}

// Names of the list that end with '_' are the beginning of many.
static bool is_listed(const char *const *list, struct pl_slice name)
{
    for (; list && *list; list++) {
        struct pl_slice one = pl_slice_cstr(*list);
        bool many = one.ptr[one.len - 1] == '_';
        if (name.len >= one.len && (many || name.len == one.len) && memcmp(name.ptr, one.ptr, one.len) == 0)
            return true;
    }
    return false;
}

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

// True: it is an option.
static bool look_up(const struct http_option_set *sets, size_t set_count, const char *env_prefix, struct pl_slice name,
                    struct pl_suggestions *best)
{
    char lower[HTTP_ENV_NAME_SIZE], known[HTTP_ENV_NAME_SIZE];
    struct pl_slice word = option_form(name, lower, sizeof(lower));
    size_t prefix = strlen(env_prefix) + 1;
    for (size_t s = 0; s < set_count; s++) {
        for (size_t i = 0; i < sets[s].count; i++) {
            http_option_env_name(env_prefix, sets[s].rows[i].name, known, sizeof(known));
            if (pl_slice_eq_cstr(name, known + prefix))
                return true;
            pl_suggest(best, word, sets[s].rows[i].name);
        }
    }
    return false;
}

void http_options_unknown(const struct http_option_set *sets, size_t set_count, const char *env_prefix,
                          const char *const *others, const char *who, struct pl_buf *out)
{
    size_t prefix = strlen(env_prefix);
    for (char **at = environ; at && *at; at++) {
        const char *equals = strchr(*at, '=');
        if (strncmp(*at, env_prefix, prefix) != 0 || (*at)[prefix] != '_' || !equals || equals[1] == '\0')
            continue;
        // With the '_' before it: a service may have the prefix alone as its name.
        struct pl_slice link = pl_slice_make(*at + prefix, (size_t)(equals - *at) - prefix);
        struct pl_slice name = pl_slice_sub(link, 1, link.len - 1);
        struct pl_suggestions best = {0};
        if (is_service_link(link, equals + 1) || is_listed(others, name) ||
            look_up(sets, set_count, env_prefix, name, &best))
            continue;
        pl_buf_printf(out, "%s: %s_%.*s is not an option", who, env_prefix, (int)(name.len < 100 ? name.len : 100),
                      (const char *)name.ptr);
        // One letter of three may be wrong: who writes PLATEN_PORT does not mean PLATEN_CORS.
        if (best.count > 0 && best.far[0] <= name.len / 3) {
            char nearest[HTTP_ENV_NAME_SIZE];
            http_option_env_name(env_prefix, best.names[0], nearest, sizeof(nearest));
            pl_buf_printf(out, "; did you mean %s?\n", nearest);
        } else {
            pl_buf_append_cstr(out, "; --help lists them\n");
        }
    }
}
