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

function wantsDots({ settings, findSize, isQuick }: Omit<Question, "text">): boolean {
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

  /** Shows the dots before this call ends, if they are no trouble to draw; `ask` will be asked the same. `next`: not yet put together from its lines. */
  showAtOnce(next: { length: number; toString(): string }, given: Omit<Question, "text">): void {
    this.atOnce = undefined;
    const { settings, shown } = given;
    if (!wantsDots(given) || !this.drawing.mayDrawAtOnce(next.length, settings)) return;
    const question = { ...given, text: next.toString() };
    const dots = this.drawing.dotsAtOnce(encoder.encode(question.text), settings, shown);
    if (dots && this.paint(dots)) this.atOnce = { question, dots };
  }

  /** False: that failed, as where there is no memory for another canvas. The key that was typed must not be lost by it; the picture comes as a file. */
  private paint(dots: Dots): boolean {
    try {
      this.showDots(dots);
    } catch {
      return false;
    }
    this.painted = nextFrame();
    return true;
  }

  private dotsAtOnceOf({ text, settings, shown }: Question): Dots | undefined {
    const { question, dots } = this.atOnce ?? {};
    this.atOnce = undefined;
    return question?.text === text && question.settings === settings && question.shown === shown ? dots : undefined;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    const { text, settings, findSize, shown } = question;
    const atOnce = this.dotsAtOnceOf(question);
    let dots = atOnce ?? (wantsDots(question) ? await this.drawing.dots(encoder.encode(text), settings, shown, signal) : undefined);
    const whole = drawPreview(this.drawing, text, settings, signal, findSize); // under way while the dots are painted
    if (dots && !atOnce && !signal.aborted && !this.paint(dots)) dots = undefined;
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
