// The page: reads the inputs, computes at once, and keeps result, chart, table, explanation and address in step.
import { drawChart, type Chart } from "./chart";
import { buildList } from "./compare";
import { byId, html } from "./dom";
import { buildHow } from "./how";
import * as model from "./model";
import { strings } from "./strings";
import { buildTable, revealCell } from "./table";
import { wireTools, type Tools } from "./tools";

const lang = model.langOf(document.documentElement.lang);
const words = strings(lang);
const form = byId<HTMLFormElement>("calc");
const grainSelect = byId<HTMLSelectElement>("grain");
const setSelect = byId<HTMLSelectElement>("set");
const taInput = byId<HTMLInputElement>("ta");
const urInput = byId<HTMLInputElement>("ur");
const moistureInput = byId<HTMLInputElement>("moisture");
const chartBox = byId<HTMLElement>("chart");

let catalog: model.Catalog;
let chart: Chart | null = null;
let latest: model.Result;
let announceTimer = 0;
let printing = false;
let tools: Tools | null = null;
/** How long typing must pause before the server is asked for the verdict. */
const VERDICT_PAUSE_MS = 120;
let verdictTimer = 0;
let verdictTurn = 0;
/** What was typed before the last switch between humidity and moisture, to be restored when one switches back at once. */
let before = { shown: "", text: "" };

const local = (text: string): string => text.replace(".", words.decimal);
const shown = (value: number): string => local(String(Math.round(value * 1e6) / 1e6));

function unit(): model.Unit {
  return byId<HTMLInputElement>("unit-f").checked ? "F" : "C";
}

/** What the page computes: the field of the other one is shown. */
function find(): model.Find {
  return moistureInput.disabled ? "moisture" : "ur";
}

/** The field that is known: humidity, or moisture. */
function givenInput(): HTMLInputElement {
  return find() === "ur" ? moistureInput : urInput;
}

function currentGrain(): model.Grain {
  return catalog.grains.find((grain) => grain.id === grainSelect.value) ?? catalog.grains[0]!;
}

function currentSet(grain: model.Grain): model.ConstantSet {
  return grain.sets.find((set) => set.id === setSelect.value) ?? grain.sets[0]!;
}

/** The culture's name; of a set for another kind of it with that kind. */
function shownName(grain: model.Grain, set: model.ConstantSet): string {
  return set.kind === null ? grain.name[lang] : `${grain.name[lang]} (${set.variant![lang]})`;
}

/** No culture is chosen when the address names one that there is not. */
function noGrain(): boolean {
  return grainSelect.value === "";
}

function setLabel(set: model.ConstantSet): string {
  const equation = catalog.equations.find((e) => e.id === set.equation)!;
  const variant = set.variant === null ? "" : `, ${set.variant[lang]}`;
  return `${equation.name[lang]}, ${set.standard}${variant} (${set.confidence})`;
}

function listSets(grain: model.Grain, wanted: string): void {
  setSelect.replaceChildren(
    ...grain.sets.map((set) => html("option", { value: set.default ? "" : set.id, selected: set.id === wanted && !set.default }, setLabel(set))),
  );
  byId<HTMLElement>("set-field").hidden = grain.sets.length < 2;
}

/** The query that reproduces what the page shows: the same names as the API's. */
function query(withLang: model.Lang, grain = currentGrain().id): string {
  const given = givenInput();
  const parts = new URLSearchParams({ grain, ta: taInput.value.trim(), [given.name]: given.value.trim() });
  if (unit() === "F") parts.set("taUnit", "F");
  if (setSelect.value !== "" && grain === currentGrain().id) parts.set("set", setSelect.value);
  for (const id of ["own", "ownTa"]) {
    const value = byId<HTMLInputElement>(id).value.trim();
    if (value !== "") parts.set(id, value);
  }
  parts.set("lang", withLang);
  return `?${parts.toString()}`;
}

