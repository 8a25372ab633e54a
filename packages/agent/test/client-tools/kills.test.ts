import type { ModelRequest } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { RunResult } from "../../src/index.ts";
import { add, here, machines, recordsOf } from "../support/client-tools.ts";
import { block, resultsIn } from "../support/fixtures.ts";

/** A store whose process dies right before its nth append, or right after it. */
function dying(inner: Store, nth: number, when: "before" | "after"): { store: Store; appends(): number } {
  let appends = 0;
  const store: Store = {
    ...inner,
    async append(key, events, options) {
      appends += 1;
      if (appends > nth) throw new Error("killed");
      if (appends < nth) return inner.append(key, events, options);
      if (when === "after") await inner.append(key, events, options);
      throw new Error("killed");
    },
  };
  return { store, appends: () => appends };
}

const calls = block(["add", { a: 1, b: 2 }], ["add", { a: 3, b: 4 }]);
const model = (request: ModelRequest) => (JSON.stringify(request.messages).includes("sum") ? "Added.<end>" : calls);

/** The program of a person, which runs each call once and outlives the processes of the agent. */
function client() {
  const ran: unknown[] = [];
  const known = new Set<string>();
  const goOnWith = async ({ goOn, agent }: ReturnType<ReturnType<typeof machines>["machine"]>): Promise<RunResult> => {
    for (;;) {
      const result = await goOn();
      if (result.status !== "waiting") return result;
      for (const { question, args } of result.waiting ?? []) {
        if (known.has(question)) continue;
        known.add(question);
        ran.push(args);
        const { a, b } = args as { a: number; b: number };
        await agent.send(here, { kind: "answer", question, content: { output: { sum: a + b } } });
      }
    }
  };
  return { ran, goOnWith };
}

const steps = Array.from({ length: 6 }, () => model);

async function played(nth: number, when: "before" | "after") {
  const inner = memoryStore();
  const { ran, goOnWith } = client();
  const { store, appends } = dying(inner, nth, when);
  const killed = machines({}, store).machine(steps);
  await killed.agent.send(here, { kind: "prompt", content: "Add.", tools: [add] });
  await goOnWith(killed);
  const result = await goOnWith(machines({}, inner).machine(steps));
  return { result, ran, inner, appends: appends() };
}

describe("a call of a tool of the client, and a process that dies", async () => {
  const whole = await played(Number.POSITIVE_INFINITY, "after");
  const moments = Array.from({ length: whole.appends }, (_, index) => index + 1).flatMap((nth) => [
    [nth, "before"] as const,
    [nth, "after"] as const,
  ]);

  it("has many moments in which it can die", () => {
    expect(whole.result.text).toBe("Added.");
    expect(moments.length).toBeGreaterThan(16);
  });

  it.each(moments)(
    "right at append %i (%s): the client runs each call once, and the turn ends as always",
    async (...at) => {
      const { result, ran, inner } = await played(...at);
      expect(result).toMatchObject({ status: "completed", text: "Added." });
      expect(ran).toHaveLength(2);
      expect(ran).toEqual(
        expect.arrayContaining([
          { a: 1, b: 2 },
          { a: 3, b: 4 },
        ]),
      );
      expect(await resultsIn(inner)).toEqual([
        [
          { tool: "add", status: "success", content: { sum: 3 } },
          { tool: "add", status: "success", content: { sum: 7 } },
        ],
      ]);
      expect(recordsOf(await inner.load(here), "client_tools")).toEqual([{ tools: [add] }]);
    },
  );
});
