// The documentation's script: search, the menu on wide screens, copying code, pictures of findings. Everything else works without it.
import MiniSearch from "minisearch";

import { addPictures } from "./pictures";

interface Section {
  page: string;
  heading: string;
  address: string;
  body: string;
}

const MOST_RESULTS = 12;

function need<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element ${id}`);
  return element as T;
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, className: string, ...content: (Node | string)[]): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

// The theme that was chosen in the label editor.
try {
  const theme = localStorage.getItem("platen.label.theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset["theme"] = theme;
} catch {
  // Storage is off: as the system has it.
}

let loading: Promise<{ index: MiniSearch; sections: Section[] }> | undefined;

/** The index is made when somebody first searches. */
function load(): Promise<{ index: MiniSearch; sections: Section[] }> {
  loading ??= fetch("search.json").then(async (response) => {
    if (!response.ok) throw new Error(`search.json: ${response.status}`);
    const sections = (await response.json()) as Section[];
    const index = new MiniSearch({
      fields: ["heading", "page", "body"],
      // Commands such as ^FO, options such as --max-body and names with _ are words.
      tokenize: (text) => text.split(/[\s,;:()[\]{}"'`|/<>=…]+/u).map((word) => word.replace(/[.!?]+$/u, "")).filter(Boolean),
      // --max-body is also found as max-body, ^FO as FO.
      processTerm: (word) => [...new Set([word.toLowerCase(), word.toLowerCase().replace(/^[^\p{L}\p{N}]+/u, "")])].filter(Boolean),
      searchOptions: { boost: { heading: 4, page: 2 }, prefix: true, fuzzy: (word) => (word.length > 5 ? 0.2 : false), combineWith: "AND" },
    });
    index.addAll(sections.map((section, id) => ({ id, ...section })));
    return { index, sections };
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

/** The text around the first word that was found. */
function excerpt(body: string, words: readonly string[]): Node[] {
  const lower = body.toLowerCase();
  const places = words.map((word) => lower.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const first = places.length > 0 ? Math.min(...places) : 0;
  const from = Math.max(0, first - 60);
  const word = words.find((candidate) => lower.startsWith(candidate.toLowerCase(), first)) ?? "";
  const before = document.createTextNode((from > 0 ? "… " : "") + body.slice(from, first));
  const after = document.createTextNode(body.slice(first + word.length, from + 200) + (body.length > from + 200 ? " …" : ""));
  return word ? [before, element("mark", "", body.slice(first, first + word.length)), after] : [before, after];
}

const form = need<HTMLFormElement>("search");
const query = need<HTMLInputElement>("query");
const results = need("results");
const found = need("found");

function close(): void {
  results.hidden = true;
}

async function search(): Promise<void> {
  const text = query.value.trim();
  if (text === "") {
    results.replaceChildren();
    found.textContent = "";
    close();
    return;
  }
  try {
    const { index, sections } = await load();
    if (query.value.trim() !== text) return; // typed on in the meantime
    const hits = index.search(text).slice(0, MOST_RESULTS);
    const links = hits.flatMap((hit) => {
      const section = sections[hit.id as number];
      if (!section) return [];
      const title = section.heading === section.page ? section.page : `${section.page}: ${section.heading}`;
      const link = element("a", "result", element("strong", "", title), element("span", "", ...excerpt(section.body, hit.terms)));
      link.href = section.address;
      return [link];
    });
    results.replaceChildren(...(links.length > 0 ? links : [element("p", "", `Nothing has all of these words: ${text}`)]));
    found.textContent = links.length === 1 ? "1 result" : `${links.length} results`;
  } catch {
    results.replaceChildren(element("p", "", "The search could not be loaded. Is the service running?"));
    found.textContent = "The search could not be loaded";
  }
  results.hidden = false;
}

form.hidden = false;
query.addEventListener("focus", () => void load().catch(() => undefined), { once: true });
query.addEventListener("input", () => void search());
form.addEventListener("submit", (event) => {
  event.preventDefault();
  results.querySelector("a")?.click();
});
form.addEventListener("keydown", (event) => {
  const links = [...results.querySelectorAll("a")];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  if (event.key === "Escape") {
    close();
    query.focus();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? query : links[next])?.focus();
    event.preventDefault();
  }
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target as Node)) close();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === query) return;
  event.preventDefault();
  query.focus();
});

// The list of pages is open beside the text, and closed above it.
const wide = matchMedia("(min-width: 900px)");
const menu = need<HTMLDetailsElement>("menu");
const place = (): void => {
  menu.open = wide.matches;
};
wide.addEventListener("change", place);
place();

for (const block of document.querySelectorAll<HTMLPreElement>('pre[data-language="sh"]')) {
  const button = element("button", "copy", "Copy");
  button.type = "button";
  button.addEventListener("click", () => {
    navigator.clipboard.writeText(block.textContent ?? "").then(
      () => (button.textContent = "Copied"),
      () => (button.textContent = "Not allowed"),
    );
    setTimeout(() => (button.textContent = "Copy"), 2000);
  });
  const box = element("div", "code");
  block.replaceWith(box);
  box.append(block, button);
}

if (location.pathname.endsWith("/findings.html")) addPictures();
