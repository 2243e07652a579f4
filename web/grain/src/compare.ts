// Every culture at the current values, each a link to it, with a bar for the eye.
import { html, svg } from "./dom";
import { fixed1, type Find } from "./model";

export interface Entry {
  id: string;
  name: string;
  href: string;
  current: boolean;
  value: number; // NaN: no answer
  note: string;
}

/** The value that fills the bar. */
const FULL: Record<Find, number> = { moisture: 30, ur: 100 };

export function buildList(entries: Entry[], find: Find, decimal: string): HTMLLIElement[] {
  return entries.map(({ id, name, href, current, value, note }) => {
    const known = Number.isFinite(value);
    const text = known ? `${fixed1(value).replace(".", decimal)} %` : "–";
    const link = html("a", { href, "data-grain": id, "aria-current": current ? "true" : null }, html("span", {}, name));
    if (note !== "") link.append(html("small", {}, note));
    link.append(html("b", {}, text));
    const width = known ? Math.min(100, Math.round((value / FULL[find]) * 100)) : 0;
    link.append(
      svg("svg", { class: "bar", viewBox: "0 0 100 1", preserveAspectRatio: "none", "aria-hidden": "true" }, svg("rect", { width, height: 1 })),
    );
    return html("li", {}, link);
  });
}
