// Pictures of the label code on a page, drawn by the service that serves the page. Without it the page is as it was.

const SIZE = "8dpmm/labels/4x6/0"; // density, inches, first label

/** In a section of findings the first label gives the finding, the second does not. */
const CAPTIONS = ["Gives the finding", "Does not give it"];

/** How many blocks of label code stand between this one and the heading before it. */
function placeInSection(block: Element): number {
  let place = 0;
  for (let at = block.previousElementSibling; at && !/^H[1-6]$/.test(at.tagName); at = at.previousElementSibling) {
    if (at.matches("figure.label")) place++;
  }
  return place;
}

export function addPictures(): void {
  for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language="zpl"]')) {
    const figure = document.createElement("figure");
    figure.className = "label";
    const picture = document.createElement("img");
    const caption = document.createElement("figcaption");
    const place = placeInSection(block);
    caption.textContent = CAPTIONS[place] ?? "";
    picture.alt = `The label above, as it is drawn. ${caption.textContent}.`;
    picture.loading = "lazy";
    picture.width = 203;
    picture.height = 305;
    picture.addEventListener("error", () => figure.replaceChildren());
    const code = (block.textContent ?? "").trim();
    picture.src = `../v1/printers/${SIZE}/${encodeURIComponent(code)}`;
    // A text that is no label has no picture. Its figure counts, so that the captions of the next ones are right.
    if (code.includes("^XA")) figure.append(picture, caption);
    block.after(figure);
  }
}
