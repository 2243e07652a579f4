// Whether a text may hold label code in something else: base64, JSON, XML, a form, a command, a string with its escapes. What is in
// `data/packed` is loaded only then.

export function mayBePacked(text: string): boolean {
  return /^\s*(?:[[{"<]|curl\b|wget\b|http\b|data:|[\w.[\]-]+=|[A-Za-z0-9+/_-]{16})/.test(text) || /\\(?:n|r|u005e)|%5EXA|JVBERi0/i.test(text);
}
