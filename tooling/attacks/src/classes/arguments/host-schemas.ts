import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry, defineTool } from "@cogency/tools";
import type { Attack } from "../../harness/attack.ts";

/** JSON Schemas of hosts, and arguments with a name that the schema does not define. */
type HostSchema = [name: string, schema: object, args: JsonObject];

export const hostSchemas: readonly HostSchema[] = [
  ["without additionalProperties", { properties: { disk: { type: "string" } } }, { disk: "a", force: true }],
  ["in a nested object", { properties: { at: { type: "object", properties: { x: {} } } } }, { at: { x: 1, y: 2 } }],
  [
    "in an object of a list",
    { properties: { all: { type: "array", items: { type: "object", properties: { x: {} } } } } },
    { all: [{ x: 1 }, { x: 1, y: 2 }] },
  ],
  [
    "in a tuple",
    { properties: { all: { type: "array", prefixItems: [{ type: "object", properties: { x: {} } }] } } },
    { all: [{ x: 1, y: 2 }] },
  ],
  [
    "beside what allOf knows",
    { allOf: [{ properties: { disk: {} } }, { properties: { force: {} } }] },
    { disk: "a", forse: true },
  ],
  [
    "beside what anyOf knows",
    { properties: { at: { anyOf: [{ type: "object", properties: { x: {} } }, { type: "null" }] } } },
    { at: { x: 1, y: 1 } },
  ],
  [
    "behind a reference",
    { $defs: { at: { type: "object", properties: { x: {} } } }, properties: { at: { $ref: "#/$defs/at" } } },
    { at: { x: 1, y: 2 } },
  ],
  ["beside a pattern", { properties: {}, patternProperties: { "^x-": {} } }, { "y-a": 1 }],
  ["named like a method", { properties: { disk: {} } }, { disk: "a", valueOf: 1 }],
  ["in an empty schema of properties", { properties: {} }, { force: true }],
];

export function hostSchemaAttack([name, schema, args]: HostSchema): Attack {
  return {
    name: `a JSON Schema, ${name}`,
    async run() {
      const ran: unknown[] = [];
      const tool = defineTool({
        name: "wipe",
        description: "Does it.",
        input: { type: "object", ...schema },
        execute: (given) => ran.push(given),
      });
      await createExecutor({ registry: createRegistry([tool]) }).run([{ name: "wipe", args }], { conversation: "c" });
      return ran.length > 0 ? `ran with ${JSON.stringify(ran[0])}` : undefined;
    },
  };
}
