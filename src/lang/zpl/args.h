// The parameters of a command, read leniently, by the ranges and choices of its row.
#ifndef PL_ZPL_ARGS_H
#define PL_ZPL_ARGS_H

#include "lang/zpl/cmd_table.h"
#include "lang/zpl/state.h"

struct zpl_args {
    const struct zpl_row *row;
    struct pl_source source;
    struct pl_slice raw; // everything behind the name, untrimmed
    const struct pl_slice *item;
    unsigned count;
    char font; // ^A: the font's letter
};

bool zpl_arg_given(const struct zpl_args *a, unsigned i);
// All return false, leaving *out alone, when the parameter is missing or cannot be read.
bool zpl_arg_int(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out);
// The same with a least value that is not the row's: a value below it is raised, and only the linter says so.
bool zpl_arg_int_least(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t min, int32_t *out);
// As zpl_arg_int, but out of range is as good as missing; zpl_arg_int takes the nearest allowed value.
bool zpl_arg_int_strict(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out);
bool zpl_arg_tenths(struct zpl *z, const struct zpl_args *a, unsigned i, int32_t *out); // 2.5 -> 25
bool zpl_arg_choice(struct zpl *z, const struct zpl_args *a, unsigned i, char *out);
bool zpl_arg_flag(struct zpl *z, const struct zpl_args *a, unsigned i, bool *out);
bool zpl_arg_rotation(struct zpl *z, const struct zpl_args *a, unsigned i, enum pl_rotation *out);
bool zpl_arg_object(struct zpl *z, const struct zpl_args *a, unsigned i, const char *default_name,
                    const char *default_ext, struct pl_object_name *out);
// Where a parameter goes: a member of a struct.
enum zpl_member_kind { ZPL_NO_MEMBER, ZPL_NUMBER, ZPL_NOT_ZERO, ZPL_TENTHS, ZPL_FLAG, ZPL_LETTER };
struct zpl_member {
    uint8_t kind;
    uint16_t offset;
};
// Reads parameters from `first` on into members of `out`. Of ZPL_NOT_ZERO 0 is as good as missing: it becomes -1.
void zpl_args_into(struct zpl *z, const struct zpl_args *a, unsigned first, const struct zpl_member *members,
                   size_t count, void *out);
// 1/10000 of the number in `s`; leading rubbish is skipped. *clean: there was nothing else.
bool zpl_parse_number(struct pl_slice s, int64_t *ten_thousandths, bool *clean);
int32_t zpl_scale_dots(const struct zpl *z, int64_t ten_thousandths);

#endif
