// One WebAssembly instance with an engine inside: calls of apps/wasm/bridge.c, strings and bytes across the border.
import { codeOf, PlatenError, sentence } from "./errors.js";
import { fillColours } from "./shades.js";
import type { Font, Limits } from "./types.js";

const PAGE_BYTES = 65536;
const FIRST_PAGES = 128;
const DEFAULT_MEMORY = 512 * 2 ** 20;

const LIMIT_NAMES = ["inputBytes", "labels", "dotsPerLabel", "decodedGraphics", "storedBytes", "arenaBytes", "elementsPerLabel", "diagnostics"] as const;

type Pointer = number;
type Bridge = Record<string, (...values: number[]) => number>;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Ends `text` with NUL. */
function cString(text: string): Uint8Array {
  return encoder.encode(`${text}\0`);
}

export class Instance {
  /** Those of the given fonts that cannot be opened. */
  readonly refused = new Set<Font>();
  private readonly calls: Bridge;
  private readonly bridge: Pointer;
  private input: Pointer = 0;

  constructor(
    module: WebAssembly.Module,
    limits: Limits,
    fonts: readonly Font[],
  ) {
    const maximum = Math.min(Math.max(Math.ceil((limits.memoryBytes ?? DEFAULT_MEMORY) / PAGE_BYTES), FIRST_PAGES), PAGE_BYTES);
    try {
      this.memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum });
    } catch (cause) {
      throw new PlatenError("memory", "There is no memory for the renderer.", { cause });
    }
    const instance = new WebAssembly.Instance(module, {
      env: { memory: this.memory },
      host: { milliseconds: () => performance.now(), seconds: () => Math.floor(Date.now() / 1000) },
    });
    this.calls = instance.exports as unknown as Bridge;
    this.call("__wasm_call_ctors");
    this.bridge = this.call("bridge_new");
    if (this.bridge === 0) throw new PlatenError("memory", "There is no memory for the renderer.");
    LIMIT_NAMES.forEach((name, index) => {
      const value = limits[name];
      if (value !== undefined) this.call("bridge_limit", this.bridge, index, Math.min(Math.max(value, 0), 2 ** 31));
    });
    for (const font of fonts) {
      if (!this.addFont(font)) this.refused.add(font);
    }
    this.check(this.call("bridge_start", this.bridge));
  }

  private readonly memory: WebAssembly.Memory;

  /** How much memory it has taken; it never becomes less. */
  get bytes(): number {
    return this.memory.buffer.byteLength;
  }

  get version(): string {
    return this.text(this.call("bridge_version"));
  }

  /** `controls`: JSON, as the service takes it. `milliseconds`: 0 is no limit. */
  parse(bytes: Uint8Array, controls: string, milliseconds: number): void {
    this.end();
    this.input = this.put(bytes);
    const text = encoder.encode(controls);
    const json = this.put(text);
    try {
      this.check(this.call("bridge_parse", this.bridge, this.input, bytes.length, json, text.length, milliseconds));
    } finally {
      this.call("bridge_release", json);
    }
  }

  /** Frees the document and the code that it was made of. */
  end(): void {
    if (this.input === 0) return;
    this.call("bridge_end", this.bridge);
    this.call("bridge_release", this.input);
    this.call("bridge_forget_bytes", this.bridge);
    this.input = 0;
  }

  get labelCount(): number {
    return this.call("bridge_label_count", this.bridge);
  }

  get pageCount(): number {
    return this.call("bridge_page_count", this.bridge);
  }

  /** Size of the pages in dots, after rotation. */
  get widthPx(): number {
    return this.call("bridge_width", this.bridge);
  }

  get heightPx(): number {
    return this.call("bridge_height", this.bridge);
  }

  get widthMm(): number {
    return this.call("bridge_width_mm", this.bridge);
  }

  get heightMm(): number {
    return this.call("bridge_height_mm", this.bridge);
  }

  /** Undefined: there is no such page. */
  labelOfPage(page: number): number | undefined {
    const label = this.call("bridge_label_of_page", this.bridge, page);
    return label < 0 ? undefined : label;
  }

  copiesOf(label: number): number {
    return this.call("bridge_copies", this.bridge, label);
  }

  draw(label: number): void {
    this.check(this.call("bridge_draw", this.bridge, label));
  }

  /** `format`: 0 png, 1 jpeg, 2 webp. */
  encode(format: number): Uint8Array<ArrayBuffer> {
    this.check(this.call("bridge_encode", this.bridge, format));
    return this.takeBytes();
  }

  /** A byte for each dot: 0 is black, 255 white. */
  gray(): Uint8Array<ArrayBuffer> {
    this.check(this.call("bridge_grey", this.bridge));
    return this.takeBytes();
  }

  rgba(): Uint8Array<ArrayBuffer> {
    this.check(this.call("bridge_grey", this.bridge));
    const gray = this.view();
    const rgba = new Uint32Array(gray.length);
    fillColours(rgba, gray, 0, gray.length);
    return new Uint8Array(rgba.buffer);
  }

  pdf(): Uint8Array<ArrayBuffer> {
    this.check(this.call("bridge_pdf", this.bridge));
    return this.takeBytes();
  }

  describe(withPng: boolean, withElements: boolean): Uint8Array<ArrayBuffer> {
    this.check(this.call("bridge_describe", this.bridge, Number(!withPng), Number(!withElements)));
    return this.takeBytes();
  }

  pageWarnings(): unknown {
    this.check(this.call("bridge_page_warnings", this.bridge));
    return JSON.parse(this.takeText());
  }

  documentWarnings(): unknown {
    this.check(this.call("bridge_document_warnings", this.bridge));
    return JSON.parse(this.takeText());
  }

  commands(): unknown {
    this.check(this.call("bridge_commands", this.bridge));
    return JSON.parse(this.takeText());
  }

  printerModels(): unknown {
    this.check(this.call("bridge_printer_models", this.bridge));
    return JSON.parse(this.takeText());
  }

  /** Characters that the labels' own fonts lack: of the page that was drawn last, or of all pages after `pdf` and `describe`. */
  *searched(): Generator<number> {
    for (let i = 0; ; i++) {
      const character = this.call("bridge_searched_at", this.bridge, i);
      if (character === 0) return;
      yield character;
    }
  }

  /** False: the file is no font, or not a whole one. */
  private addFont(font: Font): boolean {
    const data = font.data instanceof Uint8Array ? font.data : new Uint8Array(font.data);
    const name = this.put(cString(font.name));
    const bytes = this.put(data);
    const status = this.call("bridge_add_font", this.bridge, name, bytes, data.length);
    if (status === 0) return true;
    const error = this.errorOf(status);
    if (error.code !== "invalid") throw error;
    this.call("bridge_release", name);
    this.call("bridge_release", bytes);
    return false;
  }

  private call(name: string, ...values: number[]): number {
    return this.calls[name]!(...values);
  }

  private check(status: number): void {
    if (status !== 0) throw this.errorOf(status);
  }

  private errorOf(status: number): PlatenError {
    const name = this.text(this.call("bridge_status_name", status));
    return new PlatenError(codeOf(name), sentence(this.text(this.call("bridge_message", this.bridge))));
  }

  private reserve(size: number): Pointer {
    const at = this.call("bridge_reserve", size) >>> 0;
    if (at === 0) throw new PlatenError("memory", "There is not enough memory for the code or a font.");
    return at;
  }

  private put(bytes: Uint8Array): Pointer {
    const at = this.reserve(bytes.length);
    new Uint8Array(this.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  private text(at: Pointer): string {
    const memory = new Uint8Array(this.memory.buffer);
    const start = at >>> 0;
    return decoder.decode(memory.slice(start, memory.indexOf(0, start)));
  }

  private view(): Uint8Array {
    const size = this.call("bridge_byte_count", this.bridge);
    return new Uint8Array(this.memory.buffer, this.call("bridge_bytes", this.bridge) >>> 0, size >>> 0);
  }

  private takeBytes(): Uint8Array<ArrayBuffer> {
    return this.view().slice() as Uint8Array<ArrayBuffer>;
  }

  private takeText(): string {
    return decoder.decode(this.view());
  }
}
