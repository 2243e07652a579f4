// Lets the browser show and answer what has waited, between two parts of long work.

/** A text of this length is work that is felt. */
export const LONG_TEXT = 500_000;

export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
