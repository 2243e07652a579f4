// Draws in the page's own thread, where a label takes but a part of a frame. Browsers hold back what a worker says until the frame after a key is made;
// a picture that is drawn here is in that very frame, beside the letter that was typed.
import { createEngine, PlatenError, type Engine, type RenderOptions } from "../../../../packages/platen/src/index";
import type { GrayDots } from "./dots-canvas";

/** A label that takes longer, twice, is the worker's for a while. Once may be chance. */
const MOST_MS = 8;
const REST_MS = 5000;
/** What the drawing of a label that has become slow may hold up the page. */
const LIMIT_MS = 50;
/** More than this takes longer for sure, and not all of it is the renderer's time. No other limits: beyond them a label is drawn in part, unlike the worker's. */
export const MOST_BYTES = 2 ** 18;
export const MOST_DOTS = 4_000_000;

export class AtOnce {
  private restsUntil = 0;
  private wasSlow = false;

  private constructor(private readonly engine: Engine) {}

  /** `zpl`: a label of the user's, drawn beforehand: the first time takes ten times as long, and a key must not wait for that. */
  static async load(wasm: WebAssembly.Module, zpl: Uint8Array<ArrayBuffer>, options: RenderOptions): Promise<AtOnce> {
    const atOnce = new AtOnce(await createEngine({ wasm, limits: { milliseconds: LIMIT_MS, inputBytes: MOST_BYTES, dotsPerLabel: MOST_DOTS } }));
    for (let i = 0; i < 3; i++) {
      atOnce.dots(zpl, options);
      atOnce.restsUntil = 0;
      atOnce.wasSlow = false;
    }
    return atOnce;
  }

  /** Can `dots` be asked now, for a code of so many characters? */
  mayDraw(characters: number): boolean {
    return characters <= MOST_BYTES && performance.now() >= this.restsUntil;
  }

  /** The dots of the page that `options` names. Undefined: ask the worker, which also says what is wrong. */
  dots(zpl: Uint8Array<ArrayBuffer>, options: RenderOptions): GrayDots | undefined {
    const start = performance.now();
    if (start < this.restsUntil) return undefined;
    let isTooMuch = false;
    try {
      const { data, page, widthPx, heightPx, missingFonts } = this.engine.render(zpl, { ...options, format: "gray" });
      isTooMuch = missingFonts.length > 0; // the worker has them, and will have them at the next key
      return isTooMuch ? undefined : { index: page, width: widthPx, height: heightPx, gray: data };
    } catch (error) {
      isTooMuch = !(error instanceof PlatenError) || (error.code !== "no_labels" && error.code !== "not_found");
      return undefined;
    } finally {
      const end = performance.now();
      const isSlow = end - start > MOST_MS;
      if (isTooMuch || (isSlow && this.wasSlow)) this.restsUntil = end + REST_MS;
      this.wasSlow = isSlow;
    }
  }
}
