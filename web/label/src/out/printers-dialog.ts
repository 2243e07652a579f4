// Sends the label to a printer: one that the service may reach (--print-to), a printer without paper of the service itself, or one at this
// computer's USB port.
import { askService, RenderFailure, type ServiceAccess } from "../api";
import { HAS_SERVICE } from "../has-service";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import { say } from "../ui/language";
import { chooseUsbPrinter, hasUsb, sendToUsb } from "./usb";

/** What a virtual printer says of itself; other states need no words. */
const STOPPED: Readonly<Record<string, string>> = {
  "head-open": say("head open"),
  "paper-out": say("paper out"),
  "ribbon-out": say("ribbon out"),
  paused: say("paused"),
  "buffer-full": say("buffer full"),
};

interface Printers {
  printers: { name: string; state?: string }[];
  printTo: string[];
}

async function getJson<Type>(path: string, access: ServiceAccess): Promise<Partial<Type>> {
  const headers: Record<string, string> = access.apiKey === "" ? {} : { "X-API-Key": access.apiKey };
  const response = await fetch(new URL(path, access.base), { headers, credentials: "same-origin", cache: "no-store" });
  if (!response.ok) throw new Error("no answer");
  return (await response.json()) as Partial<Type>;
}

/** Why a virtual printer does not print; empty: it does, or cannot be asked. */
async function stoppedBy(name: string, access: ServiceAccess): Promise<string> {
  const { state } = await getJson<{ state: string }>(`api/printers/${encodeURIComponent(name)}`, access).catch(() => ({ state: "" }));
  return STOPPED[state ?? ""] ?? "";
}

async function listPrinters(access: ServiceAccess): Promise<Printers> {
  const given = await getJson<Printers>("api/printers", access);
  return { printers: Array.isArray(given.printers) ? given.printers : [], printTo: Array.isArray(given.printTo) ? given.printTo : [] };
}

export async function openPrinters(zpl: string, access: ServiceAccess): Promise<void> {
  const status = el("p", { role: "status", id: "printer-status" });
  const list = el("ul", { class: "history", id: "printer-list" });
  openDialog(say("Send to a printer"), "reading", list, status);
  const send = async (path: string, name: string, isVirtual: boolean): Promise<void> => {
    try {
      await askService(path, zpl, "text/plain; charset=utf-8", access);
      if (!isVirtual) {
        status.textContent = say("Sent to {name}.", { name });
        return;
      }
      const reason = await stoppedBy(name, access);
      const done = reason === "" ? say("Sent to {name}.", { name }) : say("{name} has the label, but does not print: {reason}.", { name, reason });
      replaceChildren(status, done, " ", el("a", { href: "printer", target: "_blank", rel: "noopener" }, say("Open the printer's page")));
    } catch (error) {
      status.textContent = error instanceof RenderFailure ? error.message : say("It could not be sent to {name}.", { name });
    }
  };
  const sendByUsb = async (): Promise<void> => {
    try {
      const printer = await chooseUsbPrinter();
      if (!printer) return;
      status.textContent = say("Sending…");
      await sendToUsb(printer, new TextEncoder().encode(zpl));
      status.textContent = say("Sent to {name}.", { name: printer.productName || say("the printer") });
    } catch (error) {
      // Most often the driver of the operating system holds the printer.
      status.textContent = say("It could not be sent by USB: {reason} If another program or driver holds the printer, end it first.", { reason: error instanceof Error ? error.message : String(error) });
    }
  };
  const row = (name: string, about: string, text: string, label: string, onClick: () => void): HTMLElement =>
    el("li", {}, el("div", { class: "history-facts" }, el("strong", {}, name), el("small", {}, about)), button({ text, label, kind: "outlined", onClick }));
  const sendRow = (name: string, about: string, path: string, isVirtual = false): HTMLElement => row(name, about, say("Send"), say("Send to {name}", { name }), () => void send(path, name, isVirtual));
  const own = hasUsb() ? [row(say("A printer at this computer"), say("by USB"), say("Choose…"), say("Choose a printer at this computer and send"), () => void sendByUsb())] : [];
  replaceChildren(list, ...own);
  if (!HAS_SERVICE) return;
  let found: Printers;
  try {
    found = await listPrinters(access);
  } catch {
    status.textContent = say("The service cannot be reached.");
    return;
  }
  const rows = [
    ...found.printTo.map((host) => sendRow(host, say("printer"), `api/print?host=${encodeURIComponent(host)}`)),
    ...found.printers.map(({ name, state }) => {
      const stopped = STOPPED[state ?? ""];
      const about = say("without paper; its labels are on the page Printer");
      return sendRow(name, stopped === undefined ? about : `${stopped}; ${about}`, `api/printers/${encodeURIComponent(name)}/print`, true);
    }),
  ];
  list.append(...rows);
  if (rows.length === 0) status.textContent = say("This service has no printer to send to. Start it with --print-to HOST:9100 to allow one.");
}
