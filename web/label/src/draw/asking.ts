// One request of the page: where this browser is quick the dots of the shown label first, then all labels with their elements.
import { OffsetMap } from "../model/offsets";
import type { RenderSettings } from "../model/settings";
import type { Answer } from "../placing";
import { markDifferences } from "../preview/differences";
import type { Drawing } from "./drawing";
import { drawPreview, encoder } from "./first-labels";
import type { Dots } from "./renderer";

export interface Question {
  text: string;
  settings: RenderSettings;
  /** The size is to be found from the code. */
  findSize: boolean;
  /** The label that is shown, from 0. */
  shown: number;
  /** A label that takes its time is drawn once, not twice. */
  isQuick: boolean;
}

export class Asker {
  /** Until the dots that were shown last are painted. */
  painted = Promise.resolve();

  constructor(
    private readonly drawing: Drawing,
    private readonly showDots: (dots: Dots) => void,
  ) {}

  async ask({ text, settings, findSize, shown, isQuick }: Question, signal: AbortSignal): Promise<Answer> {
    const dotsFirst = isQuick && settings.profile !== "compare" && !findSize;
    const dots = dotsFirst ? await this.drawing.dots(encoder.encode(text), settings, shown, signal) : undefined;
    const whole = drawPreview(this.drawing, text, settings, signal, findSize); // under way while the dots are painted
    if (dots && !signal.aborted) {
      this.showDots(dots);
      this.painted = nextFrame();
    }
    const drawn = await whole;
    const { widthMm, heightMm } = drawn.result;
    let { result } = drawn;
    if (settings.profile === "compare") {
      const reference = await drawPreview(this.drawing, text, { ...settings, widthMm, heightMm, profile: "reference", verify: false }, signal, false);
      result = await markDifferences(result, reference.result);
    }
    return { result, offsets: new OffsetMap(text, drawn.byteLength), outOf: drawn.outOf, dots, size: findSize ? { widthMm, heightMm } : undefined };
  }
}

/** After the next frame was made; soon, where the page is out of sight and makes none. */
function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      setTimeout(resolve);
    });
  });
}
