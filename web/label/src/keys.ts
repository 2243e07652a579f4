// Keyboard shortcuts of the whole page and of the preview.

export interface PageKeys {
  open(): void;
  saveZpl(): void;
  print(): void;
  renderNow(): void;
  help(): void;
  shortcuts(): void;
  reference(): void;
  nextPane(direction: 1 | -1): void;
  undo(): void;
  redo(): void;
}

export interface PreviewKeys {
  zoomStep(direction: 1 | -1): void;
  zoomTo(zoom: number): void;
  fit(): void;
  pan(dx: number, dy: number): void;
  label(step: 1 | -1 | "first" | "last"): void;
  element(step: 1 | -1): void;
  goToCode(): void;
  boxes(): void;
  clear(): void;
}

/** Whether an event belongs to a place where text is typed. */
export function isTyping(event: Event): boolean {
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

/** A text field in which something was typed since it was entered: undo there is its own. Elsewhere the browser would undo what it finds, in any field. */
function hasOwnUndo(target: EventTarget | undefined, entered: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  const isText = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !/^(radio|checkbox|range|button|file)$/.test(target.type));
  return isText && target.value !== entered;
}

export function attachPageKeys(actions: PageKeys): void {
  let entered = "";
  document.addEventListener("focusin", ({ target }) => {
    entered = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement ? target.value : "";
  });
  window.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]")) return;
    const control = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    const key = event.key.toLowerCase();
    const isStep = (event.ctrlKey || event.metaKey) && !event.altKey && (key === "z" || key === "y");
    if (isStep && hasOwnUndo(event.composedPath()[0], entered)) return;
    if (isStep && (key === "y" || event.shiftKey)) actions.redo();
    else if (isStep) actions.undo();
    else if (control && key === "o") actions.open();
    else if (control && key === "s") actions.saveZpl();
    else if (control && key === "p") actions.print();
    else if (control && event.key === "Enter") actions.renderNow();
    else if (event.key === "F1" && event.shiftKey) actions.reference();
    else if (event.key === "F1") actions.help();
    else if (event.key === "F6") actions.nextPane(event.shiftKey ? -1 : 1);
    else if (event.key === "?" && !isTyping(event)) actions.shortcuts();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }, true);
}

const PAN = 60;

export function attachPreviewKeys(surface: HTMLElement, actions: PreviewKeys): void {
  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    switch (event.key) {
      case "+":
      case "=":
        actions.zoomStep(1);
        break;
      case "-":
      case "_":
        actions.zoomStep(-1);
        break;
      case "0":
        actions.fit();
        break;
      case "1":
      case "2":
      case "4":
        actions.zoomTo(Number(event.key));
        break;
      case "ArrowLeft":
        actions.pan(PAN, 0);
        break;
      case "ArrowRight":
        actions.pan(-PAN, 0);
        break;
      case "ArrowUp":
        actions.pan(0, PAN);
        break;
      case "ArrowDown":
        actions.pan(0, -PAN);
        break;
      case "PageDown":
        actions.label(1);
        break;
      case "PageUp":
        actions.label(-1);
        break;
      case "Home":
        actions.label("first");
        break;
      case "End":
        actions.label("last");
        break;
      case "n":
      case "N":
        actions.element(1);
        break;
      case "p":
      case "P":
        actions.element(-1);
        break;
      case "Enter":
        actions.goToCode();
        break;
      case "b":
      case "B":
        actions.boxes();
        break;
      case "Escape":
        actions.clear();
        break;
      default:
        return;
    }
    event.preventDefault();
  });
}
