// The languages of labels: what the service calls them, and what people do. A row that is missing shows the service's name.
const NAMES: Readonly<Record<string, string>> = { zpl: "ZPL", epl: "EPL2", tspl: "TSPL", cpcl: "CPCL" };

export function languageName(language: string): string {
  return NAMES[language] ?? language.toUpperCase();
}

/** What stands between the name of a command and its parameters, in languages with a command a line. */
export function blankBehindNames(language: string): string {
  return language === "epl" ? "" : " ";
}
