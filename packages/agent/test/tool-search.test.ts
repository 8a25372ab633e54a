import type { LogEvent } from "@cogency/protocol";
import type { ModelRequest, ScriptedStep } from "@cogency/provider";
import { memoryStore, redactingStore, type Store } from "@cogency/storage";
import { createKeyRing } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import { type AgentOptions, createAgent, type RunOptions } from "../src/index.ts";
import { toolSearch } from "../src/tool-search.ts";
import { conversation } from "./support/fixtures.ts";
import { descriptionsOf, type Hand, handNames, hands, manyTools } from "./support/many-tools.ts";
import { sessionModel } from "./support/session-model.ts";
import {
  agentOf,
  announced,
  calls,
  expectOnePrefix,
  load,
  many,
  notices,
  results,
  seeking,
} from "./support/tool-search.ts";

describe.each(handNames)("an agent of 300 tools, with the driver for %s", (name) => {
  const hand: Hand = hands[name];

  it("finds a tool and calls it", async () => {
    const store = memoryStore();
    const { ask, provider } = agentOf(hand, seeking(hand, "lock a photo", "lock_photo"), store);
    expect(await ask("Lock it.")).toMatchObject({ status: "completed", text: "It is done.", steps: 3, toolErrors: 0 });
    const log = await load(store);
    expect(calls(log)).toEqual([
      { name: "find_tools", args: { query: "lock a photo" } },
      { name: "lock_photo", args: { title: "Leak" } },
    ]);
    const [found, done] = results(log);
    expect(found?.content).toHaveLength(5);
    expect(found?.content).toContainEqual({ name: "lock_photo", description: "Use it to lock a photo." });
    expect(done).toEqual({ tool: "lock_photo", status: "success", content: "did lock Leak" });
    expect(provider.requests).toHaveLength(3);
    provider.assertDone();
  });

  it("begins each request with the one before, over two runs and a restart, and describes each tool once", async () => {
    const store = memoryStore();
    const steps = seeking(hand, "lock a photo", "lock_photo");
    const requests: ModelRequest[] = [];
    for (const [prompt, ...script] of [
      ["Lock it.", ...steps],
      [
        "And again.",
        hand.call("find_tools", { query: "lock photos" }),
        hand.call("lock_photo", { title: "B" }),
        hand.say("Yes."),
      ],
      [
        "And a ticket.",
        hand.call("find_tools", { query: "unlock_ticket" }),
        hand.call("unlock_ticket", { title: "C" }),
        hand.say("Yes."),
      ],
    ] as [string, ...ScriptedStep[]][]) {
      // Each time a new process, which knows nothing but the log.
      const { ask, provider } = agentOf(hand, script, store);
      expect(await ask(prompt)).toMatchObject({ status: "completed", toolErrors: 0 });
      requests.push(...provider.requests);
    }
    expect(requests).toHaveLength(9);
    expectOnePrefix(requests);
    const log = await load(store);
    const names = announced(log);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("unlock_ticket");
    const text = JSON.stringify(requests.at(-1)?.messages);
    for (const one of names) expect(descriptionsOf(text, one)).toBe(1);
    expect(results(log).map(({ status }) => status)).toEqual(Array(6).fill("success"));
  });

  it("stores the description in the append of the result", async () => {
    const inner = memoryStore();
    const appends: string[][] = [];
    const store: Store = {
      ...inner,
      append(key, events, options) {
        appends.push(events.map((event) => (event.type === "record" ? event.kind : event.type)));
        return inner.append(key, events, options);
      },
    };
    await agentOf(hand, seeking(hand, "lock a photo", "lock_photo"), store).ask("Lock it.");
    const kinds = appends.filter((append) => append.includes("tools_found"));
    expect(kinds).toEqual([expect.arrayContaining(["result", "user", "tools_found", "usage"])]);
    expect(kinds[0]?.join(" ")).toContain("result user tools_found usage");
  });

  it("puts the real call before the person who approves it, and waits with it", async () => {
    const store = memoryStore();
    const tools = manyTools(300, { approval: "ask" });
    const steps = seeking(hand, "lock a photo", "lock_photo");
    const asked: unknown[] = [];
    const here = agentOf(hand, steps, store, { tools });
    const started: unknown[] = [];
    here.on("tool_started", ({ name: tool, args }) => started.push([tool, args]));
    const approve: RunOptions["approve"] = async ({ call }) => asked.push([call.name, call.args]) > 0;
    expect(await here.ask("Lock it.", { approve })).toMatchObject({ text: "It is done." });
    expect(asked).toEqual([["lock_photo", { title: "Leak" }]]);
    expect(started.at(-1)).toEqual(["lock_photo", { title: "Leak" }]);

    const elsewhere = {
      tools,
      store: memoryStore(),
      keyRing: createKeyRing(["a ring of these two processes, long enough"]),
    };
    const first = agentOf(hand, steps, elsewhere.store, elsewhere);
    const { status, waiting = [] } = await first.ask("Lock it.");
    expect([status, waiting.map((question) => [question.name, question.args])]).toEqual([
      "waiting",
      [["lock_photo", { title: "Leak" }]],
    ]);
    const next = agentOf(hand, [hand.say("It is done.")], elsewhere.store, elsewhere);
    for (const { question } of waiting) await next.send({ conversation }, { kind: "approve", question });
    expect(await next.recover({ conversation }).result).toMatchObject({ status: "completed", text: "It is done." });
    expect(results(await load(elsewhere.store)).at(-1)).toMatchObject({ content: "did lock Leak" });
    expectOnePrefix([...first.provider.requests, ...next.provider.requests]);
  });

  it("runs a tool that was never described, if its arguments fit", async () => {
    const store = memoryStore();
    const steps = [hand.call("lock_photo", { title: "A" }), hand.call("lock_photo", { name: "A" }), hand.say("So.")];
    const { ask, provider } = agentOf(hand, steps, store);
    expect(await ask("Lock it.")).toMatchObject({ status: "completed", toolErrors: 1 });
    expect(results(await load(store)).map(({ status }) => status)).toEqual(["success", "failure"]);
    expectOnePrefix(provider.requests);
  });

  it("says of a tool that there is not that there is none", async () => {
    const store = memoryStore();
    const { ask } = agentOf(hand, [hand.call("lock_foto", { title: "A" }), hand.say("So.")], store);
    await ask("Lock it.");
    const [result] = results(await load(store));
    expect(result?.content).toContain('Unknown tool "lock_foto". Did you mean lock_photo');
    expect(String(result?.content)).toContain("Available tools: find_tools,");
    expect(String(result?.content).length).toBeLessThan(2_000);
  });
});

