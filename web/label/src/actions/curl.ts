// The curl command that makes the same picture, quoted so that no shell reads anything into the label's code.

/** More than this does not fit one argument on Linux (128 KiB), so the command reads a file. */
const LONGEST_ARGUMENT = 100_000;

/** One word for a POSIX shell; for control characters the $'…' form that bash, zsh and ksh read. */
export function shellQuote(text: string): string {
  // A terminal acts on control characters while pasting, before any quoting counts.
  if (/[\x00-\x08\x0b-\x1f\x7f]/.test(text)) {
    const escaped = text.replace(/[\\'\x00-\x08\x0b-\x1f\x7f]/g, (character) => {
      if (character === "\\" || character === "'") return `\\${character}`;
      return `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;
    });
    return `$'${escaped}'`;
  }
  return `'${text.replace(/'/g, "'\\''")}'`;
}

export interface CurlRequest {
  url: string;
  zpl: string;
  outputName: string;
  inputName: string;
  /** Sent as a placeholder, never the key itself. */
  needsKey: boolean;
}

export function curlCommand(request: CurlRequest): string {
  const fits = new TextEncoder().encode(request.zpl).length <= LONGEST_ARGUMENT && !request.zpl.includes("\0");
  // --data-raw, since --data-binary would take a leading @ for a file name.
  const body = fits ? `--data-raw ${shellQuote(request.zpl)}` : `--data-binary ${shellQuote(`@${request.inputName}`)}`;
  const lines = [`curl --fail ${shellQuote(request.url)}`, `--header 'Content-Type: text/plain'`];
  if (request.needsKey) lines.push(`--header "X-API-Key: $PLATEN_API_KEY"`);
  lines.push(`--output ${shellQuote(request.outputName)}`, body);
  return lines.join(" \\\n  ");
}
