// What can go wrong, as one kind of error with a code that programs can rely on.

/**
 * - `invalid`: an option is out of its bounds
 * - `no_labels`: there is no label in the code
 * - `not_found`: there is no page of this number
 * - `limit`: more bytes, labels, graphics … than the limits allow
 * - `memory`: the labels need more memory than the limits allow
 * - `deadline`: it took longer than `limits.milliseconds`
 * - `cancelled`: the signal was aborted
 * - `trap`: the label broke the instance; the engine has made a new one, and other labels can be rendered
 * - `disposed`: the engine was disposed of
 * - `load`: the module, a font or the worker could not be loaded
 * - `bug`: a fault of the renderer
 */
export type PlatenErrorCode =
  | "invalid"
  | "no_labels"
  | "not_found"
  | "limit"
  | "memory"
  | "deadline"
  | "cancelled"
  | "trap"
  | "disposed"
  | "load"
  | "bug";

export class PlatenError extends Error {
  override readonly name = "PlatenError";

  constructor(
    readonly code: PlatenErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

const CODES: Record<string, PlatenErrorCode> = {
  invalid: "invalid",
  not_found: "not_found",
  limit: "limit",
  memory: "memory",
  deadline: "deadline",
  cancelled: "cancelled",
};

/** The library's own names of what failed. */
export function codeOf(statusName: string): PlatenErrorCode {
  return CODES[statusName] ?? "bug";
}

/** The library's messages begin with a small letter and have no full stop, since they follow a colon there; those of controls are sentences already. */
export function sentence(message: string): string {
  return message === "" ? "" : `${message[0]!.toUpperCase()}${message.slice(1).replace(/\.?$/, ".")}`;
}
