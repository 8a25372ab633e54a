import { createAgent } from "@cogency/agent";
import { scripted } from "@cogency/provider";
import { memoryStore } from "@cogency/storage";
import { createKeyRing, defineTool, type Tool } from "@cogency/tools";
import { logOf, recordedConversations } from "@tooling/conversations";
import { describe, expect, it } from "vitest";
import { playConversation } from "../play/play-conversation.ts";
import type { MakeAgent } from "../play/play-parts.ts";
import { writeTest } from "./writer.ts";

const key = { conversation: "c" };
const oneText = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;
const call = (name: string, text: string) => `<execute>[{"name":"${name}","args":{"text":"${text}"}}]</execute>`;

/** The log of a conversation whose model writes these answers. */
async function recordedLog(prompts: readonly string[], answers: readonly string[], recordRequests = true) {
  const store = memoryStore();
  const agent = createAgent({
    provider: scripted(answers),
    store,
    keyRing: createKeyRing(["a key of this test, which is long enough"]),
    recordRequests,
    instructions: "You echo.",
    tools: [echo, broken],
  });
  for (const prompt of prompts) await agent.ask(prompt, key);
  return store.load(key);
}

const echo = defineTool({
  name: "echo",
  description: "Give a text back.",
  input: oneText,
  execute: ({ text }) => ({ text: String(text) }),
});
const broken = defineTool({
  name: "broken",
  description: "Fails.",
  input: oneText,
  execute: ({ text }) => {
    throw new Error(`It broke at ${text}`);
  },
});

const options = { dataFile: "x.recorded.json" };

describe("writeTest", () => {
  it("keeps planted secrets and the folder of the machine out of test and file", async () => {
    const secret = "sk-proj-abcdefghijklmnopqrstuvwx0123456789";
    const log = await recordedLog(
      [`Use ${secret} in /home/ada/work/notes.txt`],
      [
        `I use ${secret}.${call("echo", secret)}`,
        call("broken", `/home/ada/work/${secret}`),
        `<think>${secret}</think>Done.<end>`,
      ],
    );
    expect(JSON.stringify(log)).toContain(secret);
    const { source, data } = await writeTest(log, {
      ...options,
      redact: (text) => text.replaceAll(secret, "[redacted]").replaceAll("/home/ada/work/", ""),
    });
    for (const text of [source, data]) {
      expect(text).toContain("[redacted]");
      expect(text).not.toContain(secret);
      expect(text).not.toContain("/home/ada");
    }
    const usual = await writeTest(log, options);
    expect(`${usual.source}${usual.data}`).not.toContain(secret);
  });

  it("writes the first turns alone, and names a later turn that broke off", async () => {
    const log = await recordedLog(["One.", "Two."], ["First.<end>", "Second.<end>"]);
    const cut = log.slice(0, -2);
    await expect(writeTest(cut, options)).rejects.toMatchObject({ code: "turn_without_end", turn: 2 });
    const { source, turns } = await writeTest(cut, { ...options, turns: 1 });
    expect(turns).toBe(1);
    expect(source).toContain('"First."');
    expect(source).not.toContain("Second.");
  });

  it("refuses a log that does not hold what the model was asked, but not with an agent of one's own", async () => {
    const log = await recordedLog(["One."], ["First.<end>"], false);
    await expect(writeTest(log, options)).rejects.toMatchObject({ code: "not_recorded" });
    const agent = { module: "./agent.ts", name: "makeEcho" };
    const { source, data, comparesRequests } = await writeTest(log, { ...options, agent });
    expect(source).toContain('import { makeEcho } from "./agent.ts";');
    expect(source).toContain("playConversation(makeEcho)");
    expect([data, comparesRequests]).toEqual([undefined, false]);
  });

  it("refuses an empty log", async () => {
    await expect(writeTest([], options)).rejects.toMatchObject({ code: "no_turn" });
  });

  it.each([
    ["compaction", "summed up"],
    ["tools-found", "searched its tools"],
    ["untrusted-and-changed-tools", "came from a server"],
  ])("refuses %s, which no agent made from a log can repeat, and says what to do", async (name, why) => {
    const logNamed = (wanted: string) =>
      recordedConversations.flatMap((one) => (one.name === wanted ? logOf(one) : []));
    const request = logNamed("one-tool").filter((event) => event.type === "record" && event.kind === "request");
    const found = logNamed(name);
    const prompt = found.findIndex((event) => event.type === "user") + 1;
    const log = [...found.slice(0, prompt), ...request.slice(0, 1), ...found.slice(prompt)];
    await expect(writeTest(log, options)).rejects.toThrow(new RegExp(`${why}.*--agent`));
  });

  it("plays the test before it returns it: an agent that does something else is refused with what differs", async () => {
    const log = await recordedLog(["One."], [call("echo", "a"), "First.<end>"]);
    const make: MakeAgent = ({ record: _, ...parts }) =>
      createAgent({ ...parts, instructions: "You shout.", tools: [echo, broken] });
    const agent = { module: "./agent.ts", name: "make", make };
    await expect(writeTest(log, { ...options, agent })).rejects.toThrow(
      /turn 1: Request 1 .*system prompt, line 1.*\n.*You echo.*\n.*You shout/,
    );
  });

  it("escapes what a reader of the test cannot see", async () => {
    const log = await recordedLog(["a\u202eb\u0007c\u2028d"], ["Fine\u200b.<end>"]);
    const { source } = await writeTest(log, options);
    expect(source).toContain("a\\u202eb\\u0007c\\u2028d");
    expect(source).not.toMatch(/[\u202e\u2028\u200b]/);
    expect(source).not.toContain("\u0007");
  });

  it("moves texts of more than 400 characters into the file beside the test", async () => {
    const long = "word ".repeat(100);
    const log = await recordedLog([long], ["First.<end>"]);
    const { source, data } = await writeTest(log, options);
    expect(source).not.toContain(long.slice(0, 200));
    expect(JSON.parse(data ?? "")).toMatchObject({ texts: { prompt: long } });
    expect(source).toContain("recorded.texts.prompt");
  });
});

