import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { StoredEvent } from "@cogency/storage";
import { describe, expect, it, onTestFinished } from "vitest";

describe("the server", () => {
  it("gives a page that no other page may frame, and no conversation to another host", async () => {
    const server = await start(temporaryFolder());
    const page = await fetch(server.url);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await page.text()).toContain('{"type":"live","api":"/api"}');
    const [, port] = /:(\d+)$/.exec(server.url) ?? [];
    expect((await fetch(`${server.url}/api/conversations`)).status).toBe(200);
    expect((await fetch(`http://localhost:${port}/api/conversations`)).status).toBe(401);
    await server.stop();
  });
});

describe("the server, started again", () => {
  it("shows the same events, and takes the answer to a question of before", async () => {
    const folder = temporaryFolder();
    const first = await start(folder);
    await first.post({ kind: "prompt", content: 'write "milk" to list.txt' });
    const before = await first.eventsUntil(isQuestion);
    await first.stop();

    const second = await start(folder);
    const after = await second.eventsUntil(isQuestion);
    expect(after).toEqual(before);
    await second.post({ kind: "approve", question: questionIn(after) });
    await second.eventsUntil(isEnd);
    expect(readFileSync(join(folder, "notes/list.txt"), "utf8")).toBe("milk\n");
    await second.stop();
  });

  it("keeps a note in its folder, whatever the model calls it, and the key to itself", async () => {
    const folder = temporaryFolder();
    const server = await start(folder);
    await server.post({ kind: "prompt", content: 'write "milk" to "../escaped.txt" and read "../key"' });
    const log = await server.eventsUntil(isEnd);
    expect(log.filter(isQuestion)).toEqual([]);
    expect(JSON.stringify(log.filter(({ type }) => type === "result"))).toContain("without a folder");
    expect(JSON.stringify(log)).not.toContain(readFileSync(join(folder, "key"), "utf8"));
    expect(statSync(join(folder, "key")).mode & 0o777).toBe(0o600);
    await server.stop();
  });
});

const isQuestion = (event: StoredEvent) => event.type === "record" && event.kind === "question";
const isEnd = (event: StoredEvent) => event.type === "record" && event.kind === "run";

function questionIn(log: StoredEvent[]): string {
  return log.flatMap((event) => (event.type === "record" && isQuestion(event) ? [String(event.data.id)] : []))[0] ?? "";
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "example-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts the server in a process of its own, on a free port. */
async function start(folder: string) {
  const main = fileURLToPath(new URL("../src/main.ts", import.meta.url));
  const server = spawn(process.execPath, [main, folder], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => end(server));
  const [line] = (await once(createInterface(server.stdout), "line")) as [string];
  const url = line.replace("Open ", "");
  const notes = `${url}/api/conversations/notes`;
  return {
    url,
    async post(message: object): Promise<void> {
      const headers = { "content-type": "application/json", origin: url };
      const body = JSON.stringify({ id: crypto.randomUUID(), ...message });
      const { status } = await fetch(`${notes}/messages`, { method: "POST", headers, body });
      expect(status).toBe(202);
    },
    /** The events up to the first one that fits. */
    async eventsUntil(fits: (event: StoredEvent) => boolean): Promise<StoredEvent[]> {
      const { body } = await fetch(`${notes}/events?view=log`);
      const events: StoredEvent[] = [];
      let rest = "";
      for await (const text of body?.pipeThrough(new TextDecoderStream()) ?? []) {
        const lines = `${rest}${text}`.split("\n");
        rest = lines.pop() ?? "";
        for (const data of lines.filter((one) => one.startsWith("data: "))) {
          events.push(JSON.parse(data.slice("data: ".length)));
          if (fits(events.at(-1) as StoredEvent)) return events;
        }
      }
      throw new Error("The events ended.");
    },
    async stop(): Promise<void> {
      const closed = once(server, "close");
      server.kill("SIGTERM");
      expect(await closed).toEqual([0, null]);
    },
  };
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, "close");
  server.kill("SIGKILL");
  await closed;
}
