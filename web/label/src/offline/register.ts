// Keeps the page for visits without a net. It comes last: nothing of the first visit waits for it.

export function startOffline(script: URL): void {
  if (!("serviceWorker" in navigator) || !isSecureContext) return;
  // A browser that refuses (a private window, a policy, a frame without an origin) leaves the page as it is.
  try {
    navigator.serviceWorker.register(script, { scope: new URL("./", script).pathname }).catch(() => undefined);
  } catch {
    // nothing is kept
  }
}
