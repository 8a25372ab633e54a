import type { LogEvent, RecordEvent } from "@cogency/protocol";
import { scripted } from "@cogency/provider";
import { memoryStore, redactingStore, type Store } from "@cogency/storage";
import { type Concern, type Content, createKeyRing, defineTool, type KeyRing } from "@cogency/tools";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { block } from "../../test/support/fixtures.ts";
import type { AgentOptions, RunOptions } from "../agent-options.ts";
import { createAgent } from "../create-agent.ts";

const conversation = "c";
const keyRing = createKeyRing(["k".repeat(32)]);
const foreign = "a log that this installation did not begin";

/** A tool whose result brings what it is asked to bring. */
const fetching = (name: string, brings: readonly Content[]) =>
  defineTool({
    name,
    description: `Use ${name}.`,
    input: z.object({}),
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    brings: () => brings,
    execute: () => `seen by ${name}`,
  });
const web: Content = { holds: "untrusted", source: "scrape https://example.com/a" };
const file: Content = { holds: "private", source: "read notes.md" };
const scrape = fetching("scrape", [web]);
const read = fetching("read", [file]);
const recall = fetching("recall", [
  { holds: "private", source: "recall" },
  { holds: "untrusted", source: "recall" },
]);

/** Has effects, and reaches outside: what the conversation holds speaks against it. */
const send = defineTool({
  name: "send",
  description: "Send.",
  input: z.object({ n: z.number() }),
  annotations: { openWorldHint: true },
  brings: () => [],
  execute: () => "sent",
});
let sends = 0;
/** Never the same twice: that would be an echo. */
const sending = () => block(["send", { n: ++sends }]);

/** An agent that tells what spoke against its calls of `send`. */
function watched(store: Store, texts: readonly string[], options: Partial<AgentOptions> = {}) {
  const questions: (readonly Concern[])[] = [];
  const agent = createAgent({
    provider: scripted(texts),
    tools: [scrape, read, recall, send],
    store,
    keyRing,
    execution: {
      approval: {
        policy: () => "allow",
        content: "ask",
        approve: async ({ concerns }) => {
          questions.push(concerns);
          return true;
        },
      },
    },
    ...options,
  });
  return { agent, questions };
}

/** What an agent that comes now believes that the conversation holds. */
async function heldIn(store: Store, options: Partial<AgentOptions> = {}, run: RunOptions = {}) {
  const { agent, questions } = watched(store, [sending(), "ok"], options);
  await agent.run("Send it.", { conversation, ...run }).result;
  return questions.flat().map(({ kind, why }) => ({ kind, why }));
}

const kindsOf = (concerns: readonly { kind: string }[]) => concerns.map(({ kind }) => kind).toSorted();

async function recordsIn(store: Store, kind: RecordEvent["kind"]): Promise<RecordEvent[]> {
  const log = await store.load({ conversation });
  return log.filter((event) => event.type === "record").filter((record) => record.kind === kind);
}

