import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sqliteStore } from "@cogency/storage-sqlite";
import { describe, expect, it } from "vitest";
import { chosen, type Sent, textOf } from "./support/editor.ts";
import { schemaFaults } from "./support/schema-judge.ts";
import { noiseIn, sessionFaults } from "./support/session-judge.ts";
import { stdioAgent, stdioEditor, storePath } from "./support/stdio-editor.ts";

const time = 120_000;
const patience = { timeout: 60_000 };

describe("an agent over stdio", () => {
  it(
    "prints nothing but messages on stdout, whatever a tool prints",
    async () => {
      const here = stdioEditor(storePath());
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
    "answers lines that are no messages, and ends the connection at one that is too long",
    async () => {
      const here = stdioEditor(storePath());
      await here.initialize();
      const deep = `{"a":${'{"a":'.repeat(50_000)}1${"}".repeat(50_001)}`;
      here.child.stdin.write(`{"jsonrpc":\n\n[]\n5\n${"[".repeat(200_000)}\n${deep}\n`);
      await once(here.child.stdin, "drain");
      const session = (await here.agent.request("session/new", { cwd: "/", mcpServers: [] })).sessionId;
      expect(await here.prompt(session, "hello")).toEqual({ stopReason: "end_turn" });
      const codes = here.sent.flatMap(({ message }) => ("error" in message ? [message.error.code] : []));
      expect(codes).toEqual([-32700, -32600, -32600, -32700, -32600]);
      const megabyte = "x".repeat(1024 * 1024);
      here.child.stdin.on("error", () => {});
      for (let count = 0; count < 33; count++) here.child.stdin.write(megabyte);
      expect(await here.exited).toEqual([0, null]);
    },
    time,
  );

  it(
    "ends by itself when the editor closes its stdin, in the middle of a call",
    async () => {
      const here = stdioEditor(storePath());
      const session = await here.open();
      here.prompt(session, "wait").catch(() => {});
      await expect.poll(() => JSON.stringify(here.updates), patience).toContain("in_progress");
      here.child.stdin.destroy();
      expect(await here.exited).toEqual([0, null]);
    },
    time,
  );

  it(
    "ends by itself when nobody reads its stdout any more",
    async () => {
      const here = stdioEditor(storePath());
      const session = await here.open();
      here.child.stdout.destroy();
      here.prompt(session, "hello").catch(() => {});
      expect(await here.exited).toEqual([0, null]);
    },
    time,
  );
});

const moments = Array.from({ length: 20 }, (_, at) => at + 1);

/** Writes until the agent has sent so many messages, and then goes, or kills it. */
async function broken(
  path: string,
  messages: number,
  how: "goes" | "kills",
): Promise<{ session: string | undefined; sent: Sent[] }> {
  const here = stdioEditor(path, { permission: () => chosen("allow") });
  const isThere = () => here.sent.filter(({ from }) => from === "agent").length >= messages;
  let session: string | undefined;
  const work = (async () => {
    session = await here.open();
    for (const words of ["write", "hello", "write", "wait"]) await here.prompt(session, words);
  })().catch(() => {});
  await expect.poll(isThere, { ...patience, interval: 1 }).toBe(true);
  if (how === "kills") here.child.kill("SIGKILL");
  else here.child.stdin.destroy();
  const [code] = await here.exited;
  expect(code).toBe(how === "kills" ? null : 0);
  here.connection.close();
  await work;
  return { session, sent: [...here.sent] };
}

/** Another editor that goes on with what is in the store. */
async function goOn(path: string, session: string): Promise<void> {
  const here = stdioEditor(path, { permission: () => chosen("allow") });
  await here.initialize();
  await here.agent.request("session/load", { sessionId: session, cwd: "/", mcpServers: [] });
  expect(await here.prompt(session, "hello again")).toEqual({ stopReason: "end_turn" });
  expect(textOf(here.updates)).toMatch(/This is what the agent says\.$/);
  expect([...schemaFaults(here.sent), ...sessionFaults(here.sent, { watched: true })]).toEqual([]);
  expect(noiseIn(here.printed.stdout)).toEqual([]);
}

async function isStored(path: string, conversation: string | undefined): Promise<boolean> {
  const store = await sqliteStore({ path });
  try {
    return conversation !== undefined && (await store.load({ conversation })).length > 0;
  } finally {
    await store.close();
  }
}

describe.each(["goes", "kills"] as const)("an editor that %s", (how) => {
  it.each(moments)(
    "after %d messages leaves a session that the next one goes on with, and no process",
    async (messages) => {
      const path = storePath();
      const { session } = await broken(path, messages, how);
      if (session !== undefined && (await isStored(path, session))) await goOn(path, session);
      else expect(messages).toBeLessThan(5);
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
