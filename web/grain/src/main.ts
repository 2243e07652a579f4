// The page: sends what is typed to the service at once, and keeps result, chart, table, explanation and address in step.
import { ask, settled } from "./answer";
import { drawChart, moistureOn, type Chart, type ChartData } from "./chart";
import { byId } from "./dom";
import { wireTools } from "./tools";

type Unit = "C" | "F";
/** What is computed from the other: the moisture of the grain or the humidity of the air. */
type Find = "moisture" | "ur";

const decimal = document.documentElement.lang === "en" ? "." : ",";
const form = byId<HTMLFormElement>("calc");
const grainSelect = byId<HTMLSelectElement>("grain");
const setSelect = byId<HTMLSelectElement>("set");
const taInput = byId<HTMLInputElement>("ta");
const urInput = byId<HTMLInputElement>("ur");
const moistureInput = byId<HTMLInputElement>("moisture");
const chartBox = byId<HTMLElement>("chart");
const tableBox = byId<HTMLElement>("table");
const live = byId<HTMLElement>("live");
/** The name in the address, which may be none that the service knows. */
const asked = new URLSearchParams(window.location.search).get("grain") ?? "";

let data: ChartData;
let chart: Chart;
let announceTimer = 0;
let printing = false;
/** What was typed before the last switch between humidity and moisture, to be restored when one switches back at once. */
let before = { shown: "", text: "" };

const tools = wireTools(query);

/** The number in a text with a decimal point or comma, or NaN. */
function parseNumber(text: string): number {
  const trimmed = text.trim();
  return trimmed === "" ? NaN : Number(trimmed.replace(",", "."));
}

function put(input: HTMLInputElement, value: number, decimals: number): void {
  input.value = String(Math.round(value * 10 ** decimals) / 10 ** decimals).replace(".", decimal);
}

function unit(): Unit {
  return byId<HTMLInputElement>("unit-f").checked ? "F" : "C";
}

/** What the page computes: the field of the other one is shown. */
function find(): Find {
  return moistureInput.disabled ? "moisture" : "ur";
}

/** The field that is known: humidity, or moisture. */
function givenInput(): HTMLInputElement {
  return find() === "ur" ? moistureInput : urInput;
}

/** The query that reproduces what the page shows: the same names as the API's. */
function query(): string {
  const given = givenInput();
  const parts = new URLSearchParams({ grain: grainSelect.value || asked, ta: taInput.value.trim(), [given.name]: given.value.trim() });
  if (unit() === "F") parts.set("taUnit", "F");
  if (setSelect.value !== "") parts.set("set", setSelect.value);
  for (const id of ["own", "ownTa"]) {
    const value = byId<HTMLInputElement>(id).value.trim();
    if (value !== "") parts.set(id, value);
  }
  parts.set("lang", document.documentElement.lang);
  return `?${parts.toString()}`;
}

function draw(): void {
  const width = printing ? 700 : Math.max(280, Math.floor(chartBox.clientWidth));
  const height = printing ? 320 : Math.max(260, Math.floor(chartBox.clientHeight));
  const { humidity, moisture } = chartBox.dataset;
  chart = drawChart(data, { humidity: humidity!, moisture: moisture! }, width, height);
  chartBox.replaceChildren(chart.node);
}

/** Brings the marked cell into view sideways when it is not; the page itself does not move. */
function revealCell(): void {
  const cell = tableBox.querySelector<HTMLElement>("td.here");
  const head = tableBox.querySelector<HTMLElement>("tbody th");
  if (cell === null || head === null) return;
  const left = cell.offsetLeft - head.offsetWidth;
  const right = cell.offsetLeft + cell.offsetWidth;
  if (left < tableBox.scrollLeft || right > tableBox.scrollLeft + tableBox.clientWidth)
    tableBox.scrollLeft = (left + right - tableBox.clientWidth) / 2;
  // No column stays half under the one with the temperatures.
  const edge = head.getBoundingClientRect().right;
  const half = [...tableBox.querySelectorAll("thead th")].slice(1).map((th) => th.getBoundingClientRect()).find((place) => place.left < edge - 1 && place.right > edge);
  if (half !== undefined) tableBox.scrollLeft -= Math.ceil(edge - half.left);
}

/** Draws what only a browser can: it knows the sizes. */
function show(): void {
  data = JSON.parse(chartBox.dataset["chart"]!) as ChartData;
  draw();
  revealCell();
}

function announce(): void {
  const said = [...document.querySelectorAll("#verdict .answer, #sentence, #spread, #notes li")].map((node) => node.textContent!.trim());
  live.textContent = said.filter((text) => text !== "").join(" ");
}

function update(): void {
  window.history.replaceState(null, "", query());
  ask(query, show);
  tools.refresh();
  // Announced once the typing has paused, not at every key.
  window.clearTimeout(announceTimer);
  announceTimer = window.setTimeout(() => void settled().then(announce), 700);
}

/** Where a field starts, and the bounds at which its steps stop. */
function boundsOf(input: HTMLInputElement): { start: number; low: number; high: number } {
  if (input === urInput) return { start: 70, low: 1, high: 99 };
  if (input === moistureInput) return { start: 14, low: 0.5, high: 60 };
  return unit() === "F" ? { start: 77, low: -22, high: 176 } : { start: 25, low: -30, high: 80 };
}

