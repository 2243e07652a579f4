// Talking to the render service: addresses relative to the page, and every way of failing turned into one calm sentence.
import { takeAnswer } from "./draw/early";
import type { ErrorResponse, Unchecked } from "./model/answers";
import type { RenderSettings } from "./model/settings";
import { readResult, type RenderResult } from "./model/result";
import { trimNumber } from "./model/units";
import { say } from "./ui/language";

export type OutputFormat = "png" | "jpeg" | "webp" | "pdf" | "json" | "base64";

/** What went wrong, sorted by what helps: waiting, changing the label, or neither. */
export type FailureKind = "unreachable" | "busy" | "too-large" | "nothing" | "refused" | "broken" | "key";

export class RenderFailure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    /** Seconds after which trying again makes sense; undefined: only a change of label or settings helps. */
    readonly retryAfter: number | undefined,
    readonly code = "",
  ) {
    super(message);
  }
}

export interface LabelSize {
  widthMm: number;
  heightMm: number;
}

export interface RenderQuery {
  page?: number;
  collapse?: boolean;
  rotation?: boolean;
  verify?: boolean;
  /** The size that the code was made for, instead of the one that is set. */
  findSize?: boolean;
}

/** Controls as query parameters, in a fixed order so that the curl command is stable. */
export function renderParameters(settings: RenderSettings, query: RenderQuery = {}): URLSearchParams {
  const parameters = new URLSearchParams();
  if (query.findSize) parameters.set("size", "auto");
  else {
    parameters.set("widthMm", trimNumber(settings.widthMm, 3));
    parameters.set("heightMm", trimNumber(settings.heightMm, 3));
  }
  parameters.set("dpmm", trimNumber(settings.dpmm, 3));
  if (query.rotation !== false && settings.rotation !== 0) parameters.set("rotation", String(settings.rotation));
  if (settings.quality !== "bitonal") parameters.set("quality", settings.quality);
  if (settings.profile !== "reference") parameters.set("profile", "printer");
  if (settings.printerModel !== "none") parameters.set("printerModel", settings.printerModel);
  if (query.page !== undefined && query.page > 0) parameters.set("page", String(query.page));
  if (query.collapse) parameters.set("copies", "collapse");
  if (query.verify) parameters.set("verify", "true");
  return parameters;
}

export function renderUrl(format: OutputFormat, settings: RenderSettings, query: RenderQuery, base: string): URL {
  const url = new URL(`api/render/${format}`, base);
  url.search = renderParameters(settings, query).toString();
  return url;
}

function retrySeconds(response: Response, otherwise: number): number {
  const header = response.headers.get("Retry-After")?.trim() ?? "";
  if (/^\d+$/.test(header)) return Math.min(Math.max(Number(header), 1), 120);
  const date = Date.parse(header);
  if (Number.isFinite(date)) return Math.min(Math.max((date - Date.now()) / 1000, 1), 120);
  return otherwise;
}

async function errorBody(response: Response): Promise<{ error: string; code: string }> {
  try {
    const body = (await response.json()) as Unchecked<ErrorResponse>;
    return {
      error: typeof body.error === "string" ? body.error : "",
      code: typeof body.code === "string" ? body.code : "",
    };
  } catch {
    return { error: "", code: "" };
  }
}

async function failureOf(response: Response): Promise<RenderFailure> {
  const { error, code } = await errorBody(response);
  switch (response.status) {
    case 429:
      return new RenderFailure(
        "busy",
        say("The service is busy. The preview continues by itself in a moment."),
        retrySeconds(response, 2),
        code,
      );
    case 413:
      return new RenderFailure(
        "too-large",
        // Without a reason there is a blank too many.
        say("This is more than the service takes at once. {reason} Shorten the code, or split it.", { reason: error }).replace("  ", " "),
        undefined,
        code,
      );
    case 401:
      return new RenderFailure(
        "key",
        say("The service wants an API key. Enter it under Settings, Service."),
        undefined,
        code,
      );
    case 403:
      return new RenderFailure(
        "refused",
        code === "other_origin" ? say("The service does not accept requests from a page at this address. Whoever runs it can allow that.") : error || say("The service does not allow this."),
        undefined,
        code,
      );
    case 400:
      if (code === "no_labels") {
        return new RenderFailure("nothing", say("Nothing to print yet: a label is what is between ^XA and ^XZ."), undefined, code);
      }
      return new RenderFailure("refused", error || say("The service did not accept this label."), undefined, code);
    case 503:
      return new RenderFailure(
        "busy",
        error || say("The service is not ready. The preview continues by itself in a moment."),
        retrySeconds(response, 3),
        code,
      );
    default:
      if (response.status >= 500) {
        return new RenderFailure("broken", say("The service had an error of its own. Trying again."), 5, code);
      }
      return new RenderFailure("refused", error || say("The service answered {status}.", { status: String(response.status) }), undefined, code);
  }
}

