// The renderer in this thread: one instance, made anew when a label has broken it or made it large.
import { PlatenError } from "./errors.js";
import { inOrder, missingFonts } from "./fonts.js";
import { Instance, type Settings } from "./instance.js";
import { loadModule } from "./load.js";
import type { Command, DescribeOptions, Description, EngineOptions, Font, Format, LabelOptions, Limits, Rendered, RenderOptions, Warning, Zpl } from "./types.js";

const MIME_TYPES: Record<Format, string> = {
  png: "image/png",
  jpeg: "image/jpeg",
  webp: "image/webp",
  pdf: "application/pdf",
  json: "application/json",
  base64: "application/json",
};
const PICTURES: readonly Format[] = ["png", "jpeg", "webp"];
const DEFAULT_MILLISECONDS = 10_000;
const DEFAULT_KEEP = 96 * 2 ** 20;
const decoder = new TextDecoder();

function secondsOf(time: string | number | undefined): number | undefined {
  if (time === undefined) return undefined;
  const seconds = typeof time === "number" ? time : Date.parse(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?$/.test(time) ? `${time}Z` : "") / 1000;
  if (!Number.isFinite(seconds)) throw new PlatenError("invalid", "The time must be such as 2026-11-15T09:30:00, or seconds since 1970.");
  return Math.floor(seconds);
}

function oneOf<Value>(name: string, value: Value | undefined, allowed: readonly Value[]): Value | undefined {
  if (value !== undefined && !allowed.includes(value)) throw new PlatenError("invalid", `${name} must be one of ${allowed.join(", ")}.`);
  return value;
}

function numberOf(name: string, value: number | undefined): number {
  if (value === undefined) return 0;
  if (typeof value !== "number" || !Number.isFinite(value) || value <= 0) throw new PlatenError("invalid", `${name} must be a number above 0.`);
  return value;
}

/** As the service does: elements are made and checked for json, and for who asks for it. */
function settingsOf(options: LabelOptions, format: Format, milliseconds: number): Settings {
  const rules = oneOf("rules", options.rules, ["none", "default", "gs1-retail", "gs1-logistics", "healthcare", "ups", "usps", "fedex", "dhl"] as const);
  const checks = format === "json" || options.verify === true || rules !== undefined;
  oneOf("size", options.size, ["auto"] as const);
  return {
    widthMm: numberOf("widthMm", options.widthMm),
    heightMm: numberOf("heightMm", options.heightMm),
    dpmm: numberOf("dpmm", options.dpmm),
    grayscale: oneOf("quality", options.quality, ["bitonal", "grayscale"] as const) === "grayscale",
    printer: oneOf("profile", options.profile, ["reference", "printer"] as const) === "printer",
    rotation: oneOf("rotation", options.rotation, [0, 90, 180, 270] as const) ?? 0,
    fitSize: options.size === "auto",
    collapse: oneOf("copies", options.copies, ["expand", "collapse"] as const) === "collapse",
    time: secondsOf(options.time),
    elements: checks || format === "pdf" || options.minModuleMm !== undefined,
    verify: options.verify === true,
    minModuleMm: numberOf("minModuleMm", options.minModuleMm),
    milliseconds,
    rules: checks ? rules : "none",
  };
}

export class Engine {
  private instance: Instance | undefined;
  private fonts: Font[];
  private fontNames: Set<string>;
  private disposed = false;

  /** Use `createEngine`. */
  constructor(
    private readonly module: WebAssembly.Module,
    private readonly limits: Limits,
    fonts: readonly Font[],
  ) {
    this.fonts = inOrder(fonts);
    this.fontNames = new Set(this.fonts.map((font) => font.name));
    this.instance = new Instance(module, limits, this.fonts);
  }

  /** Version of libplaten. */
  get version(): string {
    return this.use((instance) => instance.version);
  }

  /** One page as a file; for pdf, json and base64 the whole document. */
  render(zpl: Zpl, options: RenderOptions = {}): Rendered {
    const format = oneOf("format", options.format, Object.keys(MIME_TYPES) as Format[]) ?? "png";
    const page = options.page ?? 0;
    if (!Number.isInteger(page) || page < 0) throw new PlatenError("invalid", "page must be a whole number from 0.");
    return this.withDocument(zpl, options, format, (instance) => {
      if (!PICTURES.includes(format)) return this.wholeDocument(instance, format);
      const label = instance.labelOfPage(page);
      if (label === undefined) throw new PlatenError("not_found", `There is no page ${page}: the code has ${instance.pageCount}, counted from 0.`);
      return { ...this.drawn(instance, label, format, options.jpegQuality), page };
    });
  }

  /** Every page. Copies of a label share their bytes. */
  renderAll(zpl: Zpl, options: RenderOptions = {}): Rendered[] {
    const format = oneOf("format", options.format, PICTURES) ?? "png";
    return this.withDocument(zpl, options, format, (instance) => {
      const pages: Rendered[] = [];
      let last = -1;
      let rendered: Rendered | undefined;
      for (let page = 0; page < instance.pageCount; page++) {
        const label = instance.labelOfPage(page)!;
        if (label !== last || !rendered) rendered = this.drawn(instance, label, format, options.jpegQuality);
        last = label;
        pages.push({ ...rendered, page });
      }
      return pages;
    });
  }

  /** Elements, diagnostics and checks: the JSON of the HTTP API. */
  describe(zpl: Zpl, options: DescribeOptions = {}): Description {
    return this.withDocument(zpl, options, "json", (instance) => {
      const described = JSON.parse(decoder.decode(instance.describe(options.png !== false, true))) as Description;
      return { ...described, missingFonts: this.missing(instance) };
    });
  }

  /** Every ZPL command that is known. */
  commands(): Command[] {
    return this.use((instance) => instance.commands() as Command[]);
  }

  /** Fonts for other scripts, from now on. A font of a name that is there already replaces it. */
  addFonts(fonts: readonly Font[]): void {
    if (fonts.length === 0) return;
    const names = new Set(fonts.map((font) => font.name));
    this.fonts = inOrder([...this.fonts.filter((font) => !names.has(font.name)), ...fonts]);
    this.fontNames = new Set(this.fonts.map((font) => font.name));
    this.instance = undefined;
  }

  /** Gives the memory back. */
  dispose(): void {
    this.disposed = true;
    this.instance = undefined;
    this.fonts = [];
  }

  private use<Answer>(work: (instance: Instance) => Answer): Answer {
    if (this.disposed) throw new PlatenError("disposed", "This engine was disposed of.");
    this.instance ??= new Instance(this.module, this.limits, this.fonts);
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
    const settings = settingsOf(options, format, this.limits.milliseconds ?? DEFAULT_MILLISECONDS);
    return this.use((instance) => {
      try {
        instance.parse(zpl, settings);
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

  private drawn(instance: Instance, label: number, format: Format, jpegQuality: number | undefined): Rendered {
    instance.draw(label);
    const data = instance.encode(PICTURES.indexOf(format), numberOf("jpegQuality", jpegQuality));
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

  /** Fonts that the pages drawn so far need. */
  private missing(instance: Instance): string[] {
    const missing = new Set<string>();
    missingFonts(instance.searched(), this.fontNames, missing);
    return [...missing];
  }
}

/** The renderer in this thread. In a page, `createWorkerEngine` keeps typing and scrolling smooth. */
export async function createEngine(options: EngineOptions = {}): Promise<Engine> {
  const module = await loadModule(options.wasm ?? new URL("./platen.wasm", import.meta.url));
  return new Engine(module, options.limits ?? {}, options.fonts ?? []);
}
