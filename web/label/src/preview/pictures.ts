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

export function pngBlob(label: Pick<Label, "data">): Blob {
  return new Blob([pngBytes(label.data)], { type: "image/png" });
}

export function turnPicture(picture: Picture, rotation: Rotation): Picture {
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

function keyOf(label: Label, rotation: Rotation): string {
  return `${rotation}:${label.data}`;
}

/** Frees the memory of a picture at once; the garbage collector may take minutes. */
export function releasePicture(picture: Picture): void {
  if (picture instanceof ImageBitmap) picture.close();
  else picture.width = picture.height = 0;
}

export class PictureCache {
  private readonly kept = new Map<string, Promise<Picture>>();
  /** On the screen: released only when another one takes its place. */
  private shown: Picture | undefined;

  /** The picture of a label, turned. Equal PNGs share one, so typing elsewhere decodes nothing anew. */
  get(label: Label, rotation: Rotation): Promise<Picture> {
    const key = keyOf(label, rotation);
    let picture = this.kept.get(key);
    if (!picture) {
      const fresh = this.decode(label, rotation);
      // A picture that failed is decoded again the next time.
      fresh.catch(() => {
        if (this.kept.get(key) === fresh) this.kept.delete(key);
      });
      picture = fresh;
    }
    this.keep(key, picture);
    return picture;
  }

  /** The picture of a label whose dots are there already. */
  put(label: Label, rotation: Rotation, picture: Picture): void {
    const key = keyOf(label, rotation);
    if (this.kept.has(key)) this.drop(key);
    this.keep(key, Promise.resolve(picture));
  }

  private keep(key: string, picture: Promise<Picture>): void {
    this.kept.delete(key);
    this.kept.set(key, picture);
    if (this.kept.size > KEPT) this.drop(this.kept.keys().next().value as string);
  }

  /** The picture that is on the screen now. */
  show(picture: Picture | undefined): void {
    const before = this.shown;
    this.shown = picture;
    if (before && before !== picture) void this.releaseUnlessKept(before);
  }

  private drop(key: string): void {
    const picture = this.kept.get(key);
    this.kept.delete(key);
    picture?.then(
      (dropped) => this.releaseLater(dropped),
      () => undefined,
    );
  }

  /** In a task of its own: whoever waits for it goes on in this one, and draws it first. */
  private releaseLater(picture: Picture): void {
    setTimeout(() => {
      if (picture !== this.shown) releasePicture(picture);
    });
  }

  private async releaseUnlessKept(picture: Picture): Promise<void> {
    for (const kept of [...this.kept.values()]) if ((await kept.catch(() => undefined)) === picture) return;
    this.releaseLater(picture);
  }

  private async decode(label: Label, rotation: Rotation): Promise<Picture> {
    const bitmap = await createImageBitmap(pngBlob(label), { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    const turned = turnPicture(bitmap, rotation);
    if (turned !== bitmap) bitmap.close();
    return turned;
  }
}