function showProblem(input: HTMLInputElement, text: string): void {
  const place = byId<HTMLElement>(`${input.id}-error`);
  if (place.textContent !== text) place.textContent = text;
  if (text === "") input.removeAttribute("aria-invalid");
  else input.setAttribute("aria-invalid", "true");
}

/** The pole in the unit of the page, without the last bits that a conversion leaves. */
function shownPole(set: model.ConstantSet): string {
  return set.pole === null ? "" : shown(unit() === "F" ? model.fahrenheit(set.pole) : set.pole);
}

function notesOf(result: model.Result, set: model.ConstantSet): string[] {
  const notes: string[] = [];
  if (!result.known) return notes;
  const { ta, ur } = set.range;
  const shownTa = (degrees: number): string => shown(Math.round((unit() === "F" ? model.fahrenheit(degrees) : degrees) * 10) / 10);
  if (result.outOfRange.ta) notes.push(words.taOutOfRange(shownTa(ta.min), shownTa(ta.max), unit()));
  if (result.outOfRange.ur) notes.push(words.urOutOfRange(shown(ur.min), shown(ur.max)));
  if (result.nearPole) notes.push(words.nearPole(result.find, shownPole(set), unit()));
  if (set.confidence === "M") notes.push(words.unconfirmed);
  if (result.likeFraction) notes.push(words.likeFraction);
  return notes;
}

function showResult(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  showProblem(taInput, result.taProblem === null ? "" : words.taProblem(result.taProblem, unit(), shownPole(set)));
  const problem = result.givenProblem;
  showProblem(urInput, problem === null || result.find === "ur" ? "" : words.urProblem(problem));
  showProblem(moistureInput, problem === null || result.find === "moisture" ? "" : words.moistureProblem(problem));
  const known = result.known && !noGrain();
  const value = known ? local(model.fixed1(result.find === "ur" ? result.ur : result.moisture)) : "–";
  byId<HTMLElement>("heading").textContent = words.heading(result.find);
  byId<HTMLElement>("caption").textContent = words.caption(result.find);
  byId<HTMLElement>("value").textContent = value;
  byId<HTMLElement>("basis").textContent = words.basis(result.find, known ? local(model.fixed1(result.dry)) : "–");
  const [ur, moisture] = result.find === "ur" ? [value, shown(result.moisture)] : [shown(result.ur), value];
  const missing = result.taProblem === "missing" || problem === "missing";
  const sentence = known
    ? words.sentence(result.find, shownName(grain, set), shown(result.ta), unit(), ur, moisture)
    : result.known ? words.chooseGrain : words.nothing(missing);
  const spread = known ? words.spread(result.find, result.spread.sets, local(model.fixed1(result.spread.low)), local(model.fixed1(result.spread.high))) : "";
  byId<HTMLElement>("spread").textContent = spread;
  byId<HTMLElement>("sentence").textContent = sentence;
  const notes = known ? notesOf(result, set) : [];
  byId<HTMLElement>("notes").replaceChildren(...notes.map((note) => html("li", {}, note)));
  byId<HTMLElement>("result").toggleAttribute("data-empty", !known);
  document.title = `${known ? `${value} % · ` : ""}${noGrain() ? "Hygro" : shownName(grain, set)} · ${words.titleTail(result.find)}`;
  byId<HTMLElement>("main").toggleAttribute("data-nograin", noGrain());
  // Announced once the typing has paused, not at every key.
  window.clearTimeout(announceTimer);
  announceTimer = window.setTimeout(() => {
    byId<HTMLElement>("live").textContent = [sentence, spread, ...notes].filter((text) => text !== "").join(" ");
  }, 700);
}

