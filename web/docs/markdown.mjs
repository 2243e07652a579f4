// Reading the project's Markdown: headings with GitHub's anchors, links, code blocks with the mark above them.
// The documentation site, the link checker and the example runner read it the same way.
import MarkdownIt from "markdown-it";

export const markdown = () => new MarkdownIt({ html: true });

/** The text of a heading without its marks. */
const plainText = (inline) => inline.children.map((token) => (token.type === "softbreak" ? " " : token.content)).join("");

/** GitHub's anchor of a heading: lower case, without punctuation, a hyphen for each space. */
const anchorOf = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, "")
    .replaceAll(" ", "-");

/** Headings of a parsed page: `{ level, text, anchor, line, token }`; an anchor that was there before gets a number, as on GitHub. */
export function headings(tokens) {
  const seen = new Map();
  const found = [];
  tokens.forEach((token, i) => {
    if (token.type !== "heading_open") return;
    const text = plainText(tokens[i + 1]);
    const anchor = anchorOf(text);
    const before = seen.get(anchor) ?? 0;
    seen.set(anchor, before + 1);
    found.push({ level: Number(token.tag.slice(1)), text, anchor: before ? `${anchor}-${before}` : anchor, line: token.map[0] + 1, token });
  });
  return found;
}

/** Links and pictures of a parsed page: `{ href, line, token }`. */
export function links(tokens) {
  const found = [];
  const visit = (token, line) => {
    const href = token.attrGet?.("href") ?? token.attrGet?.("src");
    if (href !== null && href !== undefined) found.push({ href, line, token });
    for (const child of token.children ?? []) visit(child, line);
  };
  let line = 1;
  for (const token of tokens) {
    if (token.map) line = token.map[0] + 1;
    visit(token, line);
  }
  return found;
}

/** Code blocks of a parsed page: `{ language, code, line, mark }`. The mark is the HTML comment directly above the block. */
export function codeBlocks(tokens) {
  return tokens.flatMap((token, i) => {
    if (token.type !== "fence") return [];
    const above = tokens[i - 1];
    const mark = above?.type === "html_block" ? (/<!--\s*([^]*?)\s*-->\s*$/.exec(above.content)?.[1] ?? "") : "";
    return [{ language: token.info.trim(), code: token.content, line: token.map[0] + 1, mark }];
  });
}