export interface ServiceAccess {
  base: string;
  apiKey: string;
}

/** Posts to a route of the service, named relative to the page. Failures are RenderFailure, with the service's own sentence. */
export function askService(path: string, body: BodyInit, type: string, access: ServiceAccess, signal?: AbortSignal, accept?: string): Promise<Response> {
  return post(new URL(path, access.base), body, access, signal, type, accept);
}

/** The request alone: whatever the service answers, and whatever the browser throws. */
export function send(url: URL, zpl: BodyInit, access: ServiceAccess, signal?: AbortSignal, type = "text/plain; charset=utf-8", accept?: string): Promise<Response> {
  const headers: Record<string, string> = { "Content-Type": type };
  if (accept !== undefined) headers["Accept"] = accept;
  if (access.apiKey !== "") headers["X-API-Key"] = access.apiKey;
  return fetch(url, {
    method: "POST",
    headers,
    body: zpl,
    cache: "no-store",
    credentials: "same-origin",
    ...(signal ? { signal } : {}),
  });
}

async function post(url: URL, zpl: BodyInit, access: ServiceAccess, signal?: AbortSignal, type?: string, accept?: string): Promise<Response> {
  let response: Response;
  try {
    response = await (takeAnswer(url, zpl, access.apiKey) ?? send(url, zpl, access, signal, type, accept));
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw new RenderFailure(
      "unreachable",
      say("The service cannot be reached. Your work is safe here; the preview comes back by itself."),
      2,
    );
  }
  if (!response.ok) throw await failureOf(response);
  return response;
}

/** What the preview asks: every label with its elements, unrotated (the page turns the picture itself). */
export function previewUrl(settings: RenderSettings, base: string, findSize = false): URL {
  return renderUrl("json", settings, { collapse: true, rotation: false, verify: settings.verify, findSize }, base);
}

export async function renderPreview(
  zpl: Uint8Array<ArrayBuffer>,
  settings: RenderSettings,
  access: ServiceAccess,
  signal: AbortSignal,
  findSize = false,
): Promise<RenderResult> {
  const response = await post(previewUrl(settings, access.base, findSize), zpl, access, signal);
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new RenderFailure("broken", say("The answer did not arrive whole. Trying again."), 3);
  }
  const result = readResult(body);
  if (!result) throw new RenderFailure("broken", say("The service answered something this page does not understand. Trying again."), 5);
  return result;
}

/** The size that the code was made for: ^PW and ^LL, or what its content needs. */
export async function findSize(zpl: Uint8Array<ArrayBuffer>, settings: RenderSettings, access: ServiceAccess, signal: AbortSignal): Promise<LabelSize> {
  const response = await post(renderUrl("png", settings, { findSize: true, rotation: false }, access.base), zpl, access, signal);
  await response.body?.cancel();
  const read = (name: string): number => Number(response.headers.get(name) ?? NaN);
  const size = { widthMm: read("X-Label-Width-Mm"), heightMm: read("X-Label-Height-Mm") };
  if (!(size.widthMm > 0) || !(size.heightMm > 0)) throw new RenderFailure("broken", say("The service did not say the size of the label."), undefined);
  return size;
}

/** A file in some format, as the service makes it. */
export async function renderFile(
  format: OutputFormat,
  zpl: string,
  settings: RenderSettings,
  query: RenderQuery,
  access: ServiceAccess,
): Promise<Blob> {
  const response = await post(renderUrl(format, settings, query, access.base), zpl, access);
  try {
    return await response.blob();
  } catch {
    throw new RenderFailure("broken", say("The file did not arrive whole. Please try again."), undefined);
  }
}
