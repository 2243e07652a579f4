// The documentation as a site: README and docs/*.md to HTML files, their pictures, and the texts that the search looks through.
import fs from "node:fs";
import path from "node:path";
import { headings, links, markdown } from "./markdown.mjs";

const INDEX = "docs/README.md";

/** Where a file of the repository is on the site, or nothing if it is not part of it. */
function siteName(file) {
  if (file === INDEX) return "index.html";
  if (file === "README.md") return "start.html";
  if (file === "SECURITY.md") return "security.html";
  const name = /^docs\/([^/]+)\.md$/.exec(file)?.[1];
  if (name) return `${name}.html`;
  return /^docs\/(images|barcodes)\/[^/]+\.png$/.test(file) ? file.slice("docs/".length) : undefined;
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Leads links to the site's files. What is only in the repository becomes plain text. */
function relink(tokens, file, used) {
  let open = [];
  for (const { href, token } of links(tokens)) {
    if (/^[a-z]+:/.test(href) || href.startsWith("#")) continue;
    const [target, anchor] = href.split("#");
    const to = path.posix.normalize(path.posix.join(path.posix.dirname(file), target));
    const name = siteName(to);
    if (name) {
      token.attrSet(token.type === "image" ? "src" : "href", anchor ? `${name}#${anchor}` : name === "index.html" ? "./" : name);
      if (token.type === "image") used.add(to);
    } else {
      if (token.type === "image") throw new Error(`${file}: the picture ${href} is not part of the site`);
      open.push(token);
    }
  }
  for (const token of tokens) {
    const kept = [];
    for (const child of token.children ?? []) {
      if (child.type === "link_open" && open.includes(child)) {
        child.tag = "span";
        child.attrs = [["title", "in the repository"]];
        kept.push(child);
      } else if (child.type === "link_close" && kept.length > 0 && kept.at(-1).tag === "span") {
        child.tag = "span";
        kept.pop();
      } else if (child.type === "link_open") kept.push(child);
      else if (child.type === "link_close") kept.pop();
    }
  }
}

/** Markup that a strict policy and a keyboard need: no style attributes, scrolling parts that take the focus, no comments. */
function adapt(parser) {
  const { rules } = parser.renderer;
  rules.table_open = () => '<div class="table" role="group" aria-label="Table" tabindex="0"><table>\n';
  rules.table_close = () => "</table></div>\n";
  rules.fence = (tokens, i) => {
    const language = tokens[i].info.trim();
    return `<pre tabindex="0" data-language="${escape(language)}"><code>${escape(tokens[i].content)}</code></pre>\n`;
  };
  rules.html_inline = rules.html_block = (tokens, i) => {
    if (!/^<!--[^]*-->\s*$/.test(tokens[i].content)) throw new Error(`HTML in the documentation: ${tokens[i].content}`);
    return "";
  };
  const cell = (tokens, i, options, env, self) => {
    const style = tokens[i].attrGet("style");
    if (style) tokens[i].attrs = [["class", style.replace("text-align:", "")]];
    return self.renderToken(tokens, i, options);
  };
  rules.th_open = cell;
  rules.td_open = cell;
}

/** Tables without headings have no header row, and a cell without a heading is no header: screen readers would read out nothing. */
function withoutEmptyHeaders(tokens) {
  const kept = [];
  for (let i = 0; i < tokens.length; i++) {
    if (tokens[i].type === "thead_open") {
      const end = tokens.findIndex((token, at) => at > i && token.type === "thead_close");
      const cells = tokens.slice(i, end).filter((token) => token.type === "inline");
      if (cells.every(({ content }) => content === "")) {
        i = end;
        continue;
      }
    }
    if (tokens[i].type === "th_open" && tokens[i + 1].content === "") tokens[i].tag = tokens[i + 2].tag = "td";
    kept.push(tokens[i]);
  }
  return kept;
}

/** The sections of a page for the search: a heading and the text below it. */
function sections(tokens, found) {
  const parts = [];
  let next = 0;
  for (const [i, token] of tokens.entries()) {
    if (found[next]?.token === token) parts.push({ ...found[next++], words: [] });
    const part = parts.at(-1);
    if (!part || tokens[i - 1]?.type === "heading_open") continue;
    if (token.type === "inline") part.words.push(...token.children.map((child) => (child.type === "html_inline" ? "" : child.content)).filter(Boolean));
    if (token.type === "fence") part.words.push(token.content);
  }
  return parts.map(({ text, anchor, level, words }) => ({ text, anchor, level, body: words.join(" ").replace(/\s+/g, " ").slice(0, 6000) }));
}

/** The sidebar: the headings and the links in the tables of the index. */
function readMenu(tokens, titles) {
  const groups = [{ title: "", entries: ["start.html"] }];
  for (const heading of headings(tokens)) {
    if (heading.level !== 2) continue;
    const from = tokens.indexOf(heading.token);
    const to = tokens.findIndex((token, i) => i > from && token.type === "heading_open");
    const part = tokens.slice(from, to < 0 ? undefined : to);
    const entries = links(part).map(({ token }) => token.attrGet("href")).filter((href) => titles.has(href));
    groups.push({ title: heading.text, entries });
  }
  return groups;
}

const menu = (groups, titles, current) =>
  groups
    .map(({ title, entries }) => {
      const items = entries.map((name) => `<li><a href="${name}"${name === current ? ' aria-current="page"' : ""}>${escape(titles.get(name))}</a></li>`).join("");
      return `${title ? `<h2>${escape(title)}</h2>` : ""}<ul>${items}</ul>`;
    })
    .join("\n");

function contents(found) {
  const parts = found.filter((heading) => heading.level === 2);
  if (parts.length < 3) return "";
  return `<nav class="contents" aria-label="On this page"><h2>On this page</h2><ul>${parts.map(({ text, anchor }) => `<li><a href="#${anchor}">${escape(text)}</a></li>`).join("")}</ul></nav>`;
}

/**
 * Writes the site into `out`. Answers the files that were read, so that the build knows when to make it again.
 * `template` is the HTML around a page, with {{title}}, {{menu}}, {{contents}} and {{body}}.
 */
export function buildSite({ root, out, template }) {
  const parser = markdown();
  adapt(parser);
  const files = ["README.md", "SECURITY.md", ...fs.readdirSync(path.join(root, "docs")).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)];
  const used = new Set();
  const pages = files.map((file) => {
    const tokens = withoutEmptyHeaders(parser.parse(fs.readFileSync(path.join(root, file), "utf8"), {}));
    const found = headings(tokens);
    relink(tokens, file, used);
    for (const { token, anchor } of found) token.attrSet("id", anchor);
    return { file, name: siteName(file), tokens, found };
  });
  const titles = new Map(pages.map(({ name, found }) => [name, name === "start.html" ? "First five minutes" : found[0].text]));
  const groups = readMenu(pages.find(({ file }) => file === INDEX).tokens, titles);
  groups.find(({ title }) => title === "Run").entries.push("security.html");
  fs.mkdirSync(out, { recursive: true });
  const searched = [];
  for (const { name, tokens, found } of pages) {
    const values = { title: escape(titles.get(name)), menu: menu(groups, titles, name), contents: contents(found), body: parser.renderer.render(tokens, parser.options, {}) };
    fs.writeFileSync(path.join(out, name), template.replace(/\{\{(\w+)\}\}/g, (all, key) => values[key]));
    for (const { text, anchor, level, body } of sections(tokens, found)) {
      searched.push({ page: titles.get(name), heading: text, address: level === 1 ? (name === "index.html" ? "./" : name) : `${name}#${anchor}`, body });
    }
  }
  fs.writeFileSync(path.join(out, "search.json"), JSON.stringify(searched));
  for (const file of used) {
    const to = path.join(out, siteName(file));
    fs.mkdirSync(path.dirname(to), { recursive: true });
    fs.copyFileSync(path.join(root, file), to);
  }
  return [...files, ...used, "docs"];
}
