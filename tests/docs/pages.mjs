// The Markdown pages of the repository, read once.
import fs from 'node:fs';
import path from 'node:path';
import { codeBlocks, headings, links, markdown } from '../../web/docs/markdown.mjs';

const inFolder = (folder) => fs.readdirSync(folder).filter((name) => name.endsWith('.md')).map((name) => path.join(folder, name));

/** What a user reads: README and the pages of docs/. */
export const userPages = ['README.md', ...inFolder('docs')];
export const allPages = [...fs.readdirSync('.').filter((name) => name.endsWith('.md')), ...inFolder('docs'), ...inFolder('docs/decisions'),
  ...fs.readdirSync('packages').map((name) => `packages/${name}/README.md`)];

const parser = markdown();
const read = new Map();
export function page(file) {
  if (!read.has(file)) {
    const text = fs.readFileSync(file, 'utf8'), tokens = parser.parse(text, {});
    read.set(file, { file, text, tokens, headings: headings(tokens), links: links(tokens), blocks: codeBlocks(tokens) });
  }
  return read.get(file);
}
