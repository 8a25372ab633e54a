import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { oauth } from "../src/client/auth/oauth.ts";
import { tokenFile } from "../src/node/token-file.ts";
import { type LoginServers, loginServers, willing } from "./support/login-servers.ts";

const program = fileURLToPath(new URL("support/renewing-process.ts", import.meta.url));

/** Two servers, and a file with a login whose access token has ended. */
async function ended(): Promise<{ servers: LoginServers; file: string }> {
  const servers = await loginServers();
  const folder = await mkdtemp(join(tmpdir(), "renewing-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "private", "tokens.json");
  servers.expiresIn = 1;
  await oauth({ server: servers.url, store: tokenFile(file) }).login(willing());
  servers.expiresIn = 3600;
  return { servers, file };
}

async function waiting(
  servers: LoginServers,
  file: string,
): Promise<{ child: ChildProcess; lines: AsyncIterator<string> }> {
  const child = spawn(execPath, [program, servers.url, file], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  return { child, lines };
}

function renewals({ asked }: LoginServers): number {
  return asked.filter(({ body }) => body.includes("grant_type=refresh_token")).length;
}

describe("terminals that share a file of tokens", () => {
  it("renew an ended token once, and nobody is logged out", async () => {
    const { servers, file } = await ended();
    const all = await Promise.all(Array.from({ length: 5 }, () => waiting(servers, file)));
    for (const { child } of all) child.stdin?.write("go\n");
    const tokens = await Promise.all(all.map(async ({ lines }) => (await lines.next()).value));
    expect(new Set(tokens).size).toBe(1);
    expect(servers.tokens.has(tokens[0])).toBe(true);
    expect(renewals(servers)).toBe(1);
  });

  it("go on after one of them was killed while it renewed", async () => {
    const { servers, file } = await ended();
    const arrived = Promise.withResolvers<void>();
    servers.instead.set("/token", () => arrived.resolve());
    const killed = await waiting(servers, file);
    killed.child.stdin?.write("go\n");
    await arrived.promise;
    killed.child.kill("SIGKILL");
    await once(killed.child, "exit");
    servers.instead.clear();
    const next = await waiting(servers, file);
    next.child.stdin?.write("go\n");
    expect(servers.tokens.has((await next.lines.next()).value)).toBe(true);
    await once(next.child, "exit");
    expect(await readdir(join(file, ".."))).toEqual(["tokens.json"]);
  });
});
