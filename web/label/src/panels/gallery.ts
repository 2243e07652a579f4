// The gallery of samples, each shown as the service renders it.
import type { Renderer } from "../draw/renderer";
import { DEFAULT_SETTINGS } from "../model/settings";
import { SAMPLES, type Sample } from "../samples/index";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { say } from "../ui/language";

/** Pictures made once per visit; the blobs are a few kilobytes each. */
const pictures = new Map<string, Promise<string>>();

function pictureOf(sample: Sample, drawing: Renderer): Promise<string> {
  let picture = pictures.get(sample.id);
  if (!picture) {
    const settings = { ...DEFAULT_SETTINGS, widthMm: sample.widthMm, heightMm: sample.heightMm, quality: "grayscale" as const };
    picture = drawing.file("png", sample.zpl, settings, {}).then(({ blob }) => URL.createObjectURL(blob));
    pictures.set(sample.id, picture);
    // A failed picture is asked for again the next time.
    picture.catch(() => pictures.delete(sample.id));
  }
  return picture;
}

export function openGallery(drawing: Renderer, chosen: (sample: Sample) => void): void {
  const dialog = openDialog(
    say("Samples"),
    "wide",
    el(
      "div",
      { class: "gallery" },
      ...SAMPLES.map((sample) => {
        const frame = el("span", { class: "picture" });
        pictureOf(sample, drawing).then(
          (url) => frame.append(el("img", { src: url, alt: "" })),
          () => undefined,
        );
        return el(
          "button",
          {
            type: "button",
            class: "sample",
            "data-sample": sample.id,
            onclick: () => {
              dialog.close();
              chosen(sample);
            },
          },
          frame,
          el("strong", {}, sample.name),
          el("span", { class: "about" }, sample.about),
        );
      }),
    ),
  );
  dialog.querySelector<HTMLElement>(".sample")?.focus();
}
