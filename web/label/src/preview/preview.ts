// The desk with the label on it: shows one label of the answer, lets the user zoom, pan, point and choose.
import { takePicture } from "../draw/early";
import type { Dots } from "../draw/renderer";
import type { Box, Label, LabelElement, RenderResult } from "../model/result";
import type { RenderSettings } from "../model/settings";
import { dotsToMm, mmToDots } from "../model/units";
import type { Value } from "../model/value";
import { replaceChildren } from "../ui/dom";
import { elementCard } from "./card";
import { boxAt, runsBackwards, turnBox, turnSize, unturnPoint } from "./geometry";
import { attachGestures, type Grip } from "./gestures";
import { paintLabel, paintOverlay, paintPicture, type OverlayLayer } from "./painter";
import { readPalette, type Palette } from "./palette";
import { PictureCache, releasePicture, turnPicture, type Picture } from "./pictures";
import { drawRuler, RULER_SIZE } from "./rulers";
import { Thumbnails } from "./thumbs";
import { DESK_MARGIN, ViewTransform, type Point, type Size } from "./transform";

export interface PreviewParts {
  desk: HTMLElement;
  label: HTMLCanvasElement;
  overlay: HTMLCanvasElement;
  rulerTop: HTMLCanvasElement;
  rulerLeft: HTMLCanvasElement;
  card: HTMLElement;
  strip: HTMLElement;
}

export interface PreviewEvents {
  hovered(element: number): void;
  chosen(element: number): void;
  labelChosen(index: number): void;
  pointed(mm: Point | undefined): void;
  zoomed(percent: number): void;
  /** The browser could not decode the picture, as when it has no memory left. */
  undrawable(): void;
}

/** A tool that takes presses and clicks before the preview does; true or a grip: it took them. */
export interface PointerTool {
  grab(at: Point, event: PointerEvent): Grip | undefined;
  click(at: Point, event: PointerEvent): boolean;
}

export class Preview {
  readonly layers = new Set<OverlayLayer>();
  tool: PointerTool | undefined;
  readonly view = new ViewTransform(DESK_MARGIN);
  readonly pictures = new PictureCache();
  private readonly thumbs: Thumbnails;
  private palette: Palette;
  private picture: Picture | undefined = takePicture();
  private result: RenderResult | undefined;
  private boxes: Box[] = [];
  private quietZones: (Box | undefined)[] = [];
  private current = 0;
  private hovered = -1;
  private selected = -1;
  private showAll = false;
  private pointer: Point | undefined;
  private pointerIsFinger = false;
  /** The element whose card was put away: it stays away until another one is pointed at. */
  private dismissed = -1;
  private printArea: { widthMm: number; heightMm: number } | undefined;
  private frame = 0;
  private turn = 0;
  /** What is on the canvases: most repaints, as of a key or the pointer, change the overlay alone. */
  private painted: { place: string; picture: Picture | undefined; rulers: string } | undefined;

  constructor(
    private readonly parts: PreviewParts,
    private readonly store: Value<RenderSettings>,
    private readonly events: PreviewEvents,
  ) {
    this.palette = readPalette(parts.desk);
    this.thumbs = new Thumbnails(parts.strip, this.pictures, (index) => events.labelChosen(index));
    this.applySize();
    this.watchSize();
    for (const canvas of [parts.label, parts.overlay, parts.rulerTop, parts.rulerLeft]) canvas.addEventListener("contextrestored", () => this.paintAnew());
    store.subscribe((now, before) => this.settingsChanged(now.rotation !== before.rotation));
    attachGestures(parts.overlay, {
      pan: (dx, dy) => this.change(() => this.view.panBy(dx, dy)),
      zoomBy: (factor, at) => this.change(() => this.view.zoomTo(this.view.zoom * factor, at)),
      point: (at, isTouch) => this.point(at, isTouch),
      click: (at, event) => {
        if (!this.tool?.click(at, event)) this.click(at);
      },
      grab: (at, event) => this.tool?.grab(at, event),
    });
  }

  /** Boxes of the elements as they are shown, turned with the label. */
  get shownBoxes(): readonly Box[] {
    return this.boxes;
  }

  get shownPicture(): Picture | undefined {
    return this.picture;
  }

  get rotation(): RenderSettings["rotation"] {
    return this.settings.rotation;
  }

  /** The element under a point of the desk; -1: none. */
  elementAt(at: Point): number {
    return this.find(at);
  }

  get elements(): readonly LabelElement[] {
    return this.label?.elements ?? [];
  }

  get label(): Label | undefined {
    return this.result?.labels[this.current];
  }

  get index(): number {
    return this.current;
  }

  themeChanged(): void {
    this.palette = readPalette(this.parts.desk);
    this.paintAnew();
  }

  /** Nothing that is on the canvases holds any more. */
  private paintAnew(): void {
    this.painted = undefined;
    this.repaint();
  }

  private get settings(): RenderSettings {
    return this.store.get();
  }