describe("a conversation that an agent begins", () => {
  it("begins with its origin record and the prompt, in one append", async () => {
    const inner = memoryStore();
    const appended: (readonly LogEvent[])[] = [];
    const append: Store["append"] = (key, events, options) => {
      appended.push(events);
      return inner.append(key, events, options);
    };
    const { agent } = watched({ ...inner, append }, ["Hello.<end>"], { scope: "/home/ada/notes" });
    await agent.run("Hi", { conversation, user: "ada" }).result;
    expect(appended[0]).toMatchObject([
      { type: "record", kind: "origin", data: { scope: "/home/ada/notes" } },
      { type: "user", content: "Hi" },
    ]);
    const [origin] = appended[0] ?? [];
    if (origin?.type !== "record" || origin.kind !== "origin") throw new Error("no origin");
    const statement = { purpose: "origin" as const, user: "ada", conversation, scope: "/home/ada/notes" };
    expect(await keyRing.verify(statement, origin.data.proof)).toBe(true);
  });

  it("has one origin record, however many runs continue it", async () => {
    const store = memoryStore();
    const { agent } = watched(store, ["One.", "Two."]);
    await agent.run("1", { conversation }).result;
    await agent.run("2", { conversation }).result;
    expect(await recordsIn(store, "origin")).toHaveLength(1);
  });

  it("holds no content for later agents with the same key, or without one in the same process", async () => {
    const store = memoryStore();
    expect(await heldIn(store)).toEqual([]);
    expect(await heldIn(store)).toEqual([]);
    const other = memoryStore();
    expect(await heldIn(other, { keyRing: undefined })).toEqual([]);
    expect(await heldIn(other, { keyRing: undefined })).toEqual([]);
  });

  it("is recognized after the key was replaced, as long as the ring holds the old key", async () => {
    const store = memoryStore();
    await heldIn(store);
    expect(await heldIn(store, { keyRing: createKeyRing(["n".repeat(32), "k".repeat(32)]) })).toEqual([]);
    expect(kindsOf(await heldIn(store, { keyRing: createKeyRing(["n".repeat(32)]) }))).toEqual([
      "private",
      "untrusted",
    ]);
  });

  it("is recognized in a store that redacts", async () => {
    const store = redactingStore(memoryStore());
    await heldIn(store, { scope: "/home/ada" });
    expect(await heldIn(store)).toEqual([]);
  });
});

describe("a log that another installation may have begun", () => {
  const user: LogEvent = { type: "user", content: "go", timestamp: 1 };
  const usage: LogEvent = {
    type: "record",
    kind: "usage",
    data: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, reasoning: 0, duration: 0 },
    timestamp: 1,
  };
  const marked = async (place: { user?: string; conversation?: string; scope?: string }, ring = keyRing) => {
    const proof = await ring.sign({ purpose: "origin", user: null, conversation, scope: null, ...place });
    return proof;
  };
  const origin = (data: object): LogEvent => ({ type: "record", kind: "origin", data: data as never, timestamp: 1 });

  it.each<[string, () => Promise<LogEvent[]>]>([
    ["has no records at all", async () => [user]],
    ["has no mark", async () => [user, usage]],
    ["has its mark after another record", async () => [usage, origin({ proof: await marked({}) }), user]],
    [
      "has the mark of another key",
      async () => [origin({ proof: await marked({}, createKeyRing(["x".repeat(32)])) }), user],
    ],
    [
      "has the mark of another conversation",
      async () => [origin({ proof: await marked({ conversation: "d" }) }), user],
    ],
    ["has the mark of another user", async () => [origin({ proof: await marked({ user: "eve" }) }), user]],
    [
      "has the mark of a user who is called null",
      async () => [origin({ proof: await marked({ user: "null" }) }), user],
    ],
    ["was given another scope", async () => [origin({ scope: "/b", proof: await marked({ scope: "/a" }) }), user]],
    ["was given a scope", async () => [origin({ scope: "/b", proof: await marked({}) }), user]],
    ["has lost its scope", async () => [origin({ proof: await marked({ scope: "/a" }) }), user]],
    ["has a scope that is no text", async () => [origin({ scope: 7, proof: await marked({}) }), user]],
    ["has a mark without a proof", async () => [origin({}), user]],
    ["has a mark with half a proof", async () => [origin({ proof: { key: (await marked({})).key } }), user]],
    [
      "has a mark with a proof of another kind",
      async () => {
        const proof = await keyRing.sign({ purpose: "record", user: null, conversation, scope: null });
        return [origin({ proof }), user];
      },
    ],
    ["has a mark that is nothing", async () => [{ ...origin({}), data: null as never }, user]],
    [
      "says itself that it holds nothing",
      async () => [
        { type: "record", kind: "content", data: { holds: "nothing", source: "x" } as never, timestamp: 1 },
        user,
      ],
    ],
  ])("counts as holding untrusted and private content if it %s", async (_, events) => {
    const store = memoryStore();
    await store.append({ conversation }, await events());
    const held = await heldIn(store);
    expect(kindsOf(held)).toEqual(["private", "untrusted"]);
    for (const { why } of held) expect(why).toContain(foreign);
  });

  it("counts as holding no content with the origin record of this very conversation", async () => {
    const store = memoryStore();
    await store.append({ conversation }, [origin({ scope: "/a", proof: await marked({ scope: "/a" }) }), user]);
    expect(await heldIn(store)).toEqual([]);
  });

  it("gets no origin record when a run continues it", async () => {
    const store = memoryStore();
    await store.append({ conversation }, [user]);
    await heldIn(store);
    expect(await recordsIn(store, "origin")).toEqual([]);
    expect(kindsOf(await heldIn(store))).toEqual(["private", "untrusted"]);
  });

  it("counts as holding both for `recover`, too", async () => {
    const store = memoryStore();
    await store.append({ conversation }, [user]);
    const { agent, questions } = watched(store, [sending(), "ok"]);
    await agent.recover({ conversation }).result;
    expect(kindsOf(questions.flat())).toEqual(["private", "untrusted"]);
  });
});

