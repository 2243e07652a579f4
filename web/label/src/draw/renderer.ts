// Who draws: one interface for the service and for the renderer in this browser.
import type { LabelSize, OutputFormat, RenderQuery } from "../api";
import type { RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";

/** A label's dots, unrotated, and nothing else. */
export interface Dots {
  /** Which label, from 0. */
  index: number;
  /** A canvas with them, until those of another drawing are shown. */
  show(): HTMLCanvasElement;
  /** A canvas that keeps them; undefined: others are shown already. */
  copy(): HTMLCanvasElement | undefined;
}

export interface LabelFile {
  blob: Blob;
  /** Fonts that it needs and whoever drew it does not have: it has boxes or other letters instead. */
  missingFonts: readonly string[];
}

export interface Renderer {
  /** Every label with its elements, unrotated: the page turns the picture itself. `findSize`: on the size that the code was made for. */
  preview(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize?: boolean): Promise<RenderResult>;
  /** The size that the code was made for. */
  size(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal): Promise<LabelSize>;
  /** A file in some format. */
  file(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile>;
  /** The command table of a language as the service gives it. */
  commands(language: string): Promise<unknown>;
  /** The printer models as the service gives them. */
  printerModels(): Promise<unknown>;
}