function showChart(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  const ta = result.taProblem === null ? result.ta : NaN;
  const centre = Number.isFinite(ta) ? ta : unit() === "F" ? 77 : 25;
  const centreC = unit() === "F" ? model.celsius(centre) : centre;
  const at = (ur: number): string => local(model.fixed1(model.moistureWet(set, centreC, ur)));
  const label = words.chartLabel(shownName(grain, set), shown(centre), unit(), at(10), at(95));
  const given = result.find === "ur" ? [local(model.fixed1(result.ur)), shown(result.moisture)] : [shown(result.ur), local(model.fixed1(result.moisture))];
  const point = result.known ? ` ${words.chartPoint(given[0]!, given[1]!)}` : "";
  const width = printing ? 700 : Math.max(280, Math.floor(chartBox.clientWidth));
  const height = printing ? 320 : Math.max(260, Math.floor(chartBox.clientHeight));
  chart = drawChart(
    {
      grain,
      set,
      ta,
      unit: unit(),
      ur: result.ur,
      moisture: result.known ? result.moisture : NaN,
      find: result.find,
      humidityUnit: words.humidityUnit,
      decimal: words.decimal,
      humidityAxis: words.humidityAxis,
      moistureAxis: words.moistureAxis,
      label: label + point,
    },
    width,
    height,
  );
  chartBox.replaceChildren(chart.node);
}

function showTable(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  const box = byId<HTMLElement>("table");
  const left = box.scrollLeft;
  box.replaceChildren(
    buildTable({
      set,
      ta: result.known && !noGrain() ? result.ta : NaN,
      ur: result.ur,
      unit: unit(),
      decimal: words.decimal,
      head: words.temperatureHead(unit()),
    }),
  );
  box.scrollLeft = left;
  revealCell(box);
  byId<HTMLElement>("table-units").textContent = words.tableCaption(shownName(grain, set));
}

function showComparison(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  const given = givenInput().value;
  // What one culture's constants refuse, another's may answer.
  const usable = [result.taProblem, result.givenProblem].every((problem) => problem === null || problem === "pole" || problem === "none");
  byId<HTMLElement>("compare-title").textContent = words.compareTitle(result.find, catalog.grains.length);
  byId<HTMLElement>("compare-units").textContent = usable
    ? words.compareUnits(result.find, shown(result.ta), unit(), shown(result.find === "ur" ? result.moisture : result.ur))
    : words.nothing(result.taProblem === "missing" || result.givenProblem === "missing");
  byId<HTMLElement>("compare").replaceChildren(
    ...buildList(
      catalog.grains.map((other) => {
        const used = other === grain && !noGrain() ? set : other.sets[0]!;
        const own = model.calculate(other, used, taInput.value, given, unit(), result.find);
        return {
          id: other.id,
          name: other.name[lang],
          href: query(lang, other.id),
          current: other === grain && !noGrain(),
          value: own.known ? (result.find === "ur" ? own.ur : own.moisture) : NaN,
          note: used.confidence === "M" ? words.unconfirmedShort : "",
        };
      }),
      result.find,
      words.decimal,
    ),
  );
}

function showHow(set: model.ConstantSet, result: model.Result): void {
  byId<HTMLElement>("how").replaceChildren(buildHow({ catalog, set, result, unit: unit(), lang, words }));
}

function showLinks(): void {
  const address = query(lang);
  window.history.replaceState(null, "", address);
  byId<HTMLAnchorElement>("link").href = address;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav.lang a"))
    link.href = query(model.langOf(link.dataset["lang"]!));
  const table = new URLSearchParams({ grain: currentGrain().id, format: "csv" });
  if (unit() === "F") table.set("taUnit", "F");
  if (setSelect.value !== "") table.set("set", setSelect.value);
  if (lang !== "en") table.set("decimal", "comma");
  byId<HTMLAnchorElement>("csv").href = `api/table?${table.toString()}`;
  const hours = new URLSearchParams({ format: "csv", grain: currentGrain().id, set: currentSet(currentGrain()).id, lang });
  if (lang !== "en") hours.set("decimal", "comma");
  document.querySelector("button[data-download]")?.setAttribute("formaction", `api/hours?${hours.toString()}`);
}