  /** Settings that show at once, before the service answers: size, turn, unit. */
  private settingsChanged(turned: boolean): void {
    if (turned && this.result) void this.showLabel(this.current, true);
    if (!this.result) this.applySize();
    this.repaint();
  }

  /** Paints a label's dots at once; what `show` is given later says the rest. */
  showDots(dots: Dots): void {
    if (dots.index !== this.current) return; // another one was chosen meanwhile
    this.turn++;
    this.picture = turnPicture(dots.show(), this.settings.rotation);
    this.view.setLabel({ width: this.picture.width, height: this.picture.height });
    // The canvas of the dots may be the one that was painted before.
    if (this.painted) this.painted.picture = undefined;
    // Not by a request for a frame: that would be the one after the next, if the next has begun.
    this.paint();
  }

  /** `dots`: those of one of the labels, if they were shown before. */
  async show(result: RenderResult, dots?: Dots): Promise<void> {
    const { rotation } = this.settings;
    const drawn = dots && result.labels[dots.index];
    const picture = drawn && dots.copy();
    const turned = picture && turnPicture(picture, rotation);
    if (turned) this.pictures.put(drawn, rotation, turned);
    if (picture && turned !== picture && picture !== this.picture) releasePicture(picture);
    this.result = result;
    await this.showLabel(Math.min(this.current, result.labels.length - 1), true);
  }

  /** An empty label of the size that is set. */
  clear(): void {
    this.turn++;
    this.result = undefined;
    this.picture = undefined;
    this.pictures.show(undefined);
    this.boxes = [];
    this.quietZones = [];
    this.current = 0;
    this.selected = -1;
    this.applySize();
    this.setHovered(-1);
    this.thumbs.show([], this.view.label, 0);
    this.change(() => undefined);
  }

  async showLabel(index: number, fresh = false): Promise<void> {
    const label = this.result?.labels[index];
    if (!label || !this.result) return;
    if (index === this.current && !fresh) return;
    const moved = index !== this.current;
    this.current = index;
    const turn = ++this.turn;
    const rotation = this.settings.rotation;
    const picture = await this.pictures.get(label, rotation).catch(() => undefined);
    if (turn !== this.turn || !this.result) return;
    this.picture = picture;
    this.pictures.show(picture);
    if (!picture) this.events.undrawable();
    const size = this.labelSize;
    this.view.setLabel(turnSize(size, rotation));
    this.boxes = label.elements.map((element) => turnBox(element, size, rotation));
    this.quietZones = label.elements.map(({ quietZone }) => (quietZone ? turnBox(quietZone, size, rotation) : undefined));
    if (moved || this.selected >= label.elements.length) this.selected = -1;
    // A finger that was lifted points at nothing any more.
    if (moved && this.pointerIsFinger) this.pointer = undefined;
    this.setHovered(this.pointer ? this.find(this.pointer) : -1);
    this.thumbs.show(this.result.labels, size, rotation);
    this.thumbs.select(index);
    this.change(() => undefined);
  }

  select(element: number, reveal: boolean): void {
    this.selected = element;
    const box = this.boxes[element];
    if (reveal && box) this.view.reveal(box);
    this.repaint();
  }

  showHover(element: number): void {
    this.hovered = element;
    this.repaint();
  }

  /** How large the area is on which the label prints, in millimetres; undefined: all of it. */
  setPrintArea(size: { widthMm: number; heightMm: number } | undefined): void {
    this.printArea = size;
    this.repaint();
  }

  setBoxes(shown: boolean): void {
    this.showAll = shown;
    this.repaint();
  }

  fit(): void {
    this.change(() => this.view.fit());
  }

  zoomTo(zoom: number): void {
    this.change(() => this.view.zoomTo(zoom));
  }

  zoomStep(direction: 1 | -1): void {
    this.change(() => this.view.zoomStep(direction));
  }

  panBy(dx: number, dy: number): void {
    this.change(() => this.view.panBy(dx, dy));
  }

  private change(action: () => void): void {
    action();
    this.events.zoomed(this.view.zoom * 100);
    this.repaint();
  }

  /** Of the label as the code sees it, in dots, whichever way it is shown. */
  get labelSize(): Size {
    if (this.result) return { width: this.result.widthPx, height: this.result.heightPx };
    const { widthMm, heightMm, dpmm } = this.settings;
    return { width: Math.max(1, mmToDots(widthMm, dpmm)), height: Math.max(1, mmToDots(heightMm, dpmm)) };
  }

  private applySize(): void {
    this.view.setLabel(turnSize(this.labelSize, this.settings.rotation));
  }

  /** The canvas must have as many pixels as the screen gives it, or the browser would stretch it. */
  private watchSize(): void {
    const { overlay } = this.parts;
    const observer = new ResizeObserver(([entry]) => {
      const ratio = window.devicePixelRatio || 1;
      const exact = entry?.devicePixelContentBoxSize?.[0];
      const box = overlay.getBoundingClientRect();
      // Some browsers report that box in other pixels while they emulate a screen: then rounding has to do.
      const pixels = (given: number | undefined, css: number): number =>
        given !== undefined && Math.abs(given - css * ratio) <= 1 ? given : Math.round(css * ratio);
      const width = pixels(exact?.inlineSize, box.width) / ratio;
      const height = pixels(exact?.blockSize, box.height) / ratio;
      if (width >= 2 && height >= 2) this.change(() => this.view.resize({ width, height }, ratio));
    });
    try {
      observer.observe(overlay, { box: "device-pixel-content-box" });
    } catch {
      // Safari does not know that box.
      observer.observe(overlay);
    }
  }

