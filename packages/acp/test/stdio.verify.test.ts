import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Store } from "@cogency/storage";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { chosen, editor, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { noiseIn, sessionFaults } from "./support/session-judge.ts";
import { stdioAgent, stdioEditor, storePath } from "./support/stdio-editor.ts";
import { stdioSite } from "./support/stdio-site.ts";

const time = 120_000;
const patience = { timeout: 60_000 };

describe("an agent over stdio", () => {
  it(
    "prints nothing but messages on stdout, whatever a program prints",
    async () => {
      const here = stdioEditor(storePath(), { isAlone: true });
      const session = await here.open();
      expect(await here.prompt(session, "make noise")).toEqual({ stopReason: "end_turn" });
      expect(noiseIn(here.printed.stdout)).toEqual([]);
      await expect.poll(() => here.printed.stderr, patience).toContain("a write");
      for (const line of ["a log", "an info", "bytes", "(index)"]) expect(here.printed.stderr).toContain(line);
      expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
    },
    time,
  );

  it(
    "in a process of its own, prints nothing either of what writes to the descriptor of stdout, and no program has that of the messages",
    async () => {
      const here = stdioEditor(storePath());
      const session = await here.open();
      expect(await here.prompt(session, "make noise")).toEqual({ stopReason: "end_turn" });
      expect(await here.prompt(session, "go deep")).toEqual({ stopReason: "end_turn" });
      expect(noiseIn(here.printed.stdout)).toEqual([]);
      await expect.poll(() => here.printed.stderr, patience).toContain("from a child");
      for (const line of ["a log", "to the descriptor"]) expect(here.printed.stderr).toContain(line);
      expect(JSON.stringify(here.updates)).toContain("No child has it.");
      expect([...schemaFaults(here.sent), ...sessionFaults(here.sent)]).toEqual([]);
    },
    time,
  );

  it.each([true, false])(
    "answers lines that are no messages or too long, and goes on; alone: %s",
    async (isAlone) => {
      const here = stdioEditor(storePath(), { isAlone });
      await here.initialize();
      const deep = `{"a":${'{"a":'.repeat(50_000)}1${"}".repeat(50_001)}`;
      here.child.stdin.write(`{"jsonrpc":\n\n[]\n5\n${"[".repeat(200_000)}\n${deep}\n`);
      await once(here.child.stdin, "drain");
      here.child.stdin.write('{"jsonrpc":"2.0","id":"long","method":"session/prompt","params":"');
      const megabyte = "x".repeat(1024 * 1024);
      for (let count = 0; count < 33; count++) here.child.stdin.write(megabyte);
      here.child.stdin.write('"}\n');
      // The stream of the client drops what it writes meanwhile.
      await once(here.child.stdin, "drain");
      const session = (await here.agent.request("session/new", { cwd: "/", mcpServers: [] })).sessionId;
      expect(await here.prompt(session, "hello")).toEqual({ stopReason: "end_turn" });
      const errors = here.sent.flatMap(({ message }) => ("error" in message ? [[message.id, message.error.code]] : []));
      const codes = [-32700, -32600, -32600, -32700, -32600].map((code) => [null, code]);
      expect(errors).toEqual([...codes, ["long", -32600]]);
    },
    time,
  );

  it.each([true, false])(
    "ends by itself when the editor closes its stdin, in the middle of a call; alone: %s",
    async (isAlone) => {
      const here = stdioEditor(storePath(), { isAlone });
      const session = await here.open();
      here.prompt(session, "wait").catch(() => {});
      await expect.poll(() => JSON.stringify(here.updates), patience).toContain("in_progress");
      here.child.stdin.destroy();
      expect(await here.exited).toEqual([0, null]);
    },
    time,
  );

  it.each([true, false])(
    "ends by itself when nobody reads its stdout any more; alone: %s",
    async (isAlone) => {
      const here = stdioEditor(storePath(), { isAlone });
      const session = await here.open();
      here.child.stdout.destroy();
      here.prompt(session, "hello").catch(() => {});
      expect(await here.exited).toEqual([0, null]);
    },
    time,
  );

  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "in a process of its own, ends by %s as one process would",
    async (signal) => {
      const here = stdioEditor(storePath());
      await here.open();
      here.child.kill(signal);
      expect(await here.exited).toEqual([null, signal]);
      await gone(await here.serving());
    },
    time,
  );
});

const moments = Array.from({ length: 20 }, (_, at) => at + 1);

type End = "an editor goes" | "the process that it has started is killed" | "the process that serves is killed";

