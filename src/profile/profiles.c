// The profiles: a column of the choices each.
#include "profile/profile.h"

// clang-format off
#define GROUP(part) .part = {
#define END(part) },
// clang-format on

#define CHOICE(type, name, reference, printer, plain) .name = reference,
const struct pl_profile pl_profile_reference = {
    .name = "reference",
#include "profile/choices.h"
};
#undef CHOICE
#define CHOICE(type, name, reference, printer, plain) .name = printer,
const struct pl_profile pl_profile_printer = {
    .name = "printer",
#include "profile/choices.h"
};
#undef CHOICE
#define CHOICE(type, name, reference, printer, plain) .name = plain,
const struct pl_profile pl_profile_plain = {
    .name = "plain",
#include "profile/choices.h"
};
#undef CHOICE