describe("a key ring that fails", () => {
  const never = () => new Promise<never>(() => {});

  it("to sign fails the run with `key_ring`, and the conversation does not begin", async () => {
    const store = memoryStore();
    for (const sign of [
      () => Promise.reject(new Error("the key service is down")),
      () => {
        throw new Error("the key service is down");
      },
    ]) {
      const { agent } = watched(store, ["hi"], { keyRing: { ...keyRing, sign } });
      const { status, error } = await agent.run("go", { conversation }).result;
      expect([status, error?.code]).toEqual(["failed", "key_ring"]);
      expect(error?.message).toContain("the key service is down");
      expect(await store.load({ conversation })).toEqual([]);
    }
    expect(await heldIn(store)).toEqual([]);
  });

  it.each<[string, KeyRing["verify"]]>([
    ["rejects", () => Promise.reject(new Error("offline"))],
    [
      "throws",
      () => {
        throw new Error("offline");
      },
    ],
    ["answers something else", async () => "yes" as never],
  ])("to verify, because it %s, makes the log count as another installation's", async (_, verify) => {
    const store = memoryStore();
    await heldIn(store);
    expect(kindsOf(await heldIn(store, { keyRing: { ...keyRing, verify } }))).toEqual(["private", "untrusted"]);
  });

  it.each<[string, Partial<KeyRing>, boolean]>([
    ["sign", { sign: never }, false],
    ["verify", { verify: never }, true],
  ])("to return does not keep a run from being cancelled: %s", async (_, methods, hasBegun) => {
    const store = memoryStore();
    if (hasBegun) await heldIn(store);
    const before = (await store.load({ conversation })).length;
    const { agent } = watched(store, ["hi"], { keyRing: { ...keyRing, ...methods } });
    const run = agent.run("go", { conversation, signal: AbortSignal.timeout(20) });
    expect(await run.result).toMatchObject({ status: "stopped", stop: { reason: "time_limit" } });
    const cancelled = new AbortController();
    const again = agent.run("go", { conversation, signal: cancelled.signal }).result;
    cancelled.abort();
    expect(await again).toMatchObject({ status: "stopped", stop: { reason: "user_requested" } });
    expect((await store.load({ conversation })).length > before).toBe(hasBegun);
  });
});

