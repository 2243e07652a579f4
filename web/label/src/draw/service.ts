// The service as a renderer.
import { findSize, renderFile, renderPreview, type LabelSize, type OutputFormat, type RenderQuery, type ServiceAccess } from "../api";
import type { RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";
import type { LabelFile, Renderer } from "./renderer";

export class ServiceRenderer implements Renderer {
  constructor(private readonly access: ServiceAccess) {}

  preview(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal, findSize = false): Promise<RenderResult> {
    return renderPreview(zpl, settings, this.access, signal, findSize);
  }

  size(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, signal: AbortSignal): Promise<LabelSize> {
    return findSize(zpl, settings, this.access, signal);
  }

  async file(format: OutputFormat, zpl: string, settings: RenderSettings, query: RenderQuery): Promise<LabelFile> {
    return { blob: await renderFile(format, zpl, settings, query, this.access), missingFonts: [] };
  }

  commands(language: string): Promise<unknown> {
    return this.table(language === "zpl" ? "api/commands" : `api/commands/${language}`);
  }

  printerModels(): Promise<unknown> {
    return this.table("api/printer-models");
  }

  private async table(path: string): Promise<unknown> {
    const headers: Record<string, string> = this.access.apiKey === "" ? {} : { "X-API-Key": this.access.apiKey };
    const response = await fetch(new URL(path, this.access.base), { credentials: "same-origin", headers });
    return response.ok ? ((await response.json()) as unknown) : undefined;
  }
}
