// Tests of the types that are made from openapi.json.
import assert from "node:assert/strict";
import fs from "node:fs";
import test from "node:test";
import { answerTypes, readSchemas, target, typeOf, typesOf } from "../../web/answers.mjs";

test("the page's types of answers are those of openapi.json", () => {
  assert.equal(fs.readFileSync(target, "utf8"), answerTypes(), "run node web/answers.mjs");
});

test("schemas become types", () => {
  const type = (schema) => typeOf(schema, new Set());
  assert.equal(type({ type: "integer" }), "number");
  assert.equal(type({ type: ["boolean", "null"] }), "boolean | null");
  assert.equal(type({ type: "string", enum: ["a", "b"] }), '"a" | "b"');
  assert.equal(type({ type: "boolean", const: true }), "true");
  assert.equal(type({ type: "array", items: { type: "string", enum: ["a", "b"] } }), 'readonly ("a" | "b")[]');
  assert.equal(type({ type: "object", additionalProperties: { type: "string" } }), "Readonly<Record<string, string>>");
  assert.equal(type({ type: "object", required: ["x"], properties: { x: { type: "number" }, y: { type: "number" } } }), "{ readonly x: number; readonly y?: number; }");
  assert.throws(() => type({ type: "file" }), /no type/);
});

test("what a schema names comes along, once", () => {
  const schemas = { A: { properties: { b: { $ref: "#/components/schemas/B" }, more: { type: "array", items: { $ref: "#/components/schemas/B" } } } }, B: { description: "Of B.", required: ["a"], properties: { a: { oneOf: [{ $ref: "#/components/schemas/A" }, { type: "null" }] } } } };
  assert.equal(typesOf(schemas, ["A"]), "export interface A {\n  readonly b?: B;\n  readonly more?: readonly B[];\n}\n\n/** Of B. */\nexport interface B {\n  readonly a: A | null;\n}\n");
  assert.throws(() => typesOf({}, ["A"]), /no schema A/);
  assert.ok(readSchemas().Element.properties.overlaps);
});
