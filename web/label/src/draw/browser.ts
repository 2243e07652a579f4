// The renderer in this browser: WebAssembly in a worker.
import { createWorkerEngine, PlatenError, type RenderOptions, type WorkerEngine } from "../../../../packages/platen/src/index";
import { RenderFailure, type LabelSize, type OutputFormat, type RenderQuery } from "../api";
import { readResult, type RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";
import { AtOnce, MOST_BYTES, MOST_DOTS } from "./at-once";
import { canvasOf, DotsCanvas } from "./dots-canvas";
import type { Dots, LabelFile } from "./renderer";
import { say } from "../ui/language";

/** A label that is still being drawn when the next one is asked for may take so long before its worker is ended. */
const PATIENCE_MS = 500;
const MILLISECONDS = 10_000;
/** A label that took longer in the worker is not drawn in the page's own thread to warm it up. */
const QUICK_MS = 100;

function optionsOf(settings: RenderSettings, query: RenderQuery): RenderOptions {
  const { widthMm, heightMm, dpmm, quality, rotation } = settings;
  const profile = settings.profile === "reference" ? "reference" : "printer";
  return {
    ...(query.findSize ? { size: "auto" as const } : { widthMm, heightMm }),
    dpmm,
    quality,
    profile,
    rotation: query.rotation === false ? 0 : rotation,
    ...(query.collapse ? { copies: "collapse" as const } : {}),
    ...(query.page !== undefined ? { page: query.page } : {}),
  };
}

/** Not for the dots alone, which it does not change. The engine knows the names. */
function modelOf({ printerModel }: RenderSettings): Pick<RenderOptions, "printerModel"> {
  return { printerModel: printerModel as NonNullable<RenderOptions["printerModel"]> };
}

/** What went wrong, in the words of the page. */
function failureOf(error: unknown): RenderFailure {
  if (!(error instanceof PlatenError)) return new RenderFailure("broken", say("This page had an error: {error}", { error: String(error) }), undefined);
  switch (error.code) {
    case "no_labels":
      return new RenderFailure("nothing", say("Nothing to print yet: a label is what is between ^XA and ^XZ."), undefined, "no_labels");
    case "limit":
      return new RenderFailure("too-large", say("This is more than the page draws at once. {reason} Shorten the code, or split it.", { reason: error.message }), undefined, "limit_exceeded");
    case "memory":
      return new RenderFailure("too-large", say("These labels need more memory than the page may take. Shorten the code, or split it."), undefined, "limit_exceeded");
    case "deadline":
      return new RenderFailure("refused", say("This label takes longer than {seconds} seconds to draw. The drawing was ended; change the label to continue.", { seconds: MILLISECONDS / 1000 }), undefined, "render_timeout");
    case "trap":
      return new RenderFailure("broken", say("This label broke the renderer in this browser. A new one is ready; change the label to continue."), undefined, "render_failed");
    case "load":
      return new RenderFailure("unreachable", error.message, 5, "load");
    case "invalid":
    case "not_found":
      return new RenderFailure("refused", error.message, undefined, "invalid_parameter");
    default:
      return new RenderFailure("broken", error.message, undefined, error.code);
  }
}

/** Dots of a large label become colours in the worker, and a canvas of their own: this thread has too much to do with each copy. */
function isLarge({ widthMm, heightMm, dpmm }: RenderSettings): boolean {
  return widthMm * heightMm * dpmm * dpmm > MOST_DOTS;
}

/** Safari has no requestIdleCallback. */
function whenIdle(work: () => void): void {
  if (typeof requestIdleCallback === "function") requestIdleCallback(work, { timeout: 2000 });
  else setTimeout(work, 500);
}

export interface BrowserPreview {
  result: RenderResult;
  missingFonts: readonly string[];
}

export class BrowserRenderer {
  private readonly canvas = new DotsCanvas();
  private atOnce: AtOnce | undefined;
  private isLoadingAtOnce = false;

  private constructor(private readonly engine: WorkerEngine) {}

  /** `fontFolder`: where fonts of other scripts are, if they are anywhere. */
  static async load(module: URL, worker: URL, fontFolder: URL | undefined): Promise<BrowserRenderer> {
    const engine = await createWorkerEngine({
      wasm: module,
      worker: () => new Worker(worker, { type: "module" }),
      limits: { milliseconds: MILLISECONDS },
      ...(fontFolder ? { fontFolder } : {}),
    });
    return new BrowserRenderer(engine);
  }

  async preview(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize = false): Promise<BrowserPreview> {
    let result: RenderResult | undefined;
    let missingFonts: readonly string[];
    const start = performance.now();
    try {
      const description = await this.engine.describe(zpl, { ...optionsOf(settings, { collapse: true, rotation: false, findSize }), ...modelOf(settings), verify: settings.verify, signal, patience: PATIENCE_MS });
      ({ missingFonts } = description);
      result = readResult(description);
    } catch (error) {
      if (signal.aborted) throw error;
      throw failureOf(error);
    }
    if (performance.now() - start < QUICK_MS) this.loadAtOnce(zpl, settings);
    if (!result) throw new RenderFailure("broken", say("The renderer in this browser gave something this page does not understand."), undefined);
    return { result, missingFonts };
  }

  /** The dots of one label, without the elements, checks and files that take most of the time. Undefined: there is no such label, or a font is missing. */
  async dots(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, index: number, signal: AbortSignal): Promise<Dots | undefined> {
    try {
      const options = optionsOf(settings, { collapse: true, rotation: false, page: index });
      const large = isLarge(settings);
      const { data, widthPx, heightPx, missingFonts } = await this.engine.render(zpl, { ...options, format: large ? "rgba" : "gray", signal, patience: PATIENCE_MS });
      if (missingFonts.length > 0) return undefined;
      return large ? { index, ...canvasOf(data, widthPx, heightPx) } : this.canvas.of({ index, width: widthPx, height: heightPx, gray: data });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof PlatenError && error.code === "not_found") return undefined;
      throw failureOf(error);
    }
  }

  /** May `dotsAtOnce` have an answer for a code of so many characters? */
  mayDrawAtOnce(characters: number, settings: RenderSettings): boolean {
    return !isLarge(settings) && (this.atOnce?.mayDraw(characters) ?? false);
  }

  /** The same before this call ends, where the label is quick; undefined: ask `dots`. */
  dotsAtOnce(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, index: number): Dots | undefined {
    const dots = this.atOnce?.dots(zpl, optionsOf(settings, { collapse: true, rotation: false, page: index }));
    return dots && this.canvas.of(dots);
  }

  /** When the first quick label of this browser is shown: it is drawn in this thread. Where there is no memory for a second instance, the worker draws alone. */
  private loadAtOnce(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings): void {
    const { compiled } = this.engine;
    if (this.isLoadingAtOnce || !compiled || isLarge(settings) || zpl.length > MOST_BYTES) return;
    this.isLoadingAtOnce = true;
    whenIdle(() => {
      AtOnce.load(compiled, zpl, optionsOf(settings, { collapse: true, rotation: false })).then(
        (atOnce) => (this.atOnce = atOnce),
        () => undefined,
      );
    });
  }

  async size(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal): Promise<LabelSize> {
    try {
      const { widthMm, heightMm } = await this.engine.render(zpl, { ...optionsOf(settings, { findSize: true, rotation: false }), signal });
      return { widthMm, heightMm };
    } catch (error) {
      if (signal.aborted) throw error;
      throw failureOf(error);
    }
  }

  async file(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile> {
    try {
      const { data, mimeType, missingFonts } = await this.engine.render(zpl, { ...optionsOf(settings, query), ...modelOf(settings), format });
      return { blob: new Blob([data], { type: mimeType }), missingFonts };
    } catch (error) {
      throw failureOf(error);
    }
  }

  commands(): Promise<unknown> {
    return this.engine.commands();
  }

  printerModels(): Promise<unknown> {
    return this.engine.printerModels();
  }
}