/** Writes until the agent has sent so many messages, and then ends it. */
async function broken(path: string, messages: number, end: End): Promise<{ session: string | undefined }> {
  const here = stdioEditor(path, { permission: () => chosen("allow") });
  const isThere = () => here.sent.filter(({ from }) => from === "agent").length >= messages;
  let session: string | undefined;
  const work = (async () => {
    session = await here.open();
    for (const words of ["write", "hello", "write", "wait"]) await here.prompt(session, words);
  })().catch(() => {});
  const serving = await here.serving();
  await expect.poll(isThere, { ...patience, interval: 1 }).toBe(true);
  if (end === "an editor goes") here.child.stdin.destroy();
  // Its stdin stays open: the editor is still there.
  else process.kill(end === "the process that serves is killed" ? serving : (here.child.pid ?? 0), "SIGKILL");
  expect(await here.exited).toEqual(end === "an editor goes" ? [0, null] : [null, "SIGKILL"]);
  await gone(serving);
  here.connection.close();
  await work;
  return { session };
}

/** Until a process has ended. */
async function gone(id: number): Promise<void> {
  const isThere = () => {
    try {
      return process.kill(id, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(isThere, patience).toBe(false);
}

/** Another editor, and another process, that go on with what is in the store. */
async function goOn(store: Store, session: string): Promise<void> {
  const here = editor(stdioSite(store), { permission: () => chosen("allow") });
  await here.initialize();
  await here.agent.request("session/load", { sessionId: session, cwd: "/", mcpServers: [] });
  expect(await here.prompt(session, "hello again")).toEqual({ stopReason: "end_turn" });
  expect(textOf(here.updates)).toMatch(/This is what the agent says\.$/);
  expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
  here.connection.close();
  await here.served.close();
}

const ends: End[] = [
  "an editor goes",
  "the process that it has started is killed",
  "the process that serves is killed",
];

describe.each(ends)("if %s", (end) => {
  it.each(moments)(
    "after %d messages, the session is left for the next one to go on with, and no process",
    async (messages) => {
      const path = storePath();
      const { session } = await broken(path, messages, end);
      const store = await sqliteStore({ path });
      const isStored = session !== undefined && (await store.load({ conversation: session })).length > 0;
      if (isStored) await goOn(store, session);
      else expect(messages).toBeLessThan(5);
      await store.close();
    },
    time,
  );
});

describe("acpx in its strict mode", () => {
  /** Until the process that acpx keeps for a session has ended, and its agent with it. */
  const alone = (path: string) =>
    expect.poll(() => readdirSync(join(dirname(path), ".acpx/queues")), patience).toEqual([]);
  const program = join(dirname(fileURLToPath(import.meta.resolve("acpx/package.json"))), "dist/cli.js");
  const acpx = async (path: string, ...args: string[]) => {
    const home = dirname(path);
    const command = `${process.execPath} ${stdioAgent} ${path}`;
    const given = ["--agent", command, "--cwd", home, "--format", "json", "--json-strict", "--timeout", "60", ...args];
    const env = { ...process.env, HOME: home };
    const { code, stdout } = await promisify(execFile)(process.execPath, [program, ...given], { env }).then(
      (done) => ({ ...done, code: 0 }),
      (failed: { code: number; stdout: string }) => failed,
    );
    // Its own words about sessions are JSON, too.
    for (const line of stdout.split("\n")) if (line !== "") JSON.parse(line);
    return { code, stdout };
  };

  it(
    "runs a prompt",
    async () => {
      const { code, stdout } = await acpx(storePath(), "exec", "hello");
      expect(code).toBe(0);
      expect(stdout).toContain("end_turn");
    },
    time,
  );

  it(
    "allows a call and denies one",
    async () => {
      const allowed = await acpx(storePath(), "--approve-all", "exec", "write");
      expect([allowed.code, allowed.stdout.includes('"completed"')]).toEqual([0, true]);
      const denied = await acpx(storePath(), "--deny-all", "exec", "write");
      expect([denied.code, denied.stdout.includes('"failed"')]).toEqual([5, true]);
    },
    time,
  );

  it(
    "goes on with a session in another process, and cancels a prompt",
    async () => {
      const path = storePath();
      expect((await acpx(path, "sessions", "new")).code).toBe(0);
      expect((await acpx(path, "--ttl", "1", "prompt", "hello")).code).toBe(0);
      await alone(path);
      const again = await acpx(path, "--ttl", "1", "prompt", "hello again");
      expect(again.code).toBe(0);
      expect(again.stdout).toContain("session/resume");
      await alone(path);
      const waiting = acpx(path, "--ttl", "1", "prompt", "wait");
      const store = await sqliteStore({ path });
      const log = async () =>
        JSON.stringify(
          await Promise.all((await store.conversations()).map(({ conversation }) => store.load({ conversation }))),
        );
      await expect.poll(log, patience).toContain('"started"');
      expect((await acpx(path, "cancel")).code).toBe(0);
      expect((await waiting).stdout).toContain('"cancelled"');
      await alone(path);
      await store.close();
    },
    time,
  );
});
