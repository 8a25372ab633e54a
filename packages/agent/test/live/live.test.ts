import type { Piece } from "@cogency/protocol/parts";
import { type ModelEvent, type Provider, scripted } from "@cogency/provider";
import { type Live, type LivePublisher, memoryStore, type Store } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { type AgentOptions, createAgent, protocolDriver } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { block, collect, conversation, echo, types } from "../support/fixtures.ts";
import { call, called, said, stop, thought } from "../support/native.ts";

const key = { conversation };

/** A model whose answers go on event by event, when the test says so. */
function stepwise(...answers: readonly ModelEvent[][]) {
  const left = answers.map((events) => [...events]);
  let asked = 0;
  let goOn: (() => void) | undefined;
  const provider: Provider = {
    name: "stepwise",
    model: "m",
    capabilities: { tools: true, session: false, reasoning: true, format: false },
    async *stream() {
      const events = left[asked++] ?? [];
      for (const event of events) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        yield event;
      }
    },
  };
  return {
    provider,
    /** Lets the model write its next events, once it is asked for them. */
    async write(count = 1) {
      for (let nth = 0; nth < count; nth++) {
        await until(() => goOn !== undefined);
        const resolve = goOn;
        goOn = undefined;
        resolve?.();
      }
    },
  };
}

