// Reading names of hosts.
#include "http/message/host.h"

#include <arpa/inet.h>
#include <string.h>

#define NAME_MAX_LEN 253
#define PORT_DIGITS 5

static bool is_name_byte(uint8_t c)
{
    return pl_is_digit(c) || pl_is_letter(c) || c == '-' || c == '_';
}

// Labels of at least one byte, with single dots between them.
static bool is_name(struct pl_slice name)
{
    if (name.len > NAME_MAX_LEN)
        return false;
    bool after_dot = true;
    for (size_t i = 0; i < name.len; i++) {
        bool dot = name.ptr[i] == '.';
        if (dot ? after_dot : !is_name_byte(name.ptr[i]))
            return false;
        after_dot = dot;
    }
    return !after_dot;
}

static bool is_address(struct pl_slice name, int family, void *address)
{
    char text[INET6_ADDRSTRLEN];
    if (name.len == 0 || name.len >= sizeof(text) || memchr(name.ptr, '\0', name.len))
        return false;
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    return inet_pton(family, text, address) == 1;
}

// Nothing, or ':' with at most five digits.
static bool is_port(struct pl_slice rest)
{
    if (rest.len == 0)
        return true;
    if (rest.ptr[0] != ':' || rest.len > 1 + PORT_DIGITS)
        return false;
    uint32_t port = 0;
    for (size_t i = 1; i < rest.len; i++) {
        if (rest.ptr[i] < '0' || rest.ptr[i] > '9')
            return false;
        port = port * 10 + (uint32_t)(rest.ptr[i] - '0');
    }
    return port <= UINT16_MAX;
}

bool http_host_split(struct pl_slice authority, struct pl_slice *name)
{
    if (authority.len == 0)
        return false;
    bool bracketed = authority.ptr[0] == '[';
    const uint8_t *end = memchr(authority.ptr, bracketed ? ']' : ':', authority.len);
    if (bracketed && !end)
        return false;
    size_t len = end ? (size_t)(end - authority.ptr) : authority.len;
    if (!is_port(pl_slice_sub(authority, bracketed ? len + 1 : len, authority.len)))
        return false;
    if (bracketed) {
        struct in6_addr six;
        *name = pl_slice_make(authority.ptr + 1, len - 1);
        return is_address(*name, AF_INET6, &six);
    }
    if (len > 0 && authority.ptr[len - 1] == '.')
        len--;
    *name = pl_slice_make(authority.ptr, len);
    return is_name(*name);
}

bool http_host_is_loopback(struct pl_slice name)
{
    static const char LOCAL[] = ".localhost";
    const size_t local_len = sizeof(LOCAL) - 1;
    if (pl_slice_eq_nocase(name, pl_slice_cstr(LOCAL + 1)))
        return true;
    if (name.len > local_len &&
        pl_slice_eq_nocase(pl_slice_sub(name, name.len - local_len, local_len), pl_slice_make(LOCAL, local_len)))
        return true;
    uint8_t four[4];
    struct in6_addr six;
    if (is_address(name, AF_INET, four))
        return four[0] == 127;
    return is_address(name, AF_INET6, &six) &&
           (IN6_IS_ADDR_LOOPBACK(&six) || (IN6_IS_ADDR_V4MAPPED(&six) && six.s6_addr[12] == 127));
}

bool http_host_is_ipv6(struct pl_slice name)
{
    struct in6_addr six;
    return is_address(name, AF_INET6, &six);
}

bool http_address_split(const char *text, char *host, size_t host_size, const char **port)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon[1] == '\0')
        return false;
    for (const char *digit = colon + 1; *digit; digit++) {
        if (*digit < '0' || *digit > '9')
            return false;
    }
    size_t len = (size_t)(colon - text);
    if (len >= 2 && text[0] == '[' && text[len - 1] == ']') {
        text++;
        len -= 2;
    } else if (memchr(text, ':', len)) {
        return false;
    }
    if (len >= host_size)
        return false;
    memcpy(host, text, len);
    host[len] = '\0';
    *port = colon + 1;
    return true;
}
