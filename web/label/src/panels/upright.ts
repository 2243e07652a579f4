// ^POI prints upside down: one press shows such a label as people read it.
import type { OpenDocument } from "../documents/documents";
import type { RenderSettings } from "../model/settings";
import type { Value } from "../model/value";
import { say } from "../ui/language";
import type { Notes } from "./notes";

export class UprightOffer {
  /** Its ^POI was seen, and the offer dismissed. */
  private staysInverted: OpenDocument | undefined;

  constructor(
    private readonly notes: Notes,
    private readonly settings: Value<RenderSettings>,
  ) {}

  consider(shown: OpenDocument, code: string): void {
    const settings = this.settings.get();
    const isInverted = /[^\s\w]POI/i.test(code) && !/[^\s\w]PON/i.test(code);
    const isOffered = isInverted && settings.rotation === 0 && this.staysInverted !== shown;
    const show = { id: "show-upright", text: say("Show upright"), run: () => this.settings.set({ ...settings, rotation: 180 }) };
    const dismissed = (): void => {
      this.staysInverted = shown;
      this.notes.set("upright", undefined);
    };
    this.notes.set("upright", isOffered ? { text: say("The code prints upside down (^POI)."), action: show, dismissed } : undefined);
  }
}
