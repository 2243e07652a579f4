// Zoom and pan as plain arithmetic: where the label lies in the viewport, in CSS pixels, and how large a dot is.

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

/** Around a label that fits the desk. */
export const DESK_MARGIN = 28;

export const MIN_ZOOM = 0.02;
export const MAX_ZOOM = 32;
const STEPS = [0.05, 0.1, 0.15, 0.25, 0.33, 0.5, 0.67, 0.75, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32];

/** So much of the label always stays in sight. */
const KEEP = 48;

export class ViewTransform {
  viewport: Size = { width: 1, height: 1 };
  label: Size = { width: 1, height: 1 };
  pixelRatio = 1;
  /** 1: one dot is a whole number of device pixels, one on usual screens. */
  zoom = 1;
  offset: Point = { x: 0, y: 0 };
  /** Follows the window until the user zooms or pans. */
  fitting = true;

  constructor(readonly margin: number) {}

  /** Device pixels per dot at 100 %. */
  private get unit(): number {
    return Math.max(1, Math.round(this.pixelRatio));
  }

  /** CSS pixels per dot. */
  get scale(): number {
    return (this.zoom * this.unit) / this.pixelRatio;
  }

  get whole(): boolean {
    return Number.isInteger(this.zoom * this.unit);
  }

  resize(viewport: Size, pixelRatio: number): void {
    const centre = this.toDots({ x: this.viewport.width / 2, y: this.viewport.height / 2 });
    this.viewport = viewport;
    this.pixelRatio = pixelRatio;
    if (this.fitting) this.fit();
    else this.place(centre, { x: viewport.width / 2, y: viewport.height / 2 });
  }

  setLabel(label: Size): void {
    if (label.width === this.label.width && label.height === this.label.height) return;
    this.label = label;
    if (this.fitting) this.fit();
    else this.clamp();
  }

  fit(): void {
    this.fitting = true;
    const width = Math.max(this.viewport.width - 2 * this.margin, 16);
    const height = Math.max(this.viewport.height - 2 * this.margin, 16);
    let zoom = (Math.min(width / this.label.width, height / this.label.height) * this.pixelRatio) / this.unit;
    // Whole device pixels per dot keep every dot the same size.
    if (zoom * this.unit >= 1) zoom = Math.floor(zoom * this.unit) / this.unit;
    this.zoom = Math.min(Math.max(zoom, MIN_ZOOM), 8);
    this.centre();
  }

  private centre(): void {
    this.offset = {
      x: (this.viewport.width - this.label.width * this.scale) / 2,
      y: (this.viewport.height - this.label.height * this.scale) / 2,
    };
    this.snap();
  }

  /** Zooms so that the dot under `at` stays where it is. */
  zoomTo(zoom: number, at: Point = { x: this.viewport.width / 2, y: this.viewport.height / 2 }): void {
    const dot = this.toDots(at);
    this.fitting = false;
    this.zoom = Math.min(Math.max(zoom, MIN_ZOOM), MAX_ZOOM);
    this.place(dot, at);
  }

  zoomStep(direction: 1 | -1): void {
    const next =
      direction > 0
        ? STEPS.find((step) => step > this.zoom * 1.001)
        : [...STEPS].reverse().find((step) => step < this.zoom * 0.999);
    if (next !== undefined) this.zoomTo(next);
  }

  panBy(dx: number, dy: number): void {
    this.fitting = false;
    this.offset = { x: this.offset.x + dx, y: this.offset.y + dy };
    this.clamp();
  }

  /** Moves as little as needed to bring a box of dots into sight. */
  reveal(box: { x: number; y: number; width: number; height: number }): boolean {
    const left = box.x * this.scale + this.offset.x;
    const top = box.y * this.scale + this.offset.y;
    const right = left + box.width * this.scale;
    const bottom = top + box.height * this.scale;
    const edge = 16;
    if (right > edge && left < this.viewport.width - edge && bottom > edge && top < this.viewport.height - edge) return false;
    this.place(
      { x: box.x + box.width / 2, y: box.y + box.height / 2 },
      { x: this.viewport.width / 2, y: this.viewport.height / 2 },
    );
    this.fitting = false;
    return true;
  }

  toDots(point: Point): Point {
    return { x: (point.x - this.offset.x) / this.scale, y: (point.y - this.offset.y) / this.scale };
  }

  private place(dot: Point, at: Point): void {
    this.offset = { x: at.x - dot.x * this.scale, y: at.y - dot.y * this.scale };
    this.clamp();
  }

  private clamp(): void {
    const width = this.label.width * this.scale;
    const height = this.label.height * this.scale;
    this.offset = {
      x: Math.min(Math.max(this.offset.x, KEEP - width), this.viewport.width - KEEP),
      y: Math.min(Math.max(this.offset.y, KEEP - height), this.viewport.height - KEEP),
    };
    this.snap();
  }

  /** Whole device pixels, or a dot would be smeared over two. */
  private snap(): void {
    this.offset = {
      x: Math.round(this.offset.x * this.pixelRatio) / this.pixelRatio,
      y: Math.round(this.offset.y * this.pixelRatio) / this.pixelRatio,
    };
  }
}
