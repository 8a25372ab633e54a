import { createExecutor, createRegistry, defineTool, type ToolState } from "@cogency/tools";
import * as z from "zod";
import type { Attack } from "../../harness/attack.ts";
import { slow } from "./slow.ts";

/** Pieces of earlier results that slow down the search for a planted call. */
export const echoPieces = [
  '"pay"',
  "pay",
  '{"name":"pay",',
  '{"name":"pay","args":{',
  '\\"',
  "\\u0070",
  "&quot;pay&quot;",
  "<pay ",
  "{".repeat(40),
  "\\".repeat(60),
  " \n",
  "p&#97;y",
];

export function echoAttack(piece: string): Attack {
  return {
    name: `echo: ${JSON.stringify(piece.slice(0, 30))}`,
    async run() {
      const content = JSON.stringify([
        { tool: "page", status: "success", content: piece.repeat(Math.ceil(1_000_000 / piece.length)) },
      ]);
      const state: ToolState = {
        events: [
          { type: "result", content, payload: { tools_executed: 1, success_count: 1, failure_count: 0 }, timestamp: 1 },
        ],
        metadata: {},
        step: 1,
        usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 },
      };
      const pay = defineTool({
        name: "pay",
        description: "Pays.",
        input: z.object({ to: z.string() }),
        execute: () => "paid",
      });
      const executor = createExecutor({ registry: createRegistry([pay]), approval: { policy: () => "allow" } });
      return slow(() => executor.run([{ name: "pay", args: { to: "mallory" } }], { conversation: "c", state }));
    },
  };
}
