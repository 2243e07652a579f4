// Paths of Windows for the program, which takes them apart at slashes. Elsewhere a backslash is part of a name.

/** Options of the module's commands whose values are texts that may hold a backslash. Other words that hold one are paths. */
const TEXTS = ["--severity", "--docs-url"];

export function slashed(path: string, platform: string = process.platform): string {
  return platform === "win32" ? path.replaceAll("\\", "/") : path;
}

export function slashedArguments(words: readonly string[], platform: string = process.platform): string[] {
  const isText = (word: string, before: string | undefined): boolean => TEXTS.some((option) => before === option || word.startsWith(`${option}=`));
  return words.map((word, i) => (isText(word, words[i - 1]) ? word : slashed(word, platform)));
}
