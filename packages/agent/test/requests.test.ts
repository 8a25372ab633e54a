import { createHash } from "node:crypto";
import { type Json, type LogEvent, type RecordEvent, toMessages } from "@cogency/protocol";
import { type ModelRequest, ProviderError, scripted, withRetry } from "@cogency/provider";
import { memoryStore, redactingStore, type Store, StoreError } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { canonicalJson } from "@cogency/tools/host";
import { describe, expect, it } from "vitest";
import type { AgentOptions } from "../src/agent-options.ts";
import { createAgent } from "../src/create-agent.ts";
import type { Driver } from "../src/drivers/driver.ts";
import { block, conversation, echo, twoSteps } from "./support/fixtures.ts";

type Requested = Extract<RecordEvent, { kind: "request" }>;

const agentOf = (options: AgentOptions) => createAgent({ tools: [echo], recordRequests: true, ...options });

const isRequest = (event: LogEvent) => event.type === "record" && event.kind === "request";

const requestsOf = (log: readonly LogEvent[]): Requested[] =>
  log.flatMap((event) => (event.type === "record" && event.kind === "request" ? [event] : []));

const requestsIn = async (store: Store) => requestsOf(await store.load({ conversation }));

const kinds = (events: readonly LogEvent[]) =>
  events.map((event) => (event.type === "record" ? event.kind : event.type));

const hashOf = (value: unknown) =>
  createHash("sha256")
    .update(canonicalJson(value as Json))
    .digest("hex");

const carried = (records: readonly Requested[]) => records.map(({ data }) => [data.system, data.tools]);

/** A driver that gives the provider its tools, as one with native calls does, and reads text alone. */
function nativeDriver(): Driver {
  return {
    name: "native",
    batch: {},
    begin({ messages, system, tools, request, clock }) {
      let text = "";
      return {
        request: { ...request, system, tools, messages: messages("native") },
        stage: "open",
        grace: 0,
        write(event) {
          if (event.type === "text") text += event.text;
          return [];
        },
        end: () => ({ events: [{ type: "respond", content: text, timestamp: clock() }], asWritten: true }),
      };
    },
  };
}

/** The store, and the kinds of events of each append. */
function noting(inner: Store) {
  const appends: string[][] = [];
  const store: Store = {
    ...inner,
    append(key, events, options) {
      appends.push(kinds(events));
      return inner.append(key, events, options);
    },
  };
  return { store, appends };
}

describe("the record of a request", () => {
  it("is written only where the agent is asked to", async () => {
    const store = memoryStore();
    await agentOf({ provider: scripted(twoSteps), store, recordRequests: false }).run("go", { conversation }).result;
    await createAgent({ provider: scripted(["Yes.<end>"]), store }).run("more", { conversation }).result;
    expect(await requestsIn(store)).toEqual([]);
  });

  it("says what was asked: the model, the settings, and hashes of what the provider was given", async () => {
    const store = memoryStore();
    const provider = scripted(twoSteps);
    const request = { model: "other", temperature: 0, maxOutputTokens: 9, stop: ["!"], options: { effort: "low" } };
    await agentOf({ provider, store, request, instructions: "Be brief." }).run("go", { conversation }).result;
    const { model, ...settings } = request;
    const [first, second] = provider.requests as [ModelRequest, ModelRequest];
    const said = {
      driver: "protocol",
      provider: "scripted",
      model,
      settings,
      hashes: { system: hashOf(first.system) },
    };
    expect((await requestsIn(store)).map(({ data }) => data)).toStrictEqual([
      {
        ...said,
        messages: { form: "json", count: 1, again: 0, hash: hashOf(first.messages) },
        system: first.system,
      },
      // Only the messages that are new are hashed again.
      { ...said, messages: { form: "json", count: 3, again: 1, hash: hashOf(second.messages.slice(1)) } },
    ]);
    expect(second.messages[0]).toEqual(first.messages[0]);
  });

  it("stands after the events that the messages were made from, and before the first of the answer", async () => {
    const store = memoryStore();
    const provider = scripted([twoSteps[0] as string, "", "It says a.<end>", "More.<end>"]);
    const agent = agentOf({ provider, store });
    await agent.run("go", { conversation }).result;
    await agent.run("more", { conversation }).result;
    const log = await store.load({ conversation });
    const before = log.flatMap((event, index) => (isRequest(event) ? [log.slice(0, index)] : []));
    expect(before.map((events) => toMessages(events, { form: "json" }))).toEqual(
      provider.requests.map(({ messages }) => messages),
    );
    expect(kinds(log.slice(0, 5))).toEqual(["origin", "user", "request", "think", "respond"]);
  });

  it("costs no append: it comes in that of the first event of the answer", async () => {
    const [without, recorded] = [noting(memoryStore()), noting(memoryStore())];
    for (const [{ store }, recordRequests] of [
      [without, false],
      [recorded, true],
    ] as const) {
      await agentOf({ provider: scripted(twoSteps), store, recordRequests }).run("go", { conversation }).result;
    }
    expect(recorded.appends.map((events) => events.filter((kind) => kind !== "request"))).toEqual(without.appends);
    const first = recorded.appends.filter((events) => events.includes("request"));
    expect(first.map(([begin, next]) => [begin, next])).toEqual([
      ["request", "think"],
      ["request", "respond"],
    ]);
  });

  it("is not found by a search for words of the system prompt", async () => {
    const store = memoryStore();
    await agentOf({ provider: scripted(["Yes."]), store, instructions: "Mention rhubarb." }).run("go", { conversation })
      .result;
    expect(JSON.stringify(await requestsIn(store))).toContain("rhubarb");
    expect(await store.search("rhubarb", { user: undefined })).toEqual([]);
    expect(await store.search("yes", { user: undefined })).toHaveLength(1);
  });

  it("changes nothing that the model reads", async () => {
    const [one, other] = [scripted([...twoSteps, "Yes."]), scripted([...twoSteps, "Yes."])];
    for (const [provider, recordRequests] of [
      [one, true],
      [other, false],
    ] as const) {
      const agent = agentOf({ provider, store: memoryStore(), recordRequests });
      await agent.run("go", { conversation }).result;
      await agent.run("more", { conversation }).result;
    }
    expect(one.requests).toEqual(other.requests);
  });
});

