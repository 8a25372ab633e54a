import { type Agent, createAgent, defineTool, withAttachments } from "@cogency/agent";
import type { JsonObject } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, type StoredEvent } from "@cogency/storage";
import { logOf, recordedConversations } from "@tooling/conversations";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordedAnswers } from "./recorded-answers.ts";
import { recordedCalls } from "./recorded-calls.ts";
import { recordedCallsOf } from "./recorded-calls-of.ts";

const block = (...calls: readonly [name: string, args: JsonObject][]) =>
  `<execute>${JSON.stringify(calls.map(([name, args]) => ({ name, args })))}</execute>`;

const named = (name: string) => {
  const found = recordedConversations.find((one) => one.name === name);
  if (!found) throw new Error(`There is no recorded conversation ${name}.`);
  return logOf(found);
};

/** A tool that counts up, so that two identical calls have different results. */
function counter() {
  let count = 0;
  const tool = defineTool({
    name: "count",
    description: "Counts up.",
    input: { type: "object", properties: { by: { type: "number" } }, required: ["by"] },
    execute: ({ by }) => {
      count += Number(by);
      if (count > 100) throw new Error("too many");
      return withAttachments({ count }, [
        { kind: "file", mediaType: "text/plain", data: "YQ==", name: `${count}.txt` },
      ]);
    },
  });
  return { tool, ran: () => count };
}

async function recordOf(...steps: string[]): Promise<StoredEvent[]> {
  const store = memoryStore();
  const { tool } = counter();
  const agent = createAgent({
    provider: scripted(steps, takesFiles),
    tools: [tool],
    store,
  });
  await agent.ask("count", { conversation: "c" });
  return store.load({ conversation: "c" });
}

const takesFiles = { capabilities: { attachments: ["file"] as const } } as never;

function again(...steps: string[]): { agent: Agent; ran: () => number; load: () => Promise<StoredEvent[]> } {
  const { tool, ran } = counter();
  const store = memoryStore();
  const agent = createAgent({
    provider: scripted(steps, takesFiles),
    tools: [tool],
    store,
  });
  return { agent, ran, load: () => store.load({ conversation: "c" }) };
}

const results = (log: readonly StoredEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? [JSON.parse(event.content)] : []));

describe("recordedCallsOf", () => {
  it("has every call of every recorded conversation, in the order of the log", () => {
    for (const conversation of recordedConversations) {
      const log = logOf(conversation);
      const calls = recordedCallsOf(log);
      expect(calls.map(({ seq }) => seq)).toEqual(log.flatMap(({ type, seq }) => (type === "call" ? [seq] : [])));
    }
  });

  it("has the results that the model read, with their attachments", () => {
    for (const conversation of recordedConversations) {
      const log = logOf(conversation);
      const read = results(log)
        .flat()
        .map(({ content }) => content);
      const known = recordedCallsOf(log).flatMap(({ result }) => (result ? [result.content] : []));
      for (const content of read) expect(known).toContainEqual(content);
    }
    expect(recordedCallsOf(named("attachments")).flatMap(({ result }) => result?.attachments ?? [])).not.toEqual([]);
  });

  it("has no result for a call that waits, and what the model read of one whose process died", () => {
    expect(recordedCallsOf(named("approval-open")).at(-1)).toMatchObject({ began: false, result: undefined });
    const unknown = expect.stringContaining("outcome unknown");
    expect(recordedCallsOf(named("killed-in-a-batch"))).toContainEqual(
      expect.objectContaining({ began: true, result: expect.objectContaining({ content: unknown }) }),
    );
  });

  it("never throws, whatever a log holds", () => {
    const event = fc.record({
      type: fc.constantFrom("call", "result", "record", "user", "cancelled", "respond"),
      kind: fc.constantFrom("started", "finished", "approval", "question", "answer", "request"),
      seq: fc.nat(),
      id: fc.oneof(fc.constantFrom("a", "b"), fc.anything()),
      content: fc.oneof(fc.constantFrom('{"name":"a","args":{}}', "[1]", "{"), fc.string()),
      data: fc.oneof(
        fc.anything(),
        fc.record({ id: fc.constantFrom("a", "b"), result: fc.anything(), call: fc.string() }),
      ),
    });
    fc.assert(
      fc.property(fc.array(event), (log) => {
        recordedCallsOf(log as never);
        recordedCalls(log as never);
        recordedAnswers(log as never);
      }),
    );
  });
});

