import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { expect, it, onTestFinished, vi } from "vitest";
import { createDatabase } from "./create-database.ts";
import { describeOwnPostgres } from "./describe-postgres.ts";
import { type PostgresEnding, type PostgresServer, startPostgres } from "./start-postgres.ts";

describeOwnPostgres("startPostgres", () => {
  it.each<PostgresEnding>(["fast", "immediate", "kill"])(
    "keeps what was committed over a restart (%s)",
    async (how) => {
      const server = await started();
      await query(server.url, "CREATE TABLE kept (x int)");
      const { pid } = server;
      await server.restart(how);
      expect(server.pid).not.toBe(pid);
      expect(await query(server.url, "SELECT count(*)::int AS count FROM kept")).toEqual([{ count: 0 }]);
    },
  );

  it("accepts nobody without the password, and leaves nothing behind", async () => {
    const server = await started();
    const [{ folder } = { folder: "" }] = await query(server.url, "SELECT current_setting('data_directory') AS folder");
    expect(existsSync(String(folder))).toBe(true);
    const stranger = new URL(server.url);
    stranger.password = "wrong";
    await expect(query(stranger.href, "SELECT 1")).rejects.toThrow("password authentication failed");
    await server.stop();
    await server.stop();
    expect(existsSync(String(folder))).toBe(false);
    await expect(query(server.url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });

  it("makes databases that know nothing of each other", async () => {
    const server = await started();
    const [one, two] = await Promise.all([createDatabase(server.url), createDatabase(server.url)]);
    await query(one.url, "CREATE TABLE mine (x int)");
    await expect(query(two.url, "SELECT * FROM mine")).rejects.toThrow("does not exist");
    await one.drop();
    await expect(query(one.url, "SELECT 1")).rejects.toThrow("does not exist");
  });

  it("ends when the process that started it is killed", async () => {
    const owner = spawn(process.execPath, [fileURLToPath(new URL("start-and-wait.ts", import.meta.url))], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    onTestFinished(() => void owner.kill("SIGKILL"));
    const [url] = (await once(createInterface(owner.stdout), "line")) as [string];
    const [{ folder } = { folder: "" }] = await query(url, "SELECT current_setting('data_directory') AS folder");
    owner.kill("SIGKILL");
    await exited(owner);
    await vi.waitFor(() => expect(existsSync(String(folder))).toBe(false), { timeout: 30_000 });
    await expect(query(url, "SELECT 1")).rejects.toThrow("ECONNREFUSED");
  });
});

async function started(): Promise<PostgresServer> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  return server;
}

async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = postgres(url, { max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end();
  }
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}
