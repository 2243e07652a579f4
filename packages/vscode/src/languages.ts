// The languages of label code and the names of their files, as package.json tells them to the editor.
import { contributes } from "../package.json";

export const LANGUAGES = contributes.languages.map(({ id }) => id);

const NAMES = contributes.languages.flatMap(({ id, extensions }) => extensions.map((extension) => ({ id, extension })));

/** All label files of a folder. */
export const FILES = `**/*{${NAMES.map(({ extension }) => extension).join(",")}}`;

/** The language of a file, by its name. */
export function languageOf(path: string): string | undefined {
  return NAMES.find(({ extension }) => path.toLowerCase().endsWith(extension))?.id;
}
