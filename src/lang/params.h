// Parameters of the rows of command tables. Included by the files that include the rows.
// clang-format off
#define D(name, min, max, fallback) {name, PL_LANG_DOTS, min, max, "", fallback}
#define N(name, min, max, fallback) {name, PL_LANG_NUMBER, min, max, "", fallback}
#define C(name, values, fallback) {name, PL_LANG_CHOICE, 0, 0, values, fallback}
#define H(name, fallback) {name, PL_LANG_CHAR, 0, 0, "", fallback}
#define T(name, fallback) {name, PL_LANG_TEXT, 0, 0, "", fallback}
#define O(name, fallback) {name, PL_LANG_OBJECT, 0, 0, "", fallback}
#define P(name) {name, PL_LANG_DATA, 0, 0, "", ""}
#define NONE {NULL, PL_LANG_TEXT, 0, 0, "", ""}
// clang-format on
#define PARAMS(...)                                                                                                    \
    ((const struct pl_lang_param[]){__VA_ARGS__}),                                                                     \
        sizeof((const struct pl_lang_param[]){__VA_ARGS__}) / sizeof(struct pl_lang_param)
