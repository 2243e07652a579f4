// Sends the label to a printer: one that the service may reach (--print-to), a printer without paper of the service itself, or one at this
// computer's USB port.
import { askService, RenderFailure, type ServiceAccess } from "../api";
import { HAS_SERVICE } from "../has-service";
import { button } from "../ui/controls";
import { openDialog } from "../ui/dialog";
import { el, replaceChildren, type Child } from "../ui/dom";
import { say } from "../ui/language";
import { getJson, isStopped, listen, stateInWords, stateWord, useKey, type PrinterState } from "./printer-service";
import { chooseUsbPrinter, hasUsb, sendToUsb } from "./usb";

const AGAIN_MS = 1000;

interface Printers {
  printers: PrinterState[];
  printTo: string[];
}

async function listPrinters(): Promise<Printers> {
  const given = await getJson<Partial<Printers>>("api/printers");
  return { printers: Array.isArray(given.printers) ? given.printers : [], printTo: Array.isArray(given.printTo) ? given.printTo : [] };
}

function pageLink(name: string): HTMLElement {
  return el("a", { href: `printer?name=${encodeURIComponent(name)}`, target: "_blank", rel: "noopener" }, say("Open the printer's page"));
}

export async function openPrinters(zpl: string, access: ServiceAccess): Promise<void> {
  const status = el("p", { role: "status", id: "printer-status" });
  const list = el("ul", { class: "history", id: "printer-list" });
  const dialog = openDialog(say("Send to a printer"), "reading", list, status);
  /** Virtual printers by name, as they are now, and where that stands. */
  const states = new Map<string, PrinterState>();
  const places = new Map<string, HTMLElement>();
  let sent = "";
  /** What became of the label: it follows the printer. */
  const showSent = (): void => {
    const printer = states.get(sent);
    if (!printer) return;
    const name = sent;
    const done = isStopped(printer) ? say("{name} has the label, but does not print: {reason}.", { name, reason: stateWord(printer) }) : say("Sent to {name}.", { name });
    if (status.firstChild?.textContent !== done) replaceChildren(status, done, " ", pageLink(name));
  };
  const showState = (printer: PrinterState): void => {
    states.set(printer.name, printer);
    const place = places.get(printer.name);
    if (!place) return;
    place.textContent = stateInWords(printer);
    place.className = isStopped(printer) ? "tone-warning" : "";
    showSent();
  };
  /** Events of each printer. An answer that was asked for before an event is older than that, and must not replace it. */
  const events = new Map<string, number>();
  const showAnswers = async (asked: () => Promise<readonly PrinterState[]>): Promise<void> => {
    const before = new Map(events);
    const printers = await asked();
    for (const printer of printers) if (events.get(printer.name) === before.get(printer.name)) showState(printer);
  };
  const send = async (path: string, name: string): Promise<void> => {
    try {
      await askService(path, zpl, "text/plain; charset=utf-8", access);
      if (!states.has(name)) {
        status.textContent = say("Sent to {name}.", { name });
        return;
      }
      sent = name;
      status.replaceChildren();
      showSent();
      await showAnswers(async () => [await getJson<PrinterState>(`api/printers/${encodeURIComponent(name)}`)]).catch(() => undefined);
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
  const row = (name: string, about: Child, text: string, label: string, onClick: () => void): HTMLElement =>
    el("li", {}, el("div", { class: "history-facts" }, el("strong", {}, name), el("small", {}, about)), button({ text, label, kind: "outlined", onClick }));
  const sendRow = (name: string, about: Child, path: string): HTMLElement => row(name, about, say("Send"), say("Send to {name}", { name }), () => void send(path, name));
  const virtualRow = (printer: PrinterState): HTMLElement => {
    const { name } = printer;
    const place = el("span", { "data-printer": name });
    places.set(name, place);
    showState(printer);
    const about = el("span", { class: "printer-state" }, place, pageLink(name));
    return sendRow(name, about, `api/printers/${encodeURIComponent(name)}/print`);
  };
  const own = hasUsb() ? [row(say("A printer at this computer"), say("by USB"), say("Choose…"), say("Choose a printer at this computer and send"), () => void sendByUsb())] : [];
  replaceChildren(list, ...own);
  if (!HAS_SERVICE) return;
  useKey(access.apiKey);
  let found: Printers;
  try {
    found = await listPrinters();
  } catch {
    status.textContent = say("The service cannot be reached.");
    return;
  }
  const rows = [
    ...found.printTo.map((host) => sendRow(host, say("printer"), `api/print?host=${encodeURIComponent(host)}`)),
    ...found.printers.map(virtualRow),
  ];
  list.append(...rows);
  if (found.printers.length > 0) {
    const closing = new AbortController();
    dialog.addEventListener("close", () => closing.abort());
    // A label that is printed changes the counts, and the end of printing has no event: they are asked for.
    let asking = false;
    let again = false;
    const refresh = async (): Promise<void> => {
      again = true;
      if (asking) return;
      asking = true;
      while (again && !closing.signal.aborted) {
        again = false;
        await showAnswers(async () => (await listPrinters()).printers).catch(() => undefined);
      }
      asking = false;
      if ([...states.values()].some(({ state }) => state === "printing")) setTimeout(() => void (closing.signal.aborted || refresh()), AGAIN_MS);
    };
    const event = (name: string, data: string): void => {
      if (name === "label") void refresh();
      if (name !== "state") return;
      const printer = JSON.parse(data) as PrinterState;
      events.set(printer.name, (events.get(printer.name) ?? 0) + 1);
      showState(printer);
    };
    // What happened before the stream was open is not told by it.
    const opened = (): void => void refresh();
    void listen("api/printers/events", { opened, event, failed: () => undefined }, closing.signal);
  }
  if (rows.length === 0) status.textContent = say("This service has no printer to send to. Start it with --print-to HOST:9100 to allow one.");
}
