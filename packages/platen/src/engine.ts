// The renderer in this thread: one instance, made anew when a label has broken it or made it large.
import { codeBytes, controlsOf, fontsOf, limitsOf, oneOf, optionsOf, pageOf } from "./arguments.js";
import { PlatenError } from "./errors.js";
import { inOrder, missingFonts } from "./fonts.js";
import { Instance } from "./instance.js";
import { loadModule } from "./load.js";
import type { Command, DescribeOptions, Description, EngineOptions, Font, Format, LabelOptions, Limits, PrinterModelInfo, Rendered, RenderOptions, Warning, Zpl } from "./types.js";

const MIME_TYPES: Record<Format, string> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  rgba: "application/octet-stream",
  gray: "application/octet-stream",
  pdf: "application/pdf",
  json: "application/json",
  base64: "application/json",
};
/** Formats of one page; the first three have their numbers of the library. */
const PICTURES: readonly Format[] = ["png", "jpeg", "webp", "rgba", "gray"];
const DEFAULT_MILLISECONDS = 10_000;
/** A hundred years; more is meant as no limit. */
const LONGEST_MILLISECONDS = 3e12;
const DEFAULT_KEEP = 96 * 2 ** 20;
const decoder = new TextDecoder();

/** 0: none. */
function timeLimit(milliseconds = DEFAULT_MILLISECONDS): number {
  return milliseconds > LONGEST_MILLISECONDS ? 0 : milliseconds;
}

function disposedError(): PlatenError {
  return new PlatenError("disposed", "This engine was disposed of.");
}

export class Engine {
  private instance: Instance | undefined;
  private readonly limits: Limits;
  private fonts: Font[];
  private fontNames: Set<string>;
  private disposed = false;

  /** Use `createEngine`. */
  constructor(
    private readonly module: WebAssembly.Module,
    limits: Limits,
    fonts: readonly Font[],
  ) {
    this.limits = limitsOf(limits);
    const given = inOrder(fontsOf(fonts));
    const instance = this.newInstance(given);
    this.instance = instance;
    this.fonts = given.filter((font) => !instance.refused.has(font));
    this.fontNames = new Set(this.fonts.map((font) => font.name));
  }

  /** Version of libplaten. */
  get version(): string {
    return this.use((instance) => instance.version);
  }

  /** One page as a file; for pdf, json and base64 the whole document. */
  render(zpl: Zpl, given?: RenderOptions): Rendered {
    const options = optionsOf(given);
    const format = oneOf("format", options.format, Object.keys(MIME_TYPES) as Format[]) ?? "png";
    const page = pageOf(options.page);
    return this.withDocument(zpl, options, format, (instance) => {
      if (!PICTURES.includes(format)) return this.wholeDocument(instance, format);
      const label = instance.labelOfPage(page);
      if (label === undefined) throw new PlatenError("not_found", `There is no page ${page}: the code has ${instance.pageCount}, counted from 0.`);
      return { ...this.drawn(instance, label, format), page };
    });
  }

  /** Every page. Copies of a label share their bytes. */
  renderAll(zpl: Zpl, given?: RenderOptions): Rendered[] {
    const options = optionsOf(given);
    const format = oneOf("format", options.format, PICTURES) ?? "png";
    return this.withDocument(zpl, options, format, (instance) => {
      const pages: Rendered[] = [];
      let last = -1;
      let rendered: Rendered | undefined;
      for (let page = 0; page < instance.pageCount; page++) {
        const label = instance.labelOfPage(page)!;
        if (label !== last || !rendered) rendered = this.drawn(instance, label, format);
        last = label;
        pages.push({ ...rendered, page });
      }
      return pages;
    });
  }

  /** Elements, diagnostics and checks: the JSON of the HTTP API. */
  describe(zpl: Zpl, given?: DescribeOptions): Description {
    const options = optionsOf(given);
    return this.withDocument(zpl, options, "json", (instance) => {
      const described = JSON.parse(decoder.decode(instance.describe(options.png !== false, true))) as Description;
      return { ...described, missingFonts: this.missing(instance) };
    });
  }

  /** Every ZPL command that is known. */
  commands(): Command[] {
    return this.use((instance) => instance.commands() as Command[]);
  }

  /** The models that `printerModel` can name. */
  printerModels(): PrinterModelInfo[] {
    return this.use((instance) => instance.printerModels() as PrinterModelInfo[]);
  }

