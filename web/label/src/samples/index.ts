// The gallery's samples: each a whole, printable label with the size it is made for.
import asset from "./asset.zpl";
import barcodes from "./barcodes.zpl";
import fonts from "./fonts.zpl";
import medical from "./medical.zpl";
import pallet from "./pallet.zpl";
import product from "./product.zpl";
import stored from "./stored.zpl";
import { FIRST } from "./first";
import { MM_PER_INCH } from "../model/units";
import { say } from "../ui/language";

export interface Sample {
  id: string;
  name: string;
  about: string;
  widthMm: number;
  heightMm: number;
  zpl: string;
}

const inch = MM_PER_INCH;

export const SAMPLES: readonly Sample[] = [
  { id: "shipping", name: say("Shipping label"), about: say("Address, routing, tracking number"), ...FIRST },
  { id: "pallet", name: say("Pallet label"), about: say("GS1-128 with SSCC, batch and date"), widthMm: 4 * inch, heightMm: 8 * inch, zpl: pallet },
  { id: "product", name: say("Product label"), about: say("EAN-13 and price"), widthMm: 60, heightMm: 40, zpl: product },
  { id: "medical", name: say("Medical specimen"), about: "GS1 Data Matrix", widthMm: 57, heightMm: 32, zpl: medical },
  { id: "asset", name: say("Asset tag"), about: say("QR code with a link"), widthMm: 2 * inch, heightMm: 1 * inch, zpl: asset },
  { id: "stored", name: say("Stored format"), about: say("One format, four labels"), widthMm: 4 * inch, heightMm: 2 * inch, zpl: stored },
  { id: "barcodes", name: say("All bar codes"), about: say("Every symbology, two labels"), widthMm: 4 * inch, heightMm: 6 * inch, zpl: barcodes },
  { id: "fonts", name: say("Fonts and text"), about: say("Resident fonts, blocks, directions"), widthMm: 4 * inch, heightMm: 6 * inch, zpl: fonts },
];
