// What the script of the first picture (first.ts) leaves for the page: the answer that it has asked for, and the picture that it has painted.
// The two are bundles of their own, so a property of the window is their only common place.
import type { Picture } from "../preview/pictures";

export interface Early {
  /** What was asked: the page takes the answer for the same request only. */
  readonly address: string;
  readonly apiKey: string;
  readonly body: Uint8Array;
  /** Undefined: it was taken. */
  answer: Promise<Response> | undefined;
  /** As it is painted. */
  picture: Picture | undefined;
  /** The page paints from now on. */
  isOver: boolean;
}

const place = globalThis as { platenEarly?: Early };

export function leaveEarly(early: Early): void {
  place.platenEarly = early;
}

/** Undefined: this is not what was asked, or somebody has taken the answer. */
export function takeAnswer(url: URL, body: BodyInit, apiKey: string): Promise<Response> | undefined {
  const early = place.platenEarly;
  if (!early || early.address !== url.href || early.apiKey !== apiKey || !(body instanceof Uint8Array)) return undefined;
  if (body.length !== early.body.length || !body.every((byte, index) => byte === early.body[index])) return undefined;
  const { answer } = early;
  early.answer = undefined;
  return answer;
}

/** The page takes over the canvas, with what is on it. */
export function takePicture(): Picture | undefined {
  const early = place.platenEarly;
  if (!early) return undefined;
  early.isOver = true;
  return early.picture;
}
