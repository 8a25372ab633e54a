import type { ModelEvent, ModelRequest, Provider, ScriptedReply } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { compaction, slidingWindow } from "../../src/history.ts";
import { createAgent } from "../../src/index.ts";
import { conversation, echo } from "../support/fixtures.ts";
import { type ModelChoice, modelChoices, wireProvider } from "../switching/wire-providers.ts";
import { validators } from "../validators/index.ts";
import { drivers, isOfSummary, words } from "./support.ts";

/** The provider of a wire, which thinks before each answer, and every request that it was asked. */
function thinking(choice: ModelChoice, reply: (request: ModelRequest) => ScriptedReply) {
  const requests: ModelRequest[] = [];
  let nth = 0;
  const wired = wireProvider(choice, () => {
    const given = reply(requests.at(-1) as ModelRequest);
    const said = (
      typeof given === "string" ? [{ type: "text", text: given }] : (given as { events: ModelEvent[] }).events
    ) as ModelEvent[];
    const parts = said.filter(({ type }) => type === "text" || type === "tool_call");
    const calls = parts.some(({ type }) => type === "tool_call");
    nth++;
    return {
      parts: [{ type: "reasoning", text: "I think." }, ...parts],
      finish: calls ? "tool_calls" : "stop",
      isCut: false,
      isDown: false,
      nth,
    };
  });
  const { name, model, capabilities } = wired.provider;
  const provider: Provider = {
    name,
    model,
    capabilities,
    async *stream(request, options) {
      requests.push(request);
      // The fake servers count nothing.
      for await (const event of wired.provider.stream(request, options)) if (event.type !== "usage") yield event;
    },
  };
  return { ...wired, provider, requests };
}

const cases = modelChoices.flatMap((model) => Object.keys(drivers).map((driver) => [model, driver] as const));

describe.each(cases)("the server of %s accepts every request of the driver %s", (choice, driver) => {
  it.each([
    ["after compactions, with the signatures of what is left", compaction({ window: 4000 })],
    ["of a sliding window", slidingWindow({ rounds: 7 })],
  ])("%s", async (_, history) => {
    const speech = drivers[driver] as (typeof drivers)[string];
    let step = 0;
    const asked = thinking(choice, (request) => {
      if (isOfSummary(request)) return "They talked.";
      step++;
      return step % 3 === 0 ? speech.answer(`So. ${words(100)}`) : speech.call(`Look ${step}. ${words(100)}`);
    });
    const agent = createAgent({
      provider: asked.provider,
      tools: [echo],
      store: memoryStore(),
      history,
      ...speech.options,
    });
    for (let turn = 0; turn < 8; turn++) {
      const { error } = await agent.ask(`Question ${turn}. ${words(100)}`, { conversation });
      expect(error).toBeUndefined();
    }
    if ("makeRoom" in history) expect(asked.requests.filter(isOfSummary).length).toBeGreaterThan(0);
    for (const request of asked.requests) expect(validators[asked.wire](await asked.bodyOf(request))).toBeUndefined();
  });
});
