// Short messages: shown in a corner for a while, and read out by screen readers.
import { el, need } from "./dom";
import { button } from "./controls";

export function announce(text: string): void {
  const announcer = need("announcer");
  // The same text twice would not be read again.
  announcer.textContent = announcer.textContent === text ? `${text}\u00a0` : text;
}

export interface ToastAction {
  text: string;
  run: () => void;
}

export function toast(text: string, action?: ToastAction): void {
  const holder = need("toasts");
  const message = el("div", { class: "toast" }, el("span", {}, text));
  if (action) {
    message.append(
      button({
        text: action.text,
        onClick: () => {
          message.remove();
          action.run();
        },
      }),
    );
  }
  // One at a time: what an older one offered to undo has been superseded.
  holder.replaceChildren(message);
  announce(text);
  setTimeout(() => message.remove(), action ? 12_000 : 4500 + text.length * 30);
}