describe("the content that calls bring", () => {
  it("is stored with the end of the call, in the same append, with the call's id", async () => {
    const inner = memoryStore();
    const appended: LogEvent[][] = [];
    const append: Store["append"] = (key, events, options) => {
      appended.push([...events]);
      return inner.append(key, events, options);
    };
    await watched({ ...inner, append }, [block(["recall", {}]), "ok"]).agent.run("go", { conversation }).result;
    const ended = appended.find((events) =>
      events.some((event) => event.type === "record" && event.kind === "finished"),
    );
    const [finished] = ended ?? [];
    expect(ended?.map((event) => (event.type === "record" ? event.kind : event.type))).toEqual([
      "finished",
      "content",
      "content",
      "result",
      "usage",
    ]);
    const id = finished?.type === "record" && finished.kind === "finished" ? finished.data.id : undefined;
    expect(ended?.slice(1, 3)).toMatchObject([
      { kind: "content", data: { holds: "private", source: "recall", call: id } },
      { kind: "content", data: { holds: "untrusted", source: "recall", call: id } },
    ]);
  });

  it("is stored once per kind, for the call that ended first, however many calls bring it", async () => {
    const store = memoryStore();
    const calls = Array.from({ length: 6 }, (_, index): [string, object] => [index % 2 ? "scrape" : "recall", {}]);
    const { agent } = watched(store, [
      block(...calls),
      block(["read", {}], ["scrape", {}]),
      "ok",
      block(["read", {}]),
      "ok",
    ]);
    await agent.run("go", { conversation }).result;
    await agent.run("more", { conversation }).result;
    const kinds = (await recordsIn(store, "content")).map((record) => record.kind === "content" && record.data.holds);
    expect(kinds.toSorted()).toEqual(["private", "untrusted"]);
  });

  it("counts from the next batch on, also in later runs, and names its source", async () => {
    const store = memoryStore();
    const { agent, questions } = watched(store, [
      block(["scrape", {}], ["send", { n: ++sends }]),
      block(["read", {}], ["send", { n: ++sends }]),
      sending(),
      "ok",
    ]);
    await agent.run("go", { conversation }).result;
    expect(questions.map(kindsOf)).toEqual([["untrusted"], ["private", "untrusted"]]);
    expect(questions[0]?.[0]?.why).toContain(web.source);
    const held = await heldIn(store);
    expect(kindsOf(held)).toEqual(["private", "untrusted"]);
    expect(held.map(({ why }) => why).join()).toContain(file.source);
  });

  it("is not lost if the append of the first call fails and another call brings the same", async () => {
    const inner = memoryStore();
    let hasFailed = false;
    const append: Store["append"] = (key, events, options) => {
      const isFirst = !hasFailed && events.some((event) => event.type === "record" && event.kind === "content");
      if (isFirst) hasFailed = true;
      return isFirst ? Promise.reject(new Error("out of order")) : inner.append(key, events, options);
    };
    const { agent } = watched({ ...inner, append }, [block(["scrape", {}], ["recall", {}])]);
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "failed" });
    const finished = await recordsIn(inner, "finished");
    const held = (await recordsIn(inner, "content")).map((record) => record.kind === "content" && record.data.holds);
    // What ended in the log has brought what it brings.
    expect(finished.length === 0 || held.includes("untrusted")).toBe(true);
    expect(hasFailed).toBe(true);
  });
});

describe("a call that its tool refuses before it begins", () => {
  const finding = defineTool({
    name: "open",
    description: "Open.",
    input: z.object({ folder: z.string() }),
    annotations: { readOnlyHint: true },
    resource() {
      throw new Error('Did you mean "acquisition-of-acme"?');
    },
    brings: ({ folder }) => [{ holds: "private", source: `open ${folder}` }],
    execute: () => "opened",
  });
  const calls = block(["open", { folder: "acquisition" }]);

  it("brings the content that the tool names, in the same append as its result", async () => {
    const inner = memoryStore();
    const appended: (readonly LogEvent[])[] = [];
    const append: Store["append"] = (key, events, options) => {
      appended.push(events);
      return inner.append(key, events, options);
    };
    const { agent, questions } = watched({ ...inner, append }, [calls, sending(), "ok"], { tools: [finding, send] });
    await agent.run("go", { conversation }).result;
    const told = appended.find((events) => JSON.stringify(events).includes("acquisition-of-acme")) ?? [];
    expect(told.map((event) => (event.type === "record" ? event.kind : event.type))).toEqual([
      "content",
      "result",
      "usage",
    ]);
    expect(questions.map(kindsOf)).toEqual([["private"]]);
    expect(questions[0]?.[0]?.why).toContain("open acquisition");
  });

  it("brings its content also if `recover` refuses it", async () => {
    const inner = memoryStore();
    const append: Store["append"] = (key, events, options) =>
      events.some(({ type }) => type === "result")
        ? Promise.reject(new Error("killed"))
        : inner.append(key, events, options);
    const options = { tools: [finding, send] };
    await watched({ ...inner, append }, [calls], options).agent.run("go", { conversation }).result;
    const { agent, questions } = watched(inner, [sending(), "ok"], options);
    await agent.recover({ conversation }).result;
    expect(questions.map(kindsOf)).toEqual([["private"]]);
  });
});

