// Everything that leaves the page: downloads, clipboard, link, requests, print.
import { RenderFailure, renderUrl, type OutputFormat, type ServiceAccess } from "./api";
import { stemOf } from "./actions/files";
import { encodeLink } from "./actions/link-codec";
import { copyPicture, copyText, saveBlob } from "./actions/save";
import type { LabelFile, Renderer } from "./draw/renderer";
import { HAS_SERVICE } from "./has-service";
import { languageName } from "./model/languages";
import type { RenderResult } from "./model/result";
import type { RenderSettings } from "./model/settings";
import { formatBytes } from "./ui/numbers";
import { canShare, share } from "./out/share";
import type { MenuEntry } from "./ui/controls";
import { toast } from "./ui/messages";
import { onDemand } from "./ui/on-demand";
import { say } from "./ui/language";

/** What the page shows at the moment of an action. */
export interface Work {
  zpl: string;
  name: string;
  settings: RenderSettings;
  page: number;
  result: RenderResult | undefined;
}

const EXTENSIONS: Record<OutputFormat, string> = { png: "png", jpeg: "jpg", webp: "webp", pdf: "pdf", json: "json", base64: "base64.json" };

/** Beyond this some mail programs and messengers cut a link off. */
const LONG_LINK = 16_000;

/** The language of the code, as far as it is known; also what files of it end in. */
function languageOf({ result }: Work): string {
  return result?.language ?? "zpl";
}

/** What is to be said of a file whose letters could not be drawn as they should be; "" where they are right. */
function lack({ missingFonts }: LabelFile): string {
  return missingFonts.length === 0 ? "" : ` ${say("Some letters are boxes or of another font: theirs could not be loaded.")}`;
}

export class Takeaway {
  constructor(
    private readonly current: () => Work,
    private readonly access: ServiceAccess,
    private readonly drawing: Renderer,
  ) {}

  entries(): MenuEntry[] {
    const work = this.current();
    const { result, page } = work;
    const many = (result?.labels.length ?? 1) > 1;
    const single = many ? say("label {number}", { number: page + 1 }) : "";
    const all = many ? say("all labels") : "";
    const item = (text: string, detail: string, id: string, action: () => void): MenuEntry => ({ kind: "item", text, detail, id, action });
    return [
      { kind: "heading", text: say("Download") },
      item("PNG", single, "export-png", () => void this.download("png")),
      item("JPEG", single, "export-jpeg", () => void this.download("jpeg")),
      item("WebP", single, "export-webp", () => void this.download("webp")),
      item("PDF", all, "export-pdf", () => void this.download("pdf")),
      ...(HAS_SERVICE
        ? [
            item(say("ZIP of PNGs"), all, "export-zip", onDemand(() => this.downloadZip())),
            item(say("PDF of sheets…"), say("several on a page"), "export-sheets", onDemand(async () => (await import("./out/sheets-dialog")).openSheets(this.current(), this.access))),
          ]
        : []),
      item("JSON", say("with elements"), "export-json", () => void this.download("json")),
      item("Base64", say("pictures as text"), "export-base64", () => void this.download("base64")),
      item(languageName(languageOf(work)), say("the code"), "export-zpl", () => this.downloadZpl()),
      { kind: "rule" },
      { kind: "heading", text: say("Copy") },
      item(say("Picture"), "PNG", "copy-picture", () => void this.copyPicture()),
      ...(HAS_SERVICE ? [item(say("Request as code…"), say("curl, Python, Java …"), "copy-as", this.openCalls)] : []),
      item(say("Link"), say("holds the label"), "copy-link", () => void this.copyLink()),
      { kind: "rule" },
      ...(canShare() ? [item(say("Share…"), say("picture and link"), "share", () => void this.share())] : []),
      item(say("Print…"), all, "print", () => void this.print()),
      ...(HAS_SERVICE || "usb" in navigator ? [item(say("Send to a printer…"), "", "send-to-printer", onDemand(async () => (await import("./out/printers-dialog")).openPrinters(this.current().zpl, this.access)))] : []),
    ];
  }

