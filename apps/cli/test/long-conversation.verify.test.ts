import { describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";
import { type Reply, replyingServer, type Wire } from "./support/model-servers.ts";

const keys = { OPENAI_API_KEY: "sk-test", ANTHROPIC_API_KEY: "sk-test", GEMINI_API_KEY: "sk-test" };
/** Tokens of the window of these models. */
const window = 10_000;
const about = (text: string, tokens: number) => `${text} ${"word".repeat(tokens)}`;

const tokensOf = (body: Record<string, unknown>) => Math.ceil(JSON.stringify(body).length / 4);
const isOfSummary = (body: Record<string, unknown>) => JSON.stringify(body).includes("You write the summary");

/** A model with this window, whose server refuses what is longer in these words. */
function limited(words: string) {
  return (body: Record<string, unknown>): Reply => {
    if (tokensOf(body) > window) return { status: 400, message: words.replace("<tokens>", String(tokensOf(body))) };
    return isOfSummary(body) ? "They talked." : "So.<end>";
  };
}

const refusals: [wire: Wire, words: string][] = [
  ["Chat Completions", `This model's maximum context length is ${window} tokens. However, you sent <tokens> tokens.`],
  ["Responses", "Your input exceeds the context window of this model. Please adjust your input and try again."],
  ["Messages", `prompt is too long: <tokens> tokens > ${window} maximum`],
  ["Gemini", `The input token count (<tokens>) exceeds the maximum number of tokens allowed (${window}).`],
];

describe("a conversation that outgrows the window of its model", () => {
  it.each(refusals)("goes on over %s", async (wire, words) => {
    const server = await replyingServer(limited(words));
    const at = place();
    const say = (prompt: string) =>
      at.cogency(["run", prompt, "--conversation", "c", ...server.at(wire)], { env: keys });
    const told: string[] = [];
    for (let turn = 0; turn < 6; turn++) {
      const { code, stdout, stderr } = await say(about(`Turn ${turn}.`, 2000));
      expect({ turn, code, stdout, stderr: code === 0 ? "" : stderr }).toEqual({
        turn,
        code: 0,
        stdout: "So.\n",
        stderr: "",
      });
      told.push(...stderr.split("\n").filter((line) => line.includes("is summed up")));
    }
    expect(told.length).toBeGreaterThan(0);
    expect(told[0]).toMatch(/^The earlier part of the conversation is summed up: about [\d,]+ tokens became [\d,]+\.$/);
    // The window was learned from the first refusal.
    expect(server.requests.filter((body) => tokensOf(body) > window)).toHaveLength(1);

    const tooLarge = await say(about("Too large.", 12_000));
    expect(tooLarge).toMatchObject({ code: 3, stdout: "" });
    expect(tooLarge.stderr).toContain("The last message is too large. Say it in parts, or name a file");
    expect(await say("A short one.")).toMatchObject({ code: 0, stdout: "So.\n" });
  });

  it.each<[string, string[], object | undefined]>([
    ["--context-window says it", ["--context-window", String(window)], undefined],
    ["its server on this machine says it", [], { data: [{ id: "tiny", max_model_len: window }] }],
  ])("is summed up at 80 % of the window, before anything is refused, where %s", async (_, options, listed) => {
    const server = await replyingServer(limited("too long"), (path) => (path === "/v1/models" ? listed : undefined));
    const at = place();
    for (let turn = 0; turn < 6; turn++) {
      const args = ["run", about(`Turn ${turn}.`, 2000), "--conversation", "c", ...options];
      expect((await at.cogency([...args, ...server.at("Chat Completions")], { env: keys })).code).toBe(0);
    }
    expect(server.requests.filter(isOfSummary).length).toBeGreaterThan(0);
    expect(Math.max(...server.requests.map(tokensOf))).toBeLessThanOrEqual(0.85 * window);
  });

  it("ends with what the server says where --no-compact says so", async () => {
    const server = await replyingServer(limited("prompt is too long"));
    const args = ["run", about("Too large.", 12_000), "--no-compact", ...server.at("Chat Completions")];
    const { code, stderr } = await place().cogency(args, { env: keys });
    expect(code).toBe(3);
    expect(stderr).toContain("prompt is too long");
    expect(server.requests).toHaveLength(1);
    expect(server.looks).toEqual([]);
  });
});
