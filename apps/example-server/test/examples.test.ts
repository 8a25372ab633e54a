import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it, type TestContext } from "vitest";

const tokens = { "the token of Ada": "ada", "the token of Bob": "bob" };
const ada = { authorization: "Bearer the token of Ada" };
const bob = { authorization: "Bearer the token of Bob" };

/** Starts an example on a free port. */
async function start(example: string, { onTestFinished }: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), "cogency-example-server-"));
  const env = { SECRET: "a secret of at least 32 characters", TOKENS: JSON.stringify(tokens), PORT: "0" };
  const file = fileURLToPath(new URL(`../src/${example}.ts`, import.meta.url));
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env, STORE: join(folder, "store.db") },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await exit;
    rmSync(folder, { recursive: true, force: true });
  });
  const [api] = (await once(createInterface(child.stdout), "line")) as [string];
  return { api, child, exit };
}

/** The stored events until one of the type, from an open stream. */
async function eventsUntil(type: string, { body }: Response): Promise<{ type: string; content?: string }[]> {
  const events: { type: string }[] = [];
  let rest = "";
  for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.startsWith("data: ")) events.push(JSON.parse(line.slice(6)));
    if (events.some((event) => event.type === type)) break;
  }
  return events;
}

it.concurrent.for(["node", "hono", "express"])(
  "the example for %s answers a prompt in its stream of events, for its user alone, and ends at SIGTERM",
  async (example, context) => {
    const { api, child, exit } = await start(example, context);
    const address = `${api}/conversations/first`;
    for (const path of ["/conversations", "/conversations/first/events"])
      expect((await fetch(`${api}${path}`)).status).toBe(401);
    const stream = await fetch(`${address}/events`, { headers: ada });
    const body = JSON.stringify({ id: "1", kind: "prompt", content: "hello" });
    const headers = { ...ada, "content-type": "application/json" };
    expect((await fetch(`${address}/messages`, { method: "POST", headers, body })).status).toBe(202);
    const events = await eventsUntil("respond", stream);
    expect(events.find(({ type }) => type === "user")).toMatchObject({ content: "hello" });
    expect(events.at(-1)?.content).not.toBe("");
    const listed = async (person: object) => (await fetch(`${api}/conversations`, { headers: { ...person } })).json();
    expect(await listed(ada)).toMatchObject([{ conversation: "first" }]);
    expect(await listed(bob)).toEqual([]);
    const evil = { ...ada, origin: "https://evil.example" };
    expect((await fetch(`${api}/conversations`, { headers: evil })).status).toBe(403);
    const health = await fetch(new URL("/health", api));
    expect([health.status, await health.json()]).toMatchObject([200, { concurrency: 16 }]);
    child.kill("SIGTERM");
    expect(await exit).toEqual([0, null]);
  },
);
