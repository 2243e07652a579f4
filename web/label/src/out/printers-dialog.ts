// Sends the label to a printer: one that the service may reach (--print-to), or a printer without paper of the service itself.
import { askService, RenderFailure, type ServiceAccess } from "../api";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren } from "../ui/dom";
import { say } from "../ui/language";

interface Printers {
  printers: { name: string }[];
  printTo: string[];
}

async function listPrinters(access: ServiceAccess): Promise<Printers> {
  const headers: Record<string, string> = access.apiKey === "" ? {} : { "X-API-Key": access.apiKey };
  const response = await fetch(new URL("api/printers", access.base), { headers, credentials: "same-origin", cache: "no-store" });
  if (!response.ok) throw new Error("no list");
  const given = (await response.json()) as Partial<Printers>;
  return { printers: Array.isArray(given.printers) ? given.printers : [], printTo: Array.isArray(given.printTo) ? given.printTo : [] };
}

export async function openPrinters(zpl: string, access: ServiceAccess): Promise<void> {
  const status = el("p", { role: "status", id: "printer-status" });
  const list = el("ul", { class: "history", id: "printer-list" });
  openDialog(say("Send to a printer"), "reading", list, status);
  let found: Printers;
  try {
    found = await listPrinters(access);
  } catch {
    status.textContent = say("The service cannot be reached.");
    return;
  }
  const send = async (path: string, name: string): Promise<void> => {
    try {
      await askService(path, zpl, "text/plain; charset=utf-8", access);
      status.textContent = say("Sent to {name}.", { name });
    } catch (error) {
      status.textContent = error instanceof RenderFailure ? error.message : say("It could not be sent to {name}.", { name });
    }
  };
  const row = (name: string, about: string, path: string): HTMLElement =>
    el("li", {}, el("div", { class: "history-facts" }, el("strong", {}, name), el("small", {}, about)), button({ text: say("Send"), label: say("Send to {name}", { name }), kind: "outlined", onClick: () => void send(path, name) }));
  const rows = [
    ...found.printTo.map((host) => row(host, say("printer"), `api/print?host=${encodeURIComponent(host)}`)),
    ...found.printers.map(({ name }) => row(name, say("without paper; its labels are on the page Printer"), `api/printers/${encodeURIComponent(name)}/print`)),
  ];
  replaceChildren(list, ...rows);
  if (rows.length === 0) status.textContent = say("This service may send to no printer. Start it with --print-to HOST:9100 to allow one.");
}
