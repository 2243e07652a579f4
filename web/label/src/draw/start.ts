// Puts the drawing of this page together: what the build says of module, service and fonts.
import type { ServiceAccess } from "../api";
import { HAS_SERVICE } from "../has-service";
import { startOffline } from "../offline/register";
import type { BrowserRenderer } from "./browser";
import { Drawing, type Drawer } from "./drawing";
import { ServiceRenderer } from "./service";

/** Set by web/build.mjs. */
declare const PLATEN_HAS_MODULE: boolean;
declare const PLATEN_HAS_FONTS: boolean;

function asked(): string | null {
  try {
    return sessionStorage.getItem("platen.label.drawing");
  } catch {
    return null;
  }
}

export function startDrawing(access: ServiceAccess, changed: (drawer: Drawer) => void): Drawing {
  const at = (name: string): URL => new URL(name, access.base);
  const load = async (): Promise<BrowserRenderer> => {
    const { BrowserRenderer } = await import("./browser");
    const { search } = new URL(import.meta.url); // the version of this page
    const browser = await BrowserRenderer.load(at(`platen.wasm${search}`), at(`draw-worker.js${search}`), PLATEN_HAS_FONTS ? at("fonts/") : undefined);
    startOffline(at("service-worker.js"));
    return browser;
  };
  return new Drawing({
    service: HAS_SERVICE ? new ServiceRenderer(access) : undefined,
    load: PLATEN_HAS_MODULE && asked() !== "service" ? load : undefined,
    changed,
  });
}
