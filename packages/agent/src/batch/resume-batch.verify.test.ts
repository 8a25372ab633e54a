import { type LogEvent, parseResults } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { type Approval, defineTool, type ToolAnnotations, type ToolHook } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";

const conversation = "c";

/** A tool that counts what it does for each of its items. */
function counter(name: string, annotations: ToolAnnotations = {}) {
  const done = new Map<string, number>();
  const tool = defineTool({
    name,
    description: `${name} an item.`,
    input: z.object({ item: z.string() }),
    annotations,
    execute({ item }) {
      done.set(item, (done.get(item) ?? 0) + 1);
      return `${name} ${item}`;
    },
  });
  return { tool, done };
}

async function lastResults(store: Store) {
  const result = (await store.load({ conversation }, { types: ["result"] })).at(-1);
  return result?.type === "result" ? (parseResults(result.content) ?? []) : [];
}

/** The items of the calls whose question was answered. */
function answeredIn(log: readonly LogEvent[]): ReadonlySet<unknown> {
  const ids = new Set(
    log.flatMap((event) =>
      event.type === "record" && event.kind === "approval" && event.data.status !== "asked" ? [event.data.id] : [],
    ),
  );
  return new Set(
    log.flatMap((event) =>
      event.type === "call" && ids.has(event.id ?? "") ? [JSON.parse(event.content).args.item] : [],
    ),
  );
}

describe("approvals across a restart", () => {
  it.each([false, true])(
    "hold when a mixed batch is killed anywhere, and again while it recovers (early start: %s)",
    async (earlyStart) => {
      const calls: [name: string, item: string][] = [
        ["look", "l"],
        ["alias", "x"],
        ["pay", "a"],
        ["pay", "no"],
        ["pay", "blocked"],
        ["look", "steered"],
        ["nope", "n"],
        ["set", "s"],
      ];
      const text = block(...calls.map(([name, item]): [string, object] => [name, { item }]));
      const hooks: ToolHook[] = [
        {
          name: "steer",
          beforeToolUse({ call: { name, args } }) {
            if (args.item === "blocked") return { block: "no" };
            return name === "alias" || args.item === "steered" ? { call: { name: "pay" } } : undefined;
          },
        },
      ];
      /** Dies at the append after `first`, and the recovery at the one after `second`; tells which of the two did. */
      const died = async (first: number, second: number) => {
        const inner = memoryStore();
        const dying = (survived: number): Store => {
          let appends = 0;
          const append: Store["append"] = (...batch) =>
            appends++ < survived ? inner.append(...batch) : Promise.reject(new Error("killed"));
          return { ...inner, append };
        };
        const asked: unknown[] = [];
        let answered: ReadonlySet<unknown> = new Set();
        const repeated: unknown[] = [];
        const pay = counter("pay");
        const look = counter("look", { readOnlyHint: true });
        const tools = [pay.tool, look.tool, counter("set", { idempotentHint: true }).tool];
        const approval: Approval = {
          policy: { tools: { set: "allow" } },
          async approve({ call }) {
            if (answered.has(call.args.item)) repeated.push(call.args.item);
            asked.push(call.args.item);
            return call.args.item !== "no";
          },
        };
        const execution = { approval, hooks, earlyStart };
        const agentOn = async (store: Store) => {
          const stored = await inner.load({ conversation });
          const wrote = stored.some(({ type }) => type === "call");
          // Whoever comes now asks again at most what was asked and not answered.
          expect(asked.splice(0).filter((item, place, all) => all.indexOf(item) < place)).toEqual([]);
          answered = answeredIn(stored);
          return createAgent({
            provider: scripted(wrote ? ["fine", "fine"] : [text, "fine"]),
            tools,
            store,
            execution,
          });
        };
        const run = await (await agentOn(dying(first))).run("go", { conversation }).result;
        if (run.status === "completed") return "nobody";
        const recovery = await (await agentOn(dying(second))).recover({ conversation }).result;
        if (recovery.status !== "completed") {
          const last = await (await agentOn(inner)).recover({ conversation }).result;
          expect(last.status).toBe("completed");
        }
        expect(repeated).toEqual([]);
        expect([...pay.done].filter(([item, times]) => times > 1 || !["a", "x", "steered"].includes(item))).toEqual([]);
        expect(look.done.has("steered")).toBe(false);
        const results = await lastResults(inner);
        expect(results).toHaveLength(calls.length);
        for (const [place, item] of [
          [1, "x"],
          [2, "a"],
          [5, "steered"],
        ] as const) {
          if (results[place]?.status === "success") expect(pay.done.get(item)).toBe(1);
          else expect(results[place]?.content).toMatch(/may have completed/);
        }
        return recovery.status === "completed" ? "the run" : "both";
      };
      for (let first = 1; (await died(first, 0)) !== "nobody"; first++) {
        let second = 1;
        while ((await died(first, second)) === "both") second++;
      }
    },
  );
});
