// The folded tools: the server writes their results into the page; this fetches the page with a tool's fields and takes the
// result out, so that one does not leave the page.
import { byId } from "./dom";

/** How long typing must pause before a tool that has shown a result is asked again. */
const PAUSE_MS = 400;

export interface Tools {
  /** Something else on the page has changed: open tools that show a result are asked again. */
  refresh(): void;
}

function resultOf(details: HTMLElement): HTMLElement {
  return byId<HTMLElement>(`${details.dataset["tool"]!}-result`);
}

/** Why a tool has no result, by the status of the answer; 0: there was none. */
function failed(status: number): string {
  const words = document.querySelector<HTMLElement>("section.tools")!.dataset;
  return words[`failed${status}`] ?? words["failed"]!;
}

export function wireTools(pageQuery: () => string): Tools {
  const all = [...document.querySelectorAll<HTMLDetailsElement>("details[data-tool]")];
  const timers = new Map<HTMLElement, number>();
  const latest = new Map<HTMLElement, number>();
  /** Folded tools whose result is of something else by now: they are asked again when they are unfolded. */
  const stale = new Set<HTMLElement>();

  async function ask(details: HTMLDetailsElement): Promise<void> {
    const form = details.querySelector("form")!;
    stale.delete(details);
    const turn = (latest.get(details) ?? 0) + 1;
    latest.set(details, turn);
    const query = new URLSearchParams(pageQuery().slice(1));
    const isFile = form.method === "post";
    if (!isFile) {
      query.set("tool", details.dataset["tool"]!);
      for (const [name, value] of new FormData(form)) if (name.includes("-")) query.set(name, String(value));
    }
    let status = 0;
    try {
      const answer = await fetch(`./?${query.toString()}`, isFile ? { method: "POST", body: new FormData(form) } : {});
      status = answer.status;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const result = page.getElementById(resultOf(details).id);
      if (latest.get(details) !== turn) return;
      if (!answer.ok || result === null) throw new Error(String(answer.status));
      resultOf(details).replaceChildren(...result.childNodes);
    } catch {
      if (latest.get(details) === turn) resultOf(details).textContent = failed(status);
    }
  }

  function later(details: HTMLDetailsElement): void {
    window.clearTimeout(timers.get(details));
    timers.set(details, window.setTimeout(() => void ask(details), PAUSE_MS));
  }

  const hasResult = (details: HTMLDetailsElement): boolean => resultOf(details).childNodes.length > 0;
  for (const details of all) {
    const form = details.querySelector("form")!;
    form.addEventListener("submit", (event) => {
      // The button for the CSV is a download: the browser does that.
      if (event.submitter?.hasAttribute("data-download")) return;
      event.preventDefault();
      void ask(details);
    });
    form.addEventListener("input", () => {
      if (hasResult(details)) later(details);
    });
    details.addEventListener("toggle", () => {
      if (!details.open || !stale.has(details)) return;
      // What is of another grain is not shown even for the moment that the answer takes.
      resultOf(details).replaceChildren();
      void ask(details);
    });
  }
  return {
    refresh(): void {
      for (const details of all) {
        if (!hasResult(details)) continue;
        if (details.open) later(details);
        else stale.add(details);
      }
    },
  };
}