describe("the system prompt and the tools in the log", () => {
  it("stand there once, also after a restart, and again when they change", async () => {
    const store = memoryStore();
    const run = async (instructions: string) => {
      const provider = scripted(twoSteps);
      await agentOf({ provider, store, instructions }).run("go", { conversation }).result;
      return provider.requests[0]?.system;
    };
    const [kind, brief] = [await run("Be kind."), (await run("Be kind.")) && (await run("Be brief."))];
    await run("Be kind.");
    const systems = (await requestsIn(store)).map(({ data }) => data.system);
    const no = undefined;
    expect(systems).toEqual([kind, no, no, no, brief, no, kind, no]);
  });

  it("holds for native tools as for the system prompt", async () => {
    const store = memoryStore();
    const look = defineTool({ name: "look", description: "Look.", input: { type: "object" }, execute: () => "" });
    const ask = async (tools: AgentOptions["tools"], driver?: Driver) => {
      const provider = scripted(["Yes."]);
      await agentOf({ provider, store, tools, driver }).run("go", { conversation }).result;
      return provider.requests[0]?.tools;
    };
    const driver = nativeDriver();
    const [one, both] = [await ask([echo], driver), await ask([echo, look], driver)];
    await ask([echo, look], driver);
    const none = await ask([echo, look]);
    await ask([echo, look], driver);
    const records = await requestsIn(store);
    expect(none).toBeUndefined();
    // The text protocol teaches its tools in the system prompt.
    expect(carried(records)).toEqual([
      ["", one],
      [undefined, both],
      [undefined, undefined],
      [expect.stringContaining("## Tools"), undefined],
      ["", undefined],
    ]);
    expect(records.map(({ data }) => data.hashes.tools)).toEqual(
      [one, both, both, undefined, both].map((tools) => tools && hashOf(tools)),
    );
  });

  it("are redacted as other texts are, and not repeated for that", async () => {
    const store = memoryStore();
    const key = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD";
    const ask = async () => {
      const provider = scripted(["Yes."]);
      const options = { provider, store: redactingStore(store), instructions: `Use the key ${key}.`, tools: [] };
      await agentOf(options).run("go", { conversation }).result;
      return provider.requests[0]?.system;
    };
    const system = await ask();
    await ask();
    expect(system).toContain(key);
    const records = await requestsIn(store);
    expect(JSON.stringify(await store.load({ conversation }))).not.toContain(key);
    expect(records.map(({ data }) => data.system)).toEqual([system?.replace(key, "[redacted]"), undefined]);
    expect(records.map(({ data }) => data.hashes.system)).toEqual([hashOf(system), hashOf(system)]);
  });

  it("are not taken from a record that holds anything else", async () => {
    const data = [null, 7, "x", [], {}, { hashes: null }, { system: 5, tools: "x", hashes: { system: 5, tools: {} } }];
    const elsewhere = data.map(
      (one) => ({ type: "record", kind: "request", data: one, timestamp: 1 }) as unknown as LogEvent,
    );
    const store = memoryStore();
    await store.append({ conversation }, [{ type: "user", content: "Hi.", timestamp: 1 }, ...elsewhere]);
    const provider = scripted(["Yes."]);
    const run = agentOf({ provider, store, driver: nativeDriver() }).run("go", { conversation });
    expect((await run.result).error).toBeUndefined();
    expect(carried((await requestsIn(store)).slice(-1))).toEqual([["", provider.requests[0]?.tools]]);
  });
});

