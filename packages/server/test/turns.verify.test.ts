import { type Provider, ProviderError } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { randomRuns } from "@tooling/vitest/random-runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PostedByBridge, TurnItem } from "../src/bridge/index.ts";
import { bridged, hers, overs } from "./support/bridged.ts";
import { call } from "./support/site.ts";

type Move = "prompt" | "steer" | "approve" | "deny" | "stale" | "cancel" | "again" | "die" | "delete";

const moves: readonly { weight: number; value: Move }[] = [
  { weight: 8, value: "prompt" },
  { weight: 2, value: "steer" },
  { weight: 6, value: "approve" },
  { weight: 2, value: "deny" },
  { weight: 1, value: "stale" },
  { weight: 2, value: "cancel" },
  { weight: 2, value: "again" },
  { weight: 1, value: "die" },
  { weight: 1, value: "delete" },
];

/** A model that answers, calls a tool that asks, or fails, as these numbers say, and takes some milliseconds. */
function model(numbers: readonly number[]): Provider {
  let asked = 0;
  return {
    name: "moody",
    model: "moody",
    capabilities: { tools: false, session: false, reasoning: false, format: false },
    async *stream() {
      const number = numbers[asked++ % numbers.length] ?? 0;
      await new Promise((resolve) => setTimeout(resolve, number % 7));
      if (number % 5 === 4) throw new ProviderError("bad_request", "canary");
      yield { type: "text", text: number % 3 === 0 ? call : "An answer.<end>" };
      yield { type: "finish", reason: "stop" };
    },
  };
}

async function openQuestion(store: Store): Promise<string> {
  const log = await store.load(hers);
  const asked = log.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data.id] : []));
  return asked.at(-1) ?? "none";
}

async function messageOf(move: Move, id: string, store: Store): Promise<PostedByBridge> {
  const question = move === "stale" ? "none" : await openQuestion(store);
  switch (move) {
    case "approve":
    case "deny":
      return { id, content: { kind: move, question } };
    case "stale":
      return { id, content: { kind: "approve", question } };
    case "cancel":
      return { id, content: { kind: "cancel" } };
    case "steer":
      return { id, content: { kind: "steer", content: "more" } };
    default:
      return { id: move === "again" ? "0" : id, content: { kind: "prompt", content: "hi" } };
  }
}

describe("turns of two bridges on one store", () => {
  it("each end once, whatever is posted when, who dies, and what fails", { timeout: 600_000 }, async () => {
    const step = fc.record({
      move: fc.oneof(...moves.map(({ weight, value }) => ({ weight, arbitrary: fc.constant(value) }))),
      bridge: fc.nat(1),
      pause: fc.nat(12),
    });
    const check = async (
      steps: readonly { move: Move; bridge: number; pause: number }[],
      numbers: readonly number[],
    ) => {
      const store = memoryStore();
      const bridges = [0, 1].map(() => bridged({ store, agent: { provider: model(numbers), lease: { ttl: 1500 } } }));
      const turns: Promise<TurnItem[]>[] = [];
      for (const [at, { move, bridge, pause }] of steps.entries()) {
        await new Promise((resolve) => setTimeout(resolve, pause));
        if (move === "delete") await store.delete(hers);
        // Held by nobody who lives, if no run holds it.
        else if (move === "die") await store.lease(hers, { owner: "dead", ttl: 700 }).catch(() => {});
        else {
          const message = await messageOf(move, `${at}`, store);
          const turn = bridges[bridge]?.turn([message]) ?? Promise.resolve([]);
          turns.push(
            turn.catch((problem: { code?: string }) => {
              // An answer in a conversation that does not exist, or an id that was used for other words.
              expect(["not_found", "conflict"]).toContain(problem.code);
              return [];
            }),
          );
        }
      }
      for (const items of await Promise.all(turns)) {
        if (items.length === 0) continue;
        expect(overs(items)).toHaveLength(1);
        expect(items.at(-1)?.type).toBe("over");
        expect(JSON.stringify(items)).not.toContain("canary");
        const seqs = items.flatMap((item) => (item.type === "event" ? [item.event.seq] : []));
        expect(seqs).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
      }
    };
    const numbers = fc.array(fc.nat(100), { minLength: 1, maxLength: 8 });
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), numbers, check), randomRuns(40));
  });
});