describe("a call that began", () => {
  /** Tells the worst until its body has ended, then nothing. */
  const harmless = (name = "scrape") => {
    let hasEnded = false;
    return defineTool({
      name,
      description: "Look.",
      input: z.object({}),
      annotations: { readOnlyHint: false },
      brings: () => (hasEnded ? [] : [web]),
      execute() {
        hasEnded = true;
        return "nothing";
      },
    });
  };
  /** A store on which the process dies as soon as a call has ended. */
  const dyingAtEnd = (inner: Store): Store => ({
    ...inner,
    append: (key, events, options) =>
      events.some((event) => event.type === "record" && event.kind === "finished")
        ? Promise.reject(new Error("killed"))
        : inner.append(key, events, options),
  });

  it("counts with everything that it may bring if the log does not say how it ended", async () => {
    const inner = memoryStore();
    const { agent } = watched(dyingAtEnd(inner), [block(["scrape", {}])], { tools: [harmless()] });
    expect(await agent.run("go", { conversation }).result).toMatchObject({ status: "failed" });
    expect(await recordsIn(inner, "started")).toMatchObject([{ data: { brings: [web] } }]);
    expect(await recordsIn(inner, "content")).toEqual([]);

    const { agent: later, questions } = watched(inner, [sending(), "ok"], { tools: [harmless(), send] });
    await later.recover({ conversation }).result;
    expect(questions.map(kindsOf)).toEqual([["untrusted"]]);
    expect(questions[0]?.[0]?.why).toContain(web.source);
    expect(kindsOf(await heldIn(inner))).toEqual(["untrusted"]);
  });

  it("counts with the content that it brought if it ended, also in a second run after a crash", async () => {
    const store = memoryStore();
    const options = { tools: [harmless(), send] };
    const { agent, questions } = watched(store, [block(["scrape", {}]), sending(), "ok"], options);
    await agent.run("go", { conversation }).result;
    expect(questions).toEqual([]);
    expect(await heldIn(store)).toEqual([]);

    const inner = memoryStore();
    await watched(dyingAtEnd(inner), [block(["scrape", {}])]).agent.run("go", { conversation }).result;
    await watched(inner, ["ok"], { tools: [fetching("scrape", [])] }).agent.recover({ conversation }).result;
    expect(await heldIn(inner)).toEqual([]);
  });

  it("is not forgotten because a later call with its id has ended", async () => {
    const store = memoryStore();
    await heldIn(store);
    const call = (id: string): LogEvent => ({ type: "call", content: '{"name":"scrape","args":{}}', id, timestamp: 2 });
    const begun = (brings: readonly Content[]): LogEvent => {
      return { type: "record", kind: "started", data: { id: "a", brings }, timestamp: 2 };
    };
    const result = { tool: "scrape", status: "success", content: "" } as const;
    await store.append({ conversation }, [
      call("a"),
      begun([web]),
      { type: "user", content: "go on", timestamp: 3 },
      call("a"),
      begun([]),
      { type: "record", kind: "finished", data: { id: "a", result }, timestamp: 4 },
    ]);
    expect(kindsOf(await heldIn(store))).toEqual(["untrusted"]);
  });

  it("counts in the next batch with the content that it brought, not with everything that it could have brought", async () => {
    const store = memoryStore();
    const tools = [harmless("look"), scrape, send];
    const texts = [block(["look", {}]), block(["scrape", {}]), sending(), "ok"];
    const { agent, questions } = watched(store, texts, { tools });
    await agent.run("go", { conversation }).result;
    // What the first call did not bring the second one did.
    expect(await recordsIn(store, "content")).toMatchObject([{ data: web }]);
    expect(questions.map(kindsOf)).toEqual([["untrusted"]]);
  });
});

