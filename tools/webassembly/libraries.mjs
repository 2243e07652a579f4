// The libraries inside platen.wasm: Debian's source package, the package whose installed version is wanted, which files are compiled and how.
//
// What is left out is never used by libplaten: readers of other font formats, Apple's tables, colour, pictures of barcodes.

import { fileURLToPath } from "node:url";

const freetype = {
  source: "freetype",
  installed: "libfreetype-dev",
  licencePath: "docs/FTL.TXT",
  include: ["include"],
  files: [
    "src/base/ftbase.c", "src/base/ftinit.c", "src/base/ftdebug.c", "src/base/ftbitmap.c", "src/base/ftglyph.c", "src/base/ftmm.c",
    "src/truetype/truetype.c", "src/cff/cff.c", "src/psaux/psaux.c", "src/psnames/psnames.c", "src/sfnt/sfnt.c", "src/smooth/smooth.c",
  ],
  // smooth.c flattens curves in one of two ways, by the machine. The one of x86-64 and arm64 is taken here, too.
  flags: ["-DFT2_BUILD_LIBRARY", "-DFT_CONFIG_MODULES_H=<platen-ftmodule.h>", "-D_M_ARM64", "-mllvm", "-wasm-enable-sjlj"],
};

const harfbuzz = {
  source: "harfbuzz",
  installed: "libharfbuzz-dev",
  licencePath: "COPYING",
  include: ["src"],
  files: ["src/harfbuzz.cc"],
  flags: [
    "-std=c++11", "-fno-exceptions", "-fno-rtti", "-fno-threadsafe-statics",
    ..."MT ATEXIT GETENV MMAP OPEN SETLOCALE AAT COLOR MATH META NAME STYLE BUFFER_SERIALIZE BUFFER_VERIFY FACE_COLLECT_UNICODES LAYOUT_COLLECT_GLYPHS LAYOUT_FEATURE_PARAMS LAYOUT_UNUSED"
      .split(" ").map((name) => `-DHB_NO_${name}`),
  ],
};

const libdeflate = {
  source: "libdeflate",
  installed: "libdeflate-dev",
  licencePath: "COPYING",
  include: ["."],
  files: ["adler32", "crc32", "deflate_compress", "deflate_decompress", "utils", "zlib_compress", "zlib_decompress"].map((name) => `lib/${name}.c`),
  flags: [],
};

const zint = {
  source: "zint",
  installed: "libzint-dev",
  licencePath: "LICENSE",
  include: ["backend"],
  files: "2of5 auspost code code128 common composite general_field gs1 imail large library maxicode medical output pdf417 plessey postal reedsol rss telepen upcean vector"
    .split(" ").map((name) => `backend/${name}.c`),
  flags: ["-DNO_PNG", "-DZINT_VERSION=\"wasm\""],
};

export const LIBRARIES = { freetype, harfbuzz, libdeflate, zint };

// FreeType's own list names all of its modules.
export const FREETYPE_MODULES = ["tt_driver_class:FT_Driver_ClassRec", "cff_driver_class:FT_Driver_ClassRec", "psaux_module_class:FT_Module_Class",
  "psnames_module_class:FT_Module_Class", "sfnt_module_class:FT_Module_Class", "ft_smooth_renderer_class:FT_Renderer_Class"]
  .map((row) => row.split(":")).map(([name, kind]) => `FT_USE_MODULE( ${kind}, ${name} )\n`).join("");

// Run by itself: "SOURCE INSTALLED" of each, for tools/wasm.
if (process.argv[1] === fileURLToPath(import.meta.url)) for (const { source, installed } of Object.values(LIBRARIES)) console.log(source, installed);