describe("a conversation with a search that changes its driver at every turn", () => {
  it.each(handNames.map((name, index) => [name, [...handNames.slice(index), ...handNames.slice(0, index)]] as const))(
    "has what was found in every form, beginning with %s",
    async (_, order) => {
      const store = memoryStore();
      const requests = new Map<string, ModelRequest[]>();
      // The first one finds the tool, all others call it. Twice around, so that each goes on with its own.
      for (const name of [...order, ...order]) {
        const hand = hands[name];
        const steps: ScriptedStep[] = seeking(hand, "lock a photo", "lock_photo").slice(0, 2);
        const isFirst = !requests.has(order[0] as string);
        const called: ScriptedStep = (request) =>
          descriptionsOf(JSON.stringify(request.messages), "lock_photo") === 1
            ? hand.call("lock_photo", { title: "Again" })
            : hand.say("It is not described once.");
        const { ask, provider } = agentOf(hand, [...(isFirst ? steps : [called]), hand.say(`Done by ${name}.`)], store);
        expect(await ask("Lock it.")).toMatchObject({ text: `Done by ${name}.`, toolErrors: 0 });
        requests.set(name, [...(requests.get(name) ?? []), ...provider.requests]);
      }
      for (const of of requests.values()) expectOnePrefix(of);
      expect(announced(await load(store)).filter((name) => name === "lock_photo")).toHaveLength(1);
    },
  );

  it("may have begun without a search", async () => {
    const store = memoryStore();
    const plain = agentOf(
      hands.native,
      [{ events: [{ type: "tool_call", id: "t", name: "lock_photo", arguments: '{"title":"A"}' }] }, "Done."],
      store,
      {
        toolSearch: undefined,
      },
    );
    await plain.ask("Lock it.");
    const { ask, provider } = agentOf(hands.native, ["So."], store);
    await ask("And?");
    const [message] = provider.requests[0]?.messages.filter(({ role }) => role === "assistant") ?? [];
    expect(message).toMatchObject({
      calls: [{ name: "call_tool", args: { name: "lock_photo", arguments: { title: "A" } } }],
    });
  });
});

describe("what a log says that a model has found", () => {
  const search = hands.json.call("find_tools", { query: "lock_photo" });
  const again = async (store: Store, more: Partial<AgentOptions> = {}) => {
    const { ask } = agentOf(hands.json, [search, "So.<end>"], store, { toolSearch: toolSearch({ limit: 1 }), ...more });
    await ask("Search.");
    return announced(await load(store)).length;
  };

  it("does not count for a tool that has changed since", async () => {
    const store = memoryStore();
    expect([await again(store), await again(store)]).toEqual([1, 1]);
    const tools = many.map((tool) =>
      tool.name === "lock_photo" ? { ...tool, spec: { ...tool.spec, description: "Lock a photo, for ever." } } : tool,
    );
    expect([await again(store, { tools }), await again(store, { tools })]).toEqual([2, 2]);
    expect(notices(await load(store)).at(-1)).toContain("Lock a photo, for ever.");
  });

  it("does not count where a store has redacted it, or the words are gone", async () => {
    const inner = memoryStore();
    const store = redactingStore(inner, (text) => text.replaceAll("title of what", "[redacted]"));
    expect([await again(store), await again(store)]).toEqual([1, 2]);
    const forged = memoryStore();
    const record = { type: "record", kind: "tools_found", data: { names: ["lock_photo"] }, timestamp: 1 } as const;
    await forged.append({ conversation }, [{ type: "user", content: "Hello.", timestamp: 1 }, record]);
    expect(await again(forged)).toBe(2);
  });

  it.each([[null], [7], [{}], [{ names: "lock_photo" }], [{ names: [null, 7, {}] }]])(
    "may be any data: %j",
    async (data) => {
      const store = memoryStore();
      const words: LogEvent = { type: "user", content: "x", origin: "notice", timestamp: 1 };
      await store.append({ conversation }, [
        words,
        { type: "record", kind: "tools_found", data, timestamp: 1 } as never,
      ]);
      const { ask } = agentOf(hands.json, seeking(hands.json, "lock a photo", "lock_photo"), store);
      expect(await ask("Lock it.")).toMatchObject({ text: "It is done." });
    },
  );

  it("goes through a session, too", async () => {
    const store = memoryStore();
    const provider = sessionModel(seeking(hands.json, "lock a photo", "lock_photo"));
    const agent = createAgent({ provider, tools: many, store, toolSearch: toolSearch() });
    expect(await agent.ask("Lock it.", { conversation })).toMatchObject({ text: "It is done.", toolErrors: 0 });
  });
});
