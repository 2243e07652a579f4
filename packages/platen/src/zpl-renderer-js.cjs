// The same for programs that use require().
"use strict";
exports.ZEBRASH_VERSION = "none: Platen";
const loaded = import("./zpl-renderer-js.js");
exports.ready = loaded.then((module) => module.ready);
exports.ready.catch(() => undefined); // whoever awaits it is told
for (const name of ["getApi", "Render", "zplToBase64Async", "zplToBase64MultipleAsync"]) {
  exports[name] = (...values) => loaded.then((module) => module[name](...values));
}
