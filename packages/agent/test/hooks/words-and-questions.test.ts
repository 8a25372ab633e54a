import { memoryStore } from "@cogency/storage";
import { defineTool } from "@cogency/tools";
import { describe, expect, it } from "vitest";
import type { AgentHook } from "../../src/index.ts";
import { conversation } from "../support/fixtures.ts";
import { at, callThenAnswer, hooked } from "./stage.ts";

const noSecrets: AgentHook = {
  name: "no secrets",
  beforePrompt: ({ prompt }) => (prompt.includes("sk-") ? { refuse: "It holds a key." } : undefined),
};

describe("beforePrompt", () => {
  it("refuses a prompt, which is stored nowhere, and the model is not asked", async () => {
    const { ask, log, provider } = hooked(["Hello.<end>"], [noSecrets]);
    const { status, error } = await ask("My key is sk-1.", { conversation });
    expect([status, error?.code, error?.message]).toEqual([
      "failed",
      "prompt_refused",
      "A hook refused the prompt: It holds a key.",
    ]);
    expect([await log(), provider.requests.length]).toEqual([[], 0]);
    expect((await ask("Hello.", { conversation })).text).toBe("Hello.");
  });

  it("refuses words of the inbox, takes them out of it, and goes on with those behind them", async () => {
    const { send, recover, log, store, toldOf } = hooked(["Hello.<end>"], [noSecrets]);
    for (const content of ["sk-2", "Say hello."]) await send({ conversation }, { kind: "prompt", content });
    expect((await recover()).text).toBe("Hello.");
    expect(JSON.stringify(await log())).not.toContain("sk-2");
    expect(await store.inbox({ conversation })).toEqual([]);
    expect(toldOf("message_received").map(({ refused }) => refused)).toEqual([
      "A hook refused the prompt: It holds a key.",
      undefined,
    ]);
  });

  it("fails a conversation that would begin with refused words alone", async () => {
    const { send, recover, provider } = hooked(["Hello.<end>"], [noSecrets]);
    await send({ conversation }, { kind: "prompt", content: "sk-3" });
    expect([(await recover()).error?.code, provider.requests.length]).toEqual(["prompt_refused", 0]);
    expect([(await recover()).error?.code, provider.requests.length]).toEqual(["nothing_to_recover", 0]);
    await send({ conversation }, { kind: "prompt", content: "Say hello." });
    expect([(await recover()).text, provider.requests.length]).toEqual(["Hello.", 1]);
    expect(JSON.stringify(provider.requests[0]?.messages)).toContain("Say hello.");
  });

  it("refuses a steer, and the run goes on without it", async () => {
    const kinds: string[] = [];
    const steered: AgentHook = {
      name: "steered",
      beforePrompt({ kind, prompt }) {
        kinds.push(`${kind} ${prompt}`);
        return kind === "steer" ? { refuse: "Not now." } : undefined;
      },
      async afterStep() {
        if (kinds.length === 1) await send({ conversation }, { kind: "steer", content: "Turn left." });
        return undefined;
      },
    };
    const { send, go, log } = hooked(callThenAnswer, [steered]);
    expect((await go()).text).toBe("Done.");
    expect(kinds).toEqual(["prompt go", "steer Turn left."]);
    expect(JSON.stringify(await log())).not.toContain("Turn left.");
  });

  it("fails closed: a run whose guard throws asks no model", async () => {
    const broken = at("beforePrompt", () => {
      throw new Error("broken");
    });
    const { go, provider } = hooked(["Hello.<end>"], [broken]);
    expect([(await go()).error?.code, provider.requests.length]).toEqual(["hook", 0]);
  });
});

describe("what a hook tells the model", () => {
  const holds = [{ holds: "untrusted", source: "a linter" }] as const;
  const told: readonly (readonly [string, AgentHook])[] = [
    ["beforeRun", at("beforeRun", () => ({ notify: "Mind it.", holds }))],
    ["beforeStep", at("beforeStep", () => ({ notify: "Mind it.", holds }))],
    ["beforeStep, without a text,", at("beforeStep", () => ({ holds }))],
  ];
  it.each(told)("at %s marks the conversation from the next call on", async (_, hook) => {
    const asked: string[][] = [];
    const { go, log } = hooked(callThenAnswer, [hook], {
      execution: {
        approval: {
          content: "ask",
          policy: { otherwise: "allow" },
          approve: ({ concerns }) => asked.push(concerns.map(({ why }) => why)) > 0,
        },
      },
    });
    await go();
    expect(asked).toEqual([[expect.stringContaining("a linter")]]);
    expect(await log()).toContainEqual(
      expect.objectContaining({ type: "record", kind: "content", data: { ...holds[0] } }),
    );
  });

  it("at onStop marks it, too", async () => {
    let isFirst = true;
    const again = at("onStop", () => {
      const more = isFirst ? { continue: "Once more.", holds } : undefined;
      isFirst = false;
      return more;
    });
    const { go, log } = hooked(["A.<end>", "B.<end>"], [again]);
    expect((await go()).text).toBe("B.");
    expect((await log()).filter((event) => event.type === "record" && event.kind === "content")).toHaveLength(1);
  });
});

describe("onQuestion", () => {
  const asks = { execution: { approval: { policy: { otherwise: "ask" as const } } } };

  it.each(["answered here", "left for somebody elsewhere"])("hears of a question that is %s", async (where) => {
    const heard: string[] = [];
    const listener = at("onQuestion", ({ call, asks }: { call: { name: string }; asks: string }) => {
      heard.push(`${asks} ${call.name}`);
    });
    const isHere = where === "answered here";
    const { go } = hooked(callThenAnswer, [listener], isHere ? asks : { ...asks, whenUnanswered: "wait" });
    const { status } = await go(isHere ? { approve: () => true } : {});
    expect([heard, status]).toEqual([["approval act"], isHere ? "completed" : "waiting"]);
  });

  it("hears of a question that the body of a call asks", async () => {
    const heard: string[] = [];
    const pick = defineTool({
      name: "pick",
      description: "Asks.",
      input: { type: "object" },
      asks: true,
      execute: async (_, { ask }) => JSON.stringify(await ask({ message: "Which?" })),
    });
    const listener = at("onQuestion", ({ asks, call }: { asks: string; call: { name: string } }) => {
      heard.push(`${asks} ${call.name}`);
    });
    const steps = ['<execute>[{"name":"pick","args":{}}]</execute>', "Done.<end>"];
    const { go } = hooked(steps, [listener], { tools: [pick], store: memoryStore() });
    await go({ answer: () => ({ content: "this" }) } as never);
    expect(heard).toEqual(["answer pick"]);
  });

  it("is not waited for by the question, and is by the end of the run", async () => {
    const order: string[] = [];
    const opened = Promise.withResolvers<void>();
    const listener = at("onQuestion", async () => {
      await opened.promise;
      order.push("heard");
    });
    const ending = at("afterRun", () => void order.push("ended"));
    const { go } = hooked(callThenAnswer, [listener, ending], asks);
    await go({
      approve: () => {
        order.push("answered");
        setTimeout(opened.resolve, 20);
        return true;
      },
    });
    expect(order).toEqual(["answered", "heard", "ended"]);
  });

  it("fails open, and stands on the timeline", async () => {
    const broken = at("onQuestion", () => {
      throw new Error("no bell");
    });
    const { go, effects, toldOf } = hooked(callThenAnswer, [broken], asks);
    await go({ approve: () => true });
    expect([effects, toldOf("hook_violation").length]).toEqual([["act a"], 1]);
  });
});
