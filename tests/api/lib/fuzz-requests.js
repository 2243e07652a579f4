// Requests made from an OpenAPI description: such as it allows, and such as it does not.
import { OMIT, sample, spoiled } from './fuzz-values.js';

/** A form of parts, with its content type. */
function multipart(parts) {
  const boundary = 'fuzz-7d9f';
  const chunks = parts.map(([name, value]) => Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${name === 'file' ? '; filename="f"' : ''}\r\n\r\n`), Buffer.from(value), Buffer.from('\r\n')]));
  return { type: `multipart/form-data; boundary=${boundary}`, bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]) };
}

const asText = (value) => (Buffer.isBuffer(value) ? value : typeof value === 'object' ? JSON.stringify(value) : String(value));

export class Requests {
  /** `known(operation, name)`: a value that the description cannot have, or undefined; name 'body TYPE': of a whole body. */
  constructor(description, random, known) {
    Object.assign(this, { description, random, known });
  }

  #value(operation, schema, name) {
    return sample(this.description, this.random, schema, (key) => (key === undefined ? undefined : this.known(operation, key)), name);
  }

  #parameters(operation) {
    return (operation.parameters ?? []).map((node) => this.description.resolve(node));
  }

  #types(operation) {
    return Object.keys(this.description.resolve(operation.responses[200] ?? operation.responses[201] ?? operation.responses[202]).content);
  }

  /** Parts, headers and body of a request that is allowed. */
  #allowed({ operation }) {
    const given = new Map();
    for (const parameter of this.#parameters(operation)) {
      if (!parameter.required && !this.random.chance(0.15)) continue;
      const value = this.#value(operation, parameter.schema, parameter.name);
      if (value !== OMIT) given.set(parameter, value);
    }
    const content = operation.requestBody && this.description.resolve(operation.requestBody).content;
    const type = content && this.random.pick(Object.keys(content));
    const own = type && this.known(operation, `body ${type}`);
    const body = type && (own ?? this.#value(operation, content[type].schema, `body ${type}`));
    return { given, type, body, schema: type && this.description.resolve(content[type].schema), whole: own !== undefined };
  }

  #message({ route, method, operation }, { given, type, body }) {
    let path = route;
    const query = [];
    const headers = {};
    for (const [{ in: place, name }, value] of given) {
      if (place === 'path') path = path.replace(`{${name}}`, () => encodeURIComponent(asText(value)));
      else if (place === 'query') query.push(`${name}=${encodeURIComponent(asText(value))}`);
      else headers[name] = encodeURI(asText(value));
    }
    const accept = this.known(operation, 'Accept') ?? (this.random.chance(0.5) ? this.random.pick(this.#types(operation)) : undefined);
    if (accept) headers.Accept = accept;
    let bytes;
    if (type) {
      headers['Content-Type'] = type === 'multipart/mixed' ? `${type}; boundary=m` : type;
      if (Buffer.isBuffer(body)) bytes = body;
      else if (type === 'application/json' || type === 'application/x-ndjson') bytes = Buffer.from(JSON.stringify(body));
      else if (type === 'multipart/form-data') {
        const form = multipart(Object.entries(body).flatMap(([name, value]) => (Array.isArray(value) ? value.map((item) => [name, asText(item)]) : [[name, asText(value)]])));
        headers['Content-Type'] = form.type;
        bytes = form.bytes;
      } else if (type === 'application/x-www-form-urlencoded' && typeof body === 'object') {
        bytes = Buffer.from(new URLSearchParams(Object.entries(body).map(([name, value]) => [name, asText(value)])).toString());
      } else bytes = Buffer.from(String(body));
    }
    return { method, path: path + (query.length ? `?${query.join('&')}` : ''), headers, bytes };
  }

  valid(target) {
    return { ...this.#message(target, this.#allowed(target)), target, valid: true, why: 'valid' };
  }

  /** A request with one thing wrong in it, where anything of it can be wrong. */
  invalid(target) {
    const { random, description } = this;
    const parts = this.#allowed(target);
    const wrongs = [];
    for (const parameter of this.#parameters(target.operation)) {
      const value = spoiled(description, random, parameter.schema, true);
      // In a path of Labelary's, label code may be where the index is.
      if (value === undefined || (target.operation.operationId === 'labelaryGet' && parameter.name === 'index')) continue;
      wrongs.push(() => {
        parts.given.set(parameter, value);
        return `${parameter.in} ${parameter.name}=${asText(value)}`;
      });
    }
    if (parts.type === 'application/json' && !parts.whole) {
      wrongs.push(() => {
        parts.body = Buffer.from(random.pick(['{"', '{"a":1,}', '{"a" 1}', '\u0000', '{"a":01}', '"', 'nul']));
        return `body ${parts.body}`;
      });
      const { properties = {}, required = [] } = parts.schema;
      for (const [name, member] of Object.entries(properties)) {
        const value = spoiled(description, random, member, false);
        if (value === undefined) continue;
        wrongs.push(() => {
          parts.body[name] = value;
          // The query wins over the body.
          for (const parameter of parts.given.keys()) if (parameter.name === name) parts.given.delete(parameter);
          return `member ${name}: ${asText(value)}`;
        });
      }
      for (const name of required) {
        wrongs.push(() => {
          delete parts.body[name];
          return `member ${name} is missing`;
        });
      }
    }
    if (parts.type) {
      wrongs.push(() => {
        parts.body = parts.type === 'multipart/form-data' ? this.#message(target, parts).bytes : parts.body;
        parts.type = random.pick(['image/svg+xml', 'text/xml', 'application/rtf', 'video/mp4', 'audio/wav']);
        if (!Buffer.isBuffer(parts.body)) parts.body = Buffer.from(asText(parts.body));
        return `content type ${parts.type}`;
      });
    }
    // The page of Hygro takes its own forms.
    if (target.route !== '/') wrongs.push(() => 'method');
    if (wrongs.length === 0) return this.valid(target);
    const why = random.pick(wrongs)();
    const message = this.#message(target, parts);
    if (why === 'method') {
      const described = Object.keys(description.document.paths[target.route]).map((method) => method.toUpperCase());
      message.method = random.pick(['POST', 'PUT', 'DELETE', 'PATCH'].filter((method) => !described.includes(method)));
    }
    return { ...message, target, valid: false, why };
  }
}
