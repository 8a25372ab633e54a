import { type AgentOptions, createAgent, protocolDriver } from "@cogency/agent";
import { compaction, transform } from "@cogency/agent/history";
import { nativeDriver } from "@cogency/agent/native";
import { type PrefixBreak, whyRequest } from "@cogency/protocol/why";
import { type ScriptedReply, scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { describe, expect, it } from "vitest";
import { block } from "./recording/model.ts";
import { photograph, pixel, survey, weather } from "./recording/tools.ts";

const image = { kind: "image", mediaType: "image/png", data: pixel } as const;

type Turn = Partial<AgentOptions> & { readonly prompt?: Parameters<ReturnType<typeof createAgent>["ask"]>[0] };

/** What `whyRequest` says of the last request, after each turn was run by an agent of its own over one store. */
async function breakAfter(...turns: readonly Turn[]): Promise<PrefixBreak> {
  const store = memoryStore();
  const key = { conversation: "c", user: "ada" };
  for (const { prompt = "And now?", ...options } of turns) {
    const provider = scripted(["It rains.<end>"]);
    const agent = createAgent({ store, provider, recordRequests: true, warn: () => {}, ...options });
    expect(await agent.ask(prompt, key)).toMatchObject({ status: "completed" });
  }
  const log = await store.load(key);
  const last = log.findLast((event) => event.type === "record" && event.kind === "request");
  const why = whyRequest(log, last?.seq ?? 0);
  if (!why) throw new Error("The log has no record of a request.");
  return why.prefix;
}

const native = (model: string) =>
  scripted(["It rains."], { name: "house", model, capabilities: { tools: true, attachments: ["image"] } });

describe("what broke the cached prefix of agents that run", () => {
  it("clock: an agent is told the time anew", async () => {
    const at = (time: string): Turn => ({ instructions: `Be brief.\nIt is ${time}.` });
    expect(await breakAfter(at("Monday, 9:14"), at("Monday, 9:15"))).toMatchObject({
      state: "broken",
      kind: "clock",
      part: { kind: "system" },
      line: { before: "It is Monday, 9:14.", now: "It is Monday, 9:15." },
    });
  });

  it.each<[where: string, options: () => Turn]>([
    ["taught in the system prompt", () => ({})],
    ["of the provider", () => ({ driver: nativeDriver(), provider: native("m") })],
  ])("tools: a tool is new, %s", async (_, options) => {
    const prefix = await breakAfter({ ...options(), tools: [weather] }, { ...options(), tools: [weather, survey] });
    expect(prefix).toMatchObject({ state: "broken", kind: "tools" });
    expect(prefix.why).toContain("new: survey");
  });

  it("compaction: a summary stands for what was said", async () => {
    const provider = () =>
      scripted(
        Array(4).fill(
          ({ system }: { system: string }): ScriptedReply =>
            system.startsWith("You write the summary")
              ? "They walk."
              : `Noted. ${"More of the same. ".repeat(40)}<end>`,
        ),
      );
    const history = compaction({ window: 1000 });
    const turns = [1, 2, 3, 4, 5].map((day) => ({
      provider: provider(),
      history,
      prompt: `Day ${day}: ${"we walk, ".repeat(20)}`,
    }));
    const prefix = await breakAfter(...turns.slice(0, 4));
    const all = [prefix, await breakAfter(...turns.slice(0, 3)), await breakAfter(...turns)];
    const broken = all.filter(({ state }) => state === "broken");
    expect(broken.length).toBeGreaterThan(0);
    for (const one of broken)
      expect(one).toMatchObject({ kind: "compaction", part: { kind: "message", standsFor: { from: 1 } } });
  });

  it("model: another one is asked, and the first one again", async () => {
    const turn = (model: string): Turn => ({ driver: nativeDriver(), provider: native(model) });
    expect(await breakAfter(turn("small"), turn("large"))).toMatchObject({ state: "broken", kind: "model" });
    const again = await breakAfter(turn("small"), turn("large"), turn("small"));
    expect(again).toMatchObject({
      state: "grew",
      lost: 0,
      why: expect.stringMatching(/directly before, went to house large/),
    });
  });

  it("driver: another one writes the request", async () => {
    const prefix = await breakAfter({}, { driver: protocolDriver({ dialect: "xml" }) });
    expect(prefix).toMatchObject({ state: "broken", kind: "driver" });
    expect(prefix.why).toContain("protocol (xml) now, before protocol (json)");
  });

  it("attachment: the picture of an earlier step is left out", async () => {
    const history = transform((messages) =>
      messages.length < 2
        ? messages
        : messages.map((message) =>
            message.role === "user" && typeof message.content !== "string"
              ? { ...message, content: "(a picture)" }
              : message,
          ),
    );
    const provider = scripted([block(["photograph", {}]), "Two pictures.<end>"], {
      capabilities: { attachments: ["image"] },
    });
    const prefix = await breakAfter({
      history,
      provider,
      tools: [photograph],
      prompt: { text: "Look", attachments: [image] },
    });
    expect(prefix).toMatchObject({ state: "broken", kind: "attachment" });
    expect(prefix.why).toContain("message 1 or left it out, which has 1 attachment in the log");
  });

  it("instructions: they say something else", async () => {
    expect(await breakAfter({ instructions: "Be brief." }, { instructions: "Answer in verse." })).toMatchObject({
      state: "broken",
      kind: "instructions",
      part: { kind: "system" },
      line: { before: "Be brief.", now: "Answer in verse." },
    });
  });

  it("is nothing where the same agent goes on, with new pictures too", async () => {
    const turn = (): Turn => ({ driver: nativeDriver(), provider: native("m"), tools: [weather] });
    expect(await breakAfter(turn(), { ...turn(), prompt: { text: "Look", attachments: [image] } })).toMatchObject({
      state: "grew",
      lost: 0,
    });
  });
});
