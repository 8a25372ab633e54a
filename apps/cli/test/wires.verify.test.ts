import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { LLMock } from "@copilotkit/aimock";
import { serve } from "@tooling/loopback";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { place } from "./support/command-line.ts";

/** An independent server of the wires of OpenAI, Anthropic and Google. */
const server = new LLMock({ port: 0, chunkSize: 7 });

beforeAll(async () => {
  server.onMessage("what do my notes say?", {
    content: '<execute>[{"name":"read","args":{"file":"notes.txt"}}]</execute>',
  });
  server.onMessage("<results>", { content: "They say hello.\n\n<end>" });
  await server.start();
});
afterAll(() => server.stop());

/** `<server>` stands for the address of the mock, which is known only after it has started. */
const openaiWire = (api: string) => [
  "--provider",
  "openai",
  "--api",
  api,
  "--base-url",
  "<server>/v1",
  "--model",
  "tiny",
];
const withAddress = (args: readonly string[]) => args.map((arg) => arg.replace("<server>", server.url));
const wires: [wire: string, args: string[], env: Record<string, string>][] = [
  ["Chat Completions", openaiWire("chat"), { OPENAI_API_KEY: "sk-canary-0123456789" }],
  ["Responses", openaiWire("responses"), { OPENAI_API_KEY: "sk-canary-0123456789" }],
  ["Realtime", openaiWire("realtime"), { OPENAI_API_KEY: "sk-canary-0123456789" }],
  [
    "Messages",
    ["--provider", "anthropic", "--base-url", "<server>", "--model", "tiny"],
    { ANTHROPIC_API_KEY: "sk-canary-0123456789" },
  ],
  [
    "Gemini",
    ["--provider", "google", "--base-url", "<server>", "--model", "tiny"],
    { GEMINI_API_KEY: "sk-canary-0123456789" },
  ],
];

describe("a run over each wire", () => {
  it.each(wires)("reads a file and answers over %s", async (_, args, env) => {
    const { code, stdout, stderr } = await place().cogency(["run", "what do my notes say?", ...withAddress(args)], {
      env,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "They say hello.\n" });
    expect(stderr).toContain("✓ read");
    expect(stderr).not.toContain("canary");
  });

  it.each(wires)("continues over %s a conversation with the offline model", async (_, args, env) => {
    const at = place();
    await at.cogency(["run", "read notes.txt", "--provider", "offline", "--conversation", "talk"]);
    const again = ["run", "what do my notes say?", "--conversation", "talk", ...withAddress(args)];
    expect((await at.cogency(again, { env })).stdout).toBe("They say hello.\n");
  });

  it("shows the cost of a run if its prices are known", async () => {
    const at = place();
    writeFileSync(join(at.folder, "prices.json"), '{"tiny": {"input": 1000000, "output": 0}}');
    const args = [...withAddress(openaiWire("chat")), "--model", "tiny", "--prices", "prices.json"];
    const { stdout, stderr } = await at.cogency(["run", "what do my notes say?", "--json", ...args]);
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const { cost, usage } = lines.at(-1);
    expect(cost).toBe(usage.input);
    expect(lines.find(({ type }) => type === "metric").step.cost).toBeGreaterThan(0);
    expect(stderr).toBe("");
    expect((await at.cogency(["run", "what do my notes say?", ...args])).stderr).toMatch(/ · cost \d+\.00 · /);
  });

  it("says that no cost will be shown if the prices lack the model", async () => {
    const at = place();
    writeFileSync(join(at.folder, "prices.json"), '{"tiny": {"input": 1, "output": 1}}');
    const args = ["run", "hi", "--base-url", await chatServer(() => 200), "--model", "big", "--prices", "prices.json"];
    const { code, stderr } = await at.cogency(args);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^The cost is unknown: prices\.json has no price for the model "big"\.$/m);
    expect(stderr).not.toContain("cost about");
  });
});

describe("a server that reports no usage", () => {
  it("makes the cost an estimate, which is shown as one", async () => {
    const at = place();
    writeFileSync(join(at.folder, "prices.json"), '{"tiny": {"input": 1000000, "output": 0}}');
    const url = await chatServer(() => 200);
    const args = ["run", "hi", "--base-url", url, "--model", "tiny", "--prices", "prices.json"];
    const { stderr } = await at.cogency(args, { env: { OPENAI_API_KEY: "sk-canary" } });
    expect(stderr).toMatch(/about (\d+) tokens in, 2 out · cost about \1\.00 · /);
  });
});

describe("a request that a server refuses for the moment", () => {
  it("is retried with the next key, which is reported without the keys", async () => {
    const asked: string[] = [];
    const url = await chatServer((key) => {
      asked.push(key);
      return key.includes("first") || asked.length < 3 ? 429 : 200;
    });
    const env = { OPENAI_API_KEY: "sk-first-canary", OPENAI_API_KEY_1: "sk-second-canary" };
    const { code, stdout, stderr } = await place().cogency(
      ["run", "hi", "--base-url", url, "--model", "m", "--api-key-env", "OPENAI_API_KEY"],
      { env },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: "Hello.\n" });
    expect(asked.map((key) => key.replace(/^Bearer sk-|-canary$/g, ""))).toEqual(["first", "second", "second"]);
    expect(stderr).toMatch(/! .*key 1 of 2.*429.*key 2 of 2/);
    expect(stderr).not.toContain("canary");
  });

  it("is not retried if the server asks for too long a wait, and the run says when to try again", async () => {
    const url = await chatServer(() => 429, { "retry-after": "5400" });
    const args = ["run", "hi", "--base-url", url, "--model", "m"];
    const { code, stderr } = await place().cogency(args);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^error: .*\(HTTP 429\): Slow down\. Try again in 90 minutes\.$/m);
    expect(stderr).not.toContain("!");

    const env = { OPENAI_API_KEY: "sk-first-canary", OPENAI_API_KEY_1: "sk-second-canary" };
    const rotated = await place().cogency([...args, "--api-key-env", "OPENAI_API_KEY"], { env });
    expect(rotated.stderr).toMatch(/^error: Every key is limited\. .*, in 5400 s: .* Slow down\.$/m);
  });
});

/** Serves Chat Completions; `judge` returns the status for the key of a request. */
async function chatServer(judge: (key: string) => number, wait?: Record<string, string>): Promise<string> {
  const { url } = await serve((request, response) => {
    request.resume();
    const key = request.headers.authorization ?? "";
    const status = judge(key);
    if (status !== 200) {
      const pause = wait ?? { "retry-after-ms": key.includes("first") ? "30000" : "20" };
      const headers = { "content-type": "application/json", ...pause };
      response.writeHead(status, headers).end(JSON.stringify({ error: { message: "Slow down." } }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of [{ delta: { content: "Hello." } }, { delta: {}, finish_reason: "stop" }]) {
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`);
    }
    response.end("data: [DONE]\n\n");
  });
  return `${url}/v1`;
}
