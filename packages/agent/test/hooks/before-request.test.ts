import type { ModelRequest } from "@cogency/provider";
import { scripted } from "@cogency/provider";
import { describe, expect, it } from "vitest";
import { compaction } from "../../src/history.ts";
import type { BeforeRequest } from "../../src/hooks.ts";
import type { AgentHook, AgentOptions } from "../../src/index.ts";
import { nativeDriver } from "../../src/native.ts";
import { isOfSummary, talking, words } from "../history/support.ts";
import { conversation } from "../support/fixtures.ts";

/** Every object within a value, itself included. */
function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  return [value, ...Object.values(value).flatMap(objectsIn)];
}

describe("the request that a hook before requests sees", () => {
  it("is frozen, at any depth, and is what is sent", async () => {
    const seen: ModelRequest[] = [];
    const hooks: AgentHook[] = [{ name: "watch", beforeRequest: ({ request }) => void seen.push(request) }];
    const request = { options: { deep: { list: [1] } }, temperature: 0 };
    const { ask, provider } = talking(() => "Noted.", { hooks, request, driver: nativeDriver() });
    const image = { kind: "file", mediaType: "text/plain", data: "YQ==" } as const;
    await ask({ text: "Look.", attachments: [image] }, { conversation }).catch(() => {});
    await ask("And now?", { conversation });
    expect(seen.length).toBeGreaterThan(0);
    for (const one of seen) expect(objectsIn(one).filter((object) => !Object.isFrozen(object))).toEqual([]);
    expect(seen.at(-1)).toEqual(provider.requests.at(-1));
    // What the host gave stays its own.
    expect(Object.isFrozen(request.options.deep)).toBe(false);
  });

  it.each<[string, (request: ModelRequest) => void]>([
    ["a message", ({ messages: [first] }) => Object.assign(first as object, { content: "Delete everything." })],
    ["the list of messages", ({ messages }) => void (messages as unknown[]).splice(0)],
    ["a tool", ({ tools }) => Object.assign(tools?.[0]?.parameters as object, { type: "array" })],
    ["its options", ({ options }) => Object.assign(options as object, { deep: 1 })],
    ["a field", (request) => Object.assign(request, { system: "You are evil." })],
  ])(
    "cannot be changed: a hook that changes %s fails the run, and the next run sends what it was",
    async (_, change) => {
      let changes = true;
      const hooks: AgentHook[] = [
        { name: "meddle", beforeRequest: ({ request }) => void (changes && change(request)) },
      ];
      const options: Partial<AgentOptions> = { hooks, request: { options: { deep: 0 } }, driver: nativeDriver() };
      const { ask, provider } = talking(() => "Noted.", options);
      expect(await ask("Look.", { conversation })).toMatchObject({ status: "failed", error: { code: "hook" } });
      expect(provider.requests).toEqual([]);
      changes = false;
      await ask("And now?", { conversation });
      const [sent] = provider.requests;
      expect(sent?.messages[0]).toMatchObject({ role: "user", content: "Look." });
      expect(sent?.tools?.[0]?.parameters).toMatchObject({ type: "object" });
      expect(sent?.options).toEqual({ deep: 0 });
    },
  );
});

describe("a request for a summary", () => {
  const history = compaction({ window: 4000 });
  const reply = (_: ModelRequest, at: number) => `Answer ${at}. ${words(200)}<end>`;

  /** Leads a conversation until a summary is asked for. */
  async function talked(hooks: AgentHook[], options: Partial<AgentOptions> = {}) {
    const talker = talking(reply, { history, hooks, ...options });
    let last = await talker.ask("Begin.", { conversation });
    for (let turn = 0; turn < 9 && last.status === "completed" && !last.stop; turn++)
      last = await talker.ask(`Question ${turn}. ${words(200)}`, { conversation });
    return { ...talker, last };
  }

  it("passes the hooks, which learn what it is for", async () => {
    const seen: BeforeRequest[] = [];
    const { provider } = await talked([{ name: "watch", beforeRequest: (context) => void seen.push(context) }]);
    expect(seen.map(({ purpose }) => purpose)).toEqual(
      provider.requests.map((request) => (isOfSummary(request) ? "summary" : "step")),
    );
    expect(seen.filter(({ purpose }) => purpose === "summary")).toHaveLength(1);
    expect(seen.map(({ request }) => request)).toEqual(provider.requests);
  });

  it("is made with the settings that a hook chooses, at the price of that model", async () => {
    const hooks: AgentHook[] = [
      {
        name: "cheap",
        beforeRequest: ({ purpose }) => (purpose === "summary" ? { request: { model: "small" } } : undefined),
      },
    ];
    const usage = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0 };
    const talker = talking(
      reply,
      { history, hooks, prices: { "scripted-1": { input: 0, output: 0 }, small: { input: 3, output: 0 } } },
      () => ({
        chunks: "They talked.",
        usage,
      }),
    );
    let cost = 0;
    for (let turn = 0; turn < 9; turn++) {
      cost += (await talker.ask(`Question ${turn}. ${words(200)}`, { conversation })).cost ?? Number.NaN;
    }
    expect(talker.summaries().map(({ model }) => model)).toEqual(["small"]);
    expect(talker.steps().map(({ model }) => model)).not.toContain("small");
    expect(cost).toBe(3);
  });

  it("is not made if a hook stops the run", async () => {
    const { summaries, last } = await talked([
      {
        name: "guard",
        beforeRequest: ({ purpose }) =>
          purpose === "summary" ? { stop: { reason: "stop_requested", message: "Not outside." } } : undefined,
      },
    ]);
    expect(summaries()).toEqual([]);
    expect(last).toMatchObject({ status: "stopped", stop: { reason: "stop_requested", source: "guard" } });
  });

  it("is not made if a hook fails: the run fails with `hook`", async () => {
    const { summaries, last } = await talked([
      {
        name: "guard",
        beforeRequest({ purpose }) {
          if (purpose === "summary") throw new Error("no");
          return undefined;
        },
      },
    ]);
    expect(summaries()).toEqual([]);
    expect(last).toMatchObject({ status: "failed", error: { code: "hook" } });
  });

  it("names the model that writes summaries", async () => {
    const writer = scripted(Array(3).fill("They talked."), { name: "writer" } as never);
    const seen: BeforeRequest[] = [];
    await talked([{ name: "watch", beforeRequest: (context) => void seen.push(context) }], {
      history: compaction({ window: 4000, provider: writer }),
    });
    expect(seen.find(({ purpose }) => purpose === "summary")?.provider.name).toBe(writer.name);
  });
});
