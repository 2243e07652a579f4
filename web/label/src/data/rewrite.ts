// Label code to label code, by the service: laid out, shortened, with values filled in; and many labels as one file.
import { askService, type ServiceAccess } from "../api";
import type { RenderSettings } from "../model/settings";
import { trimNumber } from "../model/units";
import type { Row } from "./rows";

export async function rewrite(zpl: string, action: "format" | "minify", access: ServiceAccess): Promise<string> {
  const response = await askService(`api/zpl?action=${action}`, zpl, "text/plain; charset=utf-8", access);
  return response.text();
}

/** Each row gives all labels of the code once. */
export async function fill(zpl: string, rows: readonly Row[], access: ServiceAccess, signal?: AbortSignal): Promise<string> {
  const response = await askService("api/zpl", JSON.stringify({ zpl, data: rows }), "application/json", access, signal);
  return response.text();
}

export interface BatchDocument {
  id: string;
  zpl: string;
}

/** All labels of all documents, as pictures in a ZIP or as one PDF. */
export async function batch(documents: readonly BatchDocument[], answer: "zip" | "pdf", settings: RenderSettings, access: ServiceAccess, signal?: AbortSignal): Promise<Blob> {
  const controls = {
    widthMm: Number(trimNumber(settings.widthMm, 3)),
    heightMm: Number(trimNumber(settings.heightMm, 3)),
    dpmm: settings.dpmm,
    rotation: settings.rotation,
    quality: settings.quality,
    profile: settings.profile === "reference" ? "reference" : "printer",
  };
  const lines = documents.map((document) => JSON.stringify({ ...document, ...controls }));
  const response = await askService(`api/batch?answer=${answer}&errors=stop`, lines.join("\n"), "application/x-ndjson", access, signal);
  return response.blob();
}
