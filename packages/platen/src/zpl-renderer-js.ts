// The interface of the npm package zpl-renderer-js, for programs that were written for it: change the import, and Platen draws.
import { createEngine, type Engine } from "./engine.js";
import type { LabelOptions } from "./types.js";

/** That package's label is 8 inches high unless it is told otherwise. */
const DEFAULTS = { widthMm: 101.6, heightMm: 203.2, dpmm: 8 };

export const ZEBRASH_VERSION = "none: Platen";

export type ZplApi = {
  /** @deprecated Use `zplToBase64Async`. */
  Render: (zpl: string, widthMm?: number, heightMm?: number, dpmm?: number) => string;
  zplToBase64Async: (zpl: string, widthMm?: number, heightMm?: number, dpmm?: number) => Promise<string>;
  zplToBase64MultipleAsync: (zpl: string, widthMm?: number, heightMm?: number, dpmm?: number) => Promise<string[]>;
};

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text);
}

function optionsOf(widthMm = DEFAULTS.widthMm, heightMm = DEFAULTS.heightMm, dpmm = DEFAULTS.dpmm): LabelOptions {
  return { widthMm, heightMm, dpmm, copies: "collapse" };
}

function makeApi(engine: Engine): ZplApi {
  const first: ZplApi["Render"] = (zpl, ...size) => base64(engine.render(zpl, optionsOf(...size)).data);
  return {
    Render: first,
    zplToBase64Async: async (...values) => first(...values),
    zplToBase64MultipleAsync: async (zpl, ...size) => engine.renderAll(zpl, optionsOf(...size)).map((page) => base64(page.data)),
  };
}

export const ready: Promise<{ api: ZplApi }> = createEngine().then((engine) => ({ api: makeApi(engine) }));

ready.catch(() => undefined); // whoever awaits it is told; an import alone must not end a program

export async function getApi(): Promise<ZplApi> {
  return (await ready).api;
}

export async function Render(...values: Parameters<ZplApi["zplToBase64Async"]>): Promise<string> {
  return (await getApi()).zplToBase64Async(...values);
}

export const zplToBase64Async = Render;

export async function zplToBase64MultipleAsync(...values: Parameters<ZplApi["zplToBase64MultipleAsync"]>): Promise<string[]> {
  return (await getApi()).zplToBase64MultipleAsync(...values);
}