async function until(isSo: () => unknown): Promise<void> {
  const begun = Date.now();
  while (!isSo()) {
    if (Date.now() - begun > 20_000) throw new Error("It has not become so in 20 s.");
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Collects what a follower gets. */
function followed(store: Store) {
  const ending = new AbortController();
  const pieces: Piece[] = [];
  const following = (async () => {
    for await (const some of store.live.follow(key, { signal: ending.signal })) pieces.push(...some);
  })();
  const end = async () => {
    ending.abort();
    await following;
  };
  return { pieces, end, texts: () => pieces.flatMap((piece) => ("text" in piece ? [piece.text] : [])) };
}

const native = (provider: Provider, store: Store, more: Partial<AgentOptions> = {}) =>
  createAgent({ provider, store, tools: [echo], driver: nativeDriver(), warn: () => {}, ...more });

describe("what a run writes, for those who follow it", () => {
  it("is there while it is written: thinking, text, and the arguments of calls under the id of the call", async () => {
    const store = memoryStore();
    const model = stepwise([
      thought("Look"),
      thought(" here"),
      said("I "),
      said("say"),
      ...call("echo", { text: "a" }),
    ]);
    const follower = followed(store);
    const { result } = native(model.provider, store).run("go", key);
    await until(() => types(follower.pieces).length === 0);
    await model.write(2);
    await until(() => follower.texts().join("") === "Look here");
    await model.write(2);
    await until(() => follower.texts().join("") === "Look hereI say");
    await model.write(2);
    await until(() => follower.texts().join("") === 'Look hereI say{"text":"a"}');
    const log = await store.load(key);
    const [first] = follower.pieces;
    expect(types(follower.pieces)).toEqual(expect.arrayContaining(["thinking", "text", "args"]));
    // The prompt and what goes with it are stored, the text is not.
    expect(first).toMatchObject({ type: "thinking", unit: 1, offset: 0, text: "Look", seq: expect.any(Number) });
    expect(first?.seq).toBeGreaterThan(0);
    expect(types(log)).not.toContain("respond");
    const args = follower.pieces.filter((piece) => piece.type === "args");
    await model.write(1);
    await result;
    const [made] = (await store.load(key)).filter((event) => event.type === "respond");
    expect(made).toMatchObject({ content: "I say" });
    expect(args[0]).toMatchObject({ name: "echo", unit: 3, call: expect.stringMatching(/^call_/) });
    await follower.end();
  });

  it("names the calls as the log does", async () => {
    const store = memoryStore();
    const follower = followed(store);
    const steps = [{ events: [...call("echo", { text: "a" }), called] }, { events: [said("Done."), stop] }];
    await native(scripted(steps, { capabilities: { tools: true } }), store).run("go", key).result;
    const ids = (await store.load(key)).flatMap((event) => (event.type === "call" ? [event.id] : []));
    const shown = follower.pieces.flatMap((piece) => (piece.type === "args" ? [piece.call] : []));
    expect(new Set(shown)).toEqual(new Set(ids));
    await follower.end();
  });

  it("begins at once, then comes at most 30 times a second", async () => {
    const store = memoryStore();
    const frames: number[] = [];
    const watched = withLive(store, (live) => ({
      ...live,
      publisher: (of, whole) => {
        const publisher = live.publisher(of, whole);
        return {
          get isFollowed() {
            return publisher.isFollowed;
          },
          publish(pieces) {
            frames.push(performance.now());
            publisher.publish(pieces);
          },
          close: () => publisher.close(),
        };
      },
    }));
    const follower = followed(store);
    const model = stepwise([...Array.from({ length: 400 }, () => said("word ")), said("end"), stop]);
    const { result } = native(model.provider, watched).run("go", key);
    await model.write(1);
    await model.write(401);
    await result;
    expect(follower.pieces[0]).toMatchObject({ text: "word" });
    const seconds = ((frames.at(-1) ?? 0) - (frames[0] ?? 0)) / 1000;
    expect(frames.length).toBeLessThanOrEqual(2 + seconds * 30);
    await follower.end();
  });

  it("is given whole to those who come in the middle, also where everything has been sent before", async () => {
    const store = memoryStore();
    const first = followed(store);
    const model = stepwise([said("one "), said("two "), said("three"), stop]);
    const { result } = native(model.provider, store).run("go", key);
    await model.write(2);
    await until(() => first.texts().join("") === "one two");
    const late = followed(store);
    await until(() => late.pieces.length > 0);
    expect(late.pieces[0]).toMatchObject({ type: "text", offset: 0, text: "one two" });
    await model.write(2);
    await result;
    await Promise.all([first.end(), late.end()]);
  });

  it("is not made while nobody follows", async () => {
    let published = 0;
    const store = withLive(memoryStore(), (live) => ({
      ...live,
      publisher: (of, whole) => ({ ...live.publisher(of, whole), isFollowed: false, publish: () => void published++ }),
    }));
    await native(scripted(["One.", "Two."]), store).run("go", key).result;
    expect(published).toBe(0);
  });

  it("does not reach the consumer as `call_delta`, unless the driver is to give them", async () => {
    for (const callDeltas of [false, true]) {
      const store = memoryStore();
      const follower = followed(store);
      const driver = protocolDriver({ callDeltas });
      const written = block(["echo", { text: "a word or two" }]);
      const model = stepwise([said(written.slice(0, -15)), said(written.slice(-15)), stop], [said("Done.<end>"), stop]);
      const agent = createAgent({ provider: model.provider, store, tools: [echo], driver });
      const collecting = collect(agent.run("go", { ...key, stream: "token" }));
      await model.write(1);
      await until(() => types(follower.pieces).includes("args"));
      await model.write(4);
      expect(types(await collecting).includes("call_delta")).toBe(callDeltas);
      await follower.end();
    }
  });

  it("has the arguments of a block also for those who came when the model had begun its answer", async () => {
    const store = memoryStore();
    const written = block(["echo", { text: "a word or two" }]);
    const model = stepwise([said("I echo."), said(written.slice(0, -15)), said(written.slice(-15)), stop], [stop]);
    const agent = createAgent({ provider: model.provider, store, tools: [echo], driver: protocolDriver() });
    const { result } = agent.run("go", key);
    await model.write(1);
    const follower = followed(store);
    await model.write(1);
    await until(() => types(follower.pieces).includes("args"));
    await model.write(3);
    await result;
    await follower.end();
  });

  it("is published by no agent with `live: false`", async () => {
    const store = withLive(memoryStore(), () => {
      throw new Error("nobody asks");
    });
    const { status } = await native(scripted(["One."]), store, { live: false }).run("go", key).result;
    expect(status).toBe("completed");
  });
});

describe("progress of a call", () => {
  const updates: [given: unknown, shown: unknown][] = [
    ["half", "half"],
    [
      { done: 3, of: 4 },
      { done: 3, of: 4 },
    ],
    ["x".repeat(20_000), "x".repeat(10_000)],
    [{ text: "x".repeat(20_000) }, undefined],
    [10n, undefined],
  ];

  it.each(updates)("%# is published, cut or left out", async (given, shown) => {
    const store = memoryStore();
    const follower = followed(store);
    let end = () => {};
    const work = defineTool({
      name: "work",
      description: "Work.",
      input: z.object({}),
      execute: async (_, { progress }) => {
        progress(given as string);
        await new Promise<void>((resolve) => {
          end = resolve;
        });
        return "done";
      },
    });
    const agent = createAgent({ provider: scripted([block(["work", {}]), "Done.<end>"]), store, tools: [work] });
    const { result } = agent.run("go", { ...key, approve: async () => true });
    const progress = () => follower.pieces.filter((piece) => piece.type === "progress");
    const other = followed(store);
    if (shown === undefined) await new Promise((resolve) => setTimeout(resolve, 150));
    else await until(() => progress().length > 0);
    const [call] = (await store.load(key)).filter((event) => event.type === "call");
    expect(progress()[0]).toEqual(shown === undefined ? undefined : expect.objectContaining({ update: shown }));
    if (shown !== undefined) expect(progress()[0]?.call).toBe(call?.id);
    end();
    expect((await result).status).toBe("completed");
    await Promise.all([follower.end(), other.end()]);
  });

  it("says its last word before the call ends, also of one that ends at once; nothing is sent later", async () => {
    const store = memoryStore();
    const follower = followed(store);
    const quick = defineTool({
      name: "quick",
      description: "Ends at once.",
      input: z.object({}),
      execute: (_, { progress }) => {
        for (let nth = 1; nth <= 5; nth++) progress(`part ${nth}`);
        return "done";
      },
    });
    const provider = scripted([block(["quick", {}], ["quick", {}]), "Done.<end>"]);
    const agent = createAgent({ provider, store, tools: [quick] });
    await agent.ask("Be quick", key);
    await follower.end();
    const progress = follower.pieces.filter((piece) => piece.type === "progress");
    const log = await store.load(key);
    const finished = log.filter((event) => event.type === "record" && event.kind === "finished");
    expect(finished).toHaveLength(2);
    for (const { seq, ...event } of finished) {
      const id = event.type === "record" ? event.data?.id : undefined;
      const last = progress.findLast((piece) => piece.call === id);
      expect(last?.update).toBe("part 5");
      expect(last?.seq).toBeLessThan(seq);
    }
  });
});

describe("a store whose `live` does not do what it should", () => {
  const failing = () => {
    throw new Error("out of order");
  };
  const broken: [what: string, live: (live: Live) => Live][] = [
    ["throws for a publisher", (live) => ({ ...live, publisher: failing })],
    [
      "throws when it is asked who follows",
      (live) => ({ ...live, publisher: () => publisherOf({ isFollowed: failing }) }),
    ],
    ["throws when it is given pieces", (live) => ({ ...live, publisher: () => publisherOf({ publish: failing }) })],
    ["throws when it is closed", (live) => ({ ...live, publisher: () => publisherOf({ close: failing }) })],
    ["is not there", () => undefined as unknown as Live],
    [
      "asks for what is open after the end",
      (live) => ({
        ...live,
        publisher: (_, whole) => publisherOf({ close: () => void expect(whole()).toEqual([]) }),
      }),
    ],
  ];

  it.each(broken)("%s, and the run goes on", async (_, change) => {
    const store = withLive(memoryStore(), change);
    const { status, text } = await native(scripted(["One."]), store).run("go", key).result;
    expect([status, text]).toEqual(["completed", "One."]);
  });

  it("takes 20 ms for each frame, and costs the run a tenth of its time or so", async () => {
    let busy = 0;
    const publish = () => {
      const begun = performance.now();
      while (performance.now() - begun < 20);
      busy += performance.now() - begun;
    };
    const store = withLive(memoryStore(), (live) => ({ ...live, publisher: () => publisherOf({ publish }) }));
    const provider: Provider = {
      ...scripted([]),
      async *stream() {
        for (let word = 0; word < 500; word++) {
          await new Promise((resolve) => setTimeout(resolve, 1));
          yield { type: "text", text: "word " };
        }
        yield { type: "finish", reason: "stop" };
      },
    };
    const begun = performance.now();
    await native(provider, store).run("go", key).result;
    expect(busy / (performance.now() - begun)).toBeLessThan(0.2);
  });
});

describe("the publisher of a run", () => {
  type End = (events: AsyncIterator<unknown>, abort: () => void) => unknown;
  const rest = async (events: AsyncIterator<unknown>) => {
    while (!(await events.next()).done);
  };
  const ways: [how: string, end: End][] = [
    ["completes", rest],
    [
      "is cancelled",
      (events, abort) => {
        abort();
        return rest(events);
      },
    ],
    ["is left", (events) => events.return?.()],
  ];

  it.each(ways)("is closed when the run %s", async (_, end) => {
    let open = 0;
    const store = withLive(memoryStore(), (live) => ({
      ...live,
      publisher: () => {
        open++;
        return publisherOf({ close: () => void open-- });
      },
    }));
    const cancelling = new AbortController();
    const run = native(scripted(["One."]), store).run("go", { ...key, signal: cancelling.signal });
    const events = run[Symbol.asyncIterator]();
    await events.next();
    expect(open).toBe(1);
    await end(events, () => cancelling.abort());
    expect(open).toBe(0);
  });
});

function withLive(store: Store, change: (live: Live) => Live): Store {
  return Object.defineProperty({ ...store }, "live", { get: () => change(store.live) });
}

function publisherOf({ isFollowed = () => true, publish = () => {}, close = () => {} }): LivePublisher {
  return {
    get isFollowed() {
      return isFollowed();
    },
    publish,
    close,
  };
}
