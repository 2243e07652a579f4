// Hands the picture and the link to another app, where the browser can: on phones, mostly.

export function canShare(): boolean {
  return typeof navigator.share === "function" && matchMedia("(pointer: coarse)").matches;
}

/** False: the user changed their mind, or the browser did not allow it. */
export async function share(picture: Blob, name: string, link: string): Promise<boolean> {
  const files = [new File([picture], name, { type: picture.type })];
  const whole = { files, title: name, url: link };
  const data = navigator.canShare?.(whole) ? whole : navigator.canShare?.({ files }) ? { files, title: name } : { title: name, url: link };
  try {
    await navigator.share(data);
    return true;
  } catch {
    return false;
  }
}
