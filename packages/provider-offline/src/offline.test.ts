import { parseSync, protocolPrompt } from "@cogency/protocol";
import type { ModelEvent, ModelRequest } from "@cogency/provider";
import { collect } from "@tooling/wires/collect";
import { describe, expect, it } from "vitest";
import { offline } from "./offline.ts";
import { tokenize } from "./tokens.ts";

const system = protocolPrompt([]);
const request: ModelRequest = { system, messages: [{ role: "user", content: "hello" }] };

describe("offline", () => {
  it("streams the wire protocol token by token, then usage, then the finish", async () => {
    const events = await collect(offline().stream(request));
    const texts = textsOf(events);
    expect(texts).toEqual(tokenize(texts.join("")));
    expect(texts.length).toBeGreaterThan(20);
    expect(parseSync(texts.join("")).at(-1)).toMatchObject({ type: "end" });
    expect(events.slice(-2)).toEqual([
      {
        type: "usage",
        usage: {
          input: tokenize(system).length + 1,
          output: texts.length,
          cacheRead: 0,
          cacheWrite: 0,
          reasoning: 0,
        },
      },
      { type: "finish", reason: "stop" },
    ]);
  });

  it("gives the same events to the same request", async () => {
    expect(await collect(offline().stream(request))).toEqual(await collect(offline().stream(request)));
  });

  it("has the given name", async () => {
    const named = offline({ model: "tiny-7" });
    expect(named).toMatchObject({ name: "offline", model: "tiny-7" });
    expect(textsOf(await collect(named.stream(request))).join("")).toContain("tiny-7");
    expect(textsOf(await collect(named.stream({ ...request, model: "tiny-8" }))).join("")).toContain("tiny-8");
  });

  it("stops at the limit and says so", async () => {
    const events = await collect(offline().stream({ ...request, maxOutputTokens: 3 }));
    expect(textsOf(events)).toHaveLength(3);
    expect(events.slice(-2)).toMatchObject([{ usage: { output: 3 } }, { type: "finish", reason: "length" }]);
  });

  it("stops before the first stop sequence", async () => {
    const whole = textsOf(await collect(offline().stream(request))).join("");
    const cut = textsOf(
      await collect(offline().stream({ ...request, stop: ["never said", "small", "<end>", ""] })),
    ).join("");
    expect(cut).toBe(whole.slice(0, whole.indexOf("small")));
  });

  it.each([0, 1_000_000])("finishes as aborted at once with a delay of %i", async (delay) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 1);
    const events: ModelEvent[] = [];
    for await (const event of offline({ delay }).stream(request, { signal: controller.signal })) {
      events.push(event);
      if (event.type === "text") controller.abort();
    }
    expect(events.at(-1)).toEqual({ type: "finish", reason: "aborted" });
    expect(events.length).toBeLessThan(3);
  });
});

function textsOf(events: readonly ModelEvent[]): string[] {
  return events.flatMap((event) => (event.type === "text" ? [event.text] : []));
}