describe("recordedCalls", () => {
  const twice = [block(["count", { by: 1 }], ["count", { by: 1 }]), block(["count", { by: 1 }]), "done <end>"];

  it("answers identical calls with their results in order, each once, and runs no tool", async () => {
    const log = await recordOf(...twice);
    const { agent, ran, load } = again(...twice);
    const recorded = recordedCalls(log);
    await agent.use(recorded.capability).ask("count", { conversation: "c" });
    expect(ran()).toBe(0);
    const said = results(await load());
    expect(said).toEqual(results(log));
    expect(said.flat().map(({ content }) => content.count)).toEqual([1, 2, 3]);
    expect(recordedCallsOf(await load()).map(({ result }) => result)).toEqual(
      recordedCallsOf(log).map(({ result }) => result),
    );
    expect(recorded.unused()).toEqual([]);
    expect(recorded.uses().map(({ recorded }) => recorded?.seq)).toEqual(recordedCallsOf(log).map(({ seq }) => seq));
  });

  it("fails a call that the record does not have, and says which of both it is: unknown, or used up", async () => {
    const log = await recordOf(block(["count", { by: 1 }]), "done <end>");
    const { agent, ran, load } = again(
      block(["count", { by: 1 }], ["count", { by: 1 }], ["count", { by: 2 }]),
      "done <end>",
    );
    const recorded = recordedCalls(log);
    await agent.use(recorded.capability).ask("count", { conversation: "c" });
    expect(ran()).toBe(0);
    expect(results(await load())[0].map(({ content }: { content: unknown }) => content)).toEqual([
      { count: 1 },
      "not recorded: count did not run. Every recorded call with these arguments has answered an earlier call.",
      "not recorded: count did not run. Calls are answered from a record here, which has no result for these arguments.",
    ]);
    expect(recorded.uses().map(({ recorded }) => recorded !== undefined)).toEqual([true, false, false]);
  });

  it("runs what is not recorded where the caller says so", async () => {
    const log = await recordOf(block(["count", { by: 1 }]), "done <end>");
    const { agent, ran } = again(block(["count", { by: 1 }], ["count", { by: 5 }]), "done <end>");
    await agent.use(recordedCalls(log, { missing: "run" }).capability).ask("count", { conversation: "c" });
    expect(ran()).toBe(5);
  });

  it("answers from events after a number only", async () => {
    const log = await recordOf(...twice);
    const first = recordedCallsOf(log)[1]?.seq ?? 0;
    expect(recordedCalls(log, { after: first }).unused()).toHaveLength(1);
    expect(() => recordedCalls(log, { after: -1 })).toThrow(/after/);
    expect(() => recordedCalls(log, { missing: "ask" as never })).toThrow(/missing/);
  });

  it("answers or reports every call that a model makes, whatever it asks for", async () => {
    const log = await recordOf(...twice);
    const call = fc.tuple(fc.constantFrom("count", "gone"), fc.record({ by: fc.constantFrom(1, 2, "x") }));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(call, { minLength: 1, maxLength: 4 }), { maxLength: 4 }), async (steps) => {
        const { agent, ran, load } = again(...steps.map((calls) => block(...(calls as never[]))), "done <end>");
        const recorded = recordedCalls(log);
        await agent.use(recorded.capability).ask("count", { conversation: "c" });
        const made = recordedCallsOf(await load());
        const uses = recorded.uses();
        expect(uses.map(({ name, args, id }) => ({ name, args, id }))).toEqual(
          made.map(({ name, args, id }) => ({ name, args, id })),
        );
        expect(new Set(uses.flatMap(({ recorded }) => recorded?.seq ?? [])).size).toBe(3 - recorded.unused().length);
        expect(ran()).toBe(0);
      }),
      { numRuns: 40 },
    );
  });
});

describe("recordedAnswers", () => {
  const asks = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input: { type: "object", properties: { order: { type: "string" } }, required: ["order"] },
    approval: "ask",
    execute: ({ order }) => `refunded ${order}`,
  });

  async function refunds(options: Parameters<Agent["ask"]>[1], ...orders: string[]) {
    const store = memoryStore();
    const steps = [block(...orders.map((order) => ["refund", { order }] as [string, JsonObject])), "done <end>"];
    const agent = createAgent({ provider: scripted(steps), tools: [asks], store });
    await agent.ask("refund", { conversation: "c", ...options });
    return store.load({ conversation: "c" });
  }

  it("answers the same question as the person did, and denies any other", async () => {
    const log = await refunds(
      { approve: ({ call }) => (call.args.order === "A" ? true : { approved: false, reason: "not B" }) },
      "A",
      "B",
    );
    const said = results(await refunds(recordedAnswers(log), "B", "A", "C"))[0];
    expect(said.map(({ content }: { content: string }) => content)).toEqual([
      "refund was refused and did not run: not B",
      "refunded A",
      "refund was refused and did not run: no person is asked here, and the record has no answer to this question",
    ]);
  });

  it("answers what a tool asked", async () => {
    const log = named("tool-asks-a-person");
    const question = log.find((event) => event.type === "record" && event.kind === "question");
    const answer = log.find((event) => event.type === "record" && event.kind === "answer");
    if (question?.type !== "record" || question.kind !== "question") throw new Error("Nothing was asked.");
    if (answer?.type !== "record" || answer.kind !== "answer") throw new Error("Nothing was answered.");
    const [call] = recordedCallsOf(log);
    const request = { call, message: question.data.message };
    const given = recordedAnswers(log);
    expect(await given.answer(request as never)).toEqual(answer.data.content);
    await expect(given.answer({ ...request, message: "Which deck?" } as never)).rejects.toThrow("no answer");
  });
});
