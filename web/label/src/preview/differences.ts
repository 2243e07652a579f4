// Marks where two pictures of a label differ: dots of both are black, those of one alone have its colour.
import type { Label, RenderResult } from "../model/result";
import { pngBlob } from "./pictures";

/** As in the legend (settings.css): the first of two versions, or the reference's picture; the second one, or the printer's. */
export const OF_A: readonly number[] = [0xd9, 0x48, 0x0f];
export const OF_B: readonly number[] = [0x0b, 0x5f, 0xd6];

/** Labels of a long input that are marked; the others are shown as the printer draws them. */
const MOST_MARKED = 24;

export async function dotsOf(label: Label): Promise<ImageData | undefined> {
  const bitmap = await createImageBitmap(pngBlob(label), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const canvas = document.createElement("canvas");
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context?.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context?.getImageData(0, 0, canvas.width, canvas.height);
}

/** Tints the dots of `printer` by what `reference` has there; says how much differs. */
export function tint(printer: Uint8ClampedArray, reference: Uint8ClampedArray): number {
  let differing = 0;
  for (let i = 0; i < printer.length; i += 4) {
    const ours = printer[i] ?? 255;
    const theirs = reference[i] ?? 255;
    if (ours === theirs) continue;
    differing++;
    const colour = ours < theirs ? OF_B : OF_A;
    const ink = Math.abs(ours - theirs) / 255;
    const paper = Math.max(ours, theirs);
    for (let k = 0; k < 3; k++) printer[i + k] = Math.round(paper + ((colour[k] ?? 0) - paper) * ink);
  }
  return differing;
}

async function marked(printer: Label, reference: Label | undefined): Promise<Label> {
  if (!reference || reference.data === printer.data) return printer;
  const [ours, theirs] = await Promise.all([dotsOf(printer), dotsOf(reference)]);
  if (!ours || !theirs || ours.width !== theirs.width || ours.height !== theirs.height) return printer;
  if (tint(ours.data, theirs.data) === 0) return printer;
  const canvas = document.createElement("canvas");
  canvas.width = ours.width;
  canvas.height = ours.height;
  canvas.getContext("2d")?.putImageData(ours, 0, 0);
  return { ...printer, data: canvas.toDataURL("image/png").replace(/^[^,]*,/, "") };
}

export async function markDifferences(printer: RenderResult, reference: RenderResult): Promise<RenderResult> {
  const labels: Label[] = [];
  for (const [index, label] of printer.labels.entries()) {
    labels.push(index < MOST_MARKED ? await marked(label, reference.labels[index]) : label);
  }
  return { ...printer, labels };
}
