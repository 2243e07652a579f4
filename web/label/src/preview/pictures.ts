// PNGs of the answer as drawable pictures: decoded when first needed, turned if asked, a few kept.
import type { Label } from "../model/result";
import type { Rotation } from "../model/settings";

export type Picture = ImageBitmap | HTMLCanvasElement;

const KEPT = 24;

export function pngBytes(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

export function pngBlob(label: Label): Blob {
  return new Blob([pngBytes(label.data)], { type: "image/png" });
}

export function turnPicture(picture: ImageBitmap, rotation: Rotation): Picture {
  if (rotation === 0) return picture;
  const canvas = document.createElement("canvas");
  const lying = rotation === 90 || rotation === 270;
  canvas.width = lying ? picture.height : picture.width;
  canvas.height = lying ? picture.width : picture.height;
  const context = canvas.getContext("2d");
  if (!context) return picture;
  context.imageSmoothingEnabled = false;
  if (rotation === 90) context.setTransform(0, 1, -1, 0, picture.height, 0);
  else if (rotation === 180) context.setTransform(-1, 0, 0, -1, picture.width, picture.height);
  else context.setTransform(0, -1, 1, 0, 0, picture.width);
  context.drawImage(picture, 0, 0);
  return canvas;
}

export class PictureCache {
  private readonly kept = new Map<string, Promise<Picture>>();

  /** The picture of a label, turned. Equal PNGs share one, so typing elsewhere decodes nothing anew. */
  get(label: Label, rotation: Rotation): Promise<Picture> {
    const key = `${rotation}:${label.data}`;
    let picture = this.kept.get(key);
    if (picture) this.kept.delete(key);
    else picture = this.decode(label, rotation);
    this.kept.set(key, picture);
    if (this.kept.size > KEPT) {
      const oldest = this.kept.keys().next().value;
      if (oldest !== undefined) this.kept.delete(oldest);
    }
    return picture;
  }

  private async decode(label: Label, rotation: Rotation): Promise<Picture> {
    const bitmap = await createImageBitmap(pngBlob(label), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    return turnPicture(bitmap, rotation);
  }
}
