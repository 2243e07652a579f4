// Everything that leaves the page: downloads, clipboard, link, curl command, print.
import { RenderFailure, renderUrl, type OutputFormat, type ServiceAccess } from "./api";
import { curlCommand } from "./actions/curl";
import { stemOf } from "./actions/files";
import { encodeLink } from "./actions/link-codec";
import { printLabels } from "./actions/print";
import { copyPicture, copyText, saveBlob } from "./actions/save";
import type { Renderer } from "./draw/renderer";
import { HAS_SERVICE } from "./has-service";
import type { RenderResult } from "./model/result";
import type { RenderSettings } from "./model/settings";
import { formatBytes } from "./model/units";
import { canShare, share } from "./out/share";
import type { MenuEntry } from "./ui/controls";
import { toast } from "./ui/messages";
import { onDemand } from "./ui/on-demand";

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

export class Takeaway {
  constructor(
    private readonly current: () => Work,
    private readonly access: ServiceAccess,
    private readonly drawing: Renderer,
  ) {}

  entries(): MenuEntry[] {
    const { result, page } = this.current();
    const many = (result?.labels.length ?? 1) > 1;
    const single = many ? `label ${page + 1}` : "";
    const all = many ? "all labels" : "";
    const item = (text: string, detail: string, id: string, action: () => void): MenuEntry => ({ kind: "item", text, detail, id, action });
    return [
      { kind: "heading", text: "Download" },
      item("PNG", single, "export-png", () => void this.download("png")),
      item("JPEG", single, "export-jpeg", () => void this.download("jpeg")),
      item("WebP", single, "export-webp", () => void this.download("webp")),
      item("PDF", all, "export-pdf", () => void this.download("pdf")),
      ...(HAS_SERVICE
        ? [
            item("ZIP of PNGs", all, "export-zip", onDemand(() => this.downloadZip())),
            item("PDF of sheets…", "several on a page", "export-sheets", onDemand(async () => (await import("./out/sheets-dialog")).openSheets(this.current(), this.access))),
          ]
        : []),
      item("JSON", "with elements", "export-json", () => void this.download("json")),
      item("Base64", "pictures as text", "export-base64", () => void this.download("base64")),
      item("ZPL", "the code", "export-zpl", () => this.downloadZpl()),
      { kind: "rule" },
      { kind: "heading", text: "Copy" },
      item("Picture", "PNG", "copy-picture", () => void this.copyPicture()),
      item("curl command", "", "copy-curl", () => void this.copyCurl()),
      item("Link", "holds the label", "copy-link", () => void this.copyLink()),
      { kind: "rule" },
      ...(canShare() ? [item("Share…", "picture and link", "share", () => void this.share())] : []),
      item("Print…", all, "print", () => void this.print()),
      ...(HAS_SERVICE || "usb" in navigator ? [item("Send to a printer…", "", "send-to-printer", onDemand(async () => (await import("./out/printers-dialog")).openPrinters(this.current().zpl, this.access)))] : []),
    ];
  }

  async download(format: OutputFormat): Promise<void> {
    const work = this.current();
    const picture = format === "png" || format === "jpeg" || format === "webp";
    const query = picture ? { page: work.page, collapse: true } : {};
    try {
      const blob = await this.drawing.file(format, work.zpl, work.settings, query);
      const number = picture && (work.result?.labels.length ?? 1) > 1 ? `-${work.page + 1}` : "";
      const name = `${stemOf(work.name)}${number}.${EXTENSIONS[format]}`;
      saveBlob(blob, name);
      toast(`${name} downloaded, ${formatBytes(blob.size)}.`);
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : "The download failed.");
    }
  }

  private async downloadZip(): Promise<void> {
    const work = this.current();
    const { batch } = await import("./data/rewrite");
    try {
      const stem = stemOf(work.name);
      const blob = await batch([{ id: stem, zpl: work.zpl }], "zip", work.settings, this.access);
      saveBlob(blob, `${stem}.zip`);
      toast(`${stem}.zip downloaded, ${formatBytes(blob.size)}.`);
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : "The download failed.");
    }
  }

  async share(): Promise<void> {
    const work = this.current();
    try {
      const picture = await this.drawing.file("png", work.zpl, work.settings, { page: work.page, collapse: true });
      await share(picture, `${stemOf(work.name)}.png`, await this.link());
    } catch (error) {
      toast(error instanceof RenderFailure ? error.message : "There is nothing to share yet.");
    }
  }

  private async link(): Promise<string> {
    const { zpl, name, settings } = this.current();
    const url = new URL(location.href);
    url.hash = await encodeLink({ zpl, name, settings });
    return url.href;
  }

  downloadZpl(): void {
    const work = this.current();
    const name = `${stemOf(work.name)}.zpl`;
    saveBlob(new Blob([work.zpl], { type: "text/plain;charset=utf-8" }), name);
    toast(`${name} downloaded.`);
  }

  async copyPicture(): Promise<void> {
    const work = this.current();
    const png = this.drawing.file("png", work.zpl, work.settings, { page: work.page, collapse: true });
    png.catch(() => undefined);
    if (await copyPicture(png)) toast("Picture copied.");
    else toast("The browser did not allow copying the picture. It needs https or localhost; the PNG download always works.");
  }

  async copyCurl(): Promise<void> {
    const work = this.current();
    const stem = stemOf(work.name);
    const command = curlCommand({
      url: renderUrl("png", work.settings, { page: work.page, collapse: work.page > 0 }, this.access.base).href,
      zpl: work.zpl,
      outputName: `${stem}.png`,
      inputName: `${stem}.zpl`,
      needsKey: this.access.apiKey !== "",
    });
    toast((await copyText(command)) ? "curl command copied." : "The browser did not allow copying.");
  }

  async copyLink(): Promise<void> {
    const text = await this.link();
    if (!(await copyText(text))) {
      toast("The browser did not allow copying.");
      return;
    }
    const size = formatBytes(text.length);
    toast(
      text.length > LONG_LINK
        ? `Link copied, but it is long (${size}): some programs cut such links. Sending the ZPL file is safer.`
        : `Link copied (${size}). Label and settings are in the link itself; no server keeps them.`,
    );
  }

  async print(): Promise<void> {
    const { result, settings } = this.current();
    if (result) await printLabels(result, settings.rotation);
    else toast("There is no label to print yet.");
  }
}
