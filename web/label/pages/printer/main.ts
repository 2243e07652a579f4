// What the virtual printers print, live: the list, the printers' panels, one label at a time.
import { encodeLink } from "../../src/actions/link-codec";
import { languageName } from "../../src/model/languages";
import { DEFAULT_SETTINGS } from "../../src/model/settings";
import { ask, getJson, isStopped, KeyNeeded, listen, stateInWords, useKey, type PrinterState } from "../../src/out/printer-service";
import { preferences } from "../../src/actions/preferences";
import { need } from "../../src/ui/dom";
import { translateFixedTexts } from "../../src/ui/fixed-texts";
import { locale, say, sayCount } from "../../src/ui/language";
import { setDownload, setPicture } from "./service";

translateFixedTexts();
document.title = say("Platen: virtual printer");

interface Printer extends PrinterState {
  address: string;
  port: number;
  widthMm: number;
  heightMm: number;
  dpmm: number;
  language: string;
  autoSize: boolean;
  slowMs: number;
  memory?: { name: string; kind: string; bytes: number; preloaded: boolean }[];
  settings?: { printWidth: number; labelLength: number; darkness: number; speed: number };
  [fault: string]: unknown;
}

interface Label {
  seq: number;
  printer: string;
  source: string;
  time: string;
  widthMm: number;
  heightMm: number;
  dpmm: number;
  language: string;
  copies: number;
  refused: boolean;
  reason?: string;
  notKept?: string;
}

interface WholeLabel extends Label {
  zpl: string;
  label?: { elements: { type: string; command: string; text?: string; data?: string; symbology?: string }[]; warnings: { severity: string; message: string }[] };
}

const FAULTS: [string, string][] = [
  ["paused", say("Pause")],
  ["paperOut", say("Paper out")],
  ["ribbonOut", say("Ribbon out")],
  ["headOpen", say("Head open")],
  ["bufferFull", say("Buffer full")],
  ["silent", say("No answers")],
  ["refuseConnections", say("Refuse connections")],
];
const SHOWN_MOST = 500;

const live = need("live");
const list = need<HTMLOListElement>("labels");
const which = need<HTMLSelectElement>("which");
const match = need<HTMLInputElement>("match");
const view = need<HTMLDialogElement>("view");
/** The page was opened for one printer. */
const asked = new URLSearchParams(location.search).get("name");
let hasPrinted = false;
let firstAddress = "";
let held = false;
let missed = false;
let printTo: string[] = [];

function make<K extends keyof HTMLElementTagNameMap>(tag: K, text = "", className = ""): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  if (className) element.className = className;
  return element;
}

function button(text: string, action: () => void, pressed?: boolean): HTMLButtonElement {
  const element = make("button", text);
  element.type = "button";
  if (pressed !== undefined) element.setAttribute("aria-pressed", String(pressed));
  element.addEventListener("click", action);
  return element;
}

const path = (label: Label, ext: string) => `api/printers/${label.printer}/labels/${label.seq}.${ext}`;

/** What went wrong is said; for a key that is missing the page asks. */
function failed(error: Error): void {
  live.textContent = error.message;
  if (!(error instanceof KeyNeeded)) return;
  need("access").hidden = false;
  live.textContent = say("The service wants an API key.");
}

const change = (url: string, method: string, body?: unknown) =>
  ask(url, body === undefined ? { method } : { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) })
    .catch(failed)
    .then(showPrinters);

// Most read ZPL: only others are named.
const otherLanguage = (language: string): string => (language === "zpl" ? "" : ` · ${languageName(language)}`);

const addressOf = ({ address, port }: Printer): string => `${address.includes(":") ? `[${address}]` : address}:${port}`;

// ---- printers

