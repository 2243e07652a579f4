// Prints the labels alone, each on a page of its own size.
import type { RenderResult } from "../model/result";
import type { Rotation } from "../model/settings";
import { el } from "../ui/dom";
import { pngBlob, turnPicture } from "../preview/pictures";
import { toast } from "../ui/messages";
import { say } from "../ui/language";

/** Browsers lay out every page before they show the first: beyond this their print window does not open for minutes. */
const MOST_PAGES = 2000;

async function printable(blob: Blob, rotation: Rotation): Promise<Blob> {
  if (rotation === 0) return blob;
  const bitmap = await createImageBitmap(blob);
  const turned = turnPicture(bitmap, rotation) as HTMLCanvasElement;
  bitmap.close();
  return new Promise((resolve, reject) => {
    turned.toBlob((result) => (result ? resolve(result) : reject(new Error("no picture"))), "image/png");
  });
}

let isPreparing = false;
/** Takes away what was printed last. Not every browser says when printing has ended. */
let takeAway: (() => void) | undefined;

/** One at a time: a second call while the pages are made asks for nothing new. */
export async function printLabels(result: RenderResult, rotation: Rotation): Promise<void> {
  if (isPreparing) return;
  isPreparing = true;
  takeAway?.();
  try {
    await layOut(result, rotation);
    window.print();
  } catch {
    takeAway?.();
    toast(say("The labels could not be printed. The PDF can be printed, too."));
  } finally {
    isPreparing = false;
  }
}

/** Puts the pages into the document, where only the printer sees them. */
async function layOut(result: RenderResult, rotation: Rotation): Promise<void> {
  const lying = rotation === 90 || rotation === 270;
  const width = lying ? result.heightMm : result.widthMm;
  const height = lying ? result.widthMm : result.heightMm;
  const urls: string[] = [];
  const area = el("div", { class: "print-area" });
  // A constructed sheet is no inline style, so the strict policy lets it be.
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@page { size: ${width}mm ${height}mm; margin: 0 }`);
  const remove = (): void => {
    area.remove();
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    urls.forEach((url) => URL.revokeObjectURL(url));
    window.removeEventListener("afterprint", remove);
    takeAway = undefined;
  };
  takeAway = remove;
  const wanted = result.labels.reduce((sum, label) => sum + label.copies, 0);
  let room = MOST_PAGES;
  for (const label of result.labels) {
    if (room === 0) break;
    const url = URL.createObjectURL(await printable(pngBlob(label), rotation));
    urls.push(url);
    for (let copy = 0; copy < label.copies && room > 0; copy++, room--) {
      const image = el("img", { src: url, alt: "" });
      image.style.width = `${width}mm`;
      image.style.height = `${height}mm`;
      area.append(image);
    }
  }
  if (wanted > MOST_PAGES) {
    toast(say("The browser prints the first {most} of {count} pages. The PDF has them all.", { most: MOST_PAGES, count: wanted }));
  }
  document.body.append(area);
  await Promise.all([...area.querySelectorAll("img")].map((image) => image.decode().catch(() => undefined)));
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  window.addEventListener("afterprint", remove);
}
