// The builders: one for each kind of symbology, named in the table.
#ifndef PL_BAR_LAYOUT_BUILDERS_H
#define PL_BAR_LAYOUT_BUILDERS_H

#include "base/err.h"

struct pl_bar_build;

enum pl_errc pl_bar_build_code11(struct pl_bar_build *b);
enum pl_errc pl_bar_build_2of5(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code39(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code93(struct pl_bar_build *b);
enum pl_errc pl_bar_build_codabar(struct pl_bar_build *b);
enum pl_errc pl_bar_build_msi(struct pl_bar_build *b);
enum pl_errc pl_bar_build_plessey(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code49(struct pl_bar_build *b);
enum pl_errc pl_bar_build_code128(struct pl_bar_build *b);
enum pl_errc pl_bar_build_upcean(struct pl_bar_build *b);
enum pl_errc pl_bar_build_extension(struct pl_bar_build *b);
enum pl_errc pl_bar_build_postal(struct pl_bar_build *b);
enum pl_errc pl_bar_build_qr(struct pl_bar_build *b);
enum pl_errc pl_bar_build_maxicode(struct pl_bar_build *b);
enum pl_errc pl_bar_build_databar(struct pl_bar_build *b);
enum pl_errc pl_bar_build_datamatrix(struct pl_bar_build *b);
enum pl_errc pl_bar_build_aztec(struct pl_bar_build *b);
enum pl_errc pl_bar_build_pdf417(struct pl_bar_build *b);
enum pl_errc pl_bar_build_micropdf417(struct pl_bar_build *b);
enum pl_errc pl_bar_build_codablock(struct pl_bar_build *b);
enum pl_errc pl_bar_build_tlc39(struct pl_bar_build *b);

#endif
