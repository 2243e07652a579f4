// Values that fit a JSON Schema, and values that do not, by a seeded generator of random numbers.

export class Random {
  constructor(seed) {
    this.state = seed >>> 0;
  }

  /** mulberry32: from 0 to below 1. */
  next() {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let t = this.state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  }

  below(n) { return Math.floor(this.next() * n); }
  pick(list) { return list[this.below(list.length)]; }
  chance(share) { return this.next() < share; }
}

const CHARACTERS = ['a', 'Z', '0', '9', 'x', 'T', ':', '-', '.', ' ', '*', 'é', '+', '%', '/'];

/** An example with a character taken out, put in or replaced. */
function nearby(random, text) {
  const at = random.below(text.length + 1);
  const rest = text.slice(at + random.below(2));
  return text.slice(0, at) + (random.chance(0.7) ? random.pick(CHARACTERS) : '') + rest;
}

const typesOf = (schema) => [schema.type ?? (schema.properties ? 'object' : 'string')].flat();
// Words of values have no case.
const fits = (schema, text, flags = 'u') => new RegExp(schema.pattern, flags).test(text);

function number(random, schema) {
  const whole = !typesOf(schema).includes('number');
  const least = schema.minimum ?? schema.exclusiveMinimum ?? -1000;
  const most = schema.maximum ?? schema.exclusiveMaximum ?? Math.max(least + 1, 200);
  const edges = [schema.minimum, schema.maximum].filter((edge) => edge !== undefined);
  if (edges.length && random.chance(0.2)) return random.pick(edges);
  const value = least + (most - least) * random.next();
  const rounded = whole ? Math.floor(value) : Number(value.toFixed(random.below(4)));
  return rounded > least || schema.minimum === least ? rounded : whole ? least + 1 : least + (most - least) / 2;
}

/** Given by `known` for what is left out. */
export const OMIT = Symbol('left out');

/** A value that fits. `known`: what the schema cannot have, such as the names of printers: of a member's name, undefined or a value. */
export function sample(description, random, node, known, name) {
  const own = known(name);
  if (own !== undefined) return own;
  const schema = description.resolve(node);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return random.pick(schema.enum);
  const type = random.pick(typesOf(schema));
  const choices = schema.oneOf ?? schema.anyOf;
  if (choices && !schema.properties) return sample(description, random, random.pick(choices), known, undefined);
  if (type === 'boolean') return random.chance(0.5);
  if (type === 'number' || type === 'integer') return number(random, { ...schema, type });
  if (type === 'array') return Array.from({ length: 1 + random.below(3) }, () => sample(description, random, schema.items, known));
  if (type === 'object') {
    const required = [...(schema.required ?? []), ...(choices ? random.pick(choices).required ?? [] : [])];
    const excluded = choices?.flatMap((choice) => choice.required ?? []) ?? [];
    const members = Object.entries(schema.properties ?? {}).filter(([key]) =>
      required.includes(key) || (!excluded.includes(key) && random.chance(random.chance(0.5) ? 0.1 : 0.4)));
    return Object.fromEntries(members.map(([key, member]) => [key, sample(description, random, member, known, key)]).filter(([, value]) => value !== OMIT));
  }
  if (schema.pattern && schema.examples) {
    const near = nearby(random, random.pick(schema.examples));
    return fits(schema, near) ? near : random.pick(schema.examples);
  }
  return schema.examples ? random.pick(schema.examples) : random.pick(['a', 'Hello', 'x y', 'ü', '0']);
}

/** A value that does not fit, and that nobody could take for one that does; undefined: there is none. `text`: it has no type, as in a query. */
export function spoiled(description, random, node, text) {
  const schema = description.resolve(node);
  const found = [];
  const types = typesOf(schema);
  const choices = schema.oneOf ?? schema.anyOf;
  // A number, or a text that is one.
  if (choices) {
    const each = choices.map((choice) => description.resolve(choice));
    if (!each.every((choice) => choice.type === 'number' || choice.pattern)) return undefined;
    const outside = each.flatMap(({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }) => [minimum - 1, maximum + 1, exclusiveMinimum, exclusiveMaximum].filter(Number.isFinite));
    return random.pick(['abc', '--5', '1,2,3', '5 %', '0x10', ...outside, ...outside.map(String), ...(text ? [] : [true, {}, []])]);
  }
  if (schema.enum || schema.const !== undefined) found.push('zzz', 'png jpeg', '-1');
  else if (types.includes('number') || types.includes('integer')) {
    if (!types.includes('string')) found.push('abc', '1e999', '0x10', '1,2,3', '--5');
    if (schema.minimum !== undefined) found.push(schema.minimum - 1);
    if (schema.exclusiveMinimum !== undefined) found.push(schema.exclusiveMinimum, schema.exclusiveMinimum - 0.5);
    if (schema.maximum !== undefined) found.push(schema.maximum + 1);
    if (schema.exclusiveMaximum !== undefined) found.push(schema.exclusiveMaximum);
    if (!types.includes('number') && !schema.pattern) found.push((schema.minimum ?? 0) + 0.5);
  } else if (types.includes('boolean')) found.push('perhaps', '2', '-');
  if (schema.pattern && schema.examples) found.push(...Array.from({ length: 8 }, () => nearby(random, random.pick(schema.examples))).filter((near) => !fits(schema, near, 'ui')));
  // null counts as not given.
  if (!text) {
    for (const [type, value] of [['object', {}], ['array', []], ['boolean', true], ['string', 'zzz'], ['number', 1.5]]) {
      if (!types.includes(type) && !(type === 'number' && types.includes('integer') && schema.minimum > 1)) found.push(value);
    }
  }
  return found.length ? random.pick(found) : undefined;
}
