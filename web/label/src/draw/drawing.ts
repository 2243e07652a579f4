// Chooses who draws. The page opens with the service, which answers while the module is still on its way (docs/page.md has the times);
// from then on this browser draws, and the service draws what this browser has no fonts for and reads barcodes back. Without a service this browser draws from the start.
import { RenderFailure, type LabelSize, type OutputFormat, type RenderQuery } from "../api";
import type { RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";
import type { BrowserPreview, BrowserRenderer } from "./browser";
import type { Dots, LabelFile, Renderer } from "./renderer";
import { say } from "../ui/language";

export type Drawer = "service" | "browser";

export interface DrawingOptions {
  /** Undefined: the page is hosted without one. */
  service: Renderer | undefined;
  /** Undefined: this build of the page has no module. */
  load: (() => Promise<BrowserRenderer>) | undefined;
  /** Somebody else draws from now on. */
  changed(drawer: Drawer): void;
}

interface DrawnPreview {
  drawer: Drawer;
  result: RenderResult;
}

/** A module that cannot be loaded is a large file to fetch at every key. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A service that says nothing for so long may be gone without a word (a machine that sleeps, a net behind a closed door): this browser draws, too. */
const SERVICE_PATIENCE_MS = 4000;
/** The same for a file, which may be many labels, and for reading back, which this browser does less of. */
const LONG_PATIENCE_MS = 30_000;
/** After it was late the keys of so long a time do not wait for it. */
const SILENCE_MS = 60_000;
const LATE = Symbol("late");

/** `instead`: it takes longer. */
async function within<Value, Instead>(milliseconds: number, work: Promise<Value>, instead: Instead): Promise<Value | Instead> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Instead>((resolve) => {
    timer = setTimeout(() => resolve(instead), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What the service gives within this time; otherwise the error because of which it was asked. */
async function insteadOf<Value>(error: unknown, milliseconds: number, asked: Promise<Value>): Promise<Value> {
  const answer = await within(
    milliseconds,
    asked.catch(() => LATE),
    LATE,
  );
  if (answer === LATE) throw error;
  return answer as Value;
}

/** A worker that cannot be had any more (the site has a new version), or a label that breaks it. */
function serviceMayDoBetter({ kind }: RenderFailure): boolean {
  return kind === "unreachable" || kind === "broken";
}

export class Drawing implements Renderer {
  private browser: BrowserRenderer | undefined;
  private loading: Promise<BrowserRenderer> | undefined;
  private pause = FIRST_PAUSE_MS;
  private notBefore = 0;
  private silentUntil = 0;
  /** Who drew the last preview. */
  drawer: Drawer | undefined;

  constructor(private readonly options: DrawingOptions) {}

  /** Typing is followed at once where no request goes over the net. */
  get isLocal(): boolean {
    return this.browser !== undefined;
  }

  /** Starts to load the module when the first picture is on the screen, and not too soon again where that failed. */
  prepare(): void {
    if (!this.options.load || this.browser || this.loading || performance.now() < this.notBefore) return;
    this.loadBrowser().catch(() => undefined);
  }

  private loadBrowser(): Promise<BrowserRenderer> {
    const load = this.options.load;
    if (!load) return Promise.reject(new RenderFailure("unreachable", say("This page has no renderer of its own."), undefined));
    this.loading ??= load().then(
      (browser) => (this.browser = browser),
      (error: unknown) => {
        this.loading = undefined; // the next call tries again
        this.notBefore = performance.now() + this.pause;
        this.pause = Math.min(this.pause * 2, LONGEST_PAUSE_MS);
        throw error;
      },
    );
    return this.loading;
  }

  private async ready(): Promise<BrowserRenderer> {
    try {
      return await this.loadBrowser();
    } catch (error) {
      throw error instanceof RenderFailure ? error : new RenderFailure("unreachable", say("The renderer could not be loaded. Trying again."), 3);
    }
  }

  async preview(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize = false): Promise<RenderResult> {
    const here = (): Promise<DrawnPreview> => this.previewHere(zpl, settings, signal, findSize);
    const { service } = this.options;
    // Reading back is the service's: it has readers for more symbologies.
    const patience = settings.verify ? LONG_PATIENCE_MS : SERVICE_PATIENCE_MS;
    const drawn = service && (!this.browser || settings.verify) ? await this.serviceFirst(this.previewThere(service, zpl, settings, signal, findSize), patience, here, signal) : await here();
    if (this.drawer !== drawn.drawer) {
      this.drawer = drawn.drawer;
      this.options.changed(drawn.drawer);
    }
    return drawn.result;
  }

  /** The service's answer; where it is away, this browser's; where it is late, the one that comes first. */
  private async serviceFirst<Value>(asked: Promise<Value>, patience: number, here: () => Promise<Value>, signal?: AbortSignal): Promise<Value> {
    if (!this.options.load) return asked;
    try {
      const answer = await within(patience, asked, LATE);
      if (answer !== LATE) return answer;
    } catch (error) {
      const away = error instanceof RenderFailure && (error.kind === "unreachable" || error.kind === "key");
      if (!away || signal?.aborted) throw error;
      await this.ready().catch(() => {
        throw error;
      });
      return here();
    }
    const ifItComes = asked.catch(() => new Promise<never>(() => undefined));
    return Promise.race([ifItComes, here().catch((error: unknown) => insteadOf(error, SERVICE_PATIENCE_MS, asked))]);
  }

  private async previewThere(service: Renderer, zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize: boolean): Promise<DrawnPreview> {
    return { drawer: "service", result: await service.preview(zpl, settings, signal, findSize) };
  }

  private async previewHere(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize: boolean): Promise<DrawnPreview> {
    const { service } = this.options;
    const browser = this.browser ?? (await this.ready());
    let drawn: BrowserPreview;
    try {
      drawn = await browser.preview(zpl, settings, signal, findSize);
    } catch (error) {
      if (!service || signal.aborted || !(error instanceof RenderFailure) || !serviceMayDoBetter(error)) throw error;
      return insteadOf(error, SERVICE_PATIENCE_MS, this.previewThere(service, zpl, settings, signal, findSize));
    }
    if (drawn.missingFonts.length > 0 && service && performance.now() >= this.silentUntil) {
      // The service has them. If it is away, letters of another font are better than nothing.
      const better = await within(SERVICE_PATIENCE_MS, this.previewThere(service, zpl, settings, signal, findSize).catch(() => undefined), LATE);
      if (better === LATE) this.silentUntil = performance.now() + SILENCE_MS;
      else if (better) return better;
    }
    return { drawer: "browser", result: drawn.result };
  }

  /** The dots of one label before all else, where this browser draws; undefined where only `preview` can tell. */
  async dots(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, index: number, signal: AbortSignal): Promise<Dots | undefined> {
    try {
      return await this.browser?.dots(zpl, settings, index, signal);
    } catch (error) {
      // Of labels that are too many, `preview` draws the first ones.
      if (signal.aborted || (error instanceof RenderFailure && error.kind !== "too-large" && !serviceMayDoBetter(error))) throw error;
      return undefined;
    }
  }

  /** May `dotsAtOnce` have an answer for a code of so many characters? */
  mayDrawAtOnce(characters: number, settings: RenderSettings): boolean {
    return this.browser?.mayDrawAtOnce(characters, settings) ?? false;
  }

  /** The same before this call ends, where it takes but a part of a frame. */
  dotsAtOnce(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, index: number): Dots | undefined {
    return this.browser?.dotsAtOnce(zpl, settings, index);
  }

  size(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal): Promise<LabelSize> {
    const { service } = this.options;
    return service && !this.browser ? service.size(zpl, settings, signal) : this.ready().then((browser) => browser.size(zpl, settings, signal));
  }

  async file(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile> {
    const { service } = this.options;
    const here = (): Promise<LabelFile> => this.fileHere(format, zpl, settings, query);
    return service && !this.browser ? this.serviceFirst(service.file(format, zpl, settings, query), LONG_PATIENCE_MS, here) : here();
  }

  private async fileHere(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile> {
    const { service } = this.options;
    let file: LabelFile;
    try {
      file = await (await this.ready()).file(format, zpl, settings, query);
    } catch (error) {
      if (!service || !(error instanceof RenderFailure) || !serviceMayDoBetter(error)) throw error;
      return insteadOf(error, LONG_PATIENCE_MS, service.file(format, zpl, settings, query));
    }
    if (file.missingFonts.length === 0 || !service) return file;
    // Whoever takes it is told what it lacks.
    return within(LONG_PATIENCE_MS, service.file(format, zpl, settings, query).catch(() => file), file);
  }

  async commands(language: string): Promise<unknown> {
    const { service } = this.options;
    if (language !== "zpl") return service?.commands(language); // the module has those of ZPL
    return this.told((teller) => teller.commands(language));
  }

  printerModels(): Promise<unknown> {
    return this.told((teller) => teller.printerModels());
  }

  /** A table that both have. */
  private told(ask: (teller: Pick<Renderer, "commands" | "printerModels">) => Promise<unknown>): Promise<unknown> {
    const { service } = this.options;
    const here = async (): Promise<unknown> => ask(await this.ready());
    return service && !this.browser ? this.serviceFirst(ask(service), SERVICE_PATIENCE_MS, here) : here();
  }
}
