import type { Json, LogEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { type MessageContent, memoryStore, redactingStore, redactSecrets } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { messageStatement } from "../../src/inbox/message-statement.ts";
import { createAgent } from "../../src/index.ts";
import { add, here, keyRing, machines, recordsOf } from "../support/client-tools.ts";
import { block, resultsIn } from "../support/fixtures.ts";

const adding = block(["add", { a: 1, b: 2 }]);
const two = block(["add", { a: 1, b: 2 }], ["add", { a: 3, b: 4 }]);

const refusals = (log: readonly LogEvent[]) =>
  recordsOf(log, "message").flatMap(({ refused }: { refused?: string }) => refused ?? []);

/** A conversation that waits for the client. */
async function waiting(calls = adding) {
  const side = machines();
  const asked = await side.machine([calls]).prompt("Add.", [add]);
  const ids = (asked.waiting ?? []).map(({ question }) => question);
  return { ...side, ids, question: ids[0] ?? "" };
}

describe("an answer that is not the client's", () => {
  it("has no effect without a proof, or with the proof of another ring or conversation", async () => {
    const { store, log, machine, question } = await waiting();
    const answer = { kind: "answer", question, content: { output: 99 } } as const;
    await store.post(here, answer, { id: "bare" });
    const stranger = createAgent({
      provider: scripted([]),
      store,
      keyRing: createKeyRing(["a ring of a stranger, long enough for it"]),
    });
    await stranger.send(here, answer, { id: "stranger" });
    await machine().agent.send({ conversation: "another" }, answer, { id: "elsewhere" });
    const [copied] = await store.inbox({ conversation: "another" });
    if (copied) await store.post(here, copied.message, { id: "copied" });
    expect(await machine().goOn()).toMatchObject({ status: "waiting", waiting: [{ question }] });
    expect(refusals(await log())).toEqual(
      Array.from({ length: 3 }, () => "It has no proof that this agent can verify."),
    );
    expect(await resultsIn(store)).toEqual([]);
  });

  it.each<[string, (question: string) => MessageContent, RegExp]>([
    ["a denial", (question) => ({ kind: "deny", question }), /settled by `answer`/],
    ["an approval", (question) => ({ kind: "approve", question }), /settled by `answer`/],
    ["an output that is not named", (question) => ({ kind: "answer", question, content: 3 }), /does not fit/],
    ["nothing", (question) => ({ kind: "answer", question, content: {} }), /does not fit/],
    ["both", (question) => ({ kind: "answer", question, content: { output: 3, error: "no" } }), /does not fit/],
    ["an error that is no text", (question) => ({ kind: "answer", question, content: { error: {} } }), /does not fit/],
    ["another field", (question) => ({ kind: "answer", question, content: { output: 3, stop: true } }), /does not fit/],
    [
      "a key __proto__",
      (question) => ({ kind: "answer", question, content: JSON.parse('{"output":{"__proto__":1}}') as Json }),
      /does not fit/,
    ],
  ])("is refused if it is %s, and the question stands", async (_, contentOf, why) => {
    const { store, log, machine, question } = await waiting();
    await machine().agent.send(here, contentOf(question));
    expect(await machine().goOn()).toMatchObject({ status: "waiting", waiting: [{ question }] });
    expect(refusals(await log())).toEqual([expect.stringMatching(why)]);
    const done = await machine(["3.<end>"]).answer(question, { output: 3 });
    expect(done).toMatchObject({ status: "completed" });
    expect(await resultsIn(store)).toEqual([[{ tool: "add", status: "success", content: 3 }]]);
  });

  it("counts once, for its own question", async () => {
    const { store, log, machine, ids } = await waiting(two);
    const [one = "", other = ""] = ids;
    const { agent } = machine();
    await agent.send(here, { kind: "answer", question: one, content: { output: "first" } });
    await agent.send(here, { kind: "answer", question: one, content: { output: "second" } });
    await agent.send(here, { kind: "answer", question: "of nobody", content: { output: "third" } });
    expect(await machine().goOn()).toMatchObject({ status: "waiting", waiting: [{ question: other }] });
    await machine(["Done.<end>"]).answer(other, { output: "fourth" });
    const contents = (await resultsIn(store)).flatMap((batch) => batch?.map(({ content }) => content) ?? []);
    expect(contents.toSorted()).toEqual(["first", "fourth"]);
    expect(refusals(await log())).toHaveLength(2);
  });

  it("is not taken from a log that somebody has edited", async () => {
    const { store, machine, question } = await waiting();
    const forged: LogEvent = {
      type: "record",
      kind: "answer",
      data: { question, content: { output: 99 } },
      timestamp: 1,
    };
    await store.append(here, [forged]);
    const { status } = await machine([]).goOn();
    expect(status).toBe("waiting");
    expect(await resultsIn(store)).toEqual([]);
  });
});

describe("what a client sends as a result", () => {
  it("is untrusted content, and shortened as that of any tool", async () => {
    const { log, machine, question } = await waiting();
    const next = machine(["Done.<end>"]);
    await next.answer(question, { output: "x".repeat(1_000_000) });
    expect(recordsOf(await log(), "content")).toMatchObject([{ holds: "untrusted", source: "client tool add" }]);
    expect(JSON.stringify(next.provider.requests[0]).length).toBeLessThan(200_000);
  });
});

describe("tools that did not come through `send`", () => {
  it.each(["prompt", "steer"] as const)("come with no %s without a proof", async (kind) => {
    const { store, log, machine } = machines();
    await machine(["Hello.<end>"]).prompt("Hello.");
    await store.post(here, { kind, content: "Add.", tools: [add] }, { id: "bare" });
    await machine().goOn();
    expect(refusals(await log())).toEqual(["It has no proof that this agent can verify, which words with tools need."]);
    expect(recordsOf(await log(), "client_tools")).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["a text", "add"],
    ["null", null],
    ["a tool without parameters", [{ name: "add", description: "Adds." }]],
    ["a schema of a text", [{ ...add, parameters: { type: "string" } }]],
  ])("are refused with their prompt if they are %s, also where the proof holds", async (_, tools) => {
    const { store, log, machine } = machines();
    const { agent, prompt } = machine(["Hello.<end>"]);
    await prompt("Hello.");
    await expect(agent.send(here, { kind: "prompt", content: "Add.", tools: tools as never })).rejects.toMatchObject({
      code: "invalid_option",
    });
    const message = { kind: "prompt", content: "Add.", tools } as never;
    const proof = await keyRing.sign(messageStatement(here, "m", message));
    await store.post(here, { ...(message as object), proof } as never, { id: "m" });
    await machine().goOn();
    expect(refusals(await log())).toHaveLength(1);
    expect(await store.inbox(here)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["no list", { tools: "add" }],
    ["no tools", { tools: [null, 7, "x", [], {}] }],
    ["a tool that can not be, beside one that can", { tools: [{ ...add, name: "a b" }, add, add] }],
    ["nothing", null],
  ])("are left out where a log from elsewhere has %s", async (_, data) => {
    const { store, log, machine } = machines();
    await machine(["Hello.<end>"]).prompt("Hello.");
    await store.append(here, [
      { type: "user", content: "And now?", timestamp: 1 },
      { type: "record", kind: "client_tools", data, timestamp: 1 } as never,
    ]);
    const next = machine(["Done.<end>"]);
    expect(await next.goOn()).toMatchObject({ status: "completed", text: "Done." });
    const hasAdd = next.provider.requests[0]?.system?.includes("Adds two numbers.");
    expect(hasAdd).toBe(JSON.stringify(data)?.includes("Adds two numbers."));
    await machine(["Bye.<end>"]).prompt("Bye.");
    expect(recordsOf(await log(), "client_tools").length).toBeLessThanOrEqual(2);
  });
});

it("a description is offered as the store keeps it, in the process that took it and in every later one", async () => {
  const { machine } = machines({}, redactingStore(memoryStore(), redactSecrets));
  const secret = { ...add, description: "Adds two numbers. The key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789." };
  const first = machine([adding]);
  const { waiting: asked } = await first.prompt("One.", [secret]);
  const second = machine(["Two.<end>"]);
  await second.answer(asked?.[0]?.question, { output: 3 });
  const [before] = first.provider.requests;
  expect(before?.system).toMatch(/Adds two numbers. The key is [^s]/);
  expect(second.provider.requests[0]?.system).toBe(before?.system);
});
