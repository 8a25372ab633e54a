import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, watch } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { call, initialize, type Rpc, request } from "../../test/server/raw-client.ts";

const program = join(import.meta.dirname, "../../test/server/programs/slow-server.ts");

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "cogency-mcp-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Starts the server, and speaks to it by lines. */
async function started(place: string, ...answers: string[]) {
  const child: ChildProcess = spawn(process.execPath, [program, place, ...answers], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const waiting = new Map<unknown, (message: Rpc) => void>();
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    });
  }
  const say = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);
  const ask = (message: Rpc) =>
    new Promise<Rpc>((resolve, reject) => {
      child.once("exit", () => reject(new Error("The server has ended.")));
      waiting.set(message.id, resolve);
      say(message);
    });
  await ask(request("initialize", initialize(), 0));
  say({ jsonrpc: "2.0", method: "notifications/initialized" });
  return { child, say, ask };
}

describe("a server over stdio", () => {
  it("ends when its client closes the input, also in the middle of a call", async () => {
    const place = folder();
    const { child, say } = await started(place);
    say(call("slow", {}, 1));
    await begun(place);
    child.stdin?.end();
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("keeps nothing of a call that a kill broke off: the next process serves at once", async () => {
    const place = folder();
    const { child, say } = await started(place);
    say(call("slow", {}, 1));
    await begun(place);
    child.kill("SIGKILL");
    expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
    const { ask } = await started(place);
    expect(await ask(request("ping", {}, 1))).toMatchObject({ result: {} });
  });

  it("goes on with the conversation of an agent after a kill", async () => {
    const place = folder();
    const first = await started(place, '<execute>[{"name":"refund","args":{}}]</execute>');
    const { result } = await first.ask(call("ask_agent", { prompt: "Refund it." }, 1));
    const { conversation, status } = (result as { structuredContent: Rpc }).structuredContent;
    expect(status).toBe("waiting");
    first.child.kill("SIGKILL");
    await once(first.child, "exit");
    const second = await started(place, "I wait.<end>");
    const later = await second.ask(call("ask_agent", { conversation }, 1));
    expect(later).toMatchObject({ result: { structuredContent: { conversation, status: "waiting", waitsFor: 1 } } });
  });
});

/** Resolves when the slow tool has begun. */
async function begun(place: string): Promise<void> {
  const watcher = watch(place);
  while (!existsSync(join(place, "begun"))) await once(watcher, "change");
  watcher.close();
}
