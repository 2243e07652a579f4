// Finds out whether a label was made for another size than the one that is set, offers that size, and says where the printer would print.
import type { LabelSize } from "../api";
import type { Renderer } from "../draw/renderer";
import type { RenderResult } from "../model/result";
import { SIZE_PRESETS, type RenderSettings } from "../model/settings";
import { formatLength } from "../ui/numbers";
import type { Notes } from "./notes";
import { say, withDecimalSign } from "../ui/language";

/** Labels are seldom cut more exactly than this. */
const CLOSE_MM = 0.6;
const PAUSE_MS = 500;

const SAYS_SIZE = /[^\s\w](PW|LL)\s*\d/i;

/** Of languages that have a command a line: does the code say the size of its label? */
export function saysItsSize(code: string): boolean {
  return /^[ \t]*(?:q\d|SIZE\s*\d|!\s+-?\d+\s+\d+\s+\d+\s+\d)/im.test(code);
}

export function isClose(a: LabelSize, b: LabelSize): boolean {
  return Math.abs(a.widthMm - b.widthMm) < CLOSE_MM && Math.abs(a.heightMm - b.heightMm) < CLOSE_MM;
}

/** The name that people use for a size: "4 × 8 in". */
export function sizeName(size: LabelSize, unit: RenderSettings["unit"]): string {
  const distance = (preset: LabelSize): number => Math.abs(preset.widthMm - size.widthMm) + Math.abs(preset.heightMm - size.heightMm);
  const [nearest] = SIZE_PRESETS.filter((preset) => isClose(preset, size)).sort((a, b) => distance(a) - distance(b));
  return nearest ? withDecimalSign(nearest.name) : `${formatLength(size.widthMm, unit)} × ${formatLength(size.heightMm, unit)} ${unit}`;
}

function runsOut({ labels, diagnostics }: RenderResult): boolean {
  return labels.some(({ elements }) => elements.some(({ insideLabel }) => insideLabel === false)) || diagnostics.some(({ code }) => code === "content_in_corner");
}

export interface SizeOfferEvents {
  use(size: LabelSize): void;
  /** Where the printer would print, if that is not the whole label; in millimetres. */
  printArea(size: LabelSize | undefined): void;
}

export class SizeOffer {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private request: AbortController | undefined;
  /** The code that was asked about, and what was found. */
  private asked = "";
  private found: LabelSize | undefined;
  private declined = "";

  constructor(
    private readonly notes: Notes,
    private readonly renderer: Renderer,
    private readonly events: SizeOfferEvents,
  ) {}

  /** The label is another one. */
  reset(): void {
    clearTimeout(this.timer);
    this.request?.abort();
    this.asked = this.declined = "";
    this.found = undefined;
    this.show(undefined, false);
  }

  /** After an answer: asks for the size only where something speaks for another one. */
  consider(zpl: string, settings: RenderSettings, result: RenderResult): void {
    clearTimeout(this.timer);
    this.request?.abort(); // it asks about the code before
    const saysSize = SAYS_SIZE.test(zpl);
    if (!saysSize && !runsOut(result)) {
      this.found = undefined;
      this.asked = "";
      this.show(undefined, false);
      return;
    }
    const key = `${settings.dpmm}:${zpl}`;
    if (key === this.asked) {
      this.offer(settings, saysSize);
      return;
    }
    this.timer = setTimeout(() => void this.ask(zpl, settings, key, saysSize), PAUSE_MS);
  }

  private async ask(zpl: string, settings: RenderSettings, key: string, saysSize: boolean): Promise<void> {
    this.request?.abort();
    const request = (this.request = new AbortController());
    try {
      const found = await this.renderer.size(new TextEncoder().encode(zpl), settings, request.signal);
      if (request.signal.aborted) return;
      this.asked = key;
      this.found = found;
      this.offer(settings, saysSize);
    } catch {
      // Without an answer there is no offer; the preview says what is wrong.
    }
  }

  private offer(settings: RenderSettings, saysSize: boolean): void {
    const { found } = this;
    this.show(found && !isClose(found, settings) ? found : undefined, saysSize, settings);
  }

  private show(size: LabelSize | undefined, saysSize: boolean, settings?: RenderSettings): void {
    this.events.printArea(saysSize ? size : undefined);
    const name = size && settings ? sizeName(size, settings.unit) : "";
    if (!size || name === this.declined) {
      this.notes.set("size", undefined);
      return;
    }
    this.notes.set("size", {
      text: saysSize ? say("The code is made for {size}.", { size: name }) : say("The content needs {size}.", { size: name }),
      action: { id: "use-size", text: say("Use {size}", { size: name }), run: () => this.events.use(size) },
      dismissed: () => {
        this.declined = name;
        this.notes.set("size", undefined);
      },
    });
  }
}
