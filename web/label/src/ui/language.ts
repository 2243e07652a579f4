// The language of the page. The key of a text is the text in English, so an English page needs no catalog and waits for none.
// The other catalogs (languages/*.json) are files of their own; this module is whole when the chosen one is there.
import { preferences } from "../actions/preferences";

export const LANGUAGES = { en: "English", pt: "Português", es: "Español", de: "Deutsch", fr: "Français", zh: "简体中文" } as const;

export type Language = keyof typeof LANGUAGES;
/** Numbers are written as people of the language write them; what must stay as it is comes as a string. */
export type TextValues = Readonly<Record<string, string | number>>;
/** A text, or with a count in it one for each plural form of the language. */
type Catalog = Readonly<Record<string, string | Partial<Record<Intl.LDMLPluralRule, string>>>>;

const CATALOGS: Record<Exclude<Language, "en">, () => Promise<{ default: Catalog }>> = {
  pt: () => import("../../languages/pt.json", { with: { type: "json" } }),
  es: () => import("../../languages/es.json", { with: { type: "json" } }),
  de: () => import("../../languages/de.json", { with: { type: "json" } }),
  fr: () => import("../../languages/fr.json", { with: { type: "json" } }),
  zh: () => import("../../languages/zh.json", { with: { type: "json" } }),
};

/** The first of these tags that names a language of the page: "pt-BR" names Portuguese. */
export function languageOf(tags: readonly (string | null)[]): Language | undefined {
  return tags.map((tag) => (tag ?? "").toLowerCase().split(/[-_]/)[0] as Language).find((name) => Object.hasOwn(LANGUAGES, name));
}

// Tests run parts of the page where there is no page.
const isPage = typeof document !== "undefined";
const browserTags = isPage ? navigator.languages : [];

function wanted(): Language {
  if (!isPage) return "en";
  return languageOf([new URLSearchParams(location.search).get("lang"), preferences.get("language"), ...browserTags]) ?? "en";
}

export let language = wanted();
let catalog: Catalog = {};
if (language !== "en") {
  try {
    catalog = (await CATALOGS[language]()).default;
  } catch {
    language = "en"; // a page in English is better than none
  }
}
if (isPage) document.documentElement.lang = language === "zh" ? "zh-Hans" : language;

/** With the country of the browser, where it has one for this language: numbers and dates differ by it. */
export const locale = browserTags.find((tag) => languageOf([tag]) === language) ?? language;

let numbers: Intl.NumberFormat | undefined;
let plurals: Intl.PluralRules | undefined;

function inNumbers(): Intl.NumberFormat {
  return (numbers ??= new Intl.NumberFormat(locale, { maximumFractionDigits: 3 }));
}

function fill(text: string, values: TextValues): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = values[name];
    return typeof value === "number" ? inNumbers().format(value) : (value ?? whole);
  });
}

/** A text of the page in its language. The first argument is always written out, so that tools find it. */
export function say(text: string, values?: TextValues): string {
  const given = catalog[text];
  const found = typeof given === "string" ? given : text;
  return values ? fill(found, values) : found;
}

/** A text with {count} in it; `other` is its key. */
export function sayCount(one: string, other: string, count: number, values?: TextValues): string {
  const form = (plurals ??= new Intl.PluralRules(locale)).select(count);
  const given = catalog[other];
  const found = typeof given === "object" ? (given[form] ?? given.other) : undefined;
  return fill(found ?? (form === "one" ? one : other), { count, ...values });
}

let decimalSign: string | undefined;

/** A number that is written with a point, for people; never for code or files. */
export function withDecimalSign(number: string): string {
  decimalSign ??= inNumbers().format(1.5)[1] as string;
  return number.replaceAll(".", decimalSign);
}