describe("playConversation", () => {
  const steps = [{ calls: [{ name: "echo", args: { text: "a" }, result: { text: "recorded" } }] }, "Done."];
  const make =
    (tool: Tool = echo): MakeAgent =>
    ({ record: _, ...parts }) =>
      createAgent({ ...parts, tools: [tool] });

  it("answers the calls of an agent's own tools from the record: no body runs", async () => {
    let ran = 0;
    const counting = { ...echo, execute: () => ++ran };
    const play = playConversation(make(counting));
    await expect(play.turn("Go.", steps)).resolves.toMatchObject({
      status: "completed",
      calls: [{ outcome: "success" }],
    });
    play.end();
    expect(ran).toBe(0);
  });

  it("gives the results of tools that really run, so that a test compares them", async () => {
    const play = playConversation(make(), { runTools: true });
    await expect(play.turn("Go.", steps)).resolves.toMatchObject({
      calls: [{ outcome: "success", result: { text: "a" } }],
    });
  });

  it("fails a call that is not in the record, and says so in its result", async () => {
    const play = playConversation(make());
    const done = await play.turn("Go.", [{ calls: [{ name: "echo", args: { text: "b" } }] }, "Done."]);
    expect(done.calls).toMatchObject([
      { outcome: "failure", result: expect.stringContaining("not recorded: echo did not run") },
    ]);
  });

  it("throws for requests beyond those that were recorded, for steps left, and for an answer without a question", async () => {
    const asking = playConversation(make());
    await expect(asking.turn("Go.", steps.slice(0, 1))).rejects.toMatchObject({ code: "unexpected_request" });
    const left = playConversation(make());
    await left.turn("Go.", ["Done.", "More."]);
    expect(() => left.end()).toThrow(/1 times, and 2 times.*More/);
    await expect(left.turn({ approve: "echo" })).rejects.toMatchObject({ code: "no_question" });
  });
});