describe("the settings in the log", () => {
  it("hold no headers and no keys", async () => {
    const store = memoryStore();
    const secret = "hidden";
    const server = { type: "mcp", url: "https://example.com", headers: { "x-tenant": secret }, authorization: secret };
    const options = {
      tools: [server],
      apiKey: secret,
      access_token: secret,
      max_tokens: 7,
      prompt_cache_key: "user 1",
    };
    const provider = scripted(["Yes."]);
    await agentOf({ provider, store, request: { options } }).run("go", { conversation }).result;
    expect(provider.requests[0]?.options).toEqual(options);
    const [record] = await requestsIn(store);
    const left = "[left out]";
    expect(record?.data.settings).toEqual({
      options: {
        tools: [{ ...server, headers: left, authorization: left }],
        apiKey: left,
        access_token: left,
        max_tokens: 7,
        prompt_cache_key: "user 1",
      },
    });
  });

  it("are JSON, or the run fails before the model is asked", async () => {
    const store = memoryStore();
    const provider = scripted(["Yes."]);
    const request = { options: { big: 1n as never } };
    const { status, error } = await agentOf({ provider, store, request }).run("go", { conversation }).result;
    expect([status, error?.code, error?.message]).toEqual(["failed", "driver", expect.stringContaining("BigInt")]);
    expect(provider.requests).toEqual([]);
    expect(kinds(await store.load({ conversation }))).toEqual(["origin", "user"]);
  });
});

describe("a request that does not go well", () => {
  const busy = new ProviderError("overloaded", "The server is busy.");

  it("has one record, however often its provider tries it", async () => {
    const store = memoryStore();
    const provider = withRetry(scripted([{ error: busy }, { error: busy }, "Hello.<end>"]), { baseDelay: 1 });
    expect(await agentOf({ provider, store }).run("go", { conversation }).result).toMatchObject({ text: "Hello." });
    expect(await requestsIn(store)).toHaveLength(1);
  });

  it("has its record also if it fails", async () => {
    const store = memoryStore();
    const { status } = await agentOf({ provider: scripted([{ error: busy }]), store }).run("go", { conversation })
      .result;
    expect(status).toBe("failed");
    expect(kinds(await store.load({ conversation }))).toEqual(["origin", "user", "request", "usage"]);
  });

  it("has a record of its own if the driver asks again in the same step; its messages are the driver's", async () => {
    const store = memoryStore();
    const provider = scripted(["Oops", "Fine."]);
    const own = nativeDriver();
    const driver: Driver = {
      ...own,
      begin(context) {
        const { request, ...reading } = own.begin(context);
        const next = own.begin({
          ...context,
          messages: () => [...request.messages, { role: "user", content: "Again." }],
        });
        const { write, ...rest } = reading;
        return { ...rest, write, request, end: (ending) => ({ ...reading.end(ending), next }) };
      },
    };
    await agentOf({ provider, store, driver }).run("go", { conversation }).result;
    const [first, second] = provider.requests as [ModelRequest, ModelRequest];
    const log = await store.load({ conversation });
    // The text of the first answer settles when the second one begins.
    expect(kinds(log)).toEqual(["origin", "user", "request", "request", "respond", "respond", "usage", "run"]);
    expect(requestsOf(log).map(({ data }) => data.messages)).toEqual([
      { form: "native", count: 1, again: 0, hash: hashOf(first.messages) },
      { count: 2, again: 1, hash: hashOf(second.messages.slice(1)) },
    ]);
    expect(requestsOf(log).map(({ data }) => data.system)).toEqual(["", undefined]);
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ])(
    "leaves at most one record if the process dies, and its recovery another: %s the answer is stored",
    async (when, left) => {
      const store = memoryStore();
      const dying: Store = {
        ...store,
        append: async (key, events, options) => {
          if (!events.some(isRequest)) return store.append(key, events, options);
          if (when === "after") await store.append(key, events, options);
          throw new StoreError("full", "There is no room left.");
        },
      };
      const provider = () => scripted(["Yes.<think>and</think>No.<end>"]);
      const crashed = await agentOf({ provider: provider(), store: dying }).run("go", { conversation }).result;
      expect(crashed.error?.code).toBe("store");
      expect(await requestsIn(store)).toHaveLength(left);
      expect((await agentOf({ provider: provider(), store }).recover({ conversation }).result).status).toBe(
        "completed",
      );
      const records = await requestsIn(store);
      expect(records).toHaveLength(left + 1);
      expect(records.map(({ data }) => data.system !== undefined)).toEqual([true, false].slice(0, left + 1));
    },
  );

  it("is not recorded by the recovery of a conversation that has ended, which asks nothing", async () => {
    const store = memoryStore();
    await agentOf({ provider: scripted([block(["echo", { text: "a" }]), "Yes."]), store }).run("go", { conversation })
      .result;
    const log = await store.load({ conversation });
    await agentOf({ provider: scripted([]), store, instructions: "New." }).recover({ conversation }).result;
    expect(await store.load({ conversation })).toEqual(log);
    expect(requestsOf(log)).toHaveLength(2);
  });
});
