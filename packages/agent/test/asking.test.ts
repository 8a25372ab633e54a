import { type LogEvent, parseResults, type RunEvent } from "@cogency/protocol";
import { type Parts, partsOf, reduceParts } from "@cogency/protocol/parts";
import { type ModelRequest, type ScriptedStep, scripted } from "@cogency/provider";
import { memoryStore, type Store } from "@cogency/storage";
import { createKeyRing, defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { createAgent, type RunOptions } from "../src/index.ts";
import { block, conversation } from "./support/fixtures.ts";

const keyRing = createKeyRing(["a ring that several machines have in common"]);
const here = { conversation };

/** Machines that share a store, each a new agent. `booked` are the tables that were booked. */
function machines(store: Store = memoryStore()) {
  const booked: string[] = [];
  const book = defineTool({
    name: "book",
    description: "Books a table.",
    input: { type: "object" },
    asks: true,
    approval: "ask",
    execute: async (_, { ask }) => {
      const name = await ask({ message: "Name?" });
      const guests = await ask({ message: `How many, ${name}?`, schema: { type: "integer", minimum: 1 } });
      booked.push(`${name}, ${guests}`);
      return `booked for ${name}, ${guests}`;
    },
  });
  const agent = (...answers: ScriptedStep[]) => {
    const provider = scripted(answers);
    return { provider, ...createAgent({ provider, tools: [book], store, keyRing }) };
  };
  return { store, booked, agent };
}

const one = block(["book", {}]);
const yes = { conversation, approve: async () => true } satisfies RunOptions;
const ada: RunOptions["answer"] = ({ message }) => (message === "Name?" ? "Ada" : 4);

const kinds = (log: readonly LogEvent[]) => log.map((event) => (event.type === "record" ? event.kind : event.type));
const questions = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "question" ? [event.data] : []));
const refusals = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "record" && event.kind === "message" ? [event.data.refused] : []));
const results = (log: readonly LogEvent[]) =>
  log.flatMap((event) => (event.type === "result" ? (parseResults(event.content) ?? []) : []));

