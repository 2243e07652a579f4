// One request of the page: where this browser is quick the dots of the shown label first, then all labels with their elements.
import { OffsetMap } from "../model/offsets";
import type { RenderSettings } from "../model/settings";
import type { Answer } from "../placing";
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

function wantsDots({ settings, findSize, isQuick }: Question): boolean {
  return isQuick && settings.profile !== "compare" && !findSize;
}

export class Asker {
  /** Until the dots that were shown last are painted. */
  painted = Promise.resolve();
  private atOnce: { question: Question; dots: Dots } | undefined;

  constructor(
    private readonly drawing: Drawing,
    private readonly showDots: (dots: Dots) => void,
  ) {}

  /** Shows the dots before this call ends, if they are no trouble to draw; `ask` will be asked the same. */
  showAtOnce(question: Question): void {
    const { text, settings, shown } = question;
    const dots = wantsDots(question) ? this.drawing.dotsAtOnce(encoder.encode(text), settings, shown) : undefined;
    this.atOnce = dots && { question, dots };
    if (dots) this.paint(dots);
  }

  private paint(dots: Dots): void {
    this.showDots(dots);
    this.painted = nextFrame();
  }

  private dotsAtOnceOf({ text, settings, shown }: Question): Dots | undefined {
    const { question, dots } = this.atOnce ?? {};
    this.atOnce = undefined;
    return question?.text === text && question.settings === settings && question.shown === shown ? dots : undefined;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { text, settings, findSize, shown } = question;
    const atOnce = this.dotsAtOnceOf(question);
    const dots = atOnce ?? (wantsDots(question) ? await this.drawing.dots(encoder.encode(text), settings, shown, signal) : undefined);
    const whole = drawPreview(this.drawing, text, settings, signal, findSize); // under way while the dots are painted
    if (dots && !atOnce && !signal.aborted) this.paint(dots);
    const drawn = await whole;
    const { widthMm, heightMm } = drawn.result;
    let { result } = drawn;
    if (settings.profile === "compare") {
      const reference = await drawPreview(this.drawing, text, { ...settings, widthMm, heightMm, profile: "reference", verify: false }, signal, false);
      const { markDifferences } = await import("../preview/differences");
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
