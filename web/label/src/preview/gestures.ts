// Mouse, wheel, touch and pinch on the desk, turned into zooming, panning, pointing and clicking.
import type { Point } from "./transform";

export interface GestureTarget {
  pan(dx: number, dy: number): void;
  zoomBy(factor: number, at: Point): void;
  point(at: Point | undefined, isTouch: boolean): void;
  click(at: Point, event: PointerEvent): void;
  /** Something that takes this press for itself, instead of panning; undefined: nothing does. */
  grab(at: Point, event: PointerEvent): Grip | undefined;
}

/** What a tool does with a press that it took. A press that did not move is a click, and ends with `drop(false)`. */
export interface Grip {
  move(at: Point, event: PointerEvent): void;
  drop(moved: boolean): void;
}

/** A press that moves less than this is a click. */
const CLICK_SLOP = 4;

export function attachGestures(surface: HTMLElement, target: GestureTarget): void {
  const pointers = new Map<number, Point>();
  let travelled = 0;
  let pinched = false;
  let grip: Grip | undefined;

  const at = (event: MouseEvent): Point => {
    const area = surface.getBoundingClientRect();
    return { x: event.clientX - area.left, y: event.clientY - area.top };
  };

  const spread = (): { distance: number; middle: Point } | undefined => {
    const [a, b] = [...pointers.values()];
    if (!a || !b) return undefined;
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } };
  };

  surface.addEventListener("pointerdown", (event) => {
    if (event.button > 1) return;
    surface.setPointerCapture(event.pointerId);
    if (pointers.size === 0) {
      travelled = 0;
      pinched = false;
      if (event.pointerType === "touch") target.point(at(event), true);
      grip = event.button === 0 ? target.grab(at(event), event) : undefined;
    } else if (grip) {
      // A second finger: it is a pinch after all.
      grip.drop(false);
      grip = undefined;
    }
    pointers.set(event.pointerId, at(event));
    if (event.button === 1) event.preventDefault();
  });

  surface.addEventListener("pointermove", (event) => {
    const now = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      target.point(now, event.pointerType === "touch");
      return;
    }
    const old = spread();
    pointers.set(event.pointerId, now);
    if (old) {
      const fresh = spread();
      if (!fresh || old.distance < 1) return;
      pinched = true;
      target.pan(fresh.middle.x - old.middle.x, fresh.middle.y - old.middle.y);
      target.zoomBy(fresh.distance / old.distance, fresh.middle);
      return;
    }
    travelled += Math.hypot(now.x - before.x, now.y - before.y);
    if (travelled < CLICK_SLOP) return;
    if (grip) {
      grip.move(now, event);
      target.point(now, event.pointerType === "touch");
      return;
    }
    surface.classList.add("dragging");
    target.pan(now.x - before.x, now.y - before.y);
    target.point(now, event.pointerType === "touch");
  });

  const release = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size === 0) {
      surface.classList.remove("dragging");
      const isClick = event.type === "pointerup" && event.button === 0 && travelled < CLICK_SLOP && !pinched;
      grip?.drop(event.type === "pointerup" && !isClick);
      grip = undefined;
      if (isClick) target.click(at(event), event);
    }
  };
  surface.addEventListener("pointerup", release);
  surface.addEventListener("pointercancel", release);
  surface.addEventListener("pointerleave", (event) => {
    if (pointers.size === 0 && event.pointerType !== "touch") target.point(undefined, false);
  });

  surface.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      const unit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : event.deltaMode === WheelEvent.DOM_DELTA_PAGE ? 400 : 1;
      if (event.ctrlKey || event.metaKey) {
        const amount = Math.max(-60, Math.min(60, event.deltaY * unit));
        target.zoomBy(Math.exp(-amount / 180), at(event));
      } else if (event.shiftKey && event.deltaX === 0) target.pan(-event.deltaY * unit, 0);
      else target.pan(-event.deltaX * unit, -event.deltaY * unit);
    },
    { passive: false },
  );
}