describe("a tool that asks", () => {
  it("is answered by the callback of the run, and told on the timeline", async () => {
    const { booked, store, agent } = machines();
    const heard: RunEvent[] = [];
    const asked: unknown[] = [];
    const answer: RunOptions["answer"] = (request) => {
      asked.push([request.conversation, request.user, request.run, request.message]);
      return ada(request);
    };
    const options = { ...yes, answer, on: (event: RunEvent) => heard.push(event) };
    expect((await agent(one, "Done.").ask("Book.", options)).text).toBe("Done.");
    expect(booked).toEqual(["Ada, 4"]);
    const run = heard[0]?.run.id;
    expect(asked).toEqual([
      [conversation, undefined, run, "Name?"],
      [conversation, undefined, run, "How many, Ada?"],
    ]);
    const told = heard.flatMap((event) =>
      event.type === "question_asked" ? [event.message] : event.type === "question_answered" ? [event.content] : [],
    );
    expect(told).toEqual(["Name?", "Ada", "How many, Ada?", 4]);
    const log = await store.load(here);
    // Durations are measured live, and the difference of two timestamps in the log.
    const untimed = (parts: Parts) => parts.map((part) => ({ ...part, duration: undefined }));
    expect(untimed(heard.reduce(reduceParts, [] as Parts))).toEqual(untimed(partsOf(log)));
  });

  it("waits where nobody is there, and goes on in any process with the answers of the inbox", async () => {
    const { booked, store, agent } = machines();
    const first = await agent(one).ask("Book.", here);
    expect(first).toMatchObject({ status: "waiting", waiting: [{ asks: "approval", name: "book" }] });
    await agent().send(here, { kind: "approve", question: first.waiting?.[0]?.question ?? "" });
    const second = await agent().recover(here).result;
    expect(second).toMatchObject({ status: "waiting", waiting: [{ asks: "answer", message: "Name?" }] });
    await agent().send(here, { kind: "answer", question: second.waiting?.[0]?.question ?? "", content: "Ada" });
    const third = await agent().recover(here).result;
    expect(third).toMatchObject({
      status: "waiting",
      waiting: [{ asks: "answer", message: "How many, Ada?", schema: { type: "integer" } }],
    });
    expect(booked).toEqual([]);
    await agent().send(here, { kind: "answer", question: third.waiting?.[0]?.question ?? "", content: 4 });
    expect(await agent("Booked.").recover(here).result).toMatchObject({ status: "completed", text: "Booked." });
    expect(booked).toEqual(["Ada, 4"]);
    const log = await store.load(here);
    expect(results(log)).toMatchObject([{ status: "success", content: "booked for Ada, 4" }]);
    expect(new Set(questions(log).map(({ id }) => id)).size).toBe(3);
    expect(refusals(log)).toEqual([undefined, undefined, undefined]);
    expect(await store.inbox(here)).toEqual([]);
  });

  it("keeps its question under the same id, as often as the run is recovered", async () => {
    const { store, agent } = machines();
    const first = await agent(one).ask("Book.", yes);
    for (let time = 0; time < 3; time++) {
      expect((await agent().recover(yes).result).waiting).toEqual(first.waiting);
    }
    expect(questions(await store.load(here))).toHaveLength(2);
  });

  it("goes on within the run when the answer comes while it runs", async () => {
    const { booked, agent } = machines();
    const running = agent(one, "Done.");
    const answer: RunOptions["answer"] = ({ question, message }) => {
      const content = message === "Name?" ? "Ada" : 4;
      running.send(here, { kind: "answer", question, content });
      return new Promise(() => {});
    };
    expect(await running.ask("Book.", { ...yes, answer })).toMatchObject({ status: "completed" });
    expect(booked).toEqual(["Ada, 4"]);
  });

  it("takes no answer that does not fit, is of another kind or has no proof, says so, and waits on", async () => {
    const { booked, store, agent } = machines();
    const { waiting = [] } = await agent(one).ask("Book.", { ...yes, answer: undefined });
    const question = waiting[0]?.question ?? "";
    await agent().send(here, { kind: "approve", question }, { id: "1" });
    await agent().send(here, { kind: "answer", question, content: { not: "a text" } }, { id: "2" });
    await store.post(here, { kind: "answer", question, content: "Eve" }, { id: "3" });
    expect(await agent().recover(yes).result).toMatchObject({ status: "waiting", waiting: [{ question }] });
    expect(refusals(await store.load(here)).toSorted()).toEqual([
      expect.stringContaining("no proof"),
      expect.stringMatching(/does not fit: expected a text/),
      expect.stringContaining("settled by `answer`"),
    ]);
    expect(await store.inbox(here)).toEqual([]);
    await agent().send(here, { kind: "answer", question, content: ["wrong"] });
    await agent().send(here, { kind: "answer", question, content: "Ada" });
    expect((await agent().recover(yes).result).waiting?.[0]?.message).toBe("How many, Ada?");
    expect(booked).toEqual([]);
  });

  it("does not count an answer that somebody copied into the log or the inbox", async () => {
    const { booked, store, agent } = machines();
    const { waiting = [] } = await agent(one).ask("Book.", yes);
    const question = waiting[0]?.question ?? "";
    const other = { conversation: "other" };
    await agent().send(other, { kind: "answer", question, content: "Eve" }, { id: "copied" });
    const [copied] = await store.inbox(other);
    await store.post(here, copied?.message as never, { id: "copied" });
    const lease = await store.lease(here, { owner: "somebody", ttl: 1000 });
    const forged: LogEvent = {
      type: "record",
      kind: "answer",
      data: { question, content: "Eve", proof: { key: "0".repeat(16), mac: "0".repeat(64) } },
      timestamp: 1,
    };
    await store.append(here, [forged], { lease });
    await lease.release();
    // The forged answer makes it look as if the body had gone on, so it is not run again.
    expect(await agent("Ok.").recover(yes).result).toMatchObject({ status: "completed" });
    expect(booked).toEqual([]);
  });

  it("runs again after a crash in its question; after an answer the outcome counts as unknown", async () => {
    const whole = machines();
    await whole.agent(one, "Done.").ask("Book.", { ...yes, answer: ada });
    const log = await whole.store.load(here);
    const ends = ["started", "question", "answer", "finished"];
    const seen: string[] = [];
    for (let length = 2; length < log.length; length++) {
      const { booked, store, agent } = machines();
      const left = log.slice(0, length).map(({ seq: _, ...event }) => event);
      await store.append(here, left);
      const last = kinds(left).findLast((kind) => ends.includes(kind)) ?? "nothing";
      seen.push(last);
      const again = ({ messages }: ModelRequest) => (JSON.stringify(messages).includes("<results>") ? "Ok." : one);
      await agent(again, again).recover({ ...yes, answer: ada }).result;
      const [result] = results(await store.load(here));
      const isUnknown = last === "started" || last === "answer";
      expect(result?.content, `${length}: ${last}`).toMatch(isUnknown ? /^outcome unknown/ : /^booked for Ada, 4$/);
      // What had ended does not run again, nor what may have taken effect.
      expect(booked.length, `${length}: ${last}`).toBe(isUnknown || last === "finished" ? 0 : 1);
    }
    expect(new Set(seen)).toEqual(new Set(["nothing", ...ends]));
  });

  it("is closed by a cancel, with a result that does not say that it may have taken effect", async () => {
    const { store, booked, agent } = machines();
    await agent(one).ask("Book.", yes);
    await agent().send(here, { kind: "cancel", reason: "no table" });
    await agent().recover(here).result;
    const log = await store.load(here);
    expect(results(log)).toMatchObject([{ status: "failure", content: expect.stringContaining("cancelled") }]);
    expect(kinds(log).at(-1)).toBe("cancelled");
    expect(booked).toEqual([]);
  });

  it("stays open at a deadline", async () => {
    const { store, booked, agent } = machines();
    const deadline = new AbortController();
    const answer = () => {
      deadline.abort(new DOMException("late", "TimeoutError"));
      return new Promise(() => {});
    };
    const { status } = await agent(one).ask("Book.", { ...yes, answer, signal: deadline.signal });
    expect(status).toBe("stopped");
    expect(kinds(await store.load(here))).not.toContain("result");
    expect(await agent("Done.").recover({ ...yes, answer: ada }).result).toMatchObject({ status: "completed" });
    expect(booked).toEqual(["Ada, 4"]);
  });
});
