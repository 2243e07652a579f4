// Buttons, segmented choices and menus that the bars and panes are made of.
import { el, type Child } from "./dom";
import { icon, type IconName } from "./icons";

export interface ButtonOptions {
  id?: string;
  icon?: IconName;
  text?: string;
  /** Text that only narrow windows show, under the icon. */
  smallText?: string;
  /** Name for screen readers and the tooltip; needed where there is no text. */
  label?: string;
  kind?: string;
  /** Sends the form that it is in. */
  submits?: boolean;
  onClick?: (event: Event) => void;
}

export function button(options: ButtonOptions): HTMLButtonElement {
  const iconOnly = options.text === undefined ? " icon-only" : "";
  return el(
    "button",
    {
      type: options.submits ? "submit" : "button",
      id: options.id,
      class: `button${options.kind ? ` ${options.kind}` : ""}${iconOnly}`,
      "aria-label": options.label,
      title: options.label,
      onclick: options.onClick,
    },
    options.icon ? icon(options.icon) : null,
    options.text === undefined ? null : el("span", { class: "button-text" }, options.text),
    options.smallText === undefined ? null : el("span", { class: "button-text small-only" }, options.smallText),
  );
}

export interface Segment {
  value: string;
  text: string;
}

/** Radio buttons that look like one control. */
export function segments(
  legend: string,
  name: string,
  choices: readonly Segment[],
  chosen: string,
  onChange: (value: string) => void,
): HTMLFieldSetElement {
  return el(
    "fieldset",
    { class: "segments", "aria-label": legend },
    ...choices.map(({ value, text }) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name, value, checked: value === chosen, onchange: () => onChange(value) }),
        text,
      ),
    ),
  );
}

export type MenuEntry =
  | { kind: "item"; text: string; detail?: string; id?: string; lang?: string; action: () => void }
  | { kind: "heading"; text: string }
  | { kind: "rule" };

/** Closes the menu that is open, if one is. */
let closeOpenMenu: (() => void) | undefined;

/** Opens a menu under its button; arrow keys, Home, End, Escape and typing a letter work in it. */
export function openMenu(anchor: HTMLElement, entries: readonly MenuEntry[], label: string): void {
  closeOpenMenu?.();
  const menu = el("div", { class: "menu", role: "menu", "aria-label": label });
  const items: HTMLButtonElement[] = [];
  for (const entry of entries) {
    if (entry.kind === "heading") menu.append(el("div", { class: "heading", role: "presentation" }, entry.text));
    else if (entry.kind === "rule") menu.append(el("hr", { role: "separator" }));
    else {
      const children: Child[] = [el("span", { lang: entry.lang }, entry.text), entry.detail ? el("small", {}, entry.detail) : null];
      const item = el("button", { type: "button", role: "menuitem", id: entry.id, tabindex: -1 }, ...children);
      item.addEventListener("click", () => {
        close();
        entry.action();
      });
      items.push(item);
      menu.append(item);
    }
  }

  const outside = (event: Event): void => {
    if (!menu.contains(event.target as Node) && !anchor.contains(event.target as Node)) close(false);
  };
  function close(refocus = true): void {
    menu.remove();
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("resize", closeQuietly);
    if (closeOpenMenu === closeQuietly) closeOpenMenu = undefined;
    if (refocus) anchor.focus();
  }
  const closeQuietly = (): void => close(false);

  menu.addEventListener("keydown", (event) => {
    const at = items.indexOf(document.activeElement as HTMLButtonElement);
    const move = (to: number): void => items[(to + items.length) % items.length]?.focus();
    if (event.key === "ArrowDown") move(at + 1);
    else if (event.key === "ArrowUp") move(at - 1);
    else if (event.key === "Home") move(0);
    else if (event.key === "End") move(-1);
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") {
      close(false);
      return;
    } else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey) {
      const key = event.key.toLowerCase();
      const rest = [...items.slice(at + 1), ...items.slice(0, at + 1)];
      rest.find((item) => item.textContent?.toLowerCase().startsWith(key))?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  // In the button's own landmark, where screen readers expect it.
  (anchor.closest("header, section") ?? document.body).append(menu);
  const area = anchor.getBoundingClientRect();
  // Under the button, but whole: in a low window it begins higher.
  menu.style.top = `${Math.max(8, Math.min(Math.round(area.bottom + 4), innerHeight - menu.offsetHeight - 8))}px`;
  menu.style.left = `${Math.max(8, Math.min(Math.round(area.right - menu.offsetWidth), innerWidth - menu.offsetWidth - 8))}px`;
  anchor.setAttribute("aria-expanded", "true");
  document.addEventListener("pointerdown", outside, true);
  window.addEventListener("resize", closeQuietly);
  closeOpenMenu = closeQuietly;
  items[0]?.focus();
}

export function menuButton(options: ButtonOptions, entries: () => readonly MenuEntry[]): HTMLButtonElement {
  const made = button({
    ...options,
    onClick: () => {
      if (made.getAttribute("aria-expanded") === "true") closeOpenMenu?.();
      else openMenu(made, entries(), options.label ?? options.text ?? "");
    },
  });
  made.setAttribute("aria-haspopup", "menu");
  made.setAttribute("aria-expanded", "false");
  return made;
}
