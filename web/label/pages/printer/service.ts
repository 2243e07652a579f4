// Pictures and files of the printers' labels: with an API key the browser cannot fetch them by itself.
import { ask, hasKey } from "../../src/out/printer-service";

/** Without a key the browser fetches pictures itself, when they come into sight. With one it cannot. */
const inSight = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    inSight.unobserve(target);
    void fetchPicture(target as HTMLImageElement);
  }
}, { rootMargin: "400px" });

async function fetchPicture(image: HTMLImageElement): Promise<void> {
  const url = image.dataset["from"];
  const blob = url === undefined ? undefined : await ask(url).then((response) => response.blob()).catch(() => undefined);
  if (!blob) return;
  const local = URL.createObjectURL(blob);
  image.addEventListener("load", () => URL.revokeObjectURL(local), { once: true });
  image.src = local;
}

export function setPicture(image: HTMLImageElement, url: string): void {
  if (!hasKey()) {
    image.src = url;
    return;
  }
  image.dataset["from"] = url;
  inSight.observe(image);
}

/** A link that saves a file of the service. */
export function setDownload(link: HTMLAnchorElement, url: string, name: string, failed: (error: Error) => void): void {
  link.href = url;
  link.download = name;
  link.addEventListener("click", (event) => {
    if (!hasKey() || link.href.startsWith("blob:")) return;
    event.preventDefault();
    ask(url).then((response) => response.blob()).then((blob) => {
      const local = make(blob, name);
      local.click();
      setTimeout(() => URL.revokeObjectURL(local.href), 60_000); // some browsers read it later
    }).catch(failed);
  });
}

function make(blob: Blob, name: string): HTMLAnchorElement {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  return link;
}
