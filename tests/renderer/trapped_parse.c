// Labels that go wrong on purpose in a program with libplaten: platen_parse is wrapped by the linker (meson.build).
#include <platen/platen.h>

#include "renderer/renderer_traps.h"

enum platen_status __real_platen_parse(struct platen_worker *worker, const void *zpl, size_t size,
                                       const struct platen_options *options, struct platen_document **out,
                                       struct platen_error *err);
enum platen_status __wrap_platen_parse(struct platen_worker *worker, const void *zpl, size_t size,
                                       const struct platen_options *options, struct platen_document **out,
                                       struct platen_error *err);

enum platen_status __wrap_platen_parse(struct platen_worker *worker, const void *zpl, size_t size,
                                       const struct platen_options *options, struct platen_document **out,
                                       struct platen_error *err)
{
    renderer_trap(zpl, size);
    return __real_platen_parse(worker, zpl, size, options, out, err);
}