function printerCard(p: Printer): HTMLElement {
  const card = make("article", "", "printer");
  card.setAttribute("aria-label", say("Printer {name}", { name: p.name }));
  card.dataset["printer"] = p.name;
  card.tabIndex = -1;
  if (isStopped(p)) card.dataset["stopped"] = "";
  const head = make("div", "", "line");
  head.append(make("h2", p.name), make("span", addressOf(p), "quiet"));
  const size = p.autoSize ? say("size of each label") : say("{width} × {height} mm", { width: p.widthMm, height: p.heightMm });
  const panel = make("p", stateInWords(p), "panel");
  panel.setAttribute("role", "status");
  const faults = make("div", "", "buttons");
  for (const [name, text] of FAULTS) {
    faults.append(button(text, () => void change(`api/printers/${p.name}/state`, "PUT", { [name]: !p[name] }), Boolean(p[name])));
  }
  faults.append(
    button(say("Slow"), () => void change(`api/printers/${p.name}/state`, "PUT", { slowMs: p.slowMs ? 0 : 2000 }), p.slowMs > 0),
    button(say("Cut connections"), () => void change(`api/printers/${p.name}/state`, "PUT", { cutConnections: true })),
    button(say("Reset"), () => askToReset(p.name)),
  );
  card.append(head, make("p", `${say("{size}, {dpmm} dots/mm", { size, dpmm: p.dpmm })}${otherLanguage(p.language)}`, "quiet"), panel, faults);
  const memory = make("details");
  const objects = (p.memory ?? []).filter((object) => !object.preloaded);
  memory.append(make("summary", sayCount("Memory: {count} stored object", "Memory: {count} stored objects", objects.length)));
  if (p.settings) memory.append(make("p", say("Print width {width}, length {length} dots, darkness {darkness}, {speed} in/s", { width: String(p.settings.printWidth), length: String(p.settings.labelLength), darkness: p.settings.darkness, speed: p.settings.speed }), "quiet"));
  for (const object of objects) memory.append(make("p", say("{name}, {kind}, {count} bytes", { name: object.name, kind: object.kind, count: object.bytes }), "quiet"));
  if (objects.length > 0) {
    memory.append(button(say("Clear memory"), () => void Promise.all(["R:*.*", "E:*.*"].map((object) => ask(`api/printers/${p.name}/memory?object=${object}`, { method: "DELETE" }))).catch(failed).then(showPrinters)));
  }
  card.append(memory);
  return card;
}

let showing = 0;

async function showPrinters(): Promise<void> {
  const turn = ++showing;
  try {
    const answer = await getJson<{ printers: Printer[]; printTo: string[]; spares?: number }>("api/printers");
    const printers = await Promise.all(answer.printers.map((p) => getJson<Printer>(`api/printers/${p.name}`)));
    if (turn !== showing) return; // a newer answer is on its way, or here
    printTo = answer.printTo;
    putPrinters(printers);
    putMake(answer.spares ?? 0, printers);
  } catch (error) {
    failed(error as Error);
  }
}

function putPrinters(printers: Printer[]): void {
  const place = need("printers");
  const focused = place.contains(document.activeElement) ? [...place.querySelectorAll("button, summary")].indexOf(document.activeElement as Element) : -1;
  const opened = [...place.querySelectorAll("details")].map((details) => details.open);
  place.replaceChildren(...printers.map(printerCard));
  place.querySelectorAll("details").forEach((details, i) => { details.open = opened[i] ?? false; });
  if (focused >= 0) ([...place.querySelectorAll<HTMLElement>("button, summary")][focused])?.focus();
  for (const p of printers) {
    if ([...which.options].some((option) => option.value === p.name)) continue;
    which.append(new Option(p.name, p.name, false, p.name === asked));
  }
  need("start").hidden = printers.length > 0;
  need("list").hidden = printers.length === 0;
  hasPrinted = printers.some(({ printed }) => printed > 0);
  firstAddress = printers[0] ? addressOf(printers[0]) : "";
  showNone();
}

// ---- making one

/** Where the service has spare printers; without any other the page begins with it. */
function putMake(spares: number, printers: Printer[]): void {
  const place = need<HTMLDetailsElement>("make");
  need("start-steps").hidden = spares > 0;
  if (place.hidden && spares > 0) {
    place.open = printers.length === 0;
    need<HTMLInputElement>("make-name").value = freeName(printers);
  }
  place.hidden = spares === 0;
}

function freeName(printers: Printer[]): string {
  for (let i = 1; ; i++) if (printers.every(({ name }) => name !== `printer${i}`)) return `printer${i}`;
}

for (const [size, text] of [
  ["4x6in", say("{width} × {height} in", { width: 4, height: 6 })],
  ["100x150mm", say("{width} × {height} mm", { width: 100, height: 150 })],
  ["100x50mm", say("{width} × {height} mm", { width: 100, height: 50 })],
  ["50x30mm", say("{width} × {height} mm", { width: 50, height: 30 })],
  ["auto", say("size of each label")],
] as const) need<HTMLSelectElement>("make-size").append(new Option(text, size));

async function makePrinter(): Promise<void> {
  const name = need<HTMLInputElement>("make-name").value;
  const problem = need("make-problem");
  problem.hidden = true;
  try {
    await ask("api/printers", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ name, size: need<HTMLSelectElement>("make-size").value, dpmm: Number(need<HTMLSelectElement>("make-dpmm").value) }) });
    need<HTMLDetailsElement>("make").open = false;
    await showPrinters();
    live.textContent = say("{name} is ready.", { name });
    document.querySelector<HTMLElement>(`[data-printer="${name}"]`)?.focus();
  } catch (error) {
    if (error instanceof KeyNeeded) failed(error);
    problem.textContent = (error as Error).message;
    problem.lang = "en"; // the service's sentence
    problem.hidden = false;
  }
}

