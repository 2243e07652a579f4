// The texts that index.html brings along, in the language of the page: names for screen readers, and elements that are marked data-say.
import { language, say } from "./language";

export function translateFixedTexts(): void {
  if (language === "en") return;
  for (const element of document.body.querySelectorAll("[aria-label]")) element.setAttribute("aria-label", say(element.getAttribute("aria-label") ?? ""));
  for (const element of document.body.querySelectorAll("[data-say]")) element.textContent = say(element.textContent ?? "");
}
