import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@tooling/loopback";
import { findRedis } from "./find-redis.ts";

/** A Redis server of one's own, on 127.0.0.1, that keeps nothing over a restart. */
export interface RedisServer {
  /** With the password. */
  readonly url: string;
  /** Kills it, and starts it again, empty, on the same port. */
  restart(): Promise<void>;
  /** Ends the server and removes its folder. Calling it again does nothing. */
  stop(): Promise<void>;
}

/**
 * Starts the Redis of this machine. It ends with `stop`, and when this process ends, however it does.
 *
 * @throws Error if no Redis is installed, or it does not start; the message says what to do
 */
export async function startRedis(): Promise<RedisServer> {
  const program = findRedis();
  if (program === undefined) throw new Error(`Redis was not found. ${howToInstall}`);
  const folder = mkdtempSync(join(tmpdir(), "cogency-redis-"));
  const watchdog = spawn(process.execPath, [fileURLToPath(new URL("watchdog.ts", import.meta.url)), folder], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  watchdog.unref();
  watchdog.stdin.on("error", () => {});
  const password = randomBytes(12).toString("hex");
  const port = await freePort();
  let server: ChildProcess | undefined;
  try {
    await start();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `redis://:${password}@127.0.0.1:${port}`,
    async restart() {
      await kill();
      await start();
    },
    stop,
  };

  async function start(): Promise<void> {
    const settings = {
      ...{ port, bind: "127.0.0.1", requirepass: password },
      ...{ dir: folder, pidfile: join(folder, "pid"), save: "", appendonly: "no" },
    };
    const parameters = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const child = spawn(program ?? "", parameters, { stdio: ["ignore", "pipe", "pipe"], detached: true });
    child.unref();
    server = child;
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output = (output + text).slice(-2000);
      });
    }
    const deadline = performance.now() + 30_000;
    while (!(await answers(port))) {
      if (hasEnded(child) || performance.now() > deadline) throw new Error(`Redis did not start. It said:\n${output}`);
      await setTimeout(10);
    }
  }

  async function kill(): Promise<void> {
    if (!server || hasEnded(server)) return;
    server.ref();
    const ended = once(server, "exit");
    server.kill("SIGKILL");
    await ended;
  }

  async function stop(): Promise<void> {
    await kill();
    rmSync(folder, { recursive: true, force: true });
    watchdog.stdin?.destroy();
  }
}

/** What somebody without Redis can do. */
export const howToInstall =
  "Install its server (Debian and Ubuntu: apt-get install redis-server), or name a running one in COGENCY_TEST_REDIS=redis://:password@host:port.";

/** Whether the server takes connections. */
async function answers(port: number): Promise<boolean> {
  const socket = createConnection({ port, host: "127.0.0.1" });
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