need("make-form").addEventListener("submit", (event) => {
  event.preventDefault();
  void makePrinter();
});

// ---- labels

const labelName = ({ seq }: Label): string => say("Label {number}", { number: String(seq) });

function labelItem(label: Label): HTMLLIElement {
  const item = make("li");
  item.value = label.seq;
  item.dataset["seq"] = String(label.seq);
  const name = labelName(label);
  if (label.refused) {
    item.append(make("p", say("Refused: {reason}", { reason: label.reason ?? "" }), "refused"));
  } else {
    const open = button("", () => void show(label).catch(failed));
    open.className = "open";
    open.setAttribute("aria-label", say("{label}: open", { label: name }));
    const image = make("img");
    image.alt = "";
    image.loading = "lazy";
    setPicture(image, path(label, "png"));
    open.append(image);
    item.append(open);
  }
  const facts = make("p");
  facts.append(make("strong", name), ` · ${label.printer}${otherLanguage(label.language)} · ${new Date(label.time).toLocaleTimeString(locale)}`);
  item.append(facts, make("p", `${label.copies > 1 ? `${sayCount("{count} copy", "{count} copies", label.copies)} · ` : ""}${label.source}`));
  if (label.notKept) item.append(make("p", say("Not kept in full: {reason}", { reason: label.notKept }), "refused"));
  return item;
}

function insert(label: Label): void {
  if (list.querySelector(`[data-seq="${label.seq}"]`)) return;
  const before = [...list.children].find((item) => Number((item as HTMLElement).dataset["seq"]) < label.seq);
  list.insertBefore(labelItem(label), before ?? null);
  while (list.children.length > SHOWN_MOST) list.lastElementChild?.remove();
  showNone();
}

/** Why the list is empty. */
function showNone(): void {
  const none = need("none");
  none.hidden = list.children.length > 0;
  none.textContent = match.value !== "" || which.value !== "" ? say("No label matches.") : hasPrinted ? say("The list is empty: its labels were cleared.") : firstAddress ? say("Nothing was printed yet. Send label code to {address}, or open the label editor and choose Export, Send to a printer.", { address: firstAddress }) : say("Nothing was printed yet.");
}

const wanted = (label: Label) => !which.value || label.printer === which.value;

let loading = 0;
let meanwhile: Label[] = []; // came since the list was asked for

/** The list anew. Of several answers the one to the newest question is shown, with what came since. */
async function load(): Promise<void> {
  const turn = ++loading;
  meanwhile = [];
  const found: Label[] = [];
  try {
    const { printers } = await getJson<{ printers: Printer[] }>("api/printers");
    for (const p of printers) {
      if (which.value && p.name !== which.value) continue;
      let after = 0;
      for (;;) {
        const page = await getJson<{ labels: Label[]; next: number }>(`api/printers/${p.name}/labels?limit=500&after=${after}&match=${encodeURIComponent(match.value)}`);
        if (turn !== loading) return;
        found.push(...page.labels);
        if (page.labels.length < 500) break;
        after = page.next;
      }
    }
  } catch (error) {
    failed(error as Error);
    return;
  }
  list.replaceChildren();
  [...found, ...meanwhile].forEach(insert);
  showNone();
  if (list.children.length === 0 && !held) live.textContent = say("Live."); // what was told of labels is over
}

async function arrived(label: Label): Promise<void> {
  if (held) {
    missed = true;
    live.textContent = say("New labels wait: the list is paused.");
    return;
  }
  if (!wanted(label)) return;
  const turn = loading;
  if (match.value) {
    const { labels } = await getJson<{ labels: Label[] }>(`api/printers/${label.printer}/labels?after=${label.seq - 1}&limit=1&match=${encodeURIComponent(match.value)}`);
    if (turn !== loading || labels[0]?.seq !== label.seq) return; // a list that is asked for now has it
  }
  meanwhile.push(label);
  insert(label);
  live.textContent = say("Label {number} printed on {name}.", { number: String(label.seq), name: label.printer });
}

// ---- one label

