// Printers at this computer's USB port, where the browser reaches them: WebUSB, which Chromium's browsers have on secure pages.

/** The part of WebUSB that printing needs. */
interface UsbEndpoint {
  endpointNumber: number;
  direction: "in" | "out";
  type: "bulk" | "interrupt" | "isochronous";
}

interface UsbAlternate {
  alternateSetting: number;
  interfaceClass: number;
  endpoints: readonly UsbEndpoint[];
}

interface UsbInterface {
  interfaceNumber: number;
  alternates: readonly UsbAlternate[];
}

interface UsbConfiguration {
  interfaces: readonly UsbInterface[];
}

export interface UsbDevice {
  productName?: string;
  configuration: UsbConfiguration | null;
  open(): Promise<void>;
  close(): Promise<void>;
  selectConfiguration(value: number): Promise<void>;
  claimInterface(number: number): Promise<void>;
  selectAlternateInterface(number: number, alternate: number): Promise<void>;
  releaseInterface(number: number): Promise<void>;
  transferOut(endpoint: number, data: Uint8Array<ArrayBuffer>): Promise<{ status: string; bytesWritten: number }>;
}

interface Usb {
  requestDevice(options: { filters: { classCode: number }[] }): Promise<UsbDevice>;
}

const PRINTER_CLASS = 7;
/** Some systems refuse larger transfers. */
const PIECE = 64 * 1024;

function usb(): Usb | undefined {
  return (navigator as { usb?: Usb }).usb;
}

export function hasUsb(): boolean {
  return usb() !== undefined;
}

/** Asks the user for one of the printers. Undefined: the user chose none. */
export async function chooseUsbPrinter(): Promise<UsbDevice | undefined> {
  try {
    return await usb()?.requestDevice({ filters: [{ classCode: PRINTER_CLASS }] });
  } catch (error) {
    if (error instanceof DOMException && error.name === "NotFoundError") return undefined;
    throw error;
  }
}

interface Way {
  number: number;
  alternate: number;
  endpoint: number;
}

/** Where the device takes what it prints. */
export function findWay(configuration: UsbConfiguration | null): Way | undefined {
  for (const { interfaceNumber, alternates } of configuration?.interfaces ?? [])
    for (const { alternateSetting, interfaceClass, endpoints } of alternates) {
      const out = endpoints.find((endpoint) => endpoint.direction === "out" && endpoint.type === "bulk");
      if (interfaceClass === PRINTER_CLASS && out) return { number: interfaceNumber, alternate: alternateSetting, endpoint: out.endpointNumber };
    }
  return undefined;
}

/** All bytes, or an error. The device is closed in any case, so that others can print. */
export async function sendToUsb(device: UsbDevice, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  await device.open();
  try {
    if (!device.configuration) await device.selectConfiguration(1);
    const way = findWay(device.configuration);
    if (!way) throw new Error("the device has no printer's interface");
    await device.claimInterface(way.number);
    if (way.alternate !== 0) await device.selectAlternateInterface(way.number, way.alternate);
    for (let at = 0; at < bytes.length; ) {
      const { status, bytesWritten } = await device.transferOut(way.endpoint, bytes.slice(at, at + PIECE));
      if (status !== "ok" || bytesWritten === 0) throw new Error(`the printer stopped taking data (${status})`);
      at += bytesWritten;
    }
    await device.releaseInterface(way.number);
  } finally {
    await device.close().catch(() => undefined);
  }
}
