import { ProviderError, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import type { BeforeRequest } from "../../src/hooks.ts";
import { type AgentHook, createAgent } from "../../src/index.ts";
import { block } from "../support/fixtures.ts";
import { at, callThenAnswer, hooked } from "./stage.ts";

const enough = { reason: "stop_requested", message: "Enough." } as const;

describe("a hook before the run", () => {
  it("is called once, with the prompt in the log", async () => {
    const seen: unknown[] = [];
    const hook: AgentHook = {
      name: "h",
      beforeRun: ({ mode, state, conversation, user }) => {
        seen.push([mode, state.events.at(-1)?.type, state.step, state.metadata, conversation, user]);
        return undefined;
      },
    };
    await hooked(callThenAnswer, [hook]).go({ metadata: { a: 1 }, user: "ada" });
    expect(seen).toEqual([["run", "user", 0, { a: 1 }, "c", "ada"]]);
  });

  it("stops it before the model is asked, and its prompt stays in the log", async () => {
    const stage = hooked(callThenAnswer, [at("beforeRun", () => ({ stop: enough }))]);
    expect(await stage.go()).toMatchObject({
      status: "stopped",
      steps: 0,
      stop: { ...enough, source: "at beforeRun" },
    });
    expect(stage.provider.requests).toEqual([]);
    const kinds = (await stage.log()).map((event) => (event.type === "record" ? event.kind : event.type));
    expect(kinds).toEqual(["origin", "user", "run"]);
  });

  it("may end it as completed", async () => {
    const stage = hooked([], [at("beforeRun", () => ({ stop: { reason: "completed" } }))]);
    expect(await stage.go()).toMatchObject({
      status: "completed",
      text: "",
      stop: { reason: "completed", message: "" },
    });
  });

  it("is not called where there is nothing to do", async () => {
    const stage = hooked(["Done.<end>"], []);
    await stage.go();
    const again = hooked([], [at("beforeRun", () => ({ stop: enough }))], { store: memoryStore() });
    const { status, error } = await again.recover();
    expect([status, error?.code]).toEqual(["failed", "nothing_to_recover"]);
  });

  it("tells the model something before the first step", async () => {
    const stage = hooked(["Hello.<end>"], [at("beforeRun", () => ({ notify: "Today is Monday." }))]);
    await stage.go();
    expect(JSON.stringify(stage.provider.requests[0]?.messages)).toContain("Today is Monday.");
  });
});

describe("a hook before a request", () => {
  it("changes its settings, as the model, the timeline and the log see them", async () => {
    const prices = { "hook-model": { input: 1, output: 1 } };
    const hook = at("beforeRequest", () => ({ request: { model: "hook-model", maxOutputTokens: 7 } }));
    const stage = hooked(["Hello.<end>"], [hook], { recordRequests: true, prices, request: { temperature: 1 } });
    await stage.go();
    expect(stage.provider.requests).toMatchObject([{ model: "hook-model", maxOutputTokens: 7, temperature: 1 }]);
    expect(stage.toldOf("request_started")).toMatchObject([{ model: "hook-model" }]);
    const record = (await stage.log()).find((event) => event.type === "record" && event.kind === "request");
    expect(record).toMatchObject({
      data: { model: "hook-model", settings: { maxOutputTokens: 7 }, messages: { form: "json" } },
    });
  });

  it("gets the request with the changes of earlier hooks, and cannot change its messages", async () => {
    const seen: (string | undefined)[] = [];
    const naming = (name: string): AgentHook => ({
      name,
      beforeRequest: ({ request, provider }: BeforeRequest) => {
        seen.push(request.model, provider.model);
        return { request: { model: name } };
      },
    });
    const stage = hooked(["Hello.<end>"], [naming("a"), naming("b")]);
    await stage.go();
    expect(seen).toEqual([undefined, "scripted-1", "a", "scripted-1"]);
    expect(stage.provider.requests[0]?.model).toBe("b");
  });

  it("is called again for the provider that takes over", async () => {
    const seen: string[] = [];
    const spare = scripted(["Hello.<end>"], { name: "spare" });
    const hook: AgentHook = { name: "h", beforeRequest: ({ provider }) => void seen.push(provider.name) as undefined };
    const stage = hooked([{ error: new ProviderError("connection", "no line") }], [hook], { fallback: [spare] });
    await stage.go();
    expect(seen).toEqual(["scripted", "spare"]);
  });

  it("stops the run: the model is not asked, and the step has used nothing", async () => {
    const stage = hooked(callThenAnswer, [
      { name: "h", beforeRequest: ({ state }) => (state.step === 2 ? { stop: enough } : undefined) },
    ]);
    expect(await stage.go()).toMatchObject({ status: "stopped", steps: 2, stop: enough });
    expect(stage.provider.requests).toHaveLength(1);
    expect(stage.toldOf("request_started")).toHaveLength(1);
    expect(stage.toldOf("step_started")).toHaveLength(stage.toldOf("step_ended").length);
    expect((await stage.log()).at(-1)).toMatchObject({ kind: "run" });
  });
});

describe("a hook after the response", () => {
  it("sees what the model wrote and used, before any call runs", async () => {
    const seen: unknown[] = [];
    const stage = hooked(
      [`Looking.${callThenAnswer[0]}`, "Done.<end>"],
      [
        {
          name: "h",
          afterResponse({ text, calls, usage, state }) {
            seen.push([
              text,
              calls.map(({ name, args }) => [name, args]),
              usage.output > 0,
              state.usage.output > 0,
              [...stage.effects],
            ]);
            return undefined;
          },
        },
      ],
    );
    await stage.go();
    expect(seen).toEqual([
      ["Looking.", [["act", { what: "a" }]], true, true, []],
      ["Done.", [], true, true, ["act a"]],
    ]);
  });

  it.each([false, true])(
    "stops the run before the calls, each of which gets a result (early start: %s)",
    async (earlyStart) => {
      const calls = block(["echo", { text: "a" }], ["echo", { text: "b" }]);
      const echoed: string[] = [];
      const tools = [
        {
          ...(await import("../support/fixtures.ts")).echo,
          execute: ({ text }: { text: string }) => void echoed.push(text),
        },
      ];
      const stage = hooked([calls], [at("afterResponse", () => ({ stop: enough }))], {
        tools: tools as never,
        execution: { earlyStart },
      });
      expect(await stage.go()).toMatchObject({ status: "stopped", steps: 1, stop: enough, toolErrors: 2 });
      expect(echoed).toEqual([]);
      const [result] = stage.toldOf("result");
      expect(JSON.parse(result?.content ?? "")).toEqual([
        { tool: "echo", status: "failure", content: "The call did not run: a hook ended the run." },
        { tool: "echo", status: "failure", content: "The call did not run: a hook ended the run." },
      ]);
      const log = await stage.log();
      expect(log.filter(({ type }) => type === "result")).toHaveLength(1);
      expect(log.at(-1)).toMatchObject({ kind: "run" });
      expect(await stage.recover()).toMatchObject({ status: "stopped", steps: 0 });
    },
  );

  it("stops a run whose model has answered", async () => {
    const stage = hooked(
      ["Hello.<end>"],
      [at("afterResponse", () => ({ stop: { reason: "error", message: "Bad word." } }))],
    );
    expect(await stage.go()).toMatchObject({ status: "stopped", text: "Hello.", stop: { reason: "error" } });
  });

  it("hands its metadata to the calls of the response, and keeps what they add", async () => {
    const seen: unknown[] = [];
    const hook: AgentHook = {
      name: "h",
      afterResponse: () => ({ patch: { from: "response" } }),
      afterToolUse: ({ state }) => {
        seen.push(state.metadata);
        return { patch: { call: true } };
      },
    };
    const { metadata } = await hooked(callThenAnswer, [hook]).go();
    expect(seen).toEqual([{ from: "response" }]);
    expect(metadata).toEqual({ from: "response", call: true });
  });
});

describe("hooks around calls among those of the agent", () => {
  it("run with the others, and their object is their `this`", async () => {
    class Rewriting implements AgentHook {
      readonly name = "rewriting";
      readonly what = "b";
      beforeToolUse() {
        return { call: { args: { what: this.what } } };
      }
      beforeRun() {
        return { patch: { what: this.what } };
      }
    }
    const stage = hooked(callThenAnswer, [new Rewriting()]);
    expect((await stage.go()).metadata).toEqual({ what: "b" });
    expect(stage.effects).toEqual(["act b"]);
  });

  it("are checked strictly", async () => {
    const misspelt = at("beforeToolUse", () => ({ blok: "no" }));
    const strict = hooked(callThenAnswer, [misspelt]);
    expect((await strict.go()).error).toMatchObject({ code: "hook", message: expect.stringContaining("blok") });
    expect(strict.effects).toEqual([]);
  });

  it("keep a tool on offer that no rule allows: a hook may rewrite its calls", async () => {
    const offers = async (hooks: readonly AgentHook[]) => {
      const stage = hooked(["Hello.<end>"], hooks, {
        execution: { approval: { policy: { tools: { act: "ask" }, otherwise: "allow" } } },
        warn: () => {},
      });
      await stage.go();
      return stage.provider.requests[0]?.system.includes("- act:");
    };
    expect(await offers([])).toBe(false);
    expect(await offers([at("beforeToolUse", () => undefined)])).toBe(true);
  });
});

describe("createAgent", () => {
  const wrong: [unknown, string][] = [
    [{}, "`hooks` is an object; give an array of hooks."],
    [[5], "`hooks[0]` is 5; give a hook"],
    [[{}], "createAgent needs `hooks[0].name`"],
    [[{ name: "" }], "`hooks[0].name` is an empty string"],
    [[{ name: "h", priority: "high" }], "`hooks[0].priority` is a string; give a number."],
    [
      [
        { name: "h", onStop() {} },
        { name: "g", onStop: true },
      ],
      "`hooks[1].onStop` is true; give a function.",
    ],
    [[{ name: "h" }], "has no point, so it would never be called"],
    [[{ name: "h", beforeSteps() {} }], "no point `beforeSteps`. Did you mean `beforeStep`?"],
    [[{ name: "h", afterTooluse() {} }], "Did you mean `afterToolUse`?"],
  ];
  it.each(wrong)("refuses the hooks %o", (hooks, message) => {
    expect(() => createAgent({ provider: scripted([]), hooks: hooks as never })).toThrow(message);
  });

  it("accepts a hook with methods of its own", () => {
    const hook = { name: "h", count: 0, render() {}, onStop: () => undefined };
    expect(() => createAgent({ provider: scripted([]), hooks: [hook] })).not.toThrow();
  });
});
