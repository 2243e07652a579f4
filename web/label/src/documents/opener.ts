// Everything that becomes a label of the page: samples, texts, files, folders, pictures, links.
import type { ServiceAccess } from "../api";
import { isLabelFile, LARGEST_FILE, readFile, stemOf } from "../actions/files";
import { decodeLink } from "../actions/link-codec";
import { holdsPicture } from "../actions/picture";
import { HAS_SERVICE } from "../has-service";
import { mayBePacked } from "../data/packing";
import type { Unpacked } from "../data/unpack";
import type { RenderSettings } from "../model/settings";
import type { Value } from "../model/value";
import type { Sample } from "../samples/index";
import { toast } from "../ui/messages";
import { freshSettings, type OpenDocument, type Work } from "./documents";
import type { Texts } from "./texts";
import { say, sayCount } from "../ui/language";
import { LONG_TEXT, pause } from "../ui/pause";

/** More at once than anybody finds again. */
const MOST_FILES = 30;

/** The part of the page that this needs. */
export interface OpeningHost {
  readonly access: ServiceAccess;
  readonly texts: Texts;
  readonly settings: Value<RenderSettings>;
  readonly current: OpenDocument;
  open(work: Work, message: string, wantsSize?: boolean): void;
  rename(document: OpenDocument, name: string): void;
  /** A label that may not be shown has changed. */
  touched(document: OpenDocument): void;
  linkOpened(): void;
}

export class Opener {
  constructor(private readonly host: OpeningHost) {}

  openSample(sample: Sample): void {
    const { widthMm, heightMm } = sample;
    this.host.open({ zpl: sample.zpl, name: sample.name, settings: { ...freshSettings(this.host.settings.get()), widthMm, heightMm, dpmm: 8 } }, say("{name} opened.", { name: sample.name }));
  }

  async openText(text: string, name: string, message = say("Opened in the editor.")): Promise<void> {
    const found = await this.unpack(text);
    await this.host.texts.prepare(found?.zpl ?? text);
    this.openUnpacked(found, text, name, message);
  }

  /** Loads what unpacks, so that a paste is in its place before the next key. */
  prepare(): void {
    import("../data/packed").catch(() => undefined);
  }

  /** What is pasted takes the place of what is selected, unpacked. */
  async paste(text: string): Promise<void> {
    const document = this.host.current;
    const found = await this.unpack(text);
    if (found?.zpl === "") return this.tellEmptyPdf();
    // Its label may have been closed, or another one opened in the place of an empty one.
    if (!this.host.texts.paste(document, found?.zpl ?? text)) return this.openUnpacked(found, text, "", say("Opened in the editor."));
    this.host.touched(document);
    if (found) toast(say("What you pasted was {packing}. The label code in it was unpacked.", { packing: found.from }));
  }

  private async unpack(text: string): Promise<Unpacked | undefined> {
    if (!mayBePacked(text)) return undefined;
    try {
      return await (await import("../data/packed")).unpackText(text);
    } catch {
      return undefined; // a text as it is is better than none
    }
  }

  private openUnpacked(found: Unpacked | undefined, text: string, name: string, message: string): void {
    if (found?.zpl === "") return this.tellEmptyPdf();
    const told = found ? `${message} ${say("It was {packing}; the label code in it was unpacked.", { packing: found.from })}` : message;
    this.host.open({ zpl: found?.zpl ?? text, name, settings: freshSettings(this.host.settings.get()) }, told, true);
  }

  private tellEmptyPdf(): void {
    toast(say("This is a PDF without label code in it. Ask the carrier or the program that made it for ZPL."));
  }

  /** Each file is a label of its own; a picture becomes a field of the label that is shown. */
  async openFiles(files: readonly File[]): Promise<void> {
    const remarks: string[] = [];
    let opened = 0;
    for (const file of files.slice(0, MOST_FILES)) {
      try {
        if (await holdsPicture(file)) {
          if (!HAS_SERVICE) throw new Error(say("{file} is a picture, and this page has no service that makes a field of it.", { file: file.name }));
          const document = this.host.current; // before what follows is loaded
          await (await import("../actions/picture-field")).addPicture(this.host, document, file);
          continue;
        }
        if ((await file.slice(0, 5).text()) === "%PDF-") {
          if (file.size > LARGEST_FILE) throw new Error(say("{file} is too large to edit here.", { file: file.name }));
          const name = stemOf(file.name);
          this.openUnpacked(await (await import("../data/packed")).unpackPdf(file), "", name, say("{name} opened.", { name }));
          continue;
        }
        const { name, text, remark } = await readFile(file);
        await this.openText(text, name, `${say("{name} opened.", { name })} ${remark}`.trim());
        opened++;
      } catch (error) {
        remarks.push(error instanceof Error ? error.message : say("{file} could not be read.", { file: file.name }));
      }
    }
    if (files.length > MOST_FILES) remarks.push(say("Only the first {most} of {count} files were opened.", { most: MOST_FILES, count: files.length }));
    if (opened > 1) remarks.unshift(sayCount("{count} label opened.", "{count} labels opened.", opened));
    if (remarks.length > 0) toast(remarks.join(" "));
  }

  /** Of a folder only label files are opened. */
  async openFolder(files: readonly File[]): Promise<void> {
    const labels = files.filter(isLabelFile).sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
    if (labels.length === 0) toast(say("The folder has no label files: .zpl, .epl, .tspl, .cpcl, .txt, .prn or .lbl."));
    else await this.openFiles(labels);
  }

  /** The label in the address, if there is one. */
  async openLink(): Promise<void> {
    const fragment = location.hash;
    try {
      const work = await decodeLink(fragment);
      if (!work) return;
      if (work.zpl.length > LONG_TEXT) await pause();
      await this.host.texts.prepare(work.zpl);
      // Out of the address: a reload shall bring back the work, not undo it.
      history.replaceState(null, "", location.pathname + location.search);
      this.host.open(work, say("Label opened from the link."));
      this.host.linkOpened();
    } catch {
      history.replaceState(null, "", location.pathname + location.search);
      toast(say("The link is damaged or was cut off, so it could not be opened."));
    }
  }
}
