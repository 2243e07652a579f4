// The languages of labels: what the service calls them, and what people do. A row that is missing shows the service's name.
const NAMES: Readonly<Record<string, string>> = { zpl: "ZPL", epl: "EPL2", tspl: "TSPL", cpcl: "CPCL" };

export function languageName(language: string): string {
  return NAMES[language] ?? language.toUpperCase();
}
