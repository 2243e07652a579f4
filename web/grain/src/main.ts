// The page: reads the inputs, computes at once, and keeps result, chart, table, explanation and address in step.
import { drawChart, type Chart } from "./chart";
import { byId, html } from "./dom";
import * as model from "./model";
import { strings } from "./strings";
import { buildTable, revealCell } from "./table";

const lang: model.Lang = document.documentElement.lang === "pt" ? "pt" : "en";
const words = strings(lang);
const form = byId<HTMLFormElement>("calc");
const grainSelect = byId<HTMLSelectElement>("grain");
const setSelect = byId<HTMLSelectElement>("set");
const taInput = byId<HTMLInputElement>("ta");
const urInput = byId<HTMLInputElement>("ur");
const chartBox = byId<HTMLElement>("chart");

let catalog: model.Catalog;
let chart: Chart | null = null;
let announceTimer = 0;

const local = (text: string): string => text.replace(".", words.decimal);
const shown = (value: number): string => local(String(Math.round(value * 1e6) / 1e6));

function unit(): model.Unit {
  return byId<HTMLInputElement>("unit-f").checked ? "F" : "C";
}

function currentGrain(): model.Grain {
  return catalog.grains.find((grain) => grain.id === grainSelect.value) ?? catalog.grains[0]!;
}

function currentSet(grain: model.Grain): model.ConstantSet {
  return grain.sets.find((set) => set.id === setSelect.value) ?? grain.sets[0]!;
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
function query(withLang: model.Lang): string {
  const parts = new URLSearchParams({ grain: grainSelect.value, ta: taInput.value.trim(), ur: urInput.value.trim() });
  if (unit() === "F") parts.set("taUnit", "F");
  if (setSelect.value !== "") parts.set("set", setSelect.value);
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
  if (!Number.isFinite(result.moisture)) return notes;
  if (result.outOfRange.ta) notes.push(words.taOutOfRange(unit()));
  if (result.outOfRange.ur) notes.push(words.urOutOfRange);
  if (result.nearPole) notes.push(words.nearPole(shownPole(set), unit()));
  if (set.confidence === "M") notes.push(words.unconfirmed);
  return notes;
}

function showResult(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  showProblem(taInput, result.taProblem === null ? "" : words.taProblem(result.taProblem, unit(), shownPole(set)));
  showProblem(urInput, result.urProblem === null ? "" : words.urProblem(result.urProblem));
  const known = Number.isFinite(result.moisture);
  const value = known ? local(model.fixed1(result.moisture)) : "–";
  byId<HTMLElement>("moisture").textContent = value;
  byId<HTMLElement>("dry").textContent = words.dry(known ? local(model.fixed1(result.dry)) : "–");
  const sentence = known ? words.sentence(grain.name[lang], shown(result.ta), unit(), shown(result.ur), value) : words.noValue;
  byId<HTMLElement>("sentence").textContent = sentence;
  const notes = notesOf(result, set);
  byId<HTMLElement>("notes").replaceChildren(...notes.map((note) => html("li", {}, note)));
  byId<HTMLElement>("result").toggleAttribute("data-empty", !known);
  document.title = `${known ? `${value} % · ` : ""}${grain.name[lang]} · ${words.titleTail}`;
  // Announced once the typing has paused, not at every key.
  window.clearTimeout(announceTimer);
  announceTimer = window.setTimeout(() => {
    byId<HTMLElement>("live").textContent = [sentence, ...notes].join(" ");
  }, 700);
}

function showChart(grain: model.Grain, set: model.ConstantSet, result: model.Result): void {
  const ta = result.taProblem === null ? result.ta : NaN;
  const centre = Number.isFinite(ta) ? ta : unit() === "F" ? 77 : 25;
  const centreC = unit() === "F" ? model.celsius(centre) : centre;
  const at = (ur: number): string => local(model.fixed1(model.moistureWet(set, centreC, ur)));
  const label = words.chartLabel(grain.name[lang], shown(centre), unit(), at(10), at(95));
  const point = Number.isFinite(result.moisture) ? ` ${words.chartPoint(shown(result.ur), local(model.fixed1(result.moisture)))}` : "";
  const width = Math.max(280, Math.floor(chartBox.clientWidth));
  const height = Math.max(260, Math.floor(chartBox.clientHeight));
  chart = drawChart(
    {
      set,
      ta,
      unit: unit(),
      ur: result.ur,
      moisture: result.moisture,
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
      taC: result.taC,
      ur: result.ur,
      unit: unit(),
      decimal: words.decimal,
      head: words.temperatureHead(unit()),
    }),
  );
  box.scrollLeft = left;
  revealCell(box);
  byId<HTMLElement>("table-units").textContent = words.tableCaption(grain.name[lang]);
}

