// The embedded page of `hygro serve`, made from web/grain by web/build.mjs.
#ifndef HYGRO_PAGE_H
#define HYGRO_PAGE_H

#include "http/assets.h"

extern const struct http_asset grain_assets[];
extern const size_t grain_asset_count;

#endif
