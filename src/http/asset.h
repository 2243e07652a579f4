// Files in the program: the page's assets, embedded by tools/embed, and documents made at start.
#ifndef HTTP_ASSET_H
#define HTTP_ASSET_H

#include <stddef.h>
#include <stdint.h>

struct http_asset {
    const char *path;         // "/app.js"; an index.html is served at its folder ("/")
    const char *content_type; // with charset where it is text
    const uint8_t *data;
    size_t size;
    const uint8_t *gzip; // NULL when compressing does not pay
    size_t gzip_size;
    const uint8_t *brotli; // NULL: there is none, as for documents made at start
    size_t brotli_size;
    const char
        *etag; // quoted, of the plain form; those of the other forms are made from it. NULL: made for each answer
    const char *policy; // Content-Security-Policy of a worker's script; NULL: none, or that of pages for HTML
};

#endif
