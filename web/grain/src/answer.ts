// The page is made by the service. For other values it is fetched again, and what depends on them is taken out of it.
import { byId } from "./dom";

interface Part {
  selector: string;
  attributes: string[];
  content: boolean;
  /** Shown only if nothing has been typed since it was asked for: what one holds or chooses must not jump back. */
  latest?: boolean;
}

const PARTS: Part[] = [
  {
    selector:
      "#heading, #asked, #verdict, #caption, #value, #basis, #spread, #sentence, #notes, #ta-error, #ur-error, #moisture-error, " +
      "#compare-title, #compare-units, #compare, #table-units, #table, #how",
    attributes: ["data-verdict"],
    content: true,
  },
  { selector: "#ta, #ur, #moisture", attributes: ["aria-invalid"], content: false },
  { selector: "#link, #csv, nav.lang a, #find a", attributes: ["href", "aria-current"], content: false },
  { selector: "#result, #main", attributes: ["data-empty", "data-nograin"], content: false },
  { selector: "button[data-download]", attributes: ["formaction"], content: false },
  { selector: "#set", attributes: [], content: true, latest: true },
  { selector: "#set-field", attributes: ["hidden"], content: false, latest: true },
  { selector: "#chart", attributes: ["data-chart"], content: false, latest: true },
];

function takePart(part: Part, fresh: Document): void {
  const news = fresh.querySelectorAll(part.selector);
  document.querySelectorAll(part.selector).forEach((old, i) => {
    const now = news[i];
    if (now === undefined) return;
    for (const name of part.attributes) {
      const value = now.getAttribute(name);
      if (value === null) old.removeAttribute(name);
      else if (value !== old.getAttribute(name)) old.setAttribute(name, value);
    }
    // What is the same stays, with its focus and its scrolling. Copies: a list whose chosen entry is taken away chooses another.
    if (part.content && old.innerHTML !== now.innerHTML) old.replaceChildren(...[...now.childNodes].map((node) => node.cloneNode(true)));
  });
}

function take(fresh: Document, isLatest: boolean): void {
  const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset["grain"] : undefined;
  for (const part of PARTS) if (isLatest || part.latest !== true) takePart(part, fresh);
  document.title = fresh.title;
  // The list was made anew: the same entry of it keeps the focus.
  if (focused !== undefined) document.querySelector<HTMLElement>(`#compare a[data-grain="${focused}"]`)?.focus({ preventScroll: true });
}

/** Nothing is shown of values that are no longer in the fields. */
function forget(): void {
  for (const id of ["verdict", "basis", "spread", "notes"]) byId(id).replaceChildren();
  byId("verdict").removeAttribute("data-verdict");
  byId("value").textContent = "–";
  byId("sentence").textContent = byId<HTMLElement>("main").dataset["failed"]!;
  byId("result").setAttribute("data-empty", "");
}

/** A service that does not answer must not hold up the next question. */
const PATIENCE_MS = 15_000;

let wanted = false;
let running: Promise<void> | null = null;

async function run(query: () => string, shown: () => void): Promise<void> {
  while (wanted) {
    wanted = false;
    let failed = false;
    try {
      const answer = await fetch(`./${query()}`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
      failed = !answer.ok || fresh.getElementById("result") === null;
      if (!failed) take(fresh, !wanted);
    } catch {
      failed = true;
    }
    if (failed) forget();
    document.documentElement.classList.toggle("failed", failed);
    if (!wanted) shown();
  }
  running = null;
  byId("main").removeAttribute("data-waiting");
}

/** Asks the service for the page of the current values. One question is under way at a time; the next is of what is there by then. */
export function ask(query: () => string, shown: () => void): void {
  wanted = true;
  byId("main").setAttribute("data-waiting", "");
  running ??= run(query, shown);
}

/** When what is shown is of the current values. */
export async function settled(): Promise<void> {
  await running;
}