async function show(label: Label): Promise<void> {
  const whole = await getJson<WholeLabel>(path(label, "json"));
  need("view-title").textContent = `${labelName(label)} · ${label.printer} · ${say("{width} × {height} mm", { width: label.widthMm, height: label.heightMm })}`;
  const image = make("img");
  setPicture(image, path(label, "png"));
  image.alt = (whole.label?.elements ?? []).map((element) => element.text ?? element.data ?? "").filter(Boolean).join(", ") || say("Label");
  need("view-picture").replaceChildren(image);
  const actions = need("view-actions");
  actions.replaceChildren(
    ...["png", "pdf", "zpl", "json"].map((ext) => {
      const link = make("a", ext.toUpperCase());
      setDownload(link, path(label, ext), `${label.printer}-${label.seq}.${ext}`, failed);
      return link;
    }),
    button(say("Print…"), () => window.print()),
    button(say("Open in the editor"), () => void encodeLink({ zpl: whole.zpl, name: `${label.printer} ${label.seq}`, settings: { ...DEFAULT_SETTINGS, widthMm: label.widthMm, heightMm: label.heightMm, dpmm: label.dpmm } }).then((fragment) => window.open(`./${fragment}`))),
    ...printTo.map((host) => button(say("Print to {host}", { host }), () => void change(`api/printers/${label.printer}/labels/${label.seq}/print-to?host=${encodeURIComponent(host)}`, "POST"))),
  );
  const table = make("table");
  const body = make("tbody");
  for (const element of whole.label?.elements ?? []) {
    if (element.type !== "text" && element.type !== "barcode") continue;
    const row = make("tr");
    const kind = make("th", element.symbology ?? element.type);
    kind.scope = "row";
    row.append(kind, make("td", element.text ?? element.data ?? ""));
    body.append(row);
  }
  table.append(body);
  const findings = (whole.label?.warnings ?? []).map((warning) => make("p", `${warning.severity}: ${warning.message}`, "quiet"));
  need("view-fields").replaceChildren(...(body.children.length > 0 ? [table] : [make("p", say("No text and no barcode."), "quiet")]), ...findings);
  need("view-zpl").textContent = whole.zpl;
  view.showModal();
}

need("close").addEventListener("click", () => view.close());
need("zoom").addEventListener("click", () => {
  const picture = need("view-picture");
  const dots = !("dots" in picture.dataset);
  if (dots) picture.dataset["dots"] = "";
  else delete picture.dataset["dots"];
  need("zoom").setAttribute("aria-pressed", String(dots));
});

// ---- the list's tools

match.placeholder = say("in code or data");
need("hold").title = say("New labels wait until this is pressed again");
need("hold").addEventListener("click", () => {
  held = !held;
  need("hold").setAttribute("aria-pressed", String(held));
  if (!held && missed) void load();
  missed = false;
});
const askBox = need<HTMLDialogElement>("ask");
let confirmed = (): void => undefined;

/** Asks before what cannot be undone. */
function askFirst(title: string, about: string, yes: string, action: () => void): void {
  need("ask-title").textContent = title;
  need("ask-about").textContent = about;
  need("ask-yes").textContent = yes;
  confirmed = action;
  askBox.showModal();
}

function askToReset(name: string): void {
  askFirst(say("Reset {name}, and delete all its labels?", { name }), say("Labels and all that the printer has stored are deleted and cannot be brought back. Its settings are as new."), say("Reset"), () =>
    void change(`api/printers/${name}/reset`, "POST").then(load),
  );
}

need("clear").addEventListener("click", () => {
  const title = which.value ? say("Delete all labels of {name}?", { name: which.value }) : say("Delete all labels of all printers?");
  askFirst(title, say("They cannot be brought back. The printers' counters stay."), say("Delete"), clearLabels);
});
need("ask-no").addEventListener("click", () => askBox.close());
need("ask-yes").addEventListener("click", () => {
  askBox.close();
  confirmed();
});

function clearLabels(): void {
  void getJson<{ printers: Printer[] }>("api/printers")
    .then(({ printers }) => Promise.all(printers.filter((p) => !which.value || p.name === which.value).map((p) => ask(`api/printers/${p.name}/labels`, { method: "DELETE" }))))
    .catch(failed)
    .then(load);
}

let typing = 0;
match.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => void load(), 200);
});
which.addEventListener("change", () => void load());
need("filter").addEventListener("submit", (event) => event.preventDefault());

// ---- live

let soon = 0;
const refresh = () => {
  clearTimeout(soon);
  soon = setTimeout(() => void showPrinters(), 150);
};

let listening = new AbortController();

function watch(): void {
  listening.abort(); // it has the key from before
  listening = new AbortController();
  void listen("api/printers/events", listener, listening.signal);
}

const listener = {
  opened(): void {
    need("access").hidden = true;
    live.textContent = say("Live.");
    void showPrinters().then(load);
  },
  event(name: string, data: string): void {
    if (name === "label") arrived(JSON.parse(data) as Label).catch(failed);
    refresh();
  },
  failed(error: Error): void {
    failed(error instanceof TypeError ? new Error(say("The service does not answer; trying again …")) : error);
  },
};

need("access").addEventListener("submit", (event) => {
  event.preventDefault();
  const key = need<HTMLInputElement>("api-key").value.trim();
  useKey(key);
  preferences.set("apiKey", key === "" ? null : key);
  watch();
});
watch();