describe("a prompt that no person vouches for", () => {
  it("is stored with its source, and makes the conversation hold untrusted content", async () => {
    const store = memoryStore();
    const held = await heldIn(store, {}, { untrusted: "piped input" });
    expect(kindsOf(held)).toEqual(["untrusted"]);
    expect(held[0]?.why).toContain("piped input");
    expect((await store.load({ conversation })).slice(0, 3)).toMatchObject([
      { kind: "origin" },
      { type: "user", content: "Send it.", origin: "untrusted" },
      { kind: "content", data: { holds: "untrusted", source: "piped input" } },
    ]);
    expect(kindsOf(await heldIn(store))).toEqual(["untrusted"]);
  });

  it("is stored with its source in one append, also in the middle of a conversation", async () => {
    const inner = memoryStore();
    await heldIn(inner);
    const appended: (readonly LogEvent[])[] = [];
    const append: Store["append"] = (key, events, options) => {
      appended.push(events);
      return inner.append(key, events, options);
    };
    await watched({ ...inner, append }, ["ok"]).agent.run("text", { conversation, untrusted: "mail" }).result;
    expect(appended[0]).toMatchObject([{ type: "user", origin: "untrusted" }, { kind: "content" }]);
  });
});

describe("wherever the process is killed", () => {
  it("the log names at least the content that the model has read", async () => {
    const calls = fc.array(fc.constantFrom("scrape", "read", "recall"), { minLength: 1, maxLength: 3 });
    const batches = fc.array(calls, { minLength: 1, maxLength: 3 });
    const lives = fc.array(fc.nat(18), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(batches, lives, fc.boolean(), async (batches, lives, isPiped) => {
        const inner = memoryStore();
        const seen = new Set<string>();
        const texts = [...batches.map((names) => block(...names.map((name): [string, object] => [name, {}]))), "done"];
        let asked = 0;
        // What it is asked says what it has seen by then.
        const model = () =>
          scripted(
            Array.from({ length: 9 }, () => ({ messages }) => {
              const told = JSON.stringify(messages);
              if (isPiped && told.includes("piped prompt")) seen.add("untrusted");
              if (/seen by (scrape|recall)/.test(told)) seen.add("untrusted");
              if (/seen by (read|recall)/.test(told)) seen.add("private");
              return texts[asked++] ?? "done";
            }),
          );
        for (const [life, survived] of lives.entries()) {
          let appends = 0;
          const append: Store["append"] = (...batch) =>
            appends++ < survived ? inner.append(...batch) : Promise.reject(new Error("killed"));
          const { agent } = watched({ ...inner, append }, [], { provider: model() });
          const begun = (await inner.load({ conversation })).length > 0;
          const options = { conversation, ...(isPiped && { untrusted: "piped input" }) };
          await (begun && life % 2 ? agent.recover({ conversation }) : agent.run("piped prompt", options)).result;

          // Somebody else's copy of the log as it is now.
          const copy = memoryStore();
          await copy.append({ conversation }, await inner.load({ conversation }));
          const held = kindsOf(await heldIn(copy));
          for (const kind of seen) expect(held).toContain(kind);
          expect(held.length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 120 },
    );
  });
});
