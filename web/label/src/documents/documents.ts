// The labels that are open in this tab of the browser, and which of them is shown.
import { DEFAULT_SETTINGS, type RenderSettings } from "../model/settings";
import { Value } from "../model/value";
import { SAMPLES, type Sample } from "../samples/index";

/** A label as it is kept, shared and opened. */
export interface Work {
  zpl: string;
  name: string;
  settings: RenderSettings;
}

export interface OpenDocument extends Work {
  readonly id: string;
  /** Its size is still to be found from its code. */
  wantsSize?: boolean;
}

/** Unique among all tabs of this browser, for the history that they share. Random UUIDs need https. */
export function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Nobody misses it: nothing in it, or a sample as it came. */
export function isDisposable(work: Work): boolean {
  return work.zpl.trim() === "" || SAMPLES.some((sample) => sample.zpl === work.zpl);
}

/** Of another label: the choices of this user stay, size and turn are its own. */
export function freshSettings(settings: RenderSettings): RenderSettings {
  const { widthMm, heightMm, rotation } = DEFAULT_SETTINGS;
  return { ...settings, widthMm, heightMm, rotation };
}

export class Documents {
  readonly all: Value<readonly OpenDocument[]>;
  readonly shown: Value<OpenDocument>;

  constructor(open: readonly OpenDocument[], shown: OpenDocument) {
    this.all = new Value(open);
    this.shown = new Value(shown);
  }

  /** Opens one beside the one that is shown, or in its place. */
  add(work: Work, inItsPlace = false): OpenDocument {
    const added: OpenDocument = { ...work, id: newId() };
    const open = [...this.all.get()];
    const at = open.indexOf(this.shown.get());
    open.splice(inItsPlace ? at : at + 1, inItsPlace ? 1 : 0, added);
    this.all.set(open);
    return added;
  }

  /** Without its last one there is an empty one. Gives the one that is shown next. */
  remove(document: OpenDocument, empty: () => Work): OpenDocument {
    const open = this.all.get();
    const at = open.indexOf(document);
    const left = open.filter((other) => other !== document);
    if (left.length === 0) left.push({ ...empty(), id: newId() });
    this.all.set(left);
    const shown = this.shown.get();
    return shown === document ? (left[Math.min(at, left.length - 1)] as OpenDocument) : shown;
  }

  /** Its name or another fact has changed. */
  touched(): void {
    this.all.set([...this.all.get()]);
  }
}

/** What a first visit shows. */
export function firstWork(): Work {
  const sample = SAMPLES[0] as Sample;
  const { widthMm, heightMm } = sample;
  return { zpl: sample.zpl, name: sample.name, settings: { ...DEFAULT_SETTINGS, widthMm, heightMm } };
}