  private find(at: Point): number {
    return boxAt(this.boxes, this.view.toDots(at), 3 / this.view.scale);
  }

  private point(at: Point | undefined, isTouch: boolean): void {
    this.pointer = at;
    this.pointerIsFinger = isTouch;
    if (at) {
      const dots = unturnPoint(this.view.toDots(at), this.labelSize, this.settings.rotation);
      const dpmm = this.result?.dpmm ?? this.settings.dpmm;
      this.events.pointed({ x: dotsToMm(dots.x, dpmm), y: dotsToMm(dots.y, dpmm) });
    } else this.events.pointed(undefined);
    if (!isTouch) this.setHovered(at ? this.find(at) : -1);
    this.repaint();
  }

  private click(at: Point): void {
    const found = this.find(at);
    this.selected = found;
    this.pointer = at;
    this.setHovered(found);
    this.events.chosen(found);
    this.repaint();
  }

  private setHovered(element: number): void {
    const { card } = this.parts;
    const shown = this.elements[element];
    if (element !== this.hovered) {
      this.hovered = element;
      this.dismissed = -1;
      this.events.hovered(element);
      if (shown) replaceChildren(card, ...elementCard(shown, this.result?.dpmm ?? 8, this.settings.unit));
    }
    card.hidden = !shown || !this.pointer || this.dismissed === element;
    if (!card.hidden && this.pointer) this.placeCard(this.pointer);
  }

  private placeCard(at: Point): void {
    const { card, overlay } = this.parts;
    const area = overlay.getBoundingClientRect();
    const gap = 18;
    const left = at.x + gap + card.offsetWidth < area.width ? at.x + gap : Math.max(4, at.x - gap - card.offsetWidth);
    const top = Math.max(4, Math.min(at.y + gap, area.height - card.offsetHeight - 8));
    card.style.transform = `translate(${Math.round(left + RULER_SIZE)}px, ${Math.round(top + RULER_SIZE)}px)`;
  }

  dismissCard(): void {
    this.dismissed = this.hovered;
    this.parts.card.hidden = true;
  }

  repaint(): void {
    if (this.frame !== 0) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.paint();
    });
  }

  private get printAreaBox(): Box | undefined {
    if (!this.printArea) return undefined;
    const { dpmm, rotation, profile } = this.settings;
    const width = mmToDots(this.printArea.widthMm, dpmm);
    // A narrow ^PW: the reference prints in the middle of the label, a printer at its left edge.
    const x = profile === "printer" ? 0 : Math.max(0, Math.floor((this.labelSize.width - width) / 2));
    const box = { x, y: 0, width, height: mmToDots(this.printArea.heightMm, dpmm) };
    // ^POI: the numbers of the code grow upwards, and what is printed lies at the other end.
    const isInverted = (this.elements.find(({ place }) => place && place.stepY !== 0)?.place?.stepY ?? 1) < 0;
    return turnBox(isInverted ? turnBox(box, this.labelSize, 180) : box, this.labelSize, rotation);
  }

  private paint(): void {
    const { view, palette, parts } = this;
    this.paintLabel();
    paintOverlay(
      parts.overlay,
      view,
      {
        elements: this.elements,
        boxes: this.boxes,
        quietZones: this.quietZones,
        hovered: this.hovered,
        selected: this.selected,
        showAll: this.showAll,
        printArea: this.printAreaBox,
      },
      palette,
      this.layers,
    );
    this.paintRulers();
  }

  private paintLabel(): void {
    const { view, picture, palette, parts, painted } = this;
    const { viewport, label, offset, scale, pixelRatio } = view;
    const place = JSON.stringify([viewport, label, offset, scale, pixelRatio]);
    if (place !== painted?.place) paintLabel(parts.label, view, picture, palette);
    else if (picture !== painted.picture) paintPicture(parts.label, view, picture);
    this.painted = { place, picture, rulers: painted?.rulers ?? "" };
  }

  private paintRulers(): void {
    const { view, palette, parts, painted, pointer } = this;
    const { rotation, unit } = this.settings;
    const dpmm = this.result?.dpmm ?? this.settings.dpmm;
    const rulers = JSON.stringify([painted?.place, unit, dpmm, rotation, pointer]);
    if (!painted || rulers === painted.rulers) return;
    painted.rulers = rulers;
    const ruler = { view, unit, dpmm, pointer, palette };
    drawRuler(parts.rulerTop, { ...ruler, backwards: runsBackwards(rotation, true) }, true);
    drawRuler(parts.rulerLeft, { ...ruler, backwards: runsBackwards(rotation, false) }, false);
  }
}