  async download(format: OutputFormat): Promise<void> {
    const work = this.current();
    const picture = format === "png" || format === "jpeg" || format === "webp";
    const query = picture ? { page: work.page, collapse: true } : {};
    try {
      const file = await this.drawing.file(format, work.zpl, work.settings, query);
      const { blob } = file;
      const number = picture && (work.result?.labels.length ?? 1) > 1 ? `-${work.page + 1}` : "";
      const name = `${stemOf(work.name)}${number}.${EXTENSIONS[format]}`;
      saveBlob(blob, name);
      toast(say("{file} downloaded, {size}.", { file: name, size: formatBytes(blob.size) }) + lack(file));
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : say("The download failed."));
    }
  }

  private async downloadZip(): Promise<void> {
    const work = this.current();
    const { batch } = await import("./data/rewrite");
    try {
      const stem = stemOf(work.name);
      const blob = await batch([{ id: stem, zpl: work.zpl }], "zip", work.settings, this.access);
      saveBlob(blob, `${stem}.zip`);
      toast(say("{file} downloaded, {size}.", { file: `${stem}.zip`, size: formatBytes(blob.size) }));
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : say("The download failed."));
    }
  }

  async share(): Promise<void> {
    const work = this.current();
    try {
      const picture = await this.drawing.file("png", work.zpl, work.settings, { page: work.page, collapse: true });
      await share(picture.blob, `${stemOf(work.name)}.png`, await this.link());
      if (lack(picture) !== "") toast(lack(picture).trim());
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : say("There is nothing to share yet."));
    }
  }

  private async link(): Promise<string> {
    const { zpl, name, settings } = this.current();
    const url = new URL(location.href);
    url.searchParams.delete("lang"); // who opens it has a language of their own
    url.hash = await encodeLink({ zpl, name, settings });
    return url.href;
  }

  downloadZpl(): void {
    const work = this.current();
    const name = `${stemOf(work.name)}.${languageOf(work)}`;
    saveBlob(new Blob([work.zpl], { type: "text/plain;charset=utf-8" }), name);
    toast(say("{file} downloaded.", { file: name }));
  }

  async copyPicture(): Promise<void> {
    const work = this.current();
    const png = this.drawing.file("png", work.zpl, work.settings, { page: work.page, collapse: true });
    const blob = png.then((file) => file.blob);
    blob.catch(() => undefined);
    if (await copyPicture(blob)) toast(say("Picture copied.") + lack(await png));
    else toast(say("The browser did not allow copying the picture. It needs https or localhost; the PNG download always works."));
  }

  /** The request for this label as a program. */
  readonly openCalls = onDemand(async () => {
    const { openCalls } = await import("./out/calls-dialog");
    const work = this.current();
    const stem = stemOf(work.name);
    openCalls({
      url: renderUrl("png", work.settings, { page: work.page, collapse: work.page > 0 }, this.access.base).href,
      zpl: work.zpl,
      outputName: `${stem}.png`,
      inputName: `${stem}.${languageOf(work)}`,
      needsKey: this.access.apiKey !== "",
    });
  });

  async copyLink(): Promise<void> {
    const text = await this.link();
    if (!(await copyText(text))) {
      toast(say("The browser did not allow copying."));
      return;
    }
    const size = formatBytes(text.length);
    toast(
      text.length > LONG_LINK
        ? say("Link copied, but it is long ({size}): some programs cut such links. Sending the ZPL file is safer.", { size })
        : say("Link copied ({size}). Label and settings are in the link itself; no server keeps them.", { size }),
    );
  }

  async print(): Promise<void> {
    const { result, settings } = this.current();
    if (!result) return toast(say("There is no label to print yet."));
    try {
      await (await import("./actions/print")).printLabels(result, settings.rotation);
    } catch {
      toast(say("This part of the page could not be loaded. Is the service there?"));
    }
  }

  /** Loads what prints, so that it is there when the service is not. */
  prepare(): void {
    import("./actions/print").catch(() => undefined);
  }
}
