import { formatCalls, type LogEvent } from "@cogency/protocol";
import { type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { countWork } from "@tooling/vitest/count-work";
import { describe, expect, it } from "vitest";
import { block, collect, conversation } from "../../test/support/fixtures.ts";
import { createAgent } from "../create-agent.ts";
import { protocolDriver } from "../drivers/protocol-driver.ts";
import type { AgentOptions, RunOptions } from "../index.ts";
import { nativeDriver } from "../native.ts";
import { Outlet } from "../outlet.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);
const input = { type: "object", properties: { at: { type: "string" } } } as const;
const tools = [
  defineTool({
    name: "look",
    description: "Looks.",
    input,
    annotations: { readOnlyHint: true, openWorldHint: true },
    execute: ({ at }) => `seen at ${at}`,
  }),
  defineTool({ name: "wipe", description: "Wipes.", input, approval: "ask", execute: () => "wiped" }),
  defineTool({
    name: "book",
    description: "Books.",
    input,
    asks: true,
    execute: async (_, { ask }) => ask({ message: "For how many?" }),
  }),
  defineTool({
    name: "pay",
    description: "Pays.",
    input,
    execute: () => "paid",
    verify: () => ({ outcome: "done", value: "receipt" }),
  }),
];

const calls = (name: string, count: number): [string, object][] =>
  Array.from({ length: count }, (_, index) => [name, { at: `${index}` }]);

const agentOf = (store: Store, steps: ScriptedStep[], options: Partial<AgentOptions> = {}) =>
  createAgent({ provider: scripted(steps), tools, store, keyRing, ...options });

/** A run with one batch, and what its model wrote after it. */
const steps: [
  name: string,
  write: (count: number) => ScriptedStep,
  options?: Partial<AgentOptions>,
  run?: RunOptions,
][] = [
  ["JSON", (count) => block(...calls("look", count))],
  ["JSON in the token view", (count) => block(...calls("look", count)), {}, { stream: "token" }],
  ["JSON without streaming", (count) => block(...calls("look", count)), {}, { stream: null }],
  [
    "XML",
    (count) =>
      formatCalls(
        calls("look", count).map(([name, args]) => ({ name, args: { ...args } })),
        { dialect: "xml" },
      ),
    { driver: protocolDriver({ dialect: "xml" }) },
  ],
  [
    "native calls",
    (count) => ({
      events: calls("look", count).map(([name, args], index) => ({
        type: "tool_call",
        id: `n${index}`,
        name,
        arguments: JSON.stringify(args),
      })),
    }),
    { driver: nativeDriver() },
  ],
  ["calls that begin early", (count) => block(...calls("look", count)), { execution: { earlyStart: true } }],
  ["calls that nobody knows", (count) => block(...calls("fly", count))],
  [
    "units of text before a call",
    (count) => `${"<think>a</think>b ".repeat(count)}${block(...calls("look", 1))}`,
    {},
    { stream: "token" },
  ],
];

const works = async (run: (count: number) => Promise<() => Promise<unknown>>) => {
  const counted: number[] = [];
  for (const count of [10, 100, 1_000]) {
    const work = await run(count);
    counted.push(await countWork(work));
  }
  return counted;
};

function expectLinear(counted: readonly number[]): void {
  for (const [index, more] of counted.slice(1).entries()) expect(more / (counted[index] as number)).toBeLessThan(12);
}

/** A log that breaks off in the middle of a batch: half of its calls have ended, and one of four has begun. */
async function brokenOff(count: number, name: string): Promise<Store> {
  const whole = memoryStore();
  await agentOf(whole, [block(...calls(name, count)), "ok<end>"]).ask("go", { conversation, approve: () => true });
  const ids = new Map<string, number>();
  const events = (await whole.load({ conversation })).map(({ seq: _, ...event }) => event as LogEvent);
  const end = events.findIndex(({ type }) => type === "result");
  const kept = events.slice(0, end).filter((event) => {
    if (event.type === "call") ids.set(event.id ?? "", ids.size);
    if (event.type !== "record" || (event.kind !== "started" && event.kind !== "finished")) return true;
    const place = (ids.get(event.data.id) ?? 0) % 4;
    return event.kind === "started" ? place < 3 : place < 2;
  });
  const store = memoryStore();
  await store.append({ conversation }, kept);
  return store;
}

describe("ten times the calls of a block are at most twelve times the work", () => {
  it.each(steps)("for a step that writes %s", async (_name, write, options, run) => {
    expectLinear(
      await works(async (count) => async () => {
        const store = memoryStore();
        await collect(agentOf(store, [write(count), "ok<end>"], options).run("go", { conversation, ...run }));
      }),
    );
  });

  it("for a run of which all is heard, by a consumer that reads slowly", async () => {
    expectLinear(
      await works(async (count) => async () => {
        const agent = agentOf(memoryStore(), [block(...calls("look", count)), "ok<end>"]);
        for await (const _ of agent.run("go", { conversation, events: "all" })) await new Promise(setImmediate);
      }),
    );
  });

  it.each(["look", "wipe", "pay"])("for a batch of `%s` that a crash broke off", async (name) => {
    expectLinear(
      await works(async (count) => {
        const store = await brokenOff(count, name);
        const options = { conversation, approve: () => true };
        return async () => collect(agentOf(store, ["ok<end>"]).recover(options));
      }),
    );
  });

  it.each(["look", "pay"])(
    "for a batch of `%s` that a crash broke off, and whose place a prompt takes",
    async (name) => {
      expectLinear(
        await works(async (count) => {
          const store = await brokenOff(count, name);
          return async () => collect(agentOf(store, ["ok<end>"]).run("Never mind.", { conversation }));
        }),
      );
    },
  );

  it.each([
    ["wipe", (question: string) => ({ kind: "approve", question }) as const],
    ["book", (question: string) => ({ kind: "answer", question, content: "two" }) as const],
  ])("for a batch of `%s` whose questions are answered by messages", async (name, answer) => {
    expectLinear(
      await works(async (count) => {
        const store = memoryStore();
        const agent = agentOf(store, [block(...calls(name, count)), "ok<end>"]);
        const { waiting = [] } = await agent.ask("go", { conversation });
        expect(waiting).toHaveLength(count);
        for (const { question } of waiting) await agent.send({ conversation }, answer(question));
        return async () => {
          const result = await agent.recover({ conversation }).result;
          expect(result.status).toBe("completed");
        };
      }),
    );
  });

  it("for events that wait for their consumer", async () => {
    expectLinear(
      await works(async (count) => async () => {
        const outlet: Outlet<number> = new Outlet(() => new Promise(() => {}));
        outlet.next();
        for (let event = 0; event < count * 10; event++) {
          outlet.offer(event);
          if (event % 3 === 0) outlet.next();
        }
      }),
    );
  });
});
