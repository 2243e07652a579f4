// Whether the page came from a service, which then rewrites, merges and sends; web/dist is the page without one.

/** Set by web/build.mjs; there is none in tests of single modules. */
declare const PLATEN_HAS_SERVICE: boolean | undefined;

export const HAS_SERVICE = typeof PLATEN_HAS_SERVICE === "undefined" || PLATEN_HAS_SERVICE;