  /**
   * Fonts for other scripts, from now on. A font of a name that is there already replaces it. Returns the names of those that are no
   * fonts, or cut off: they are left out. If the others cannot be taken (`limit`, `memory`), all stays as it was.
   */
  addFonts(given: readonly Font[]): string[] {
    if (this.disposed) throw disposedError();
    let added = fontsOf(given);
    if (added.length === 0) return [];
    let instance = this.newInstance(this.fontsWith(added));
    const { refused } = instance;
    if (refused.size > 0) {
      added = added.filter((font) => !refused.has(font));
      instance = this.newInstance(this.fontsWith(added)); // a font that was to be replaced by a broken one stays
    }
    this.instance = instance;
    this.fonts = this.fontsWith(added);
    this.fontNames = new Set(this.fonts.map((font) => font.name));
    return [...refused].map((font) => font.name);
  }

  /** Gives the memory back. */
  dispose(): void {
    this.disposed = true;
    this.instance = undefined;
    this.fonts = [];
  }

  private fontsWith(added: readonly Font[]): Font[] {
    const names = new Set(added.map((font) => font.name));
    return inOrder([...this.fonts.filter((font) => !names.has(font.name)), ...added]);
  }

  private newInstance(fonts: readonly Font[]): Instance {
    try {
      return new Instance(this.module, this.limits, fonts);
    } catch (cause) {
      if (cause instanceof PlatenError) throw cause;
      // No exports, other imports, a trap at the start: this is not the module that belongs to this code.
      throw new PlatenError("load", "The module is not the one of this version of the package.", { cause });
    }
  }

  private use<Answer>(work: (instance: Instance) => Answer): Answer {
    if (this.disposed) throw disposedError();
    this.instance ??= this.newInstance(this.fonts);
    try {
      return work(this.instance);
    } catch (error) {
      if (error instanceof PlatenError) throw error;
      // A trap, a stack that overflowed, a jump that nobody took: what the instance holds cannot be trusted any more.
      this.instance = undefined;
      const reason = error instanceof Error ? error.message : String(error);
      throw new PlatenError("trap", `The label broke the renderer (${reason}). A new one takes its place.`, { cause: error });
    }
  }

  private withDocument<Answer>(zpl: Zpl, options: LabelOptions, format: Format, work: (instance: Instance) => Answer): Answer {
    const controls = controlsOf(options, format);
    const code = codeBytes(zpl);
    return this.use((instance) => {
      try {
        instance.parse(code, controls, timeLimit(this.limits.milliseconds));
        if (instance.labelCount === 0) throw new PlatenError("no_labels", "There is no label in the code: a label is what is between ^XA and ^XZ.");
        return work(instance);
      } finally {
        this.afterCall(instance);
      }
    });
  }

  private afterCall(instance: Instance): void {
    try {
      instance.end();
    } catch {
      this.instance = undefined; // after a trap
    }
    const fonts = this.fonts.reduce((sum, font) => sum + font.data.byteLength, 0);
    if (instance.bytes > (this.limits.keepBytes ?? DEFAULT_KEEP) + fonts) this.instance = undefined;
  }

  private drawn(instance: Instance, label: number, format: Format): Rendered {
    instance.draw(label);
    const data = format === "rgba" ? instance.rgba() : format === "gray" ? instance.gray() : instance.encode(PICTURES.indexOf(format));
    const warnings = [...(instance.documentWarnings() as Warning[]), ...(instance.pageWarnings() as Warning[])];
    return { ...this.answer(instance, format, data, warnings), widthPx: instance.widthPx, heightPx: instance.heightPx, copies: instance.copiesOf(label) };
  }

  private wholeDocument(instance: Instance, format: Format): Rendered {
    const data = format === "pdf" ? instance.pdf() : instance.describe(true, format === "json");
    const warnings = instance.documentWarnings() as Warning[];
    return { ...this.answer(instance, format, data, warnings), widthPx: instance.widthPx, heightPx: instance.heightPx, copies: instance.copiesOf(0) };
  }

  private answer(instance: Instance, format: Format, data: Uint8Array<ArrayBuffer>, warnings: Warning[]): Omit<Rendered, "widthPx" | "heightPx" | "copies"> {
    return {
      format,
      mimeType: MIME_TYPES[format],
      data,
      page: 0,
      pages: instance.pageCount,
      widthMm: instance.widthMm,
      heightMm: instance.heightMm,
      warnings,
      missingFonts: this.missing(instance),
    };
  }

  /** Fonts that the page drawn last needs; all pages, where they were drawn together. */
  private missing(instance: Instance): string[] {
    const missing = new Set<string>();
    missingFonts(instance.searched(), this.fontNames, missing);
    return [...missing];
  }
}

/** The renderer in this thread. In a page, `createWorkerEngine` keeps typing and scrolling smooth. */
export async function createEngine(given?: EngineOptions): Promise<Engine> {
  const options = optionsOf(given);
  const module = await loadModule(options.wasm ?? new URL("./platen.wasm", import.meta.url));
  return new Engine(module, options.limits ?? {}, options.fonts ?? []);
}
