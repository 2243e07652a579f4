// Files dropped anywhere on the page, and code pasted outside the editor.
import { isTyping } from "./keys";

export function attachPaste(opened: (files: File[]) => void, pasted: (text: string) => void): void {
  window.addEventListener("paste", (event) => {
    // What the editor has taken is done: the line it went to may be out of the page by now, and is no place to type in then.
    if (event.defaultPrevented || isTyping(event) || document.querySelector("dialog[open]")) return;
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.trim() !== "") pasted(text);
    else if (files.length > 0) opened(files);
    else return;
    event.preventDefault();
  });
}

/** Of a folder and the folders in it no more than these are looked at. */
const MOST_FILES = 1000;

async function filesOf(entries: readonly (FileSystemEntry | null)[], found: File[] = []): Promise<File[]> {
  for (const entry of entries) {
    if (found.length >= MOST_FILES) break;
    if (entry?.isFile) await new Promise<void>((done) => (entry as FileSystemFileEntry).file((file) => (found.push(file), done()), () => done()));
    else if (entry?.isDirectory) {
      const reader = (entry as FileSystemDirectoryEntry).createReader();
      for (;;) {
        const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])));
        if (some.length === 0) break;
        await filesOf(some, found);
      }
    }
  }
  return found;
}

export function attachDrop(hint: HTMLElement, opened: (files: File[]) => void, openedFolder: (files: File[]) => void): void {
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
      // Entries and files are gone once this handler has returned.
      const entries = [...(event.dataTransfer?.items ?? [])].map((item) => item.webkitGetAsEntry?.() ?? null);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (entries.some((entry) => entry?.isDirectory)) void filesOf(entries).then(openedFolder);
      else if (files.length > 0) opened(files);
    },
    true,
  );
}
