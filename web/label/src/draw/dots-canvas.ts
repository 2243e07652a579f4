// The dots that were drawn last, on a canvas. A key changes few rows of a label: only these are written, which is many times faster than a new canvas.
import { fillColours } from "../../../../packages/platen/src/shades";
import type { Dots } from "./renderer";

export interface GrayDots {
  /** Which label, from 0. */
  index: number;
  width: number;
  height: number;
  /** A byte for each dot, row by row: 0 is black, 255 white. */
  gray: Uint8Array<ArrayBuffer>;
}

/** First row that differs, and the one behind the last; equal where none differs. */
export function changedRows(now: GrayDots, before: GrayDots): [first: number, end: number] {
  const { width, height, gray } = now;
  const other = before.gray;
  // Four dots at once; both have a buffer of their own.
  const [words, otherWords] = [gray, other].map(({ buffer, length }) => new Uint32Array(buffer, 0, length >> 2)) as [Uint32Array, Uint32Array];
  let word = 0;
  while (word < words.length && words[word] === otherWords[word]) word++;
  let from = word * 4;
  while (from < gray.length && gray[from] === other[from]) from++;
  if (from === gray.length) return [height, height];
  let to = gray.length; // some dot before it differs, so these loops end
  while (to > words.length * 4 && gray[to - 1] === other[to - 1]) to--;
  if (to === words.length * 4) {
    word = words.length;
    while (words[word - 1] === otherWords[word - 1]) word--;
    to = word * 4;
  }
  while (gray[to - 1] === other[to - 1]) to--;
  return [Math.floor(from / width), Math.ceil(to / width)];
}

interface Shown {
  canvas: HTMLCanvasElement;
  rgba: ImageData;
  dots: GrayDots;
}

function emptyCanvas({ width, height }: { width: number; height: number }): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D | null {
  return canvas.getContext("2d", { alpha: false });
}

/** Red, green, blue and alpha of each dot, on a canvas of their own: that is shown, and kept. */
export function canvasOf(rgba: Uint8Array<ArrayBuffer>, width: number, height: number): Pick<Dots, "show" | "copy"> {
  let canvas: HTMLCanvasElement | undefined;
  const show = (): HTMLCanvasElement => {
    if (!canvas) {
      canvas = emptyCanvas({ width, height });
      contextOf(canvas)?.putImageData(new ImageData(new Uint8ClampedArray(rgba.buffer), width, height), 0, 0);
    }
    return canvas;
  };
  return { show, copy: () => canvas };
}

export class DotsCanvas {
  private shown: Shown | undefined;

  of(dots: GrayDots): Dots {
    return { index: dots.index, show: () => this.show(dots), copy: () => this.copyOf(dots) };
  }

  /** An ImageBitmap would come in a later task. */
  private show(dots: GrayDots): HTMLCanvasElement {
    const { width, height, gray } = dots;
    const before = this.shown;
    const isSameSize = before?.dots.width === width && before.dots.height === height;
    const { canvas, rgba } = isSameSize ? before : { canvas: this.newCanvas(dots), rgba: new ImageData(width, height) };
    const [first, end] = isSameSize ? changedRows(dots, before.dots) : [0, height];
    if (end > first) {
      fillColours(new Uint32Array(rgba.data.buffer), gray, first * width, end * width);
      contextOf(canvas)?.putImageData(rgba, 0, 0, 0, first, width, end - first);
    }
    this.shown = { canvas, rgba, dots };
    return canvas;
  }

  private newCanvas(dots: GrayDots): HTMLCanvasElement {
    const canvas = emptyCanvas(dots);
    // The graphics processor may lose what was written to it, as when its driver restarts: rows that did not change are gone, too.
    canvas.addEventListener("contextlost", () => {
      if (this.shown?.canvas === canvas) this.shown = undefined;
    });
    return canvas;
  }

  private copyOf(dots: GrayDots): HTMLCanvasElement | undefined {
    if (this.shown?.dots !== dots) return undefined;
    const copy = emptyCanvas(dots);
    contextOf(copy)?.drawImage(this.shown.canvas, 0, 0);
    return copy;
  }
}
