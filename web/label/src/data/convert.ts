// Label code for another density, rotated, in another unit, or in ZPL: code and settings change together, as one step, and what could not be kept is named.
import { askService, RenderFailure } from "../api";
import type { App } from "../app";
import { languageName } from "../model/languages";
import type { RenderSettings } from "../model/settings";
import { trimNumber } from "../model/units";
import type { MenuEntry } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el } from "../ui/dom";
import { toast } from "../ui/messages";
import { say, sayCount } from "../ui/language";
import { layOut } from "./layout";

type Unit = "dots" | "mm" | "in";

export interface Conversion {
  /** Dots per millimetre. */
  target?: number;
  rotation?: 90 | 180 | 270;
  /** Of its lengths. */
  units?: Unit;
  /** From another language. */
  toLanguage?: "zpl";
}

interface Converted {
  zpl: string;
  remarks: string[];
}

async function ask(app: App, zpl: string, { target, rotation, units, toLanguage }: Conversion): Promise<Converted> {
  const { widthMm, heightMm, dpmm } = app.settings.get();
  const controls = new URLSearchParams({ widthMm: trimNumber(widthMm, 3), heightMm: trimNumber(heightMm, 3), dpmm: trimNumber(dpmm, 3) });
  if (target !== undefined) controls.set("targetDpmm", trimNumber(target, 3));
  if (toLanguage !== undefined) controls.set("toLanguage", toLanguage);
  if (units !== undefined) controls.set("units", units);
  if (rotation !== undefined) controls.set("rotation", String(rotation));
  const response = await askService(`api/zpl?${controls.toString()}`, zpl, "text/plain; charset=utf-8", app.access, undefined, "application/json");
  const given = (await response.json()) as { zpl?: unknown; warnings?: unknown };
  const warnings = Array.isArray(given.warnings) ? (given.warnings as { message?: unknown }[]) : [];
  if (typeof given.zpl !== "string") throw new RenderFailure("broken", say("The service answered something this page does not understand. Trying again."), undefined);
  return { zpl: given.zpl, remarks: warnings.flatMap(({ message }) => (typeof message === "string" ? [message] : [])) };
}

function settingsAfter(settings: RenderSettings, { target, rotation }: Conversion): RenderSettings {
  const { widthMm, heightMm } = settings;
  const turned = rotation === 90 || rotation === 270 ? { widthMm: heightMm, heightMm: widthMm } : {};
  return { ...settings, ...turned, dpmm: target ?? settings.dpmm };
}

function showRemarks(remarks: readonly string[]): void {
  openDialog(say("What could not be kept exactly"), "reading", el("ul", { id: "convert-remarks", lang: "en" }, ...remarks.slice(0, 100).map((remark) => el("li", {}, remark))));
}

export async function convert(app: App, conversion: Conversion, done: string): Promise<void> {
  const document = app.current;
  const before = document.zpl;
  const settings = app.settings.get();
  try {
    const { zpl, remarks } = await ask(app, before, conversion);
    const isSame = app.documents.shown.get() === document && app.editor.text === before && app.settings.get() === settings;
    if (zpl === before && conversion.units !== undefined) return toast(say("It is so already.")); // others change the settings, too
    if (!isSame) return toast(say("The code has been changed meanwhile, so it stays as it is."));
    app.steps.changeAll(zpl, settingsAfter(settings, conversion));
    if (remarks.length === 0) toast(done, { text: say("Undo"), run: () => app.steps.undo() });
    else toast(`${done} ${sayCount("{count} thing could not be kept exactly.", "{count} things could not be kept exactly.", remarks.length)}`, { text: say("Show"), run: () => showRemarks(remarks) });
  } catch (error) {
    toast(error instanceof RenderFailure ? error.message : say("The code could not be rewritten."));
  }
}

const DPI: readonly (readonly [dpmm: number, dpi: string])[] = [[6, "152"], [8, "203"], [12, "300"], [24, "600"]];

const units = (): [Unit, string][] => [["dots", say("Dots")], ["mm", say("Millimetres")], ["in", say("Inches")]];

/** Every density but the one that is set, then the turns, units and layouts; code of another language becomes ZPL first. */
export function convertEntries(app: App): MenuEntry[] {
  const { dpmm } = app.settings.get();
  if (app.commands.isByLine) {
    const language = languageName(app.commands.language);
    return [{ kind: "item", id: "convert-zpl", text: say("To ZPL"), detail: say("from {language}", { language }), action: () => void convert(app, { toLanguage: "zpl" }, say("The code is ZPL now.")) }];
  }
  return [
    { kind: "heading", text: say("Density") },
    ...DPI.filter(([target]) => target !== dpmm).map(([target, dpi]): MenuEntry => ({
      kind: "item",
      id: `convert-${dpi}`,
      text: say("For {dpi} dpi", { dpi }),
      detail: say("same size on paper"),
      action: () => void convert(app, { target }, say("The code is for {dpi} dpi now.", { dpi })),
    })),
    { kind: "heading", text: say("Rotation") },
    ...([90, 180, 270] as const).map((rotation): MenuEntry => ({
      kind: "item",
      id: `convert-turn-${rotation}`,
      text: say("Rotated by {angle}°", { angle: String(rotation) }),
      action: () => void convert(app, { rotation }, say("The code is rotated by {angle}°.", { angle: String(rotation) })),
    })),
    { kind: "heading", text: say("Unit of the code") },
    ...units().map(([unit, text]): MenuEntry => ({
      kind: "item",
      id: `convert-to-${unit}`,
      text,
      detail: unit === "dots" ? "^MUD" : unit === "mm" ? "^MUM" : "^MUI",
      action: () => void convert(app, { units: unit }, say("The unit of the code is changed.")),
    })),
    { kind: "heading", text: say("Layout") },
    { kind: "item", id: "convert-format", text: say("Format"), detail: say("one field a line"), action: () => void layOut(app, "format") },
    { kind: "item", id: "convert-minify", text: say("Minify"), detail: say("as short as it gets"), action: () => void layOut(app, "minify") },
  ];
}
