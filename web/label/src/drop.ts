// Files dropped anywhere on the page, and code pasted outside the editor.
import { isTyping } from "./keys";

export function attachPaste(opened: (file: File) => void, pasted: (text: string) => void): void {
  window.addEventListener("paste", (event) => {
    if (isTyping(event) || document.querySelector("dialog[open]")) return;
    const file = event.clipboardData?.files[0];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() !== "") pasted(text);
    else if (file) opened(file);
    else return;
    event.preventDefault();
  });
}

export function attachDrop(hint: HTMLElement, opened: (file: File) => void): void {
  let depth = 0;
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

  window.addEventListener("dragenter", (event) => {
    if (!holdsFiles(event)) return;
    depth++;
    hint.hidden = false;
  });
  window.addEventListener("dragleave", (event) => {
    if (!holdsFiles(event)) return;
    depth = Math.max(0, depth - 1);
    if (depth === 0) hint.hidden = true;
  });
  window.addEventListener(
    "dragover",
    (event) => {
      if (!holdsFiles(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    },
    true,
  );
  window.addEventListener(
    "drop",
    (event) => {
      depth = 0;
      hint.hidden = true;
      if (!holdsFiles(event)) return;
      // Before the editor, which would insert the file's text at the drop point.
      event.preventDefault();
      event.stopPropagation();
      const file = event.dataTransfer?.files[0];
      if (file) opened(file);
    },
    true,
  );
}