/** The verdict is the server's: the page is fetched again, and it is taken out. */
function askVerdict(): void {
  window.clearTimeout(verdictTimer);
  verdictTimer = window.setTimeout(async () => {
    const turn = ++verdictTurn;
    const old = byId<HTMLElement>("verdict");
    try {
      const answer = await fetch(`./${query(lang)}`);
      const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("verdict");
      if (turn === verdictTurn && answer.ok && fresh !== null) old.replaceWith(fresh);
    } catch {
      // Of other values the old one would be wrong.
      if (turn === verdictTurn) old.replaceChildren();
    }
  }, VERDICT_PAUSE_MS);
}

function update(keepAddress = false): void {
  const grain = currentGrain();
  const set = currentSet(grain);
  const result = model.calculate(grain, set, taInput.value, givenInput().value, unit(), find());
  latest = result;
  showResult(grain, set, result);
  showChart(grain, set, result);
  showComparison(grain, set, result);
  showTable(grain, set, result);
  showHow(set, result);
  if (!keepAddress) {
    showLinks();
    askVerdict();
    tools?.refresh();
  }
}

/** Where a field starts, and the bounds at which its steps stop. */
function boundsOf(input: HTMLInputElement): { start: number; low: number; high: number } {
  if (input === urInput) return { start: 70, low: 1, high: 99 };
  if (input === moistureInput) return { start: 14, low: 0.5, high: 60 };
  return unit() === "F" ? { start: 77, low: -22, high: 176 } : { start: 25, low: -30, high: 80 };
}

function step(input: HTMLInputElement, by: number): void {
  const value = model.parseNumber(input.value);
  const { start, low, high } = boundsOf(input);
  const next = Number.isNaN(value) ? start : Math.round((value + by) * 1000) / 1000;
  input.value = String(Math.min(high, Math.max(low, next))).replace(".", words.decimal);
  update();
}

/** Changing the unit keeps the temperature and changes its number. */
function convert(to: model.Unit): void {
  const value = model.parseNumber(taInput.value);
  if (!Number.isNaN(value)) {
    const other = to === "F" ? model.fahrenheit(value) : model.celsius(value);
    taInput.value = String(Math.round(other * 10) / 10).replace(".", words.decimal);
  }
  for (const input of document.querySelectorAll<HTMLInputElement>("input[data-degrees]")) {
    convertTool(input, to);
  }
  update();
}

/** The fields of the tools are in the page's unit: their numbers change with it, and what is behind them says so. */
function convertTool(input: HTMLInputElement, to: model.Unit): void {
  const value = model.parseNumber(input.value);
  if (!Number.isNaN(value)) {
    const difference = to === "F" ? value * 1.8 : value / 1.8;
    const temperature = to === "F" ? model.fahrenheit(value) : model.celsius(value);
    const other = input.dataset["degrees"] === "difference" ? difference : temperature;
    input.value = String(Math.round(other * 10) / 10).replace(".", words.decimal);
  }
  const suffix = input.parentElement?.querySelector(".suffix");
  if (suffix) suffix.textContent = `°${to}`;
}

function followPointer(event: PointerEvent): void {
  if (chart === null || (event.type === "pointermove" && event.buttons === 0)) return;
  const box = chart.node.getBoundingClientRect();
  const ur = Math.round(chart.humidityAt(((event.clientX - box.left) * chart.node.viewBox.baseVal.width) / box.width));
  const bounded = Math.min(99, Math.max(1, ur));
  if (find() === "moisture") {
    urInput.value = String(bounded);
  } else {
    const moisture = model.moistureWet(currentSet(currentGrain()), latest.taC, bounded);
    if (!Number.isFinite(moisture)) return;
    moistureInput.value = local(model.fixed1(moisture));
  }
  update();
}

