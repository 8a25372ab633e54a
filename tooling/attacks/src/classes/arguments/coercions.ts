import type { JsonObject } from "@cogency/protocol";
import { createExecutor, createRegistry, defineTool } from "@cogency/tools";
import * as z from "zod";
import type { Attack } from "../../harness/attack.ts";

/** Values of another type than the schema's. The tool must run with the value that was shown. */
type Coercion = [schema: z.ZodType, value: unknown];

export const coercions: readonly Coercion[] = [
  [z.number(), "1e3"],
  [z.number(), "0x10"],
  [z.number(), " 5 "],
  [z.number(), "١"],
  [z.number(), ""],
  [z.number(), "1_000"],
  [z.number(), "9007199254740993"],
  [z.number(), "1e400"],
  [z.number(), true],
  [z.number(), [5]],
  [z.int(), "5.0"],
  [z.boolean(), "no"],
  [z.boolean(), "off"],
  [z.boolean(), "0"],
  [z.boolean(), 0],
  [z.boolean(), "False"],
  [z.boolean(), "true "],
  [z.array(z.string()), "a,b"],
  [z.array(z.string()), '["a"]x'],
  [z.array(z.string()), "a"],
  [z.object({ x: z.number() }), '{"x":1,"x":2}'],
  [z.object({ x: z.number() }), '{"x":1,"y":2}'],
  [z.object({ x: z.number() }), '{"__proto__":{"x":1}}'],
  [z.string(), { toString: "x" }],
  [z.string(), ["a"]],
  [z.string(), 5],
  [z.string(), null],
  [z.string(), "\ud800"],
];

export function coercionAttack([schema, value]: Coercion): Attack {
  return {
    name: `${JSON.stringify(value)} for ${schema.type}`,
    async run() {
      const shown: unknown[] = [];
      const ran: unknown[] = [];
      const tool = defineTool({
        name: "set",
        description: "Does it.",
        input: z.object({ value: schema }),
        approval: "ask",
        execute: (args) => ran.push((args as { value: unknown }).value),
      });
      const executor = createExecutor({
        registry: createRegistry([tool]),
        approval: { approve: async ({ call }) => shown.push(call.args.value) > 0 },
      });
      await executor.run([{ name: "set", args: { value } as JsonObject }], { conversation: "c" });
      if (ran.length === 0) return undefined;
      if (shown.length === 0) return "ran without a question";
      return isSame(shown[0], ran[0])
        ? undefined
        : `${JSON.stringify(ran[0])} ran, ${JSON.stringify(shown[0])} was shown`;
    },
  };
}

/** Whether a person reads the same value: it is equal, or the JSON text of the other. */
function isSame(shown: unknown, ran: unknown): boolean {
  if (JSON.stringify(shown) === JSON.stringify(ran)) return true;
  return typeof shown === "string" && shown.trim() === JSON.stringify(ran);
}
