// An OpenAPI description: resolving references, and holding answers against it.
import Ajv2020 from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

export class Description {
  #ajv = new Ajv2020({ strict: false, allErrors: true });
  #checks = new Map();

  constructor(document) {
    this.document = document;
    addFormats(this.#ajv);
    this.#ajv.addSchema({ $id: 'api', ...document });
    this.operations = Object.entries(document.paths).flatMap(([route, item]) =>
      Object.entries(item).map(([method, operation]) => ({ route, method: method.toUpperCase(), operation })));
  }

  resolve(node) {
    let at = node;
    while (at?.$ref) at = at.$ref.slice(2).split('/').reduce((from, key) => from[key.replaceAll('~1', '/').replaceAll('~0', '~')], this.document);
    return at;
  }

  /** Why the value does not fit the schema, which may refer to others; undefined: it does. */
  misfit(schema, value) {
    if (!this.#checks.has(schema)) this.#checks.set(schema, this.#ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"api#/'))));
    const check = this.#checks.get(schema);
    return check(value) ? undefined : JSON.stringify(check.errors.slice(0, 3).map(({ instancePath, message, params }) => ({ instancePath, message, params })));
  }

  /** What of an answer { status, headers, body } is not described. */
  mismatches({ method, operation }, answer) {
    const described = this.resolve(operation.responses[answer.status] ?? operation.responses.default);
    if (!described) return [`status ${answer.status} is not described`];
    const found = [];
    for (const [name, node] of Object.entries(described.headers ?? {})) {
      const { schema, required } = this.resolve(node);
      const value = answer.headers[name.toLowerCase()];
      if (value === undefined) {
        if (required) found.push(`the header ${name} is missing`);
        continue;
      }
      const why = this.misfit(schema, schema.type === 'integer' || schema.type === 'number' ? Number(value) : value);
      if (why) found.push(`the header ${name} is '${value}': ${why}`);
    }
    if (answer.status === 304 || method === 'HEAD' || (!described.content && answer.body.length === 0)) return found;
    const type = (answer.headers['content-type'] ?? '').split(';')[0];
    const content = described.content?.[type];
    if (!content) return [...found, `the type ${type} of status ${answer.status} is not described, only ${Object.keys(described.content ?? {})}`];
    const documents = type === 'application/json' ? [answer.body] : type === 'application/x-ndjson' ? answer.body.toString().trimEnd().split('\n') : [];
    for (const text of documents) {
      let why;
      try {
        why = this.misfit(content.schema, JSON.parse(text));
      } catch (error) {
        why = error.message;
      }
      if (why) found.push(`the body of status ${answer.status}: ${why}\n    ${text.toString().slice(0, 400)}`);
    }
    return found;
  }
}