function step(input: HTMLInputElement, by: number): void {
  const value = parseNumber(input.value);
  const { start, low, high } = boundsOf(input);
  put(input, Math.min(high, Math.max(low, Number.isNaN(value) ? start : value + by)), 3);
  update();
}

/** Changing the unit keeps the temperatures and changes their numbers; what is behind those of the tools says so. */
function convert(to: Unit): void {
  for (const input of [taInput, ...document.querySelectorAll<HTMLInputElement>("input[data-degrees]")]) {
    const value = parseNumber(input.value);
    const zero = input.dataset["degrees"] === "difference" ? 0 : 32;
    if (!Number.isNaN(value)) put(input, to === "F" ? value * 1.8 + zero : (value - zero) / 1.8, 1);
    const suffix = input.parentElement?.querySelector(".suffix");
    if (suffix) suffix.textContent = `°${to}`;
  }
  update();
}

function followPointer(event: PointerEvent): void {
  if (event.type === "pointermove" && event.buttons === 0) return;
  const box = chart.node.getBoundingClientRect();
  const pointed = chart.humidityAt(((event.clientX - box.left) * chart.node.viewBox.baseVal.width) / box.width);
  const ur = Math.min(99, Math.max(1, Math.round(pointed)));
  const moisture = moistureOn(data, ur);
  if (find() === "moisture") urInput.value = String(ur);
  else if (Number.isFinite(moisture)) moistureInput.value = moisture.toFixed(1).replace(".", decimal);
  else return;
  // The point follows at once on the curve that is there; its number comes with the answer.
  if (Number.isFinite(moisture)) {
    data = { ...data, point: [ur, moisture], tag: "" };
    draw();
  }
  update();
}

/** Computes the other of the two from now on, beginning at the point that is shown: the link has its number. */
function switchTo(link: HTMLAnchorElement): void {
  const wanted: Find = link.dataset["find"] === "ur" ? "ur" : "moisture";
  if (find() === wanted) return;
  const from = givenInput();
  const to = wanted === "ur" ? moistureInput : urInput;
  const state = (given: string): string => [grainSelect.value, setSelect.value, taInput.value, unit(), given].join(" ");
  const text = from.value;
  if (before.shown === state(text)) to.value = before.text;
  else to.value = new URL(link.href).searchParams.get(to.name)!;
  before = { shown: state(to.value), text };
  for (const input of [urInput, moistureInput]) {
    input.disabled = input !== to;
    byId<HTMLElement>(`${input.id}-field`).hidden = input !== to;
  }
  update();
}

/** Whether a click on a link means this page, not a new tab or window. */
function isPlain(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
}

function chooseGrain(id: string): void {
  grainSelect.querySelector('option[value=""]')?.remove();
  grainSelect.value = id;
  setSelect.value = "";
  update();
}

function followLinks(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>("#find a"))
    link.addEventListener("click", (event) => {
      if (!isPlain(event)) return;
      event.preventDefault();
      void settled().then(() => switchTo(link));
    });
  byId<HTMLElement>("compare").addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[data-grain]") : null;
    if (link === null || !isPlain(event)) return;
    event.preventDefault();
    chooseGrain(link.dataset["grain"]!);
  });
}

function wireCopy(): void {
  const copy = byId<HTMLButtonElement>("copy");
  copy.hidden = navigator.clipboard === undefined;
  copy.addEventListener("click", () => {
    navigator.clipboard.writeText(byId<HTMLAnchorElement>("link").href).then(
      () => (live.textContent = copy.textContent = copy.dataset["done"]!),
      () => (live.textContent = copy.dataset["failed"]!),
    );
  });
}

function wire(): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    update();
  });
  grainSelect.addEventListener("change", () => chooseGrain(grainSelect.value));
  setSelect.addEventListener("change", update);
  for (const input of [taInput, urInput, moistureInput]) {
    input.addEventListener("input", update);
    input.addEventListener("focus", () => input.select());
    input.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return;
      event.preventDefault();
      step(input, (event.key === "ArrowUp" ? 1 : -1) * (event.shiftKey ? 5 : 1) * (input === moistureInput ? 0.5 : 1));
    });
  }
  for (const id of ["own", "ownTa"]) byId(id).addEventListener("input", update);
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.step"))
    button.addEventListener("click", () => step(byId<HTMLInputElement>(button.dataset["for"]!), Number(button.dataset["step"])));
  followLinks();
  wireCopy();
  byId("unit-c").addEventListener("change", () => convert("C"));
  byId("unit-f").addEventListener("change", () => convert("F"));
  chartBox.addEventListener("pointerdown", followPointer);
  chartBox.addEventListener("pointermove", followPointer);
  for (const name of ["beforeprint", "afterprint"])
    window.addEventListener(name, () => {
      printing = name === "beforeprint";
      draw();
    });
  let size = "";
  new ResizeObserver(() => {
    const now = `${chartBox.clientWidth} ${chartBox.clientHeight}`;
    if (now === size) return;
    size = now;
    draw();
    revealCell();
  }).observe(chartBox);
}

document.documentElement.classList.add("js");
show();
wire();