/** Computes the other of the two from now on, beginning at the point that is shown. */
function switchTo(wanted: model.Find): void {
  if (find() === wanted) return;
  const from = givenInput();
  const to = wanted === "ur" ? moistureInput : urInput;
  const state = (given: string): string => [grainSelect.value, setSelect.value, taInput.value, unit(), given].join(" ");
  const text = from.value;
  if (latest.known && before.shown === state(text)) to.value = before.text;
  else if (latest.known) to.value = local(model.fixed1(wanted === "ur" ? latest.moisture : latest.ur));
  else if (to.value === "") to.value = String(boundsOf(to).start);
  before = { shown: state(to.value), text };
  for (const input of [urInput, moistureInput]) {
    input.disabled = input !== to;
    byId<HTMLElement>(`${input.id}-field`).hidden = input !== to;
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#find a"))
    if (link.dataset["find"] === wanted) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  update();
}

/** Whether a click on a link means this page, not a new tab or window. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

function chooseGrain(id: string): void {
  grainSelect.querySelector('option[value=""]')?.remove();
  grainSelect.value = id;
  forgetAsked();
  listSets(currentGrain(), "");
  update();
}

/** What was said about the address holds until something else is chosen. */
function forgetAsked(): void {
  byId<HTMLElement>("asked").replaceChildren();
}

function followLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#find a"))
    link.addEventListener("click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      switchTo(link.dataset["find"] === "ur" ? "ur" : "moisture");
    });
  byId<HTMLElement>("compare").addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-grain]") : null;
    if (link === null || !isPlain(event)) return;
    event.preventDefault();
    chooseGrain(link.dataset["grain"]!);
    // The list was made anew: the same entry of it keeps the focus.
    document.querySelector<HTMLElement>(`#compare a[data-grain="${grainSelect.value}"]`)?.focus({ preventScroll: true });
  });
}

function wire(): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  grainSelect.addEventListener("change", () => chooseGrain(grainSelect.value));
  setSelect.addEventListener("change", () => {
    forgetAsked();
    update();
  });
  for (const input of [taInput, urInput, moistureInput]) {
    input.addEventListener("input", () => update());
    input.addEventListener("focus", () => input.select());
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      step(input, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 5 : 1) * (input === moistureInput ? 0.5 : 1));
    });
  }
  for (const id of ["own", "ownTa"]) byId(id).addEventListener("input", () => update());
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.step"))
    button.addEventListener("click", () => step(byId<HTMLInputElement>(button.dataset["for"]!), Number(button.dataset["step"])));
  followLinks();
  byId("unit-c").addEventListener("change", () => convert("C"));
  byId("unit-f").addEventListener("change", () => convert("F"));
  chartBox.addEventListener("pointerdown", followPointer);
  chartBox.addEventListener("pointermove", followPointer);
  const copy = byId<HTMLButtonElement>("copy");
  copy.hidden = navigator.clipboard === undefined;
  copy.addEventListener("click", () => {
    navigator.clipboard.writeText(byId<HTMLAnchorElement>("link").href).then(
      () => (byId<HTMLElement>("live").textContent = copy.textContent = words.copied),
      () => (byId<HTMLElement>("live").textContent = words.copyFailed),
    );
  });
  for (const name of ["beforeprint", "afterprint"])
    window.addEventListener(name, () => {
      printing = name === "beforeprint";
      update(true);
    });
  let size = "";
  new ResizeObserver(() => {
    const now = `${chartBox.clientWidth} ${chartBox.clientHeight}`;
    if (now === size) return;
    size = now;
    update(true);
  }).observe(chartBox);
}

async function start(): Promise<void> {
  const answer = await fetch("api/grains");
  if (!answer.ok) throw new Error(`api/grains answered ${answer.status}`);
  catalog = (await answer.json()) as model.Catalog;
  listSets(currentGrain(), setSelect.value);
  document.documentElement.classList.add("js");
  wire();
  tools = wireTools(() => query(lang), words.toolFailed);
  update(true);
}

start().catch(() => {
  // The server's result stays, and its button comes back.
  document.documentElement.classList.remove("js");
  document.documentElement.classList.add("failed");
  byId<HTMLElement>("notes").append(html("li", {}, words.offline));
  byId<HTMLElement>("live").textContent = words.offline;
});
