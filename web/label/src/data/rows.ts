// Rows of values for a label: CSV with a line of names, as spreadsheets write it.

export type Row = Record<string, string>;

export interface Table {
  names: string[];
  rows: Row[];
  /** The first row, from 1 on, that has not the values of the first line, or a quote without its end; 0: there is none. */
  wrongRow: number;
  /** A name that two columns have. Columns without a name may be several. */
  twice: string | undefined;
}

/** The separator that is most often in the first line, outside quotes. */
function separatorOf(text: string): string {
  const first = (/^(?:"(?:[^"]|"")*"|[^\n"])*/.exec(text)?.[0] ?? "").replace(/"(?:[^"]|"")*"/g, "");
  const count = (separator: string): number => first.split(separator).length;
  return [";", "\t"].reduce((best, separator) => (count(separator) > count(best) ? separator : best), ",");
}

export function parseCsv(text: string): Table {
  const source = text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n");
  const separator = separatorOf(source);
  const lines: string[][] = [];
  let line: string[] = [];
  let value = "";
  let quoted = false;
  const endLine = (): void => {
    line.push(value);
    value = "";
    if (line.length > 1 || line[0]?.trim()) lines.push(line);
    line = [];
  };
  for (let i = 0; i < source.length; i++) {
    const character = source[i] as string;
    if (quoted) {
      if (character !== '"') value += character;
      else if (source[i + 1] === '"') {
        value += '"';
        i++;
      } else quoted = false;
    } else if (character === '"' && value === "") quoted = true;
    else if (character === separator) {
      line.push(value);
      value = "";
    } else if (character === "\n") endLine();
    else value += character;
  }
  if (value !== "" || line.length > 0) endLine();
  const names = (lines.shift() ?? []).map((name) => name.trim());
  const rows = lines.map((cells) => Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ""])));
  const wrongRow = lines.findIndex((cells) => cells.length !== names.length) + 1 || (quoted ? lines.length : 0);
  const twice = names.find((name, at) => name !== "" && names.indexOf(name) < at);
  return { names, rows, wrongRow, twice };
}

/** Names of the values that a label asks for: {{name}}, and ^FN with its prompt or its number. */
export function fieldNames(zpl: string): string[] {
  const found = new Set<string>();
  for (const [, braces, number, prompt] of zpl.matchAll(/\{\{([^{}\n]+)\}\}|\^FN\s*(\d+)(?:"([^"]*)")?/gi)) {
    const name = braces ?? (prompt || number);
    if (name !== undefined) found.add(name);
  }
  return [...found];
}
