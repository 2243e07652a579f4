// The service's answers as TypeScript types, from its OpenAPI document: node web/answers.mjs writes label/src/model/answers.ts.
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const source = new URL("../apps/platen/docs/openapi.json", import.meta.url);
export const target = new URL("label/src/model/answers.ts", import.meta.url);

/** What the page reads; the schemas that these name come along. */
const WANTED = ["JsonResult", "Command", "ComparisonAnswer", "ErrorResponse"];

/** The document in the sources has places that the service fills in; none of them is in an answer that is wanted. */
export function readSchemas() {
  const text = fs.readFileSync(source, "utf8").replace(/(?<!")\{\{\w+\}\},?(?!")/g, "").replace(/,(\s*[}\]])/g, "$1");
  return JSON.parse(text).components.schemas;
}

const NAMES = { string: "string", integer: "number", number: "number", boolean: "boolean", null: "null" };

/** A schema as a type; the schemas that it refers to are added to `named`. */
export function typeOf(schema, named) {
  if (schema.$ref) {
    const name = schema.$ref.split("/").at(-1);
    named.add(name);
    return name;
  }
  if (schema.oneOf) return schema.oneOf.map((one) => typeOf(one, named)).join(" | ");
  if ("const" in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, named)).join(" | ");
  if (schema.type === "array") {
    const item = typeOf(schema.items, named);
    return `readonly ${/[ |]/.test(item) ? `(${item})` : item}[]`;
  }
  if (schema.type === "object" && schema.properties) return `{ ${members(schema, named).join(" ")} }`;
  if (schema.type === "object" && typeof schema.additionalProperties === "object") return `Readonly<Record<string, ${typeOf(schema.additionalProperties, named)}>>`;
  const name = NAMES[schema.type];
  if (!name) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return name;
}

function members({ properties, required = [] }, named) {
  return Object.entries(properties).map(([name, schema]) => `readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(schema, named)};`);
}

function comment(schema, indent) {
  return schema.description ? `${indent}/** ${schema.description.replaceAll("*/", "* /")} */\n` : "";
}

export function typesOf(schemas, wanted) {
  const named = new Set(wanted);
  const written = [];
  // A set goes on to those that are added meanwhile.
  for (const name of named) {
    const schema = schemas[name];
    if (!schema) throw new Error(`there is no schema ${name}`);
    const lines = members(schema, named).map((member, at) => `${comment(Object.values(schema.properties)[at], "  ")}  ${member}\n`);
    written.push(`${comment(schema, "")}export interface ${name} {\n${lines.join("")}}\n`);
  }
  return written.join("\n");
}

export function answerTypes() {
  return `// Made by web/answers.mjs from apps/platen/docs/openapi.json: what the service answers. Values are checked where they are read.\n\n${typesOf(readSchemas(), WANTED)}\n/** An answer that is not believed yet: the names of its fields are known, their values may be anything. */\nexport type Unchecked<Type> = { readonly [Name in keyof Type]?: unknown };\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(target, answerTypes());
