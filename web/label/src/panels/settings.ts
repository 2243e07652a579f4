// The settings pane: size, density, turn and shades of the rendering, whose printer it is for, and whether barcodes are read back.
import {
  DENSITIES,
  MAX_SIZE_MM,
  matchingPreset,
  MIN_SIZE_MM,
  parseSize,
  SIZE_PRESETS,
  type RenderSettings,
  type Rotation,
  type Shades,
} from "../model/settings";
import { mmToUnit, unitToMm, type LengthUnit } from "../model/units";
import type { Value } from "../model/value";
import { button, segments } from "../ui/controls";
import { el } from "../ui/dom";
import { PrinterModelChoice } from "./printer-model";
import { ProfileChoice } from "./profile";
import { say, withDecimalSign } from "../ui/language";
import { shownNumber } from "../ui/numbers";

export class SettingsForm {
  readonly element: HTMLElement;
  private readonly preset: HTMLSelectElement;
  private readonly width: HTMLInputElement;
  private readonly height: HTMLInputElement;
  private readonly widthLabel: HTMLElement;
  private readonly heightLabel: HTMLElement;
  private readonly density: HTMLSelectElement;
  private readonly sizeError: HTMLElement;
  private readonly unit: HTMLFieldSetElement;
  private readonly rotation: HTMLFieldSetElement;
  private readonly quality: HTMLFieldSetElement;
  private readonly profile: ProfileChoice;
  readonly printerModel = new PrinterModelChoice((printerModel) => this.set({ printerModel }));
  private readonly verify: HTMLFieldSetElement;

  /** The user is writing a size: the fields stay as written until they are left. */
  private writing = false;
  /** A size was written, and the field is left. */
  sizeTyped: () => void = () => undefined;

  get isTyping(): boolean {
    return this.writing;
  }

  constructor(private readonly store: Value<RenderSettings>) {
    const settings = store.get();
    this.preset = this.presetSelect();
    this.width = this.sizeInput("width", "widthMm");
    this.height = this.sizeInput("height", "heightMm");
    this.widthLabel = el("label", { for: "width" }, say("Width"));
    this.heightLabel = el("label", { for: "height" }, say("Height"));
    this.sizeError = el("p", { class: "field-error", id: "size-error", role: "alert", hidden: true });
    this.density = this.densitySelect();
    this.unit = segments(say("Unit"), "unit", [{ value: "mm", text: "mm" }, { value: "in", text: "in" }], settings.unit, (value) =>
      this.set({ unit: value as LengthUnit }),
    );
    this.rotation = segments(
      say("Rotation"),
      "rotation",
      [0, 90, 180, 270].map((turn) => ({ value: String(turn), text: `${turn}°` })),
      String(settings.rotation),
      (value) => this.set({ rotation: Number(value) as Rotation }),
    );
    this.quality = segments(
      say("Shades"),
      "quality",
      [{ value: "bitonal", text: say("Printer dots") }, { value: "grayscale", text: say("Smooth") }],
      settings.quality,
      (value) => this.set({ quality: value as Shades }),
    );
    this.profile = new ProfileChoice(settings.profile, (profile) => this.set({ profile }));
    this.verify = segments(
      say("Read barcodes back"),
      "verify",
      [{ value: "off", text: say("Off") }, { value: "on", text: say("On") }],
      settings.verify ? "on" : "off",
      (value) => this.set({ verify: value === "on" }),
    );
    this.element = el(
      "section",
      { class: "group", "aria-labelledby": "label-settings" },
      el("h2", { id: "label-settings" }, say("Label")),
      el("div", { class: "field" }, el("label", { for: "preset" }, say("Size")), this.preset),
      el(
        "div",
        { class: "pair" },
        el("div", { class: "field" }, this.widthLabel, this.width),
        button({ icon: "swap", label: say("Swap width and height"), kind: "outlined", onClick: () => this.swap() }),
        el("div", { class: "field" }, this.heightLabel, this.height),
        this.unit,
      ),
      this.sizeError,
      el("div", { class: "field" }, el("label", { for: "density" }, say("Density")), this.density),
      el("div", { class: "field" }, el("span", {}, say("Rotation")), this.rotation),
      el("div", { class: "field" }, el("span", {}, say("Shades")), this.quality),
      this.profile.element,
      this.printerModel.element,
      el("div", { class: "field beside" }, el("span", {}, say("Read barcodes back")), this.verify),
    );
    this.refresh();
    store.subscribe(() => this.refresh());
  }

