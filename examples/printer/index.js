// Prints to a virtual printer of Platen and waits for the label.
export class Printer {
  constructor(url = 'http://127.0.0.1:8080', name = 'printer', key = '') {
    this.base = `${url}/api/printers/${name}`;
    this.headers = key ? { Authorization: `Bearer ${key}` } : {};
  }

  async #fetch(path, options = {}) {
    const response = await fetch(this.base + path, { ...options, headers: { ...this.headers, ...options.headers } });
    if (!response.ok) throw new Error((await response.json()).error);
    return response;
  }

  async #ask(path, options) {
    return (await this.#fetch(path, options)).json();
  }

  state(changes) {
    return changes ? this.#ask('/state', { method: 'PUT', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(changes) }) : this.#ask('');
  }

  reset() {
    return this.#ask('/reset', { method: 'POST', body: '' });
  }

  /** The next label after a number, with its texts and barcodes. */
  async next({ after = 0, timeout = 30, match = '' } = {}) {
    const label = await this.#ask(`/labels/next?after=${after}&timeout=${timeout}&match=${encodeURIComponent(match)}`);
    const elements = label.label?.elements ?? [];
    label.texts = elements.filter(({ type }) => type === 'text').map(({ text }) => text);
    label.barcodes = elements.filter(({ type }) => type === 'barcode').map(({ symbology, data }) => ({ symbology, data }));
    return label;
  }

  /** Prints label code and gives the first label that comes of it. */
  async print(zpl, options = {}) {
    const { lastSeq } = await this.state();
    await this.#ask('/print', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: zpl });
    return this.next({ after: lastSeq, ...options });
  }

  async png(seq) {
    return Buffer.from(await (await this.#fetch(`/labels/${seq}.png`)).arrayBuffer());
  }
}
