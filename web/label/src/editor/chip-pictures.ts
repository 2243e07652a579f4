// The pictures on the chips of graphics: what the label shows where the graphic lies.
import type { EditorView } from "@codemirror/view";
import type { Box } from "../model/result";
import type { Picture } from "../preview/pictures";
import { elementsAt, type ElementRef } from "./linking";

/** In CSS pixels; the widest is three times as wide. */
const HEIGHT = 20;

export interface PicturePart {
  picture: Picture;
  box: Box;
}

export function drawChips(view: EditorView, partOf: (ref: ElementRef) => Promise<PicturePart | undefined>): void {
  for (const canvas of view.contentDOM.querySelectorAll<HTMLCanvasElement>(".zpl-chip canvas")) {
    const [ref] = elementsAt(view, view.posAtDOM(canvas.parentElement as HTMLElement));
    if (!ref) canvas.hidden = true;
    else void partOf(ref).then((part) => draw(canvas, part));
  }
}

function draw(canvas: HTMLCanvasElement, part: PicturePart | undefined): void {
  canvas.hidden = !part || part.box.width <= 0 || part.box.height <= 0;
  const context = canvas.getContext("2d");
  if (canvas.hidden || !part || !context) return;
  const { box, picture } = part;
  const scale = Math.min(HEIGHT / box.height, (3 * HEIGHT) / box.width);
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.max(1, Math.round(box.width * scale * ratio));
  canvas.height = Math.max(1, Math.round(box.height * scale * ratio));
  canvas.style.width = `${canvas.width / ratio}px`;
  canvas.style.height = `${canvas.height / ratio}px`;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, box.x, box.y, box.width, box.height, 0, 0, canvas.width, canvas.height);
}