  /** A control that has to do with the density. */
  besideDensity(control: HTMLElement): void {
    const row = el("div", { class: "density-row" });
    this.density.replaceWith(row);
    row.append(this.density, control);
  }

  private get settings(): RenderSettings {
    return this.store.get();
  }

  private set(part: Partial<RenderSettings>): void {
    this.store.set({ ...this.settings, ...part });
  }

  private swap(): void {
    this.set({ widthMm: this.settings.heightMm, heightMm: this.settings.widthMm });
  }

  private presetSelect(): HTMLSelectElement {
    const select = el("select", { class: "select", id: "preset" });
    for (const group of ["Inches", "Millimetres"] as const) {
      select.append(
        el(
          "optgroup",
          { label: group === "Inches" ? say("Inches") : say("Millimetres") },
          ...SIZE_PRESETS.filter((preset) => preset.group === group).map((preset) =>
            el("option", { value: preset.id }, withDecimalSign(preset.name)),
          ),
        ),
      );
    }
    select.append(el("option", { value: "custom" }, say("Custom size")));
    select.addEventListener("change", () => {
      const preset = SIZE_PRESETS.find(({ id }) => id === select.value);
      if (preset) this.set({ widthMm: preset.widthMm, heightMm: preset.heightMm });
      else this.width.focus();
    });
    return select;
  }

  private densitySelect(): HTMLSelectElement {
    const select = el(
      "select",
      { class: "select", id: "density" },
      ...DENSITIES.map(({ dpmm, name }) => el("option", { value: String(dpmm) }, name)),
    );
    select.addEventListener("change", () => this.set({ dpmm: Number(select.value) }));
    return select;
  }

  private sizeInput(id: string, field: "widthMm" | "heightMm"): HTMLInputElement {
    const input = el("input", {
      class: "input",
      id,
      inputmode: "decimal",
      autocomplete: "off",
      "aria-describedby": "size-error",
    });
    input.addEventListener("input", () => {
      const value = parseSize(input.value);
      const mm = value === undefined ? undefined : unitToMm(value, this.settings.unit);
      const usable = mm !== undefined && mm >= MIN_SIZE_MM && mm <= MAX_SIZE_MM;
      input.setAttribute("aria-invalid", String(!usable));
      this.sizeError.hidden = usable;
      if (!usable) {
        const [least, most] = [MIN_SIZE_MM, MAX_SIZE_MM].map((mark) => shownNumber(mmToUnit(mark, this.settings.unit), 2)) as [string, string];
        this.sizeError.textContent = say("A number from {least} to {most} {unit}, please.", { least, most, unit: this.settings.unit });
        return;
      }
      this.writing = true;
      this.set({ [field]: mm });
      this.writing = false;
    });
    input.addEventListener("change", () => {
      const refused = input.getAttribute("aria-invalid") === "true" ? this.sizeError.textContent : "";
      this.refresh();
      this.sizeTyped();
      if (refused) {
        this.sizeError.textContent = `${refused} ${say("The size stays as it was.")}`;
        this.sizeError.hidden = false;
      }
    });
    return input;
  }

  private refresh(): void {
    const { settings } = this;
    const decimals = settings.unit === "mm" ? 1 : 3;
    this.preset.value = matchingPreset(settings.widthMm, settings.heightMm)?.id ?? "custom";
    if (!this.writing) {
      this.width.value = shownNumber(mmToUnit(settings.widthMm, settings.unit), decimals);
      this.height.value = shownNumber(mmToUnit(settings.heightMm, settings.unit), decimals);
      for (const input of [this.width, this.height]) input.setAttribute("aria-invalid", "false");
      this.sizeError.hidden = true;
    }
    if (!DENSITIES.some(({ dpmm }) => dpmm === settings.dpmm)) {
      const value = String(settings.dpmm);
      if (![...this.density.options].some((option) => option.value === value)) {
        this.density.append(el("option", { value }, `${value} dpmm`));
      }
    }
    this.density.value = String(settings.dpmm);
    check(this.unit, settings.unit);
    check(this.rotation, String(settings.rotation));
    check(this.quality, settings.quality);
    this.profile.show(settings.profile);
    this.printerModel.show(settings.printerModel);
    check(this.verify, settings.verify ? "on" : "off");
  }
}

function check(group: HTMLFieldSetElement, value: string): void {
  for (const input of group.querySelectorAll("input")) input.checked = input.value === value;
}
