// Asks for the first picture and paints it while the page's own scripts, thirty times as large, are still on their way, and then starts these:
// they keep a slow processor busy for a second. The page takes over the answer and the picture (draw/early.ts). Whatever goes wrong here,
// the page finds out by itself and says it.
import { previewUrl, send } from "./api";
import { keptLabels } from "./actions/memory";
import { preferences } from "./actions/preferences";
import { leaveEarly, type Early } from "./draw/early";
import { DEFAULT_SETTINGS, type RenderSettings } from "./model/settings";
import { turnSize } from "./preview/geometry";
import { paintLabel } from "./preview/painter";
import { readPalette } from "./preview/palette";
import { pngBlob, turnPicture } from "./preview/pictures";
import { DESK_MARGIN, ViewTransform } from "./preview/transform";
import { FIRST } from "./samples/first";
import { LONG_TEXT } from "./ui/pause";

/** A picture that takes longer does not keep the page waiting. */
const PATIENCE_MS = 1000;

interface FirstLabel {
  zpl: string;
  settings: RenderSettings;
}

/** The look that the page will have: colours, widths of panes, and on a phone the label's tab. */
function takeLook(): void {
  const root = document.documentElement;
  const theme = preferences.get("theme");
  if (theme === "light" || theme === "dark") root.dataset["theme"] = theme;
  for (const name of ["--editor-width", "--settings-width"]) {
    const width = Number(preferences.get(`width${name}`));
    if (width > 0) root.style.setProperty(name, `${width}px`);
  }
  if (matchMedia("(max-width: 719px)").matches) document.body.dataset["tab"] = "label";
}

async function paint(answer: Promise<Response>, { rotation }: RenderSettings, early: Early): Promise<void> {
  const response = (await answer).clone();
  if (!response.ok) return;
  const { labels } = (await response.json()) as { labels: { data: string }[] };
  const bitmap = await createImageBitmap(pngBlob(labels[0] as { data: string }), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
  const desk = document.getElementById("desk");
  const canvas = document.getElementById("label") as HTMLCanvasElement;
  const { width, height } = canvas.getBoundingClientRect();
  if (early.isOver || !desk || width < 2 || height < 2) return;
  early.picture = turnPicture(bitmap, rotation);
  const view = new ViewTransform(DESK_MARGIN);
  view.setLabel(turnSize(bitmap, rotation));
  const ratio = window.devicePixelRatio || 1;
  const whole = (length: number): number => Math.round(length * ratio) / ratio;
  view.resize({ width: whole(width), height: whole(height) }, ratio);
  paintLabel(canvas, view, early.picture, readPalette(desk));
}

/** Until the picture is on the screen, or there is none to wait for. */
async function showFirst(): Promise<void> {
  const { zpl, settings }: FirstLabel = keptLabels()?.shown ?? { zpl: FIRST.zpl, settings: { ...DEFAULT_SETTINGS, widthMm: FIRST.widthMm, heightMm: FIRST.heightMm } };
  // A link brings another label.
  if (zpl.trim() === "" || zpl.length > LONG_TEXT || /^#[zu]=/.test(location.hash)) return;
  takeLook();
  const access = { base: document.baseURI.replace(/[#?].*$/, ""), apiKey: preferences.get("apiKey") ?? "" };
  const url = previewUrl(settings, access.base);
  const body = new TextEncoder().encode(zpl);
  const answer = send(url, body, access);
  const early: Early = { address: url.href, apiKey: access.apiKey, body, answer, picture: undefined, isOver: false };
  leaveEarly(early);
  await paint(answer, settings, early);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
await Promise.race([showFirst().catch(() => undefined), late]);
await import(new URL(`main.js${new URL(import.meta.url).search}`, import.meta.url).href);
