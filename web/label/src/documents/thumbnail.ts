// A small picture of a label in a list, drawn when it comes into sight.
import type { Renderer } from "../draw/renderer";
import { el } from "../ui/dom";
import type { Work } from "./documents";

const draws = new WeakMap<Element, () => void>();

const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    draws.get(target)?.();
  }
});

/** Without a label in the code the frame stays empty. */
export function thumbnail({ zpl, settings }: Work, renderer: Renderer): HTMLElement {
  const frame = el("span", { class: "list-picture" });
  draws.set(frame, () => {
    renderer.file("png", zpl, { ...settings, quality: "grayscale" }, { page: 0, collapse: true }).then(
      ({ blob }) => {
        const url = URL.createObjectURL(blob);
        const image = el("img", { src: url, alt: "" });
        image.addEventListener("load", () => URL.revokeObjectURL(url), { once: true });
        frame.append(image);
      },
      () => undefined,
    );
  });
  inSight.observe(frame);
  return frame;
}
