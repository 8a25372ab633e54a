import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import { listen } from "@tooling/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonLines, outcomeOf, place, written } from "./support/command-line.ts";

const env = { OPENAI_API_KEY: "sk-canary-0123456789" };
const realtime = (url: string) => ["--api", "realtime", "--base-url", `${url}/v1`, "--model", "gpt-realtime"];

describe("a run over Realtime", () => {
  it.each([
    ["while the server says nothing", () => {}, /never written/, 500],
    ["while it waits to connect again", tooMany, /Try 2 begins in 30\.0 s/, 0],
  ] as const)("is cancelled by Ctrl-C %s", async (_, answer, pattern, pause) => {
    const { url, connected } = await refusingServer(answer);
    const child = place().start(["run", "hi", ...realtime(url)], { env });
    const outcome = outcomeOf(child);
    await Promise.all([connected, pause > 0 ? setTimeout(pause) : written(child.stderr, pattern)]);
    child.kill("SIGINT");
    const { code, stdout, stderr } = await outcome;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("The run was cancelled: Ctrl-C.");
    expect(stderr).toContain("1 step · 0 tokens in, 0 out");
    expect(stderr).not.toContain("canary");
  });

  it("continues after a kill, with each turn sent once and in order, and no call run twice", async () => {
    const steps = 10;
    const server = new LLMock({ port: 0, chunkSize: 9, latency: 4 });
    const heard: string[][] = [];
    server.on({}, ({ messages }) => {
      const texts = messages.map(({ content }) => textOf(content));
      heard.push(texts);
      const step = texts.filter((text) => text.startsWith("<results>")).length;
      if (step >= steps) return { content: "All is done.\n\n<end>" };
      const call = { name: "shell", args: { command: `node count.mjs ${step}` } };
      return { content: `Step ${step}.\n<execute>[${JSON.stringify(call)}]</execute>` };
    });
    await server.start();
    onTestFinished(() => server.stop());

    const { folder, start, cogency } = place();
    writeFileSync(
      join(folder, "count.mjs"),
      'import { appendFileSync } from "node:fs"; appendFileSync("ran", process.argv[2] + "\\n");',
    );
    writeFileSync(join(folder, "ran"), "");
    const options = [...realtime(server.url), "--conversation", "c", "--yes", "--json"];
    for (let round = 0; round < 4; round++) {
      const child = start(["run", ...(round === 0 ? ["go"] : ["--resume"]), ...options], { env });
      const outcome = outcomeOf(child);
      await written(child.stdout, /"type":"metric"/);
      await setTimeout(Math.random() * 100);
      child.kill("SIGKILL");
      await outcome;
    }
    const { code, stdout } = await cogency(["run", "--resume", ...options], { env });
    expect({ code, text: jsonLines<{ text?: string }>(stdout).at(-1)?.text }).toEqual({
      code: 0,
      text: "All is done.",
    });

    const told = heard.at(-1) ?? [];
    const results = told.filter((text) => text.startsWith("<results>"));
    expect(results).toHaveLength(steps);
    expect(told.filter((text) => text === "go")).toHaveLength(1);
    const stepsTold = told.flatMap((text) => text.match(/^Step \d+(?=\.\n.*<execute>)/s) ?? []);
    expect(stepsTold).toEqual(Array.from({ length: steps }, (_, step) => `Step ${step}`));
    const ran = readFileSync(join(folder, "ran"), "utf8").trim().split("\n");
    expect(ran).toEqual([...new Set(ran)]);
    const succeeded = results.flatMap((text, step) => (text.includes('"success"') ? [`${step}`] : []));
    expect(ran).toEqual(expect.arrayContaining(succeeded));
    // Each request begins like the one before it.
    for (const [index, messages] of heard.entries()) {
      const before = (heard[index - 1] ?? []).map(withoutSpace);
      expect(messages.map(withoutSpace).slice(0, before.length)).toEqual(before);
    }
  });
});

/** White space between the parts of an answer differs: a session has the model's own, the log another. */
const withoutSpace = (text: string) => text.replace(/\s/g, "");

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(({ text }: { text?: string }) => text ?? "").join("") : "";
}

function tooMany(socket: Socket) {
  socket.end("HTTP/1.1 429 Too Many Requests\r\nretry-after: 30\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
}

/** Accepts no WebSocket; `connected` resolves at the first request for one. */
async function refusingServer(answer: (socket: Socket) => void): Promise<{ url: string; connected: Promise<void> }> {
  const server = createServer();
  const { promise: connected, resolve } = Promise.withResolvers<void>();
  server.on("upgrade", (_, socket: Socket) => {
    resolve();
    answer(socket);
  });
  const { url } = await listen(server, { onEnd: onTestFinished });
  return { url, connected };
}
