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

/** A module that cannot be loaded is a large file to fetch at every key. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 15 * 60_000;

/** A worker that cannot be had any more (the site has a new version), or a label that breaks it. */
function serviceMayDoBetter({ kind }: RenderFailure): boolean {
  return kind === "unreachable" || kind === "broken";
}

export class Drawing implements Renderer {
  private browser: BrowserRenderer | undefined;
  private loading: Promise<BrowserRenderer> | undefined;
  private pause = FIRST_PAUSE_MS;
  private notBefore = 0;
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
    const { service } = this.options;
    // Reading back is the service's: it has readers for more symbologies.
    if (service && (!this.browser || settings.verify)) {
      try {
        return this.drawnBy("service", await service.preview(zpl, settings, signal, findSize));
      } catch (error) {
        const away = error instanceof RenderFailure && (error.kind === "unreachable" || error.kind === "key");
        if (!away || !this.options.load || signal.aborted) throw error;
        await this.ready().catch(() => {
          throw error;
        });
      }
    }
    const browser = this.browser ?? (await this.ready());
    let drawn: BrowserPreview;
    try {
      drawn = await browser.preview(zpl, settings, signal, findSize);
    } catch (error) {
      if (!service || signal.aborted || !(error instanceof RenderFailure) || !serviceMayDoBetter(error)) throw error;
      const better = await service.preview(zpl, settings, signal, findSize).catch(() => {
        throw error;
      });
      return this.drawnBy("service", better);
    }
    if (drawn.missingFonts.length > 0 && service) {
      // The service has them. If it is away, letters of another font are better than nothing.
      const better = await service.preview(zpl, settings, signal, findSize).catch(() => undefined);
      if (better) return this.drawnBy("service", better);
    }
    return this.drawnBy("browser", drawn.result);
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

  size(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal): Promise<LabelSize> {
    const { service } = this.options;
    return service && !this.browser ? service.size(zpl, settings, signal) : this.ready().then((browser) => browser.size(zpl, settings, signal));
  }

  async file(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile> {
    const { service } = this.options;
    if (service && !this.browser) {
      try {
        return await service.file(format, zpl, settings, query);
      } catch (error) {
        if (!this.options.load || !(error instanceof RenderFailure) || error.kind !== "unreachable") throw error;
      }
    }
    let file: LabelFile;
    try {
      file = await (await this.ready()).file(format, zpl, settings, query);
    } catch (error) {
      if (!service || !(error instanceof RenderFailure) || !serviceMayDoBetter(error)) throw error;
      return service.file(format, zpl, settings, query).catch(() => {
        throw error;
      });
    }
    if (file.missingFonts.length === 0 || !service) return file;
    return service.file(format, zpl, settings, query).catch(() => file); // whoever takes it is told what it lacks
  }

  async commands(): Promise<unknown> {
    const { service } = this.options;
    if (service && !this.browser) return service.commands();
    return (await this.ready()).commands();
  }

  private drawnBy(drawer: Drawer, result: RenderResult): RenderResult {
    if (this.drawer !== drawer) {
      this.drawer = drawer;
      this.options.changed(drawer);
    }
    return result;
  }
}
