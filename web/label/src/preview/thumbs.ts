// The strip of thumbnails under the preview, for input with more than one label.
import type { Label } from "../model/result";
import type { Rotation } from "../model/settings";
import { el } from "../ui/dom";
import { icon } from "../ui/icons";
import type { PictureCache } from "./pictures";
import { hasTrouble, turnSize } from "./geometry";
import type { Size } from "./transform";
import { say, sayCount } from "../ui/language";

const HEIGHT = 64;
const WIDEST = 120;

export class Thumbnails {
  private labels: readonly Label[] = [];
  private rotation: Rotation = 0;
  private buttons: HTMLButtonElement[] = [];
  private current = 0;
  private frame = 0;
  private readonly watcher: IntersectionObserver;
  private readonly drawn = new WeakMap<HTMLButtonElement, string>();
  private readonly written = new WeakMap<HTMLButtonElement, string>();

  constructor(
    private readonly strip: HTMLElement,
    private readonly pictures: PictureCache,
    private readonly choose: (index: number) => void,
  ) {
    this.watcher = new IntersectionObserver(
      (entries) => {
        for (const entry of entries) if (entry.isIntersecting) void this.draw(entry.target as HTMLButtonElement);
      },
      { root: strip, rootMargin: "200px" },
    );
    strip.addEventListener("keydown", (event) => this.onKey(event));
  }

  show(labels: readonly Label[], size: Size, rotation: Rotation): void {
    this.labels = labels;
    this.rotation = rotation;
    this.strip.hidden = labels.length < 2;
    if (labels.length < 2) {
      this.buttons = [];
      this.strip.replaceChildren();
      return;
    }
    const turned = turnSize(size, rotation);
    const scale = Math.min(HEIGHT / turned.height, WIDEST / turned.width);
    const width = Math.max(8, Math.round(turned.width * scale));
    const height = Math.max(8, Math.round(turned.height * scale));
    while (this.buttons.length > labels.length) {
      const surplus = this.buttons.pop() as HTMLButtonElement;
      this.watcher.unobserve(surplus);
      surplus.remove();
    }
    while (this.buttons.length < labels.length) this.add();
    this.buttons.forEach((button, index) => {
      const label = labels[index] as Label;
      const problems = label.problems + label.elements.filter(hasTrouble).length;
      const name = say("Label {number} of {count}", { number: index + 1, count: labels.length });
      const whole = label.copies > 1 ? sayCount("{labels}, {count} copy", "{labels}, {count} copies", label.copies, { labels: name }) : name;
      const title = problems > 0 ? say("{label}, has problems", { label: whole }) : whole;
      // After a key few of hundreds have changed: what is written anew is laid out anew.
      const words = `${width}×${height} ${label.errors > 0} ${title}`;
      if (this.written.get(button) !== words) {
        this.written.set(button, words);
        const canvas = button.querySelector("canvas") as HTMLCanvasElement;
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
        button.setAttribute("aria-label", title);
        button.classList.toggle("troubled", problems > 0);
        button.classList.toggle("failing", label.errors > 0);
        const caption = button.querySelector("span") as HTMLElement;
        caption.textContent = label.copies > 1 ? `${index + 1} ×${label.copies}` : String(index + 1);
      }
      if (this.drawn.get(button) === this.pictureOf(label)) return;
      // Observing anew reports at once whether the button is in sight, and so redraws it.
      this.watcher.unobserve(button);
      this.watcher.observe(button);
    });
    this.select(Math.min(this.current, labels.length - 1));
  }

  select(index: number): void {
    this.current = index;
    for (const [at, button] of this.buttons.entries()) {
      // Of hundreds of buttons two change.
      if (button.hasAttribute("aria-current") === (at === index) && button.hasAttribute("tabindex")) continue;
      button.tabIndex = at === index ? 0 : -1;
      if (at === index) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    }
    // To ask for its place makes the browser lay out all of them: in the frame that does that anyway.
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.reveal());
  }

  private reveal(): void {
    const button = this.buttons[this.current];
    if (!button) return;
    const left = button.offsetLeft - this.strip.offsetLeft;
    if (left < this.strip.scrollLeft) this.strip.scrollLeft = left - 12;
    else if (left + button.offsetWidth > this.strip.scrollLeft + this.strip.clientWidth) {
      this.strip.scrollLeft = left + button.offsetWidth - this.strip.clientWidth + 12;
    }
  }

  private add(): void {
    const button = el("button", { type: "button", class: "thumb" }, el("canvas", {}), el("span", {}), icon("warning"));
    const index = this.buttons.length;
    button.addEventListener("click", () => this.choose(index));
    this.buttons.push(button);
    this.strip.append(button);
  }

  private onKey(event: KeyboardEvent): void {
    const moves: Record<string, number> = {
      ArrowRight: this.current + 1,
      ArrowLeft: this.current - 1,
      Home: 0,
      End: this.labels.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const index = Math.min(Math.max(to, 0), this.labels.length - 1);
    this.choose(index);
    this.buttons[index]?.focus();
  }

  private pictureOf(label: Label): string {
    return `${this.rotation}:${label.data}`;
  }

  private async draw(button: HTMLButtonElement): Promise<void> {
    const label = this.labels[this.buttons.indexOf(button)];
    const key = label ? this.pictureOf(label) : "";
    if (!label || this.drawn.get(button) === key) return;
    this.drawn.set(button, key);
    const picture = await this.pictures.get(label, this.rotation).catch(() => undefined);
    if (!picture) {
      this.drawn.delete(button);
      return;
    }
    const canvas = button.querySelector("canvas") as HTMLCanvasElement;
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = Math.max(1, Math.round(parseFloat(canvas.style.width) * ratio));
    canvas.height = Math.max(1, Math.round(parseFloat(canvas.style.height) * ratio));
    const context = canvas.getContext("2d");
    if (!context) return;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
}
