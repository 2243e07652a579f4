// The embedded page of `platen serve`, made from web/label by web/build.mjs.
#ifndef PLATEN_PAGE_H
#define PLATEN_PAGE_H

#include "http/asset.h"

extern const struct http_asset label_assets[];
extern const size_t label_asset_count;

#endif
