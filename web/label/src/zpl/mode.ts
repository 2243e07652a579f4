// The editor's ZPL mode: the lexer as a CodeMirror stream language, and the colours of its tokens.
import { HighlightStyle, LanguageSupport, StreamLanguage, syntaxHighlighting, type StringStream } from "@codemirror/language";
import { Tag, tags } from "@lezer/highlight";
import type { CommandTable } from "./commands";
import { readToken, startState, type LexState, type TokenKind } from "./lexer";

const tokenTags: Record<TokenKind, Tag> = {
  frame: Tag.define(tags.keyword),
  command: Tag.define(tags.keyword),
  fieldEnd: Tag.define(tags.keyword),
  number: Tag.define(tags.number),
  word: Tag.define(tags.atom),
  delimiter: Tag.define(tags.punctuation),
  data: Tag.define(tags.string),
  escape: Tag.define(tags.escape),
  comment: Tag.define(tags.comment),
  payload: Tag.define(tags.meta),
  stray: Tag.define(tags.content),
};

const language = StreamLanguage.define<LexState>({
  name: "zpl",
  startState,
  copyState: (state) => ({ ...state }),
  token: (stream, state) => readToken(stream as never, state),
  tokenTable: tokenTags,
});

interface LineState {
  /** Behind the command of the line. */
  isBehind: boolean;
}

function readLineToken(stream: StringStream, state: LineState, table: CommandTable): TokenKind | null {
  if (stream.sol()) state.isBehind = false;
  if (stream.eatSpace()) return null;
  if (!state.isBehind) {
    state.isBehind = true;
    if (stream.peek() === ";") {
      stream.skipToEnd();
      return "comment";
    }
    const name = table.beginning(stream.string.slice(stream.pos, stream.pos + 20));
    stream.pos += name.length;
    if (name !== "") return "command";
  }
  if (stream.match(/^"[^"]{0,4000}"?/)) return "data";
  if (stream.match(/^[-+]?\d[\d.]*/)) return "number";
  if (stream.eat(",")) return "delimiter";
  if (stream.match(/^[A-Za-z_]\w{0,4000}/)) return "word";
  stream.next();
  return "stray";
}

/** The colours of a language with a command a line, by its table. */
export function lineMode(table: CommandTable): LanguageSupport {
  const byLine = StreamLanguage.define<LineState>({
    name: "by-line",
    startState: () => ({ isBehind: false }),
    token: (stream, state) => readLineToken(stream, state, table),
    tokenTable: tokenTags,
  });
  return new LanguageSupport(byLine, [syntaxHighlighting(colours)]);
}

const colours = HighlightStyle.define([
  { tag: tokenTags.frame, class: "zpl-command" },
  { tag: tokenTags.command, class: "zpl-command" },
  { tag: tokenTags.fieldEnd, color: "var(--code-quiet)" },
  { tag: tokenTags.number, color: "var(--code-number)" },
  { tag: tokenTags.word, color: "var(--code-word)" },
  { tag: tokenTags.delimiter, color: "var(--code-quiet)" },
  { tag: tokenTags.data, color: "var(--code-data)" },
  { tag: tokenTags.escape, color: "var(--code-word)" },
  { tag: tokenTags.comment, color: "var(--code-quiet)", fontStyle: "italic" },
  { tag: tokenTags.payload, color: "var(--code-quiet)" },
  { tag: tokenTags.stray, color: "var(--code-quiet)" },
]);

export function zplMode(): LanguageSupport {
  return new LanguageSupport(language, [syntaxHighlighting(colours)]);
}

export { language as zplLanguage };