function signed(change: number): string {
  const rounded = Math.round(change * 100) / 100;
  return `${rounded < 0 ? "−" : "+"}${local(Math.abs(rounded).toFixed(2))}`;
}

/** A constant as one writes it: 1.9677, or 6.6612 × 10⁻⁵ when it is very small. */
function constant(value: number): string {
  if (Math.abs(value) >= 1e-4) return local(String(value));
  const [mantissa, exponent] = value.toExponential().split("e-");
  const raised = [...exponent!].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${local(mantissa!)} × 10⁻${raised}`;
}

function showHow(set: model.ConstantSet, result: model.Result): void {
  const equation = catalog.equations.find((e) => e.id === set.equation)!;
  const rows: [string, (Node | string)[]][] = [
    [words.equation, [html("span", {}, equation.name[lang]), html("code", {}, equation.moisture), html("small", {}, words.symbols)]],
    [words.constants, [html("code", {}, ...Object.entries(set.constants).map(([name, value]) => html("span", {}, `${name} = ${constant(value)}`)))]],
    [words.source, [set.source[lang]]],
    [words.confidence, [html("b", { class: "grade" }, set.confidence), ` ${catalog.confidences[set.confidence]![lang]}`]],
  ];
  if (Number.isFinite(result.moisture)) {
    const degree = unit() === "F" ? 5 / 9 : 1;
    const humidity = model.moistureWet(set, result.taC, result.ur + 0.5) - model.moistureWet(set, result.taC, result.ur - 0.5);
    const warmth = model.moistureWet(set, result.taC + degree / 2, result.ur) - model.moistureWet(set, result.taC - degree / 2, result.ur);
    if (Number.isFinite(humidity) && Number.isFinite(warmth))
      rows.push([words.sensitivity, [html("span", {}, words.perHumidity(signed(humidity))), html("span", {}, words.perDegree(signed(warmth), unit()))]]);
  }
  byId<HTMLElement>("how").replaceChildren(
    html("dl", {}, ...rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, ...value)))),
  );
}

function showLinks(): void {
  const address = query(lang);
  window.history.replaceState(null, "", address);
  byId<HTMLAnchorElement>("link").href = address;
  for (const link of document.querySelectorAll<HTMLAnchorElement>("nav.lang a"))
    link.href = query(link.dataset["lang"] === "pt" ? "pt" : "en");
  const table = new URLSearchParams({ grain: grainSelect.value, format: "csv" });
  if (unit() === "F") table.set("taUnit", "F");
  if (setSelect.value !== "") table.set("set", setSelect.value);
  if (lang === "pt") table.set("decimal", "comma");
  byId<HTMLAnchorElement>("csv").href = `api/table?${table.toString()}`;
}

function update(keepAddress = false): void {
  const grain = currentGrain();
  const set = currentSet(grain);
  const result = model.calculate(grain, set, taInput.value, urInput.value, unit());
  showResult(grain, set, result);
  showChart(grain, set, result);
  showTable(grain, set, result);
  showHow(set, result);
  if (!keepAddress) showLinks();
}

function step(input: HTMLInputElement, by: number): void {
  const value = model.parseNumber(input.value);
  const next = Number.isNaN(value) ? (input === urInput ? 70 : unit() === "F" ? 77 : 25) : Math.round((value + by) * 1000) / 1000;
  const low = input === urInput ? 1 : unit() === "F" ? -22 : -30;
  const high = input === urInput ? 99 : unit() === "F" ? 176 : 80;
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
  update();
}

function followPointer(event: PointerEvent): void {
  if (chart === null || (event.type === "pointermove" && event.buttons === 0)) return;
  const box = chart.node.getBoundingClientRect();
  const ur = Math.round(chart.humidityAt(((event.clientX - box.left) * chart.node.viewBox.baseVal.width) / box.width));
  urInput.value = String(Math.min(99, Math.max(1, ur)));
  update();
}

function wire(): void {
  form.addEventListener("submit", (event) => event.preventDefault());
  grainSelect.addEventListener("change", () => {
    listSets(currentGrain(), "");
    update();
  });
  setSelect.addEventListener("change", () => update());
  for (const input of [taInput, urInput]) {
    input.addEventListener("input", () => update());
    input.addEventListener("focus", () => input.select());
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      step(input, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 5 : 1));
    });
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.step"))
    button.addEventListener("click", () => step(byId<HTMLInputElement>(button.dataset["for"]!), Number(button.dataset["step"])));
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
  update(true);
}

start().catch(() => {
  // The server's result stays, and its button comes back.
  document.documentElement.classList.remove("js");
  document.documentElement.classList.add("failed");
  byId<HTMLElement>("notes").append(html("li", {}, words.offline));
  byId<HTMLElement>("live").textContent = words.offline;
});
