// Files dropped anywhere on the page.

export function attachDrop(hint: HTMLElement, opened: (file: File) => void, droppedText: (text: string) => void): void {
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
      else {
        const text = event.dataTransfer?.getData("text/plain");
        if (text) droppedText(text);
      }
    },
    true,
  );
}
